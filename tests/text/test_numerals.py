"""Kanji and roman numerals, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import kanji, positional_kanji

from ir_coliee.errors import ColieeError
from ir_coliee.text.numerals import int_to_kanji, int_to_roman, kanji_to_int, roman_to_int


@given(st.integers(1, 9999))
def test_writing_and_reading_kanji_agree_with_the_digits(number):
    assert int_to_kanji(number) == kanji(number)
    assert kanji_to_int(kanji(number)) == number
    assert kanji_to_int(positional_kanji(number)) == number


@given(st.integers(1, 89), st.booleans())
def test_writing_and_reading_roman_numerals_agree(number, small):
    written = int_to_roman(number)
    assert roman_to_int(written.lower() if small else written) == number
    assert sum({"I": 1, "V": 5, "X": 10, "L": 50}[letter] for letter in written) % 2 == number % 2


@pytest.mark.parametrize(
    ("convert", "value", "message"),
    [
        *((roman_to_int, numeral, "roman numeral") for numeral in ("", "C", "xiz", "12", "一")),
        *((int_to_kanji, number, str(number)) for number in (0, -1, 10_000)),
    ],
)
def test_what_is_no_such_numeral_is_refused(convert, value, message):
    with pytest.raises(ColieeError, match=message):
        convert(value)


@pytest.mark.parametrize(
    "numeral",
    [
        "",
        "門",
        "十a",
        "12",
        "一 二",
        "十百",
        "百千",
        "十十",
        "二三百",
        "〇",
        "〇五",
        "一二三四五",
        "一万",
        "百〇",
        "零",
    ],
)
def test_what_is_no_kanji_numeral_is_refused(numeral):
    with pytest.raises(ColieeError, match=f"kanji numeral.*{numeral!r}"):
        kanji_to_int(numeral)
