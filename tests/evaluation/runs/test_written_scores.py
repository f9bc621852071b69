"""The scores of a written run decrease strictly, as 32-bit numbers."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import MalformedRunError
from ir_coliee.evaluation.writing import strictly_decreasing

LEAST = float(np.finfo(np.float32).min)
SCORES = st.floats(width=32, allow_nan=False, allow_infinity=False, min_value=LEAST / 2) | st.sampled_from(
    [-0.0, 1e-45]
)


def lowered_one_by_one(rows):
    last_query, last = None, None
    for query, score in rows:
        upper = np.float32(np.inf) if query != last_query else last
        last_query, last = query, min(np.float32(score), np.nextafter(upper, np.float32(-np.inf)))
        yield float(last)


@given(st.lists(st.tuples(st.sampled_from("123"), SCORES)))
def test_scores_are_lowered_only_where_needed_and_as_little_as_possible(rows):
    rows.sort(key=lambda row: (row[0], -row[1]))
    written = strictly_decreasing([query for query, _ in rows], [score for _, score in rows])
    assert written.dtype == np.float32
    assert written.tolist() == [*lowered_one_by_one(rows)]


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, 3.5e38])
def test_a_score_that_is_not_finite_is_refused_and_not_lowered(score):
    with pytest.raises(
        MalformedRunError, match=re.escape(f"Query '2': the score {score} is not a finite 32-bit number")
    ):
        strictly_decreasing(["1", "2", "2"], [1.0, 1.0, score])


def test_equal_scores_at_the_end_of_what_32_bits_hold_cannot_fall():
    assert strictly_decreasing(["1"], [LEAST]).tolist() == [LEAST]
    with pytest.raises(MalformedRunError, match="Query '1': the score -inf"):
        strictly_decreasing(["1", "1"], [LEAST, LEAST])
