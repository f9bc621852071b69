import itertools
import math

import ir_measures
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import AnswerAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF, MicroF1, MicroP, MicroR
from ir_coliee.evaluation.cutoffs import answers_per_query, attainable_recall, oracle, search_cutoffs
from ir_coliee.transformers import TopK


def results_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})


def qrels_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "label"])


def value_of(answers, qrels, measure):
    run = answers.rename(columns={"qid": "query_id", "docno": "doc_id"})
    gold = qrels.rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"})
    return ir_measures.calc_aggregate([measure], gold, run)[measure]


RESULTS = results_of(
    [("1", "a", 9.0), ("1", "x", 8.0), ("1", "b", 7.0), ("2", "x", 3.0), ("2", "y", 2.0), ("2", "c", 1.0)]
)
QRELS = qrels_of([("1", "a", 1), ("1", "b", 1), ("2", "c", 1), ("3", "d", 1)])

pairs = st.tuples(st.sampled_from("123"), st.sampled_from("abcd"))
rankings = st.lists(pairs, unique=True, max_size=10)
golds = st.dictionaries(st.tuples(st.sampled_from("1234"), st.sampled_from("abcde")), st.integers(0, 1), min_size=1)
measures = st.sampled_from(
    [MicroF1, MicroP, MicroR, MicroF(beta=2), MicroF(beta=0.3), MacroF2, MacroP, MacroR, MacroF(empty=1)]
)


@pytest.mark.slow
@given(rankings, golds, measures)
@settings(max_examples=80, deadline=None)
def test_the_oracle_is_the_best_of_all_combinations_of_cuts(ranking, gold, measure):
    results = results_of([(*pair, -float(place)) for place, pair in enumerate(ranking)])
    qrels = qrels_of([(*pair, label) for pair, label in gold.items()])
    found = oracle(results, qrels, measure)

    wanted = {pair for pair, label in gold.items() if label}
    queries = sorted({query for query, _ in gold})
    lists = [[pair for pair in ranking if pair[0] == query] for query in queries]
    relevant = [sum(pair[0] == query for pair in wanted) for query in queries]
    values = {}
    for sizes in itertools.product(*(range(len(own) + 1) for own in lists)):
        hits = [len(wanted.intersection(own[:size])) for own, size in zip(lists, sizes)]
        values[sizes] = plain(measure, list(zip(hits, sizes, relevant)))
    assert found.value == pytest.approx(max(values.values()), abs=1e-12)
    assert found.sizes.index.tolist() == queries
    assert values[tuple(found.sizes)] == pytest.approx(found.value, abs=1e-12)


def plain(measure, counts):
    """The measure from (tp, returned, relevant) of each query, in plain Python."""
    beta = 2.0 if measure.NAME == "MacroF2" else measure.params.get("beta", 1.0)

    def ratio(tp, n, g):
        top, bottom = {"P": (tp, n), "R": (tp, g)}.get(measure.NAME[5:], ((1 + beta**2) * tp, beta**2 * g + n))
        return top / bottom if bottom else 0.0

    if measure.NAME.startswith("Micro"):
        return ratio(*map(sum, zip(*counts)))
    empty = measure.params.get("empty", 0)
    return sum(empty if n == g == 0 else ratio(tp, n, g) for tp, n, g in counts) / len(counts)


def test_a_cut_that_is_best_for_its_query_can_harm_the_pool():
    more = results_of([("2", "z", 1.8), ("2", "w", 1.5)])
    longer = pd.concat([RESULTS, more])
    # query 2's own best is its hit in the fifth place; with it the pool has 3 hits of 8 + 4, without it 2 of 3 + 4
    assert oracle(longer, QRELS, MacroF2).sizes.to_dict() == {"1": 3, "2": 5, "3": 0}
    found = oracle(longer, QRELS, MicroF1)
    assert found.sizes.to_dict() == {"1": 3, "2": 0, "3": 0}
    assert found.value == 2 * 2 / (3 + 4)


def test_the_oracle_is_worth_what_its_answers_are_worth_and_no_rule_beats_it():
    for measure in (MicroF1, MacroF2, MicroF(beta=3)):
        found = oracle(RESULTS, QRELS, measure)
        answers = RESULTS[RESULTS.groupby("qid").cumcount() < RESULTS["qid"].map(found.sizes)]
        assert found.value == pytest.approx(value_of(answers, QRELS, measure), abs=1e-12)
        assert found.value >= search_cutoffs(RESULTS, QRELS, measure).best.value


@pytest.mark.parametrize("results", [RESULTS.iloc[:0], RESULTS.assign(docno="z")])
def test_the_oracle_of_a_run_without_hits_keeps_nothing(results):
    found = oracle(results, QRELS, MicroF1)
    assert found.value == 0
    assert found.sizes.tolist() == [0, 0, 0]


def test_the_oracle_follows_the_relevance_of_the_measure():
    graded = QRELS.assign(label=[2, 1, 1, 1])
    assert oracle(RESULTS, graded, MicroF1(rel=2)).sizes.to_dict() == {"1": 1, "2": 0, "3": 0}


@pytest.mark.parametrize("measure", [MicroP @ 1, AnswerAccuracy, ir_measures.AP], ids=str)
def test_a_measure_that_cuts_by_itself_has_no_oracle(measure):
    with pytest.raises(ValueError, match=str(measure)):
        oracle(RESULTS, QRELS, measure)


def test_the_attainable_recall_is_that_of_keeping_everything_down_to_a_depth():
    found = attainable_recall(RESULTS, QRELS, [1, 2, 3, 50])
    assert found.columns.tolist() == ["depth", "tp", "MicroR", "MacroR"]
    assert found.tp.tolist() == [1, 1, 3, 3]
    for depth, micro, macro in zip(found.depth, found.MicroR, found.MacroR):
        assert micro == pytest.approx(value_of(TopK(depth)(RESULTS), QRELS, MicroR), abs=1e-12)
        assert macro == pytest.approx(value_of(TopK(depth)(RESULTS), QRELS, MacroR), abs=1e-12)


def test_the_attainable_recall_follows_rel_and_wants_depths_from_one():
    assert attainable_recall(RESULTS, QRELS.assign(label=[2, 1, 1, 1]), [1], rel=2).MicroR.tolist() == [1.0]
    with pytest.raises(ValueError, match="depth must be an integer >= 1, got 0"):
        attainable_recall(RESULTS, QRELS, [0])


def test_a_run_without_results_attains_no_recall():
    assert attainable_recall(RESULTS.iloc[:0], QRELS, [1, 5]).MicroR.tolist() == [0.0, 0.0]


def test_gold_and_returned_items_stand_side_by_side():
    test_run = results_of([("7", "a", 2.0), ("7", "b", 1.0), ("7", "b", 0.5), ("8", "a", 1.0), ("9", "x", 1.0)])
    test_qrels = qrels_of([("7", "a", 1), ("8", "c", 0)])
    found = answers_per_query({"train": (RESULTS, QRELS), "test": (test_run, test_qrels)})
    assert found.values.tolist() == [
        ["train", "gold", 3, 4 / 3, pytest.approx(math.sqrt(2) / 3), 1, 1.0, 2],
        ["train", "returned", 3, 2.0, pytest.approx(math.sqrt(2)), 0, 3.0, 3],
        ["test", "gold", 2, 0.5, 0.5, 0, 0.5, 1],
        ["test", "returned", 2, 1.5, 0.5, 1, 1.5, 2],
    ]
    assert found.columns.tolist() == ["split", "items", "queries", "mean", "sd", "min", "median", "max"]


def test_without_qrels_the_answered_queries_are_counted():
    found = answers_per_query({"test": (RESULTS, None)})
    assert found[["items", "queries", "mean"]].values.tolist() == [["returned", 2, 3.0]]


def test_a_part_without_queries_has_no_mean():
    found = answers_per_query({"test": (RESULTS.iloc[:0], None)})
    assert found["queries"].tolist() == [0]
    assert math.isnan(found["mean"][0])
