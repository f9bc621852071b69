"""Checks of arguments: values of every wrong type give a short `ValueError` that names the argument and the value."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from ir_coliee.frames import check_number, check_share, integer_at_least, one_of

#: Values that are neither integers nor numbers.
OTHER = [
    *("3", "x" * 5000, b"1", True, [1], {}, 1j, object(), int),
    *(np.array([1, 2]), pd.Series([1]), pd.NA, pd.NaT, Decimal("0.5"), Decimal("nan")),
]


def refused(call, name):
    with pytest.raises(ValueError, match=rf"^{name} must be ") as caught:
        call()
    (line,) = str(caught.value).splitlines()
    assert len(line) <= 100
    assert ", got " in line


@pytest.mark.parametrize("value", [*OTHER, None], ids=lambda value: type(value).__name__)
def test_what_is_no_integer_number_or_choice_is_refused(value):
    refused(lambda: integer_at_least("k", value, 1), "k")
    refused(lambda: check_number("slope", value), "slope")
    refused(lambda: check_share("share", value), "share")
    refused(lambda: one_of("norm", value, ("l1", "l2")), "norm")


def test_numbers_that_are_none_of_these_are_refused():
    for value in (-(10**5000), 0.5):
        refused(lambda value=value: integer_at_least("k", value, 1), "k")
    for value in (10**5000, float("nan"), float("inf")):
        refused(lambda value=value: check_number("slope", value), "slope")
        refused(lambda value=value: check_share("share", value), "share")


@pytest.mark.parametrize("value", [1, 0.5, np.float32(0.5), np.int64(1), Fraction(1, 2)])
def test_every_real_number_is_a_number(value):
    assert check_share("share", value) is value
    assert integer_at_least("k", np.int64(3), 1) == 3
    assert one_of("norm", None, ("l1", None)) is None
