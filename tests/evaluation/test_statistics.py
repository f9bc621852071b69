"""Statistics of runs: counts, intervals, comparisons and groups, against plain definitions."""

import itertools
import math
import statistics
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import samples
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN, rival_runs, table_of
from scipy.stats import binomtest

from ir_coliee import AnswerAccuracy, MacroF2, MicroF1, MicroP
from ir_coliee.editions import split
from ir_coliee.errors import ColieeWarning
from ir_coliee.evaluation.comparison import as_table, compare, compare_counts
from ir_coliee.evaluation.gold import gold
from ir_coliee.evaluation.scoring import score
from ir_coliee.evaluation.statistics import (
    count_runs,
    group_differences,
    group_p_values,
    holm,
    intervals,
    merge_run_counts,
    quotient,
    spread,
)

GOLD = {"900001": {"a": 1, "b": 1}, "900002": {"c": 1}, "900003": {"d": 2, "e": 0}}
MINE = {"900003": {"d": 1.0, "x": 0.5, "y": 0.2}, "900001": {"b": 3.0, "x": 2.0}}
OTHER = {"900002": {"c": 1.0}, "900099": {"c": 1.0}}


def frame(table, names):
    rows = [(query, doc, number) for query, docs in table.items() for doc, number in docs.items()]
    return pd.DataFrame(rows, columns=names)


@pytest.mark.parametrize(
    "names",
    [("qid", "docno", "score", "label"), ("query_id", "doc_id", "score", "relevance")],
    ids=["PyTerrier", "ir_measures"],
)
def test_frames_with_the_names_of_either_library_give_the_same_table(names):
    *run_names, label = names
    tables = [frame(MINE, run_names), frame(OTHER, run_names), frame(GOLD, [*run_names[:2], label])]
    before = [table.copy() for table in tables]
    counted = count_runs(dict(zip(("mine", "other"), tables)), tables[2], MicroF1)
    assert counted.query_ids == ("900001", "900002", "900003")
    counts = [array.tolist() for array in (counted.tp, counted.returned, counted.relevant)]
    assert counts == [[[1, 0, 1], [0, 1, 0]], [[2, 0, 3], [0, 1, 0]], [[2, 1, 1]] * 2]
    for table, copy in zip(tables, before):
        pd.testing.assert_frame_equal(table, copy)


@pytest.mark.slow
@settings(max_examples=60)
@given(rival_runs(), st.sampled_from(list(PLAIN)), st.data())
def test_a_measure_is_the_ratio_of_the_sums_of_its_terms_over_any_queries(runs, measure, data):
    table = table_of(runs, measure)
    chosen = data.draw(st.lists(st.sampled_from(range(len(runs["a"]))), max_size=8))
    values = quotient(*table.terms(measure)[:, :, chosen].sum(axis=2))
    for value, name in zip(values, runs):
        assert value == pytest.approx(float(PLAIN[measure]([runs[name][query] for query in chosen])), abs=1e-12)


def percentile(values, share):
    """Linear between the neighbours in the sorted values."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def plain_interval(measure, counts, resamples, seed):
    drawn = np.random.default_rng(seed).integers(len(counts), size=(resamples, len(counts))).tolist()
    values = [float(PLAIN[measure]([counts[query] for query in row])) for row in drawn]
    return percentile(values, 0.025), percentile(values, 0.975)


@settings(max_examples=40)
@given(rival_runs(), st.sampled_from(list(PLAIN)), st.integers(1, 60), st.integers(0, 9))
def test_the_interval_is_that_of_a_plain_bootstrap_with_the_same_draws(runs, measure, resamples, seed):
    found = intervals(measure, table_of(runs, measure), resamples=resamples, seed=seed)
    for name, counts in runs.items():
        low, high = plain_interval(measure, counts, resamples, seed)
        assert found[name] == pytest.approx((low, high, 0.95), abs=1e-12)


def test_the_default_is_95_percent_of_10000_resamples_with_seed_0():
    table = table_of({"a": SIZES * 4}, MicroF1)
    assert intervals(MicroF1, table) == intervals(MicroF1, table, resamples=10_000, seed=0)
    assert intervals(MicroF1, table) != intervals(MicroF1, table, resamples=10_001, seed=0)


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


def plain_p(measure, a, b, permutations, seed, exact):
    """The share of swaps that are as large: of all swaps, or of random ones, among which is the observed one."""
    drawn = np.random.default_rng(seed).integers(2, size=(permutations, len(a))).tolist()
    swaps = [*itertools.product((0, 1), repeat=len(a))] if exact else [[0] * len(a), *drawn]
    # a beta that is no binary fraction is rounded by either side: equal is equal up to that
    least = abs(difference(measure, a, b)) - Fraction(1, 10**12)
    return sum(abs(difference(measure, *swapped(a, b, swap))) >= least for swap in swaps) / len(swaps)


def right_answers(*numbers):
    """Two runs: so many questions that both answer right, only the first, only the second, neither."""
    kinds = [((1, 1, 1), (1, 1, 1)), ((1, 1, 1), (0, 1, 1)), ((0, 1, 1), (1, 1, 1)), ((0, 1, 1), (0, 1, 1))]
    a, b = zip(*(kind for kind, number in zip(kinds, numbers) for _ in range(number)))
    return {"a": [*a], "b": [*b]}


@pytest.mark.parametrize("numbers", [(30, 6, 0, 4), (50, 31, 20, 9), (7, 25, 25, 0)])
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
    values = [float(difference(measure, [a[q] for q in row], [b[q] for q in row])) for row in different.tolist()]
    repeated = np.repeat(values, times).tolist()
    return percentile(repeated, 0.025), percentile(repeated, 0.975)


@pytest.mark.slow
@settings(max_examples=80)
@given(rival_runs(), MEASURES, st.integers(1, 64), st.integers(0, 9))
def test_values_p_and_interval_of_a_difference_are_those_of_plain_swaps_and_draws(runs, measure, permutations, seed):
    row = only_row(compare_counts(measure, table_of(runs, measure), permutations=permutations, seed=seed))
    a, b = runs.values()
    values = [float(PLAIN[measure](a)), float(PLAIN[measure](b))]
    assert [row["value_a"], row["value_b"]] == pytest.approx(values, abs=1e-12)
    assert row["difference"] == pytest.approx(values[0] - values[1], abs=1e-12)
    assert row["exact"] or 2 ** len(a) > permutations
    assert row["p"] == plain_p(measure, a, b, permutations, seed, row["exact"])
    assert (row["low"], row["high"]) == pytest.approx(bounds_of_the_difference(measure, a, b, seed), abs=1e-12)


@pytest.mark.parametrize("permutations", [20, 64])
def test_what_a_pair_gets_does_not_depend_on_the_other_runs(permutations):
    runs = {"a": SIZES, "b": OTHERS, "c": THIRD}
    three = compare_counts(MicroF1, table_of(runs, MicroF1), permutations=permutations)
    assert list(zip(three["run_a"], three["run_b"])) == [*itertools.combinations("abc", 2)]
    assert three.pop("p_holm").tolist() == holm(three["p"].tolist())
    for row in three.to_dict("records"):
        pair = {name: runs[name] for name in (row["run_a"], row["run_b"])}
        alone = compare_counts(MicroF1, table_of(pair, MicroF1), permutations=permutations)
        assert row == pytest.approx(only_row(alone.drop(columns="p_holm")), abs=1e-12)


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


def slope(measure, counts, query):
    """What more weight of a query would change, times the number of queries."""
    step, values = Fraction(1, 10**6), []
    for sign in (1, -1):
        weights = [1 + sign * step * (place == query) for place in range(len(counts))]
        weighted = [tuple(weight * count for count in of_query) for of_query, weight in zip(counts, weights)]
        values.append(PLAIN[measure](weighted))
    return float((values[0] - values[1]) / (2 * step)) * len(counts)


@settings(max_examples=30)
@given(rival_runs(least=2), st.sampled_from([measure for measure in PLAIN if str(measure).startswith("Micro")]))
def test_for_a_pooled_measure_a_contribution_is_what_more_weight_of_a_query_would_change(runs, measure):
    a, b = runs.values()
    expected = statistics.stdev([slope(measure, a, query) - slope(measure, b, query) for query in range(len(a))])
    found = spread(table_of(runs, measure).terms(measure))
    assert math.isnan(found) if expected < 1e-8 else found == pytest.approx(expected, rel=1e-6)


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


def runs_of(dataset_id):
    """The gold as runs: all of it, every second and every third answer."""
    pairs = gold(split(dataset_id)).query("relevance > 0")[["query_id", "doc_id"]].values.tolist()
    return {f"every {n}": samples.frame(pairs[::n]) for n in (1, 2, 3)}


SPLITS = [
    TASK1,
    "coliee/task3/sample/en/test",
    "coliee/task4/sample/ja/test",
    "coliee/pilot/sample/rationale/train",  # an instance has no claim
]


@pytest.mark.slow
@pytest.mark.parametrize("dataset_id", SPLITS)
def test_the_values_of_a_comparison_are_the_official_figures(dataset_id):
    runs = runs_of(dataset_id)
    official = {name: next(iter(score(dataset_id, run).figures.values())) for name, run in runs.items()}
    for row in compare(dataset_id, runs).to_dict("records"):
        expected = [official[row["run_a"]], official[row["run_b"]]]
        assert [row["value_a"], row["value_b"]] == pytest.approx(expected, abs=1e-12)
        assert 0 < row["differing"] < 21


def test_an_empty_run_is_compared_with_a_warning():
    nothing = pd.DataFrame(columns=["qid", "docno", "score"])
    with pytest.warns(ColieeWarning, match="^none: 12 of 12 queries have no answer"):
        row = only_row(compare(TASK1, {"some": runs_of(TASK1)["every 2"], "none": nothing}))
    assert row["value_b"] == 0
    assert row["difference"] == row["value_a"] > 0


def test_a_table_never_shows_a_small_p_as_zero_and_has_a_dash_for_what_is_undefined():
    frame = pd.DataFrame(
        {"p": [0.00004, 0.0123], "p_holm": [0.00006, 1.0], "effect_size": math.nan, "exact": [True, False]}
    )
    assert as_table(frame).rows == [["<0.0001", "0.0001", "-", "yes"], ["0.0123", "1.0000", "-", "no"]]


def value(queries):
    """Measure of some queries, each a numerator and a denominator: the plain definition."""
    denominator = sum(below for _, below in queries)
    return sum(above for above, _ in queries) / denominator if denominator else 0.0


def enumerated(queries, members):
    """The difference and its exact p-value: every set of as many queries is tried, one after the other."""

    def difference(chosen):
        inside = [query for place, query in enumerate(queries) if place in chosen]
        outside = [query for place, query in enumerate(queries) if place not in chosen]
        return value(inside) - value(outside)

    observed = difference(members)
    every = [difference(chosen) for chosen in itertools.combinations(range(len(queries)), len(members))]
    return observed, sum(abs(each) >= abs(observed) - 1e-9 for each in every) / len(every)


def as_arrays(queries, members):
    terms = np.array(queries, dtype=float).T[:, np.newaxis, :]
    return terms, np.array([[place in members for place in range(len(queries))]])


pooled = st.tuples(st.integers(0, 4), st.integers(0, 9)).map(lambda pair: (2.0 * pair[0], float(sum(pair))))
means = st.tuples(st.sampled_from([0.0, 1 / 3, 5 / 9, 0.625, 1.0]), st.just(1.0))


@st.composite
def grouped_queries(draw, of):
    queries = draw(st.lists(of, min_size=2, max_size=8))
    members = draw(st.sets(st.integers(0, len(queries) - 1), min_size=1, max_size=len(queries) - 1))
    return queries, members


@settings(max_examples=60)
@given(st.one_of(grouped_queries(pooled), grouped_queries(means)))
def test_few_queries_give_the_exact_p_value(case):
    difference, p = enumerated(*case)
    terms, groups = as_arrays(*case)
    assert group_differences(terms, groups)[0, 0] == pytest.approx(difference)
    assert group_p_values(terms, groups)[0, 0] == pytest.approx(p)


def test_a_p_value_depends_neither_on_other_groups_nor_on_other_runs():
    rng = np.random.default_rng(2)
    terms = np.stack([rng.integers(0, 3, (40, 90)), rng.integers(3, 9, (40, 90))]).astype(float)
    groups = rng.random((7, 90)) < np.linspace(0.05, 0.9, 7)[:, np.newaxis]
    together = group_p_values(terms, groups, permutations=3000)
    assert group_p_values(terms[:, [5]], groups[[3]], permutations=3000).tolist() == [[together[3, 5]]]


def test_a_planted_difference_is_found_and_the_smallest_p_value_is_that_of_the_number_of_permutations():
    numerators = np.r_[np.ones(50), np.zeros(50)]
    terms = np.stack([numerators, np.ones(100)])[:, np.newaxis, :]
    groups = np.stack([np.arange(100) < 50, np.arange(100) % 2 == 0])
    assert group_p_values(terms, groups)[:, 0].tolist() == [1 / 10_001, 1.0]


def test_no_queries_and_all_queries_have_no_difference():
    terms = np.ones((2, 1, 4))
    groups = np.array([[False] * 4, [True] * 4])
    assert np.isnan(group_differences(terms, groups)).all()
    assert np.isnan(group_p_values(terms, groups)).all()
