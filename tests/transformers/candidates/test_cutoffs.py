"""Cut-offs, against the definition of each rule in plain Python."""

import itertools
import math
import statistics
import tempfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import run

import ir_coliee.transformers as ct
from ir_coliee.engine.cutoff_rules import answer_sizes, score_matrix
from ir_coliee.evaluation.runs import load_run
from ir_coliee.evaluation.writing import write_ranking
from ir_coliee.frames import sort_results

INF, NAN = math.inf, math.nan


def ranking(*scores):
    return pd.DataFrame({"qid": "1", "docno": [f"d{number}" for number in range(len(scores))], "score": scores})


def kept(cutoff, *scores):
    return len(cutoff(ranking(*scores)))


def reaches_share(best, share):
    least = best * share if best > 0 else best / share
    return lambda score: score >= least


def head_while(scores, min_items, max_items, keeps):
    """The first items, and those before the first of the others that is not to be kept."""
    always, more = scores[:min_items], scores[min_items:max_items]
    return len(always) + next((place for place, score in enumerate(more) if not keeps(score)), len(more))


# each rule in plain Python: scores of one query, best first -> how many are kept
def top_k(scores, k):
    return min(k, len(scores))


def ratio(scores, ratio, threshold, min_items, max_items):
    reaches, least = reaches_share(scores[0], ratio), -INF if threshold is None else threshold
    return head_while(scores, min_items, max_items, lambda score: reaches(score) and score >= least)


def margin(scores, margin, min_items, max_items):
    return head_while(scores, min_items, max_items, lambda score: scores[0] - score < margin)


def threshold(scores, threshold, min_items, max_items):
    return head_while(scores, min_items, max_items, lambda score: score >= threshold)


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
    **{ct.ExpectedFCutoff: expected_f, ct.AdaptiveCutoff: adaptive, ct.TopK: top_k, ct.RatioCutoff: ratio},
    **{ct.DynamicCutoff: ratio, ct.MarginCutoff: margin, ct.ThresholdCutoff: threshold, ct.GapCutoff: gap},
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


def built(kind, bounds, **parameters):
    return st.builds(lambda bound, **others: kind(**others, **bound), bounds, **parameters)


def expected_f_cutoff(beta, bound, more):
    return ct.ExpectedFCutoff(beta, **bound, depth=more and bound["max_items"] + more - 1)


intercepts, slopes = st.sampled_from([-1.03, 0.0, 1.97, 4.03]), st.sampled_from([-3.01, 0.0, 0.97, 1e9])
cutoffs = st.one_of(
    st.builds(ct.TopK, counts),
    built(ct.RatioCutoff, unlimited, ratio=shares, threshold=st.none() | thresholds),
    built(ct.DynamicCutoff, bounds, ratio=shares),
    built(ct.MarginCutoff, unlimited_from_1, margin=st.sampled_from([0.0, 0.5, 1.0, 3.0, INF])),
    built(ct.ThresholdCutoff, unlimited, threshold=thresholds),
    built(ct.GapCutoff, unlimited_from_1),
    st.builds(expected_f_cutoff, st.sampled_from([0.5, 1.0, 2.0, 3.3]), bounds, st.none() | counts),
    built(ct.AdaptiveCutoff, bounds, intercept=intercepts, slope=slopes, depth=counts),
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
@given(runs, cutoffs, st.none() | st.randoms())
@settings(max_examples=160)
def test_a_cutoff_keeps_what_its_definition_keeps_and_equal_scores_the_order_of_their_ranks(rows, cutoff, random):
    ranks = list(range(len(rows)))
    if random:
        random.shuffle(ranks)
    inp = run(*rows, **({"rank": ranks} if random else {}))
    tie = {row[:2]: rank if random else row[1] for row, rank in zip(rows, ranks)}
    assert rows_of(cutoff(inp)) == expected_rows(cutoff, rows, tie)


@pytest.mark.slow
@given(runs, st.lists(cutoffs, max_size=8))
@settings(max_examples=100)
def test_many_rules_at_once_keep_what_each_keeps_alone(rows, several):
    ordered = sort_results(run(*rows))
    scores, lengths = score_matrix(ordered)
    together = answer_sizes([cutoff.rule() for cutoff in several], scores, lengths)
    assert together.tolist() == [answer_sizes([cutoff.rule()], scores, lengths)[0].tolist() for cutoff in several]


def test_what_is_below_the_items_kept_counts_for_the_expected_f():
    assert kept(ct.ExpectedFCutoff(max_items=2), 0.9, 0.3, 0.3) == 1
    assert kept(ct.ExpectedFCutoff(max_items=2), 0.9, *[0.3] * 9) == 2
    for average in ("macro", "micro"):
        assert kept(ct.ExpectedFCutoff(average=average, max_items=2), 0.9, *[0.3] * 9) == 2
        assert kept(ct.ExpectedFCutoff(average=average, max_items=2, depth=3), 0.9, *[0.3] * 9) == 1


def test_a_small_gain_in_expected_f_is_one():
    # of 1 and p the first alone gives 1 - p / 3, both 2 / 3 + p / 3
    assert kept(ct.ExpectedFCutoff(), 1.0, 0.501) == 2
    assert kept(ct.ExpectedFCutoff(), 1.0, 0.5) == kept(ct.ExpectedFCutoff(), 1.0, 0.499) == 1


probabilities = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1, allow_subnormal=False))


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("abcde"), probabilities), unique_by=lambda row: row[:2]),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.integers(1, 4),
)
@settings(max_examples=100)
def test_for_the_micro_average_no_threshold_has_a_higher_ratio_of_expected_counts(rows, beta, max_items):
    inp = run(*rows)
    gold = math.fsum(row[2] for row in rows)

    def ratio_of(kept):
        return (1 + beta**2) * kept.sum() / (len(kept) + beta**2 * gold) if len(kept) else 0.0

    first = ct.TopK(max_items)(inp)
    thresholds = sorted({row[2] for row in rows if row[2] > 0})
    best = max((ratio_of(first.score[first.score >= threshold]) for threshold in thresholds), default=0.0)
    answers = ct.ExpectedFCutoff(beta, average="micro", max_items=max_items)(inp)
    assert ratio_of(answers.score) == pytest.approx(best, abs=1e-12)
    if len(answers):  # every item above F / (1 + beta^2), and none below
        at_least = best / (1 + beta**2)
        left_out = first.score[first.score < answers.score.min()]
        assert answers.score.min() >= at_least - 1e-12
        assert (left_out <= at_least + 1e-12).all()


def test_the_largest_scores_do_not_overflow_in_the_adaptive_cutoff():
    assert kept(ct.AdaptiveCutoff(1.0, 1.0), 1e308, 1e308, -1e308, -1.7e308) == 4
    assert kept(ct.AdaptiveCutoff(2.0, 1.0), 1e-320, 1e-320, 1e-320) == 2


@pytest.mark.parametrize(
    ("cutoff", "shown"),
    [
        (
            ct.RatioCutoff(0.4, threshold=2.0, max_items=9),
            "RatioCutoff(ratio=0.4, threshold=2.0, min_items=0, max_items=9)",
        ),
        (ct.RatioCutoff(0.4), "RatioCutoff(ratio=0.4, min_items=0)"),
        (ct.DynamicCutoff(), "DynamicCutoff(ratio=0.34, min_items=3, max_items=7)"),
        (ct.DynamicCutoff(max_items=None), "DynamicCutoff(ratio=0.34, min_items=3, max_items=None)"),
        (ct.GapCutoff(), "GapCutoff(min_items=1)"),
        (ct.TopK(5), "TopK(k=5)"),
    ],
)
def test_a_cut_off_is_shown_with_its_defaults_and_without_what_it_lacks(cutoff, shown):
    assert repr(cutoff) == shown


@pytest.mark.parametrize(
    ("cutoff", "name", "value"),
    [
        (ct.TopK(3), "k", -3),
        (ct.RatioCutoff(0.5), "ratio", 7),
        (ct.RatioCutoff(0.5), "min_items", -1),
        (ct.MarginCutoff(1.0), "max_items", 0),
        (ct.AdaptiveCutoff(1.0, 1.0), "depth", 0),
    ],
)
def test_a_parameter_that_is_set_is_checked(cutoff, name, value):
    before = cutoff.get_parameter(name)
    with pytest.raises(ValueError, match=f"^{name} must be "):
        cutoff.set_parameter(name, value)
    assert cutoff.get_parameter(name) == before


def test_bounds_are_set_in_any_order():
    cutoff = ct.AdaptiveCutoff(1.0, 1.0, min_items=1, max_items=3, depth=3)
    for name, value in (("min_items", 5), ("max_items", 7), ("depth", 9), ("max_items", 2), ("min_items", 0)):
        cutoff.set_parameter(name, value)
    assert cutoff == ct.AdaptiveCutoff(1.0, 1.0, min_items=0, max_items=2, depth=9)


# The cut-off at the threshold with the highest expected micro F1, against loops over thresholds and rows.


# an odd thousandth, so that no probability equals a threshold that rounding could move
odd_probabilities = st.sampled_from([1, 99, 199, 299, 301, 599, 999]).map(lambda number: number / 1000)
results = st.lists(st.tuples(st.sampled_from(["900656", "900795"]), odd_probabilities), max_size=12)


def plain(results, recall, min_items, max_items):
    """The numbers of the results to keep."""

    def expected(threshold):
        returned = [p for _, p in results if p >= threshold]
        total = len(returned) + math.fsum(p for _, p in results) / recall
        return 2 * math.fsum(returned) / total if total else 0

    values = {percent / 100: expected(percent / 100) for percent in range(2, 60)}
    best = min(threshold for threshold, value in values.items() if value >= max(values.values()) - 1e-12)
    kept = set()
    for qid in {qid for qid, _ in results}:
        own = [(p, number) for number, (query, p) in enumerate(results) if query == qid]
        for place, (score, number) in enumerate(sorted(own, key=lambda each: (-each[0], each[1]))):
            if place < min_items or (place < max_items and score >= best):
                kept.add(number)
    return kept


@pytest.mark.slow
@given(results, st.sampled_from([0.3, 0.85, 1.0]), st.integers(0, 2), st.integers(0, 3))
def test_items_are_kept_above_the_best_threshold_and_the_written_ranking_is_cut_alike(results, recall, min_items, more):
    rows = [(qid, f"{number:06}", p) for number, (qid, p) in enumerate(results)]
    given = run(*rows)
    cutoff = ct.PoolCutoff(recall, min_items=min_items, max_items=max(1, min_items + more))
    found = cutoff(given.assign(text_id="the same text"))
    assert {*map(int, found["docno"])} == plain(results, recall, min_items, cutoff.max_items)
    if given.empty:
        return
    with tempfile.TemporaryDirectory() as folder:
        write_ranking("coliee/task1/sample/test", given, Path(folder) / "a.trec", "mine")
        written = load_run("coliee/task1/sample/test", Path(folder) / "a.trec").frame
    assert [*zip(*cutoff(written)[["qid", "docno"]].values.T)] == [*zip(*found[["qid", "docno"]].values.T)]


def test_the_threshold_depends_on_all_queries_of_the_frame():
    run = pd.DataFrame({"qid": list("1122"), "docno": list("abab"), "score": [0.9, 0.2, 0.9, 0.2]})
    low = pd.DataFrame({"qid": "3", "docno": [f"d{number}" for number in range(50)], "score": 0.2})
    assert len(ct.PoolCutoff()(run)) == 2
    assert ct.PoolCutoff()(pd.concat([run, low]))["qid"].value_counts().to_dict() == {"1": 2, "2": 2, "3": 10}
