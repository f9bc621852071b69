import itertools
import math
import statistics
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN, rival_runs, table_of
from scipy.stats import binomtest
from test_intervals import percentile

from ir_coliee import AnswerAccuracy, MacroF2, MicroF1, MicroP
from ir_coliee.editions import split
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedRunError
from ir_coliee.evaluation.comparison import as_table, compare, compare_counts
from ir_coliee.evaluation.scoring import score
from ir_coliee.evaluation.statistics import count_runs, holm, merge_run_counts, spread

MEASURES = st.sampled_from(list(PLAIN))
SIZES = [(1, 2, 2), (0, 0, 1), (1, 3, 1), (2, 2, 3), (0, 1, 1), (1, 1, 2)]
OTHERS = [(0, 1, 2), (1, 1, 1), (0, 2, 1), (3, 4, 3), (0, 0, 1), (2, 3, 2)]
THIRD = [(2, 2, 2), (1, 4, 1), (1, 1, 1), (0, 2, 3), (1, 1, 1), (0, 0, 2)]


def only_row(comparison):
    (row,) = comparison.to_dict("records")
    return row


def difference(measure, a, b):
    return PLAIN[measure](a) - PLAIN[measure](b)


def swapped(a, b, swaps):
    """Both runs with the queries' counts changing sides where a swap is 1."""
    pairs = [(y, x) if swap else (x, y) for x, y, swap in zip(a, b, swaps)]
    return [x for x, _ in pairs], [y for _, y in pairs]


def large_swaps(measure, a, b, all_swaps):
    # a beta that is no binary fraction is rounded by either side: equal is equal up to that
    least = abs(difference(measure, a, b)) - Fraction(1, 10**12)
    return sum(abs(difference(measure, *swapped(a, b, swaps))) >= least for swaps in all_swaps)


@pytest.mark.slow
@settings(max_examples=80)
@given(rival_runs(), MEASURES)
def test_p_is_the_share_of_all_swaps_of_all_queries_that_are_as_large(runs, measure):
    row = only_row(compare_counts(measure, table_of(runs, measure), permutations=64))
    every = list(itertools.product((0, 1), repeat=len(runs["a"])))
    assert row["exact"]
    assert row["p"] == large_swaps(measure, runs["a"], runs["b"], every) / len(every)


@pytest.mark.slow
@settings(max_examples=60)
@given(rival_runs(least=5, most=9), MEASURES, st.integers(1, 15), st.integers(0, 9))
def test_with_more_swaps_than_permutations_p_is_that_of_the_same_random_swaps(runs, measure, permutations, seed):
    row = only_row(compare_counts(measure, table_of(runs, measure), permutations=permutations, seed=seed))
    if row["exact"]:
        return
    drawn = np.random.default_rng(seed).integers(2, size=(permutations, len(runs["a"]))).tolist()
    assert row["p"] == (large_swaps(measure, runs["a"], runs["b"], drawn) + 1) / (permutations + 1)


def right_answers(*numbers):
    """Two runs: so many questions that both answer right, only the first, only the second, neither."""
    kinds = [((1, 1, 1), (1, 1, 1)), ((1, 1, 1), (0, 1, 1)), ((0, 1, 1), (1, 1, 1)), ((0, 1, 1), (0, 1, 1))]
    a, b = zip(*(kind for kind, number in zip(kinds, numbers) for _ in range(number)))
    return {"a": [*a], "b": [*b]}


@pytest.mark.parametrize("numbers", [(30, 6, 0, 4), (50, 31, 20, 9), (0, 200, 240, 0), (7, 25, 25, 0)])
def test_the_p_value_of_a_measure_of_right_and_wrong_is_that_of_the_exact_sign_test(numbers):
    row = only_row(compare_counts(AnswerAccuracy, table_of(right_answers(*numbers), AnswerAccuracy), permutations=50))
    _, won, lost, _ = numbers
    assert row["p"] == pytest.approx(binomtest(won, won + lost).pvalue, rel=1e-9)
    assert row["exact"]


def test_queries_differ_if_their_answer_sets_do_whatever_the_measure_says():
    gold = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}, "4": {"d": 1}}
    runs = {
        "one": {"1": {"a": 1.0}, "2": {"x": 1.0}, "3": {"c": 2.0, "x": 1.0}},
        "other": {"1": {"a": 9.0}, "2": {"y": 1.0}, "3": {"y": 7.0, "c": 8.0}, "4": {"x": 1.0}},
    }
    pair = merge_run_counts({name: count_runs({name: run}, gold, MicroP) for name, run in runs.items()})
    # another false item in two, none instead of a false one in the last
    assert only_row(compare_counts(MicroP, pair))["differing"] == 3


def bounds_of_the_difference(measure, a, b, seed):
    """Percentiles of 10,000 plain resamples, each different one computed once."""
    drawn = np.random.default_rng(seed).integers(len(a), size=(10_000, len(a)))
    different, times = np.unique(np.sort(drawn, axis=1), axis=0, return_counts=True)
    values = [
        float(difference(measure, [a[q] for q in queries], [b[q] for q in queries])) for queries in different.tolist()
    ]
    repeated = np.repeat(values, times).tolist()
    return percentile(repeated, 0.025), percentile(repeated, 0.975)


@pytest.mark.slow
@settings(max_examples=40)
@given(rival_runs(), MEASURES, st.integers(0, 9))
def test_values_and_interval_of_the_difference_are_those_of_a_plain_bootstrap(runs, measure, seed):
    row = only_row(compare_counts(measure, table_of(runs, measure), seed=seed))
    a, b = runs.values()
    values = [float(PLAIN[measure](a)), float(PLAIN[measure](b))]
    assert [row["value_a"], row["value_b"]] == pytest.approx(values, abs=1e-12)
    assert row["difference"] == pytest.approx(values[0] - values[1], abs=1e-12)
    assert (row["low"], row["high"]) == pytest.approx(bounds_of_the_difference(measure, a, b, seed), abs=1e-12)


@pytest.mark.parametrize("permutations", [20, 64])
def test_what_a_pair_gets_does_not_depend_on_the_other_runs(permutations):
    three = compare_counts(MicroF1, table_of({"a": SIZES, "b": OTHERS, "c": THIRD}, MicroF1), permutations=permutations)
    assert list(zip(three["run_a"], three["run_b"])) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert three["p_holm"].tolist() == holm(three["p"].tolist())
    for row, (first, second) in zip(three.to_dict("records"), [(SIZES, OTHERS), (SIZES, THIRD), (OTHERS, THIRD)]):
        names = {row["run_a"]: first, row["run_b"]: second}
        alone = only_row(compare_counts(MicroF1, table_of(names, MicroF1), permutations=permutations))
        del row["p_holm"], alone["p_holm"]
        assert row == pytest.approx(alone, abs=1e-12)


# --- Holm ------------------------------------------------------------------------------------------


def test_holm_gives_the_values_of_a_calculation_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.015, 0.01]) == [0.02, 0.02]  # 0.015 alone would be less than its forerunner's 0.02
    assert holm([0.9, 0.6, 1.0]) == [1.0, 1.0, 1.0]


# --- effect size ----------------------------------------------------------


def test_for_a_mean_the_effect_size_is_cohens_d_of_the_queries_differences():
    runs = {"a": [(1, 1, 1), (1, 2, 1), (0, 1, 1), (1, 1, 2)], "b": [(0, 1, 1), (1, 1, 1), (0, 1, 1), (0, 1, 2)]}
    row = only_row(compare_counts(MacroF2, table_of(runs, MacroF2)))
    differences = [1 - 0, 5 / 6 - 1, 0, 5 / 9 - 0]
    assert row["effect_size"] == pytest.approx(statistics.mean(differences) / statistics.stdev(differences), abs=1e-12)


def weighted(measure, counts, weights):
    return PLAIN[measure]([tuple(weight * count for count in query) for query, weight in zip(counts, weights)])


@settings(max_examples=30)
@given(rival_runs(least=2), st.sampled_from([measure for measure in PLAIN if str(measure).startswith("Micro")]))
def test_for_a_pooled_measure_a_contribution_is_what_more_weight_of_a_query_would_change(runs, measure):
    queries, step = len(runs["a"]), Fraction(1, 10**6)
    contributions = []
    for query in range(queries):
        slopes = []
        for counts in runs.values():
            up, down = (
                weighted(measure, counts, [1 + sign * step * (q == query) for q in range(queries)]) for sign in (1, -1)
            )
            slopes.append(float((up - down) / (2 * step)) * queries)
        contributions.append(slopes[0] - slopes[1])
    expected = statistics.stdev(contributions)
    found = spread(table_of(runs, measure).terms(measure))
    if expected < 1e-8:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("counts", [[], [(1, 1, 1)]], ids=["no query", "a single query"])
def test_fewer_than_two_queries_have_no_spread(counts):
    other = [(0, 1, 1) for _ in counts]
    row = only_row(compare_counts(MicroF1, table_of({"a": counts, "b": other}, MicroF1)))
    assert (row["value_a"], row["value_b"]) == (len(counts), 0)
    assert (row["p"], row["exact"], row["low"]) == (1.0, True, len(counts))
    assert math.isnan(row["effect_size"])


# --- on a split --------------------------------------------------------------------------------------

TASK1 = "coliee/task1/sample/test"
SPLITS = [
    TASK1,
    "coliee/task3/sample/en/test",
    "coliee/task4/sample/ja/test",
    "coliee/pilot/sample/rationale/train",  # an instance has no claim
]


def run_of(gold, wrong):
    """The gold as a run, without the answers to every ``wrong``-th query."""
    queries = sorted(set(gold["query_id"]))[::wrong]
    kept = gold[(gold["relevance"] > 0) & ~gold["query_id"].isin(queries)]
    rows = [(query, doc, -float(number)) for number, (query, doc) in enumerate(zip(kept["query_id"], kept["doc_id"]))]
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


def runs_of(dataset_id):
    from ir_coliee.evaluation.gold import gold

    qrels = gold(split(dataset_id))
    return {f"every {wrong}": run_of(qrels, wrong) for wrong in (2, 3, 5)}


@pytest.mark.slow
@pytest.mark.parametrize("dataset_id", SPLITS)
def test_the_values_of_a_comparison_are_the_official_figures(dataset_id):
    runs = runs_of(dataset_id)
    official = {name: next(iter(score(dataset_id, run).figures.values())) for name, run in runs.items()}
    comparison = compare(dataset_id, runs)
    assert len(comparison) == 3
    for row in comparison.to_dict("records"):
        assert row["value_a"] == pytest.approx(official[row["run_a"]], abs=1e-12)
        assert row["value_b"] == pytest.approx(official[row["run_b"]], abs=1e-12)
        assert 0 < row["differing"] < 21


def test_an_empty_run_is_compared_with_a_warning():
    runs = {"some": runs_of(TASK1)["every 2"], "none": pd.DataFrame(columns=["qid", "docno", "score"])}
    with pytest.warns(ColieeWarning, match="^none: 12 of 12 queries have no answer"):
        row = only_row(compare(TASK1, runs))
    assert row["value_b"] == 0
    assert row["difference"] == row["value_a"] > 0


BAD = [
    (lambda runs: {**runs, "bad": runs["every 2"].drop(columns="docno")}, MalformedRunError, "^bad: .*'docno'"),
    (lambda runs: {**runs, "bad": runs["every 2"].astype({"qid": int})}, MalformedRunError, "^bad: .*not a string"),
    (lambda runs: {"every 2": runs["every 2"]}, ColieeError, "two runs"),
]


@pytest.mark.parametrize(("choose", "error", "problem"), BAD)
def test_what_cannot_be_compared_is_refused(choose, error, problem):
    with pytest.raises(error, match=problem):
        compare(TASK1, choose(runs_of(TASK1)))


def test_a_table_never_shows_a_small_p_as_zero_and_has_a_dash_for_what_is_undefined():
    frame = pd.DataFrame(
        {"p": [0.00004, 0.0123], "p_holm": [0.00006, 1.0], "effect_size": math.nan, "exact": [True, False]}
    )
    assert as_table(frame).rows == [["<0.0001", "0.0001", "-", "yes"], ["0.0123", "1.0000", "-", "no"]]
