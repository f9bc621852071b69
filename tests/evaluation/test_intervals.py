import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN, rival_runs, table_of

from ir_coliee import MacroF2, MicroF1, MicroP
from ir_coliee.evaluation.statistics import interval, intervals

RUNS = {
    "mine": [(1, 2, 2), (0, 0, 1), (1, 3, 1), (2, 2, 3), (0, 1, 1)],
    "other": [(0, 1, 2), (1, 1, 1), (0, 2, 1), (3, 4, 3), (0, 0, 1)],
}


def percentile(values, share):
    """Linear between the neighbours in the sorted values."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def plain_interval(measure, counts, level, resamples, seed):
    drawn = np.random.default_rng(seed).integers(len(counts), size=(resamples, len(counts))).tolist()
    values = [float(PLAIN[measure]([counts[query] for query in row])) for row in drawn]
    return percentile(values, (1 - level) / 2), percentile(values, (1 + level) / 2)


@settings(max_examples=60, deadline=None)
@given(
    rival_runs(), st.sampled_from(list(PLAIN)), st.sampled_from([0.5, 0.9, 0.95]), st.integers(1, 60), st.integers(0, 9)
)
def test_the_interval_is_that_of_a_plain_bootstrap_with_the_same_draws(runs, measure, level, resamples, seed):
    found = intervals(measure, table_of(runs, measure), level=level, resamples=resamples, seed=seed)
    for name, counts in runs.items():
        low, high = plain_interval(measure, counts, level, resamples, seed)
        assert found[name] == pytest.approx((low, high, level), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("measure", [MicroF1, MacroF2], ids=str)
def test_so_it_is_where_the_resamples_are_drawn_in_several_blocks(measure):
    found = intervals(measure, table_of(RUNS, measure), resamples=4321, seed=3)
    for name, counts in RUNS.items():
        assert found[name] == pytest.approx((*plain_interval(measure, counts, 0.95, 4321, 3), 0.95), abs=1e-12)


def test_the_interval_of_a_pooled_measure_is_not_that_of_a_mean():
    counts = {"mine": [(10, 10, 10), (0, 1, 1)]}  # drawn twice, the first query gives 1, the second 0
    low, high, _ = interval(MicroP, table_of(counts, MicroP), level=0.4)
    assert (low, high) == (pytest.approx(10 / 11), pytest.approx(10 / 11))


def test_equal_seeds_give_equal_intervals_and_others_do_not():
    table = table_of(RUNS, MacroF2)
    assert intervals(MacroF2, table, resamples=50, seed=1) == intervals(MacroF2, table, resamples=50, seed=1)
    assert intervals(MacroF2, table, resamples=50, seed=1) != intervals(MacroF2, table, resamples=50, seed=2)


def test_the_interval_of_a_run_does_not_depend_on_the_other_runs():
    alone = interval(MicroF1, table_of({"other": RUNS["other"]}, MicroF1), resamples=100)
    assert alone == pytest.approx(intervals(MicroF1, table_of(RUNS, MicroF1), resamples=100)["other"], abs=1e-12)


def test_a_higher_level_gives_a_wider_interval():
    table = table_of({"mine": RUNS["mine"]}, MicroF1)
    narrow, wide = (interval(MicroF1, table, level=level) for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high
    assert (narrow.level, wide.level) == (0.5, 0.99)


def test_the_default_is_95_percent_of_10000_resamples_with_seed_0():
    # of so many queries hardly two resamples have one value, so that each resample moves the bounds
    counts = RUNS["mine"] * 4 + RUNS["other"] * 3
    low, high = plain_interval(MicroF1, counts, 0.95, 10_000, 0)
    found = interval(MicroF1, table_of({"mine": counts}, MicroF1))
    assert found == pytest.approx((low, high, 0.95), abs=1e-12)
    assert found == intervals(MicroF1, table_of({"mine": counts}, MicroF1))["mine"]


def test_a_single_interval_wants_a_single_run():
    with pytest.raises(ValueError, match="2 runs"):
        interval(MicroF1, table_of(RUNS, MicroF1))


@pytest.mark.parametrize("measure", [MicroF1, MacroF2], ids=str)
def test_where_nothing_is_asked_or_answered_the_interval_is_zero(measure):
    unanswered = table_of({"mine": [(0, 0, 2), (0, 0, 1)]}, measure)
    unasked = table_of({"mine": []}, measure)
    assert [interval(measure, table)[:2] for table in (unanswered, unasked)] == [(0.0, 0.0)] * 2


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_a_level_that_is_no_share_is_refused(level):
    with pytest.raises(ValueError, match="level"):
        intervals(MicroF1, table_of(RUNS, MicroF1), level=level)


@pytest.mark.parametrize("resamples", [0, -1, 2.5])
def test_fewer_resamples_than_one_are_refused(resamples):
    with pytest.raises(ValueError, match="resamples"):
        intervals(MicroF1, table_of(RUNS, MicroF1), resamples=resamples)
