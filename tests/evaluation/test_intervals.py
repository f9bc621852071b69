import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN, rival_runs, table_of

from ir_coliee import MicroF1
from ir_coliee.evaluation.statistics import intervals

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


def plain_interval(measure, counts, resamples, seed):
    drawn = np.random.default_rng(seed).integers(len(counts), size=(resamples, len(counts))).tolist()
    values = [float(PLAIN[measure]([counts[query] for query in row])) for row in drawn]
    return percentile(values, 0.025), percentile(values, 0.975)


@settings(max_examples=60)
@given(rival_runs(), st.sampled_from(list(PLAIN)), st.integers(1, 60), st.integers(0, 9))
def test_the_interval_is_that_of_a_plain_bootstrap_with_the_same_draws(runs, measure, resamples, seed):
    found = intervals(measure, table_of(runs, measure), resamples=resamples, seed=seed)
    for name, counts in runs.items():
        low, high = plain_interval(measure, counts, resamples, seed)
        assert found[name] == pytest.approx((low, high, 0.95), abs=1e-12)


def test_the_default_is_95_percent_of_10000_resamples_with_seed_0():
    # of so many queries hardly two resamples have one value, so that each resample moves the bounds
    counts = RUNS["mine"] * 4 + RUNS["other"] * 3
    low, high = plain_interval(MicroF1, counts, 10_000, 0)
    assert intervals(MicroF1, table_of({"mine": counts}, MicroF1))["mine"] == pytest.approx(
        (low, high, 0.95), abs=1e-12
    )


@pytest.mark.parametrize("resamples", [0, 2.5])
def test_a_number_of_resamples_out_of_range_is_refused(resamples):
    with pytest.raises(ValueError, match="resamples"):
        intervals(MicroF1, table_of(RUNS, MicroF1), resamples=resamples)
