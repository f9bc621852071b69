import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.engine.cutoff_rules import expected_f


def by_enumeration(probabilities, size, beta):
    """Every outcome, weighted by its probability."""
    total = 0.0
    for outcome in itertools.product([0, 1], repeat=len(probabilities)):
        chance = math.prod(p if hit else 1 - p for p, hit in zip(probabilities, outcome))
        tp, relevant = sum(outcome[:size]), sum(outcome)
        if tp:
            precision, recall = tp / size, tp / relevant
            total += chance * (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    return total


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=5, max_size=5), min_size=1, max_size=3),
    st.integers(0, 7),
    st.sampled_from([0.3, 0.5, 1.0, 2.0, 3.3]),
)
@settings(max_examples=60)
def test_it_is_the_mean_over_all_outcomes(rows, most, beta):
    rows = [sorted(row, reverse=True) for row in rows]
    found = expected_f(np.array(rows), most, beta)
    assert found.shape == (len(rows), min(most, 5) + 1)
    expected = [[by_enumeration(row, size, beta) for size in range(min(most, 5) + 1)] for row in rows]
    assert np.abs(found - expected).max() < 1e-12


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
def test_without_queries_or_items_nothing_can_be_expected(shape):
    assert expected_f(np.zeros(shape), 3).tolist() == [[0.0] * (min(3, shape[1]) + 1)] * shape[0]
