"""Kanji and roman numerals, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import kanji, positional_kanji

from ir_coliee.errors import ColieeError
from ir_coliee.text.numerals import int_to_kanji, int_to_roman, kanji_to_int, roman_to_int


@pytest.mark.parametrize(
    ("numeral", "number"),
    [
        ("一", 1),
        ("十", 10),
        ("十一", 11),
        ("二十", 20),
        ("百", 100),
        ("百一", 101),
        ("三百九十八", 398),
        ("六百五十七", 657),
        ("七百二十四", 724),
        ("千", 1000),
        ("千四十四", 1044),
        ("九千九百九十九", 9999),
        ("五〇八", 508),
        ("一〇四四", 1044),
        ("一〇", 10),
        ("五百〇八", 508),
        ("一百", 100),
    ],
)
def test_a_kanji_numeral_is_read(numeral, number):
    assert kanji_to_int(numeral) == number


@given(st.integers(1, 9999))
def test_writing_and_reading_kanji_agree_with_the_digits(number):
    assert int_to_kanji(number) == kanji(number)
    assert kanji_to_int(kanji(number)) == number
    assert kanji_to_int(positional_kanji(number)) == number


@pytest.mark.parametrize(
    ("numeral", "number"),
    [("i", 1), ("iii", 3), ("iv", 4), ("vi", 6), ("ix", 9), ("XIV", 14), ("XL", 40), ("XLIX", 49), ("LXXXVIII", 88)],
)
def test_a_roman_numeral_is_read_in_capitals_and_small_letters(numeral, number):
    assert roman_to_int(numeral.upper()) == roman_to_int(numeral.lower()) == number


@pytest.mark.parametrize("numeral", ["", "C", "xiz", "12", "一"])
def test_what_is_no_roman_numeral_below_90_is_refused(numeral):
    with pytest.raises(ColieeError, match="roman numeral"):
        roman_to_int(numeral)


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


@pytest.mark.parametrize("number", [0, -1, 10_000])
def test_a_number_out_of_range_is_not_written(number):
    with pytest.raises(ColieeError, match=str(number)):
        int_to_kanji(number)


def test_roman_numerals_are_written_as_they_are_known():
    known = "I, II, III, IV, V, VI, VII, VIII, IX, X, XI, XII, XIII, XIV, XV, XVI, XVII, XVIII, XIX, XX"
    assert ", ".join(int_to_roman(number) for number in range(1, 21)) == known
    assert (int_to_roman(40), int_to_roman(49), int_to_roman(89)) == ("XL", "XLIX", "LXXXIX")


@given(st.text(max_size=15) | st.text(alphabet="〇一二三九十百千万IVXLivxl\ud800", max_size=15))
def test_any_text_is_a_numeral_or_refused(text):
    for read in (kanji_to_int, roman_to_int):
        try:
            number = read(text)
        except ColieeError:
            continue
        assert isinstance(number, int)
        if read is kanji_to_int:
            assert 1 <= number <= 9999
