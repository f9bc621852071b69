import ir_measures
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import AnswerAccuracy, MacroF, MacroF2, MacroP, MicroF, MicroF1, MicroP, MicroR
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.transformers import DynamicCutoff, MarginCutoff, RatioCutoff, ThresholdCutoff, TopK

GRID = [
    TopK(1),
    TopK(3),
    RatioCutoff(0.5, 4),
    DynamicCutoff(p=0.7, l=0, h=3),
    DynamicCutoff(p=0.3, l=2, h=5),
    MarginCutoff(1.0, 2),
    MarginCutoff(0.0, 3),
    ThresholdCutoff(1.0),
    ThresholdCutoff(99.0),
]


def results_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})


def qrels_of(rows):
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def value_of(cutoff, results, qrels, measure):
    """A candidate's value the long way: cut, then ir_measures."""
    run = cutoff(results).rename(columns={"qid": "query_id", "docno": "doc_id"})
    return ir_measures.calc_aggregate([measure], qrels, run)[measure]


def best_of(grid, results, qrels, measure):
    values = [value_of(cutoff, results, qrels, measure) for cutoff in grid]
    return values.index(max(values)), max(values)


RESULTS = results_of([("1", "a", 3.0), ("2", "x", 9.0), ("1", "b", 2.0), ("2", "c", 8.5), ("1", "x", 0.5)])
QRELS = qrels_of([("1", "a", 1), ("1", "b", 1), ("2", "c", 1), ("3", "d", 1)])

ids = st.tuples(st.sampled_from("12345"), st.sampled_from("abcdef"))
scores = st.one_of(st.sampled_from([0.0, 1.0, 2.0, -1.0, float("nan"), float("inf")]), st.floats(-5, 5))
runs = st.lists(st.tuples(ids, scores), unique_by=lambda row: row[0], max_size=20)
gold = st.dictionaries(ids, st.integers(0, 1), min_size=1, max_size=12)
measures = st.sampled_from(
    [MicroF1, MicroP, MicroR, MicroF(beta=2), MacroF2, MacroP, MacroF(empty=1), MacroF(beta=0.5)]
)


@given(runs, gold, measures, st.sampled_from(GRID))
@settings(max_examples=100, deadline=None)
def test_each_candidate_has_the_value_that_ir_measures_gives_it(run, gold, measure, cutoff):
    results = results_of([(*pair, score) for pair, score in run])
    qrels = qrels_of([(*pair, relevance) for pair, relevance in gold.items()])
    fitted = fit_cutoff([cutoff], results, qrels, measure)
    assert fitted.cutoff is cutoff
    assert fitted.value == pytest.approx(value_of(cutoff, results, qrels, measure), abs=1e-12)


@pytest.mark.parametrize("measure", [MicroF1, MacroF2, MicroP, MicroR, MacroF(empty=1)], ids=str)
def test_the_best_candidate_wins(measure):
    position, value = best_of(GRID, RESULTS, QRELS, measure)
    fitted = fit_cutoff(iter(GRID), RESULTS, QRELS, measure)
    assert fitted.cutoff is GRID[position]
    assert fitted.value == pytest.approx(value)


def test_of_equally_good_candidates_the_first_wins():
    results, qrels = results_of([("1", "a", 1.0)]), qrels_of([("1", "a", 1)])
    assert fit_cutoff([ThresholdCutoff(5.0), TopK(7), TopK(2)], results, qrels, MicroF1) == (TopK(7), 1.0)


def test_unanswered_queries_count():
    # 3 hits, 4 returned, 4 relevant, of which query 3 has one
    assert fit_cutoff([TopK(2)], RESULTS, QRELS, MicroR).value == 3 / 4
    assert fit_cutoff([TopK(2)], RESULTS, QRELS, MacroP).value == pytest.approx((1 + 1 / 2 + 0) / 3)


def test_queries_without_gold_do_not_count():
    more = pd.concat([RESULTS, results_of([("9", "a", 5.0), ("9", "b", 4.0)])])
    assert fit_cutoff([TopK(2)], more, QRELS, MicroP).value == 3 / 4


def test_a_query_with_label_zero_alone_counts_with_what_it_returns():
    qrels = pd.concat([QRELS, qrels_of([("4", "a", 0)])])
    results = pd.concat([RESULTS, results_of([("4", "a", 5.0)])])
    assert fit_cutoff([TopK(2)], results, qrels, MicroP).value == 3 / 5


def test_a_gold_item_that_comes_twice_counts_once():
    qrels = pd.concat([QRELS, QRELS])
    assert fit_cutoff([TopK(2)], RESULTS, qrels, MicroR).value == 3 / 4


def test_equal_scores_are_cut_in_the_order_of_their_ranks():
    tied = results_of([("1", "x", 1.0), ("1", "a", 1.0)])
    qrels = qrels_of([("1", "x", 1)])
    assert fit_cutoff([TopK(1)], tied, qrels, MicroF1).value == 0.0
    assert fit_cutoff([TopK(1)], tied.assign(rank=[0, 1]), qrels, MicroF1).value == 1.0


@pytest.mark.parametrize("results", [RESULTS.iloc[:0], RESULTS.assign(qid="9")], ids=["no result", "no known query"])
def test_without_results_every_candidate_is_worth_nothing(results):
    assert fit_cutoff(GRID, results, QRELS, MicroF1) == (GRID[0], 0.0)


def test_the_search_changes_neither_frame():
    results, qrels = RESULTS.copy(), QRELS.copy()
    fit_cutoff(GRID, results, qrels, MicroF1)
    pd.testing.assert_frame_equal(results, RESULTS)
    pd.testing.assert_frame_equal(qrels, QRELS)


GRADED = qrels_of([("1", "a", 2), ("1", "b", 1), ("2", "x", 1), ("2", "c", 2)])


@pytest.mark.parametrize("measure", [MicroP(rel=2), MicroF1(rel=2), MacroF2(rel=2)], ids=str)
def test_the_parameters_of_the_measure_are_followed(measure):
    fitted = fit_cutoff([TopK(3)], RESULTS, GRADED, measure)
    assert fitted.value == pytest.approx(value_of(TopK(3), RESULTS, GRADED, measure))


@pytest.mark.parametrize("measure", [MicroP @ 1, MacroF2 @ 1, AnswerAccuracy, ir_measures.AP], ids=str)
def test_a_measure_that_cuts_or_ranks_by_itself_cannot_choose(measure):
    with pytest.raises(ValueError, match=str(measure)):
        fit_cutoff([TopK(3)], RESULTS, QRELS, measure)


@pytest.mark.parametrize("measure", [MicroP, MicroR, MicroF1], ids=str)
def test_an_item_that_comes_twice_counts_once(measure):
    twice = results_of([("1", "a", 3.0), ("1", "a", 2.0), ("1", "x", 1.0)])
    fitted = fit_cutoff([TopK(3)], twice, QRELS, measure)
    assert fitted.value == pytest.approx(value_of(TopK(3), twice, QRELS, measure))


def test_a_search_without_a_candidate_is_refused_by_name():
    with pytest.raises(ValueError, match=r"cut-?off"):
        fit_cutoff([], RESULTS, QRELS, MicroF1)
