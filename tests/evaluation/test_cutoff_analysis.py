import itertools

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN

from ir_coliee import AnswerAccuracy, MacroF2, MacroR, MicroF1, MicroR
from ir_coliee.evaluation.cutoffs import attainable_recall, fit_cutoff, oracle
from ir_coliee.transformers import TopK


def results_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})


def qrels_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "label"])


RESULTS = results_of(
    [("1", "a", 9.0), ("1", "x", 8.0), ("1", "b", 7.0), ("2", "x", 3.0), ("2", "y", 2.0), ("2", "c", 1.0)]
)
QRELS = qrels_of([("1", "a", 1), ("1", "b", 1), ("2", "c", 1), ("3", "d", 1)])

pairs = st.tuples(st.sampled_from("123"), st.sampled_from("abcd"))
rankings = st.lists(pairs, unique=True, max_size=10)
golds = st.dictionaries(st.tuples(st.sampled_from("1234"), st.sampled_from("abcde")), st.integers(0, 1), min_size=1)
measures = st.sampled_from([measure for measure in PLAIN if measure != AnswerAccuracy])


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
        values[sizes] = float(PLAIN[measure]([*zip(hits, sizes, relevant)]))
    assert found.value == pytest.approx(max(values.values()), abs=1e-12)
    assert found.sizes.index.tolist() == queries
    assert values[tuple(found.sizes)] == pytest.approx(found.value, abs=1e-12)


def test_a_cut_that_is_best_for_its_query_can_harm_the_pool():
    more = results_of([("2", "z", 1.8), ("2", "w", 1.5)])
    longer = pd.concat([RESULTS, more])
    # query 2's own best is its hit in the fifth place; with it the pool has 3 hits of 8 + 4, without it 2 of 3 + 4
    assert oracle(longer, QRELS, MacroF2).sizes.to_dict() == {"1": 3, "2": 5, "3": 0}
    found = oracle(longer, QRELS, MicroF1)
    assert found.sizes.to_dict() == {"1": 3, "2": 0, "3": 0}
    assert found.value == 2 * 2 / (3 + 4)


def test_the_attainable_recall_is_that_of_keeping_everything_down_to_a_depth():
    found = attainable_recall(RESULTS, QRELS, [1, 2, 3, 50])
    assert found.columns.tolist() == ["depth", "tp", "MicroR", "MacroR"]
    assert found.tp.tolist() == [1, 1, 3, 3]
    for depth, micro, macro in zip(found.depth, found.MicroR, found.MacroR):
        assert micro == pytest.approx(fit_cutoff(RESULTS, QRELS, MicroR, [TopK(depth)]).value, abs=1e-12)
        assert macro == pytest.approx(fit_cutoff(RESULTS, QRELS, MacroR, [TopK(depth)]).value, abs=1e-12)
