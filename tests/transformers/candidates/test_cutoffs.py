import itertools
import math
import statistics

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.frames import sort_results
from ir_coliee.transformers import (
    AdaptiveCutoff,
    DynamicCutoff,
    ExpectedFCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
)
from ir_coliee.transformers.candidates.cutoff_rules import answer_sizes, score_matrix

INF, NAN = math.inf, math.nan


def ranking(*scores):
    return pd.DataFrame({"qid": "1", "docno": [f"d{number}" for number in range(len(scores))], "score": scores})


def kept(cutoff, *scores):
    return len(cutoff(ranking(*scores)))


def head_while(scores, keeps):
    """How many come before the first that is not to be kept."""
    return next((position for position, score in enumerate(scores) if not keeps(score)), len(scores))


def reaches_share(best, share):
    least = best * share if best > 0 else best / share
    return lambda score: score >= least


# each rule in plain Python: scores of one query, best first -> how many are kept
def top_k(scores, k):
    return min(k, len(scores))


def ratio(scores, ratio, threshold, min_items, max_items):
    always, more = scores[:min_items], scores[min_items:max_items]
    share = reaches_share(scores[0], ratio)
    return len(always) + head_while(more, lambda score: share(score) and (threshold is None or score >= threshold))


def dynamic(scores, ratio, threshold, min_items, max_items):
    assert threshold is None
    always, more = scores[:min_items], scores[min_items:max_items]
    return len(always) + head_while(more, reaches_share(scores[0], ratio))


def margin(scores, margin, min_items, max_items):
    always, more = scores[:min_items], scores[min_items:max_items]
    return len(always) + head_while(more, lambda score: scores[0] - score < margin)


def threshold(scores, threshold, min_items, max_items):
    always, more = scores[:min_items], scores[min_items:max_items]
    return len(always) + head_while(more, lambda score: score >= threshold)


def gap(scores, min_items, max_items):
    gaps = {}
    last = len(scores) - 1 if max_items is None else min(max_items, len(scores) - 1)
    for size in range(min_items, last + 1):
        upper, lower = scores[size - 1], scores[size]
        gaps[size] = 0.0 if upper == lower else upper - lower
    return max(gaps, key=gaps.get) if gaps else len(scores)


def expected_f_of(probabilities, size, beta):
    """All outcomes, one by one."""
    expected = 0.0
    for outcome in itertools.product([0, 1], repeat=len(probabilities)):
        chance = math.prod(p if hit else 1 - p for p, hit in zip(probabilities, outcome))
        tp, relevant = sum(outcome[:size]), sum(outcome)
        expected += chance * (1 + beta**2) * tp / (size + beta**2 * relevant) if size else 0.0
    return expected


def expected_f(scores, beta, average, min_items, max_items, depth):
    assert average == "macro"
    probabilities = [min(max(score, 0.0), 1.0) for score in scores[:depth]]
    values = [expected_f_of(probabilities, size, beta) for size in range(min(max_items, len(probabilities)) + 1)]
    best = next(size for size, value in enumerate(values) if value >= max(values) - 1e-12)
    return min(max(best, min_items), len(scores))


def adaptive(scores, intercept, slope, depth, min_items, max_items):
    finite = [score for score in scores[:depth] if math.isfinite(score)]
    mean = statistics.fmean(finite) if finite else 0.0
    largest = max(map(abs, finite), default=0.0)
    spread = statistics.pstdev(finite) / abs(mean) if abs(mean) > 1e-12 * largest else 0.0
    size = min(max(round(intercept + slope * spread), 0), max_items)
    return min(max(size, min_items), len(scores))


RULES = {
    ExpectedFCutoff: expected_f,
    AdaptiveCutoff: adaptive,
    TopK: top_k,
    RatioCutoff: ratio,
    DynamicCutoff: dynamic,
    MarginCutoff: margin,
    ThresholdCutoff: threshold,
    GapCutoff: gap,
}

shares = st.sampled_from([0.01, 0.34, 0.5, 0.98, 1.0])
counts = st.integers(1, 5)


def bounds_from(smallest, *, unlimited=False):
    """min_items and max_items that are in order, as keyword arguments; maybe without a largest number."""
    pairs = st.tuples(st.integers(smallest, 4), counts).map(lambda pair: (pair[0], max(1, sum(pair) - 1)))
    limited = pairs.map(lambda pair: {"min_items": pair[0], "max_items": pair[1]})
    return limited | st.builds(lambda n: {"min_items": n}, st.integers(smallest, 4)) if unlimited else limited


bounds = bounds_from(0)
unlimited = bounds_from(0, unlimited=True)
unlimited_from_1 = bounds_from(1, unlimited=True)
thresholds = st.sampled_from([-INF, -1.0, 0.0, 0.5, 1.0, INF])
values = st.one_of(
    st.sampled_from([NAN, INF, -INF, 0.0, -0.0, 1.0, 2.0, -1.0, -2.0, 0.5]), st.floats(-10, 10, allow_subnormal=False)
)
cutoffs = st.one_of(
    st.builds(TopK, counts),
    st.builds(lambda r, t, bound: RatioCutoff(r, threshold=t, **bound), shares, st.none() | thresholds, unlimited),
    st.builds(lambda ratio, bound: DynamicCutoff(ratio, **bound), shares, bounds),
    st.builds(
        lambda margin, bound: MarginCutoff(margin, **bound),
        st.sampled_from([0.0, 0.5, 1.0, 3.0, INF]),
        unlimited_from_1,
    ),
    st.builds(lambda threshold, bound: ThresholdCutoff(threshold, **bound), thresholds, unlimited),
    st.builds(lambda bound: GapCutoff(**bound), unlimited_from_1),
    st.builds(
        lambda beta, bound, more: ExpectedFCutoff(beta, **bound, depth=more and bound["max_items"] + more - 1),
        st.sampled_from([0.5, 1.0, 2.0, 3.3]),
        bounds,
        st.none() | counts,
    ),
    st.builds(
        lambda a, b, depth, bound: AdaptiveCutoff(a, b, depth=depth, **bound),
        st.sampled_from([-1.03, 0.0, 1.97, 4.03]),
        st.sampled_from([-3.01, 0.0, 0.97, 1e9]),
        counts,
        bounds,
    ),
)
# distinct items, queries interleaved in any order
runs = st.lists(
    st.tuples(st.sampled_from("321"), st.sampled_from("abcdefgh"), values), unique_by=lambda row: row[:2], max_size=18
)


def expected_rows(cutoff, rows, tie):
    """(qid, docno, rank) of the rows that a rule keeps, worked out query by query."""
    expected = []
    for qid in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == qid]
        own.sort(key=lambda row: (math.isnan(row[2]), 0.0 if math.isnan(row[2]) else -row[2], tie[row[:2]]))
        scores = [-INF if math.isnan(score) else score for _, _, score in own]
        parameters = {name: value for name, value in vars(cutoff).items() if not name.startswith("_")}
        size = RULES[type(cutoff)](scores, **parameters)
        expected += [(qid, docno, rank) for rank, (_, docno, _) in enumerate(own[:size])]
    return expected


def rows_of(results):
    return list(zip(results["qid"], results["docno"], results["rank"]))


@pytest.mark.slow
@given(runs, cutoffs)
@settings(max_examples=100)
def test_a_cutoff_keeps_what_its_definition_keeps(rows, cutoff):
    inp = pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})
    before = inp.copy()
    tie = {row[:2]: row[1] for row in rows}
    assert rows_of(cutoff(inp)) == expected_rows(cutoff, rows, tie)
    pd.testing.assert_frame_equal(inp, before)


@given(runs, cutoffs, st.randoms())
@settings(max_examples=60)
def test_equal_scores_keep_the_order_of_their_ranks(rows, cutoff, random):
    ranks = list(range(len(rows)))
    random.shuffle(ranks)
    inp = pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float}).assign(rank=ranks)
    tie = {row[:2]: rank for row, rank in zip(rows, ranks)}
    assert rows_of(cutoff(inp)) == expected_rows(cutoff, rows, tie)


@pytest.mark.slow
@given(runs, st.lists(cutoffs, max_size=8))
@settings(max_examples=100)
def test_many_rules_at_once_keep_what_each_keeps_alone(rows, several):
    ordered = sort_results(pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float}))
    scores, lengths = score_matrix(ordered)
    together = answer_sizes([cutoff.rule() for cutoff in several], scores, lengths)
    assert together.tolist() == [cutoff.sizes(scores, lengths).tolist() for cutoff in several]


@pytest.mark.parametrize("most", [[1, 4], [4, 1]])
def test_rules_of_one_condition_each_keep_their_own_most(most):
    scores, lengths = np.array([[4.0, 3.0, 2.0, 1.0, 0.0]]), np.array([5])
    rules = [ThresholdCutoff(0.5, max_items=n).rule() for n in most]
    assert answer_sizes(rules, scores, lengths).tolist() == [[n] for n in most]


def test_no_rule_keeps_nothing_of_anything():
    assert answer_sizes([], np.zeros((2, 3)), np.array([3, 3])).shape == (0, 2)


def test_the_published_dynamic_cutoff():
    cutoff = DynamicCutoff()
    assert (cutoff.ratio, cutoff.min_items, cutoff.max_items) == (0.34, 3, 7)
    assert kept(cutoff, 100, 1, 1, 1) == 3
    assert kept(cutoff, 100, 34, 34, 34, 33) == 4
    assert kept(cutoff, *[100] * 9) == 7
    assert kept(cutoff, 100, 1) == 2


def test_the_dynamic_cutoff_divides_where_the_best_score_is_not_positive():
    cutoff = DynamicCutoff(ratio=0.5, min_items=0, max_items=9)
    assert kept(cutoff, -1.0, -2.0, -2.1) == 2
    assert kept(cutoff, 0.0, 0.0, -0.1) == 2


def test_the_ratio_cutoff_keeps_what_reaches_the_share_of_the_best():
    assert kept(RatioCutoff(0.5, max_items=9), 4.0, 2.0, 1.9) == 2
    assert kept(RatioCutoff(1.0, max_items=9), 4.0, 4.0, 3.9) == 2
    assert kept(RatioCutoff(0.5, max_items=1), 4.0, 4.0) == 1
    assert kept(RatioCutoff(0.5, max_items=9), -1.0, -2.0, -3.0) == 2


def test_the_margin_cutoff_keeps_the_best_and_what_is_nearer_than_the_margin():
    assert kept(MarginCutoff(1.0, max_items=3), 5.0, 4.5, 4.0) == 2
    assert kept(MarginCutoff(1.0, max_items=2), 5.0, 4.9, 4.8) == 2
    assert kept(MarginCutoff(0.0, max_items=3), 5.0, 5.0) == 1
    assert kept(MarginCutoff(INF, max_items=3), 5.0, 1.0, -9.0, -9.0) == 3


def test_the_threshold_cutoff_may_keep_nothing():
    results = ThresholdCutoff(0.5)(ranking(0.4, 0.2))
    assert results.empty
    assert results.columns.tolist() == ["qid", "docno", "score", "rank"]


def test_the_threshold_cutoff_keeps_the_least_and_no_more_than_the_most():
    assert kept(ThresholdCutoff(0.1, min_items=1, max_items=2), 0.4, 0.3, 0.2) == 2
    assert kept(ThresholdCutoff(0.9, min_items=1, max_items=2), 0.4, 0.3, 0.2) == 1
    assert kept(ThresholdCutoff(0.3), 0.4, 0.3, 0.2) == 2


def test_the_ratio_cutoff_with_a_threshold_wants_both_and_keeps_the_least():
    assert kept(RatioCutoff(0.5, max_items=9, threshold=3.0), 4.0, 3.0, 2.0, 1.0) == 2
    assert kept(RatioCutoff(0.7, max_items=9, threshold=1.0), 4.0, 3.0, 2.0, 1.0) == 2
    assert kept(RatioCutoff(0.5, max_items=9, threshold=5.0), 4.0, 3.0) == 0
    assert kept(RatioCutoff(0.5, max_items=9, threshold=5.0, min_items=1), 4.0, 3.0) == 1


def test_the_margin_cutoff_keeps_more_than_the_best_where_that_is_wanted():
    assert kept(MarginCutoff(0.5, max_items=3, min_items=2), 5.0, 1.0, 0.9) == 2


def test_the_gap_cutoff_cuts_at_the_largest_gap_between_its_bounds():
    assert kept(GapCutoff(min_items=1, max_items=5), 9.0, 8.0, 3.0, 2.0) == 2
    assert kept(GapCutoff(min_items=1, max_items=1), 9.0, 8.0, 3.0, 2.0) == 1
    assert kept(GapCutoff(min_items=3, max_items=5), 9.0, 8.0, 3.0, 2.0) == 3
    assert kept(GapCutoff(min_items=2, max_items=3), 9.0, 2.0, 1.5, 0.0, -9.0) == 3


def test_of_equal_gaps_the_first_is_cut():
    assert kept(GapCutoff(min_items=1, max_items=5), 4.0, 3.0, 2.0, 1.0) == 1
    assert kept(GapCutoff(min_items=1, max_items=5), 4.0, 4.0, 4.0) == 1


def test_the_end_of_a_list_is_no_gap():
    assert kept(GapCutoff(min_items=1, max_items=5), 4.0, 3.0, 2.9) == 1
    assert kept(GapCutoff(min_items=2, max_items=5), 4.0, 3.0) == 2
    assert kept(GapCutoff(min_items=1, max_items=5), 4.0) == 1


def test_other_columns_stay_with_their_rows():
    inp = ranking(1.0, 3.0, 2.0).assign(query="q", text=["one", "three", "two"])
    assert TopK(2)(inp)["text"].tolist() == ["three", "two"]


def test_the_index_of_the_frame_plays_no_role():
    inp = ranking(1.0, 3.0, 2.0)
    inp.index = [7, 7, 7]
    results = TopK(2)(inp)
    assert results["docno"].tolist() == ["d1", "d2"]
    assert results.index.tolist() == [0, 1]


@pytest.mark.parametrize("dtype", ["int64", "int8", "float32", "Float64", "Int64", "object"])
def test_scores_of_any_signed_type_are_cut(dtype):
    assert TopK(2)(ranking(1, 3, 2, 0).astype({"score": dtype}))["docno"].tolist() == ["d1", "d2"]


@pytest.mark.parametrize("dtype", ["uint8", "bool"])
def test_scores_of_an_unsigned_type_are_cut(dtype):
    assert TopK(1)(ranking(0, 1).astype({"score": dtype}))["docno"].tolist() == ["d1"]


@pytest.mark.parametrize(
    ("kind", "parameters", "name"),
    [
        (TopK, {"k": 0}, "k=0"),
        (TopK, {"k": -1}, "k=-1"),
        (RatioCutoff, {"ratio": 0.0, "max_items": 1}, "ratio=0.0"),
        (RatioCutoff, {"ratio": 1.1, "max_items": 1}, "ratio=1.1"),
        (RatioCutoff, {"ratio": NAN, "max_items": 1}, "ratio=nan"),
        (RatioCutoff, {"ratio": 0.5, "max_items": 0}, "max_items=0"),
        (DynamicCutoff, {"ratio": 0.0}, "ratio=0.0"),
        (DynamicCutoff, {"ratio": 2.0}, "ratio=2.0"),
        (DynamicCutoff, {"min_items": -1}, "min_items=-1"),
        (DynamicCutoff, {"min_items": 3, "max_items": 2}, "max_items=2"),
        (DynamicCutoff, {"min_items": 0, "max_items": 0}, "max_items=0"),
        (MarginCutoff, {"margin": -0.1, "max_items": 1}, "margin=-0.1"),
        (MarginCutoff, {"margin": NAN, "max_items": 1}, "margin=nan"),
        (MarginCutoff, {"margin": 1.0, "max_items": 0}, "max_items=0"),
        (MarginCutoff, {"margin": 1.0, "max_items": 2, "min_items": 0}, "min_items=0"),
        (MarginCutoff, {"margin": 1.0, "max_items": 2, "min_items": 3}, "max_items=2"),
        (RatioCutoff, {"ratio": 0.5, "max_items": 2, "min_items": 3}, "max_items=2"),
        (RatioCutoff, {"ratio": 0.5, "max_items": 2, "min_items": -1}, "min_items=-1"),
        (RatioCutoff, {"ratio": 0.5, "max_items": 2, "threshold": NAN}, "threshold=nan"),
        (ThresholdCutoff, {"threshold": 0.5, "min_items": -1}, "min_items=-1"),
        (ThresholdCutoff, {"threshold": 0.5, "max_items": 0}, "max_items=0"),
        (ThresholdCutoff, {"threshold": 0.5, "min_items": 2, "max_items": 1}, "max_items=1"),
        (GapCutoff, {"min_items": 0, "max_items": 2}, "min_items=0"),
        (ExpectedFCutoff, {"beta": 0.0}, "beta=0.0"),
        (ExpectedFCutoff, {"beta": NAN}, "beta=nan"),
        (ExpectedFCutoff, {"min_items": 3, "max_items": 2}, "max_items=2"),
        (ExpectedFCutoff, {"max_items": 0}, "max_items=0"),
        (ExpectedFCutoff, {"max_items": 5, "depth": 4}, "depth=4"),
        (AdaptiveCutoff, {"intercept": NAN, "slope": 1.0}, "intercept=nan"),
        (AdaptiveCutoff, {"intercept": 1.0, "slope": INF}, "slope=inf"),
        (AdaptiveCutoff, {"intercept": 1.0, "slope": 1.0, "depth": 0}, "depth=0"),
        (AdaptiveCutoff, {"intercept": 1.0, "slope": 1.0, "min_items": -1}, "min_items=-1"),
        (AdaptiveCutoff, {"intercept": 1.0, "slope": 1.0, "min_items": 3, "max_items": 2}, "max_items=2"),
        (GapCutoff, {"min_items": 3, "max_items": 2}, "max_items=2"),
    ],
)
def test_a_parameter_out_of_range_is_refused_by_name(kind, parameters, name):
    parameter, _, value = name.partition("=")
    with pytest.raises(ValueError, match=rf"^{parameter} must be .*, got {value}\."):
        kind(**parameters)


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (TopK, {"k": 2.5}),
        (RatioCutoff, {"ratio": 0.5, "max_items": 2.5}),
        (DynamicCutoff, {"min_items": 1.5, "max_items": 3}),
        (MarginCutoff, {"margin": 1.0, "max_items": 1.5}),
        (ThresholdCutoff, {"threshold": NAN}),
        (ThresholdCutoff, {"threshold": 0.5, "max_items": 2.5}),
        (GapCutoff, {"min_items": 1.5, "max_items": 2}),
    ],
)
def test_a_fraction_of_an_item_and_a_threshold_that_is_no_number_are_refused(kind, parameters):
    with pytest.raises((TypeError, ValueError), match="must be"):
        kind(**parameters)


def test_whole_numbers_of_numpy_are_taken():
    assert kept(TopK(np.int64(2)), 3.0, 2.0, 1.0) == 2


def test_a_rank_cutoff_behind_top_k_is_merged_into_it():
    assert (TopK(5) % 3).compile() == TopK(3)
    assert (TopK(3) % 5).compile() == TopK(3)


def test_the_expected_f_cutoff_keeps_more_where_recall_weighs_more():
    assert kept(ExpectedFCutoff(beta=0.5), 0.9, 0.3, 0.3) == 1
    assert kept(ExpectedFCutoff(beta=2.0), 0.9, 0.3, 0.3) == 3
    assert kept(ExpectedFCutoff(beta=2.0, max_items=2), 0.9, 0.3, 0.3) == 2


def test_without_a_probability_the_expected_f_cutoff_keeps_the_least():
    for average in ("macro", "micro"):
        assert kept(ExpectedFCutoff(average=average), 0.0, -1.0, NAN) == 0
        assert kept(ExpectedFCutoff(average=average, min_items=1), 0.0, -1.0, NAN) == 1


def test_what_is_below_the_items_kept_counts_for_the_expected_f():
    assert kept(ExpectedFCutoff(max_items=2), 0.9, 0.3, 0.3) == 1
    assert kept(ExpectedFCutoff(max_items=2), 0.9, *[0.3] * 9) == 2
    for average in ("macro", "micro"):
        assert kept(ExpectedFCutoff(average=average, max_items=2), 0.9, *[0.3] * 9) == 2
        assert kept(ExpectedFCutoff(average=average, max_items=2, depth=3), 0.9, *[0.3] * 9) == 1


def test_a_small_gain_in_expected_f_is_one():
    # of 1 and p the first alone gives 1 - p / 3, both 2 / 3 + p / 3
    assert kept(ExpectedFCutoff(), 1.0, 0.501) == 2
    assert kept(ExpectedFCutoff(), 1.0, 0.5) == kept(ExpectedFCutoff(), 1.0, 0.499) == 1


probabilities = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1, allow_subnormal=False))


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("abcde"), probabilities), unique_by=lambda row: row[:2]),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.integers(1, 4),
)
@settings(max_examples=100)
def test_for_the_micro_average_no_threshold_has_a_higher_ratio_of_expected_counts(rows, beta, max_items):
    inp = pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})
    gold = math.fsum(row[2] for row in rows)

    def ratio_of(kept):
        return (1 + beta**2) * kept.sum() / (len(kept) + beta**2 * gold) if len(kept) else 0.0

    first = TopK(max_items)(inp)
    thresholds = sorted({row[2] for row in rows if row[2] > 0})
    best = max((ratio_of(first.score[first.score >= threshold]) for threshold in thresholds), default=0.0)
    answers = ExpectedFCutoff(beta, average="micro", max_items=max_items)(inp)
    assert ratio_of(answers.score) == pytest.approx(best, abs=1e-12)
    if len(answers):  # every item above F / (1 + beta^2), and none below
        at_least = best / (1 + beta**2)
        left_out = first.score[first.score < answers.score.min()]
        assert answers.score.min() >= at_least - 1e-12
        assert (left_out <= at_least + 1e-12).all()


def test_the_size_of_the_adaptive_cutoff_is_rounded():
    assert [kept(AdaptiveCutoff(a, 0.0, min_items=0), 1.0, 1.0, 1.0) for a in (0.4, 0.6, 1.4, 1.6)] == [0, 1, 1, 2]


def test_the_adaptive_cutoff_looks_at_so_many_scores_only():
    assert kept(AdaptiveCutoff(3.0, -2.0, depth=2, min_items=0), 4.0, 4.0, 0.0, 0.0) == 3
    assert kept(AdaptiveCutoff(3.0, -2.0, depth=4, min_items=0), 4.0, 4.0, 0.0, 0.0) == 1
    assert kept(AdaptiveCutoff(3.0, -2.0, depth=4, min_items=0), -4.0, -4.0, -8.0, -8.0) == 2


def test_the_largest_scores_do_not_overflow_in_the_adaptive_cutoff():
    assert kept(AdaptiveCutoff(1.0, 1.0), 1e308, 1e308, -1e308, -1.7e308) == 4
    assert kept(AdaptiveCutoff(2.0, 1.0), 1e-320, 1e-320, 1e-320) == 2


@given(runs, cutoffs, st.integers(1, 5))
@settings(max_examples=60)
def test_a_rank_cutoff_after_a_cutoff_is_merged_without_changing_the_results(rows, cutoff, k):
    results = pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})
    pipeline = cutoff % k
    compiled = pipeline.compile()
    assert rows_of(compiled(results)) == rows_of(pipeline(results))
    merges = isinstance(cutoff, (TopK, RatioCutoff, MarginCutoff, ThresholdCutoff))
    assert isinstance(compiled, type(cutoff)) == merges


@pytest.mark.parametrize(
    ("cutoff", "shown"),
    [
        (
            RatioCutoff(0.4, threshold=2.0, max_items=9),
            "RatioCutoff(ratio=0.4, threshold=2.0, min_items=0, max_items=9)",
        ),
        (RatioCutoff(0.4), "RatioCutoff(ratio=0.4, min_items=0)"),
        (DynamicCutoff(), "DynamicCutoff(ratio=0.34, min_items=3, max_items=7)"),
        (DynamicCutoff(max_items=None), "DynamicCutoff(ratio=0.34, min_items=3, max_items=None)"),
        (GapCutoff(), "GapCutoff(min_items=1)"),
        (TopK(5), "TopK(k=5)"),
    ],
)
def test_a_cut_off_is_shown_with_its_defaults_and_without_what_it_lacks(cutoff, shown):
    assert repr(cutoff) == shown
    assert eval(shown) == cutoff
