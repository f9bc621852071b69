"""Japanese in one width and one punctuation, numerals, and Unicode's normal form."""

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import article_numbers, japanese_number, japanese_words, kanji, positional_kanji

from ir_coliee.errors import ColieeError
from ir_coliee.text.japanese import nfkc, normalise_japanese
from ir_coliee.text.numerals import int_to_kanji, int_to_roman, kanji_to_int, roman_to_int


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        *((text, text) for text in ("", "灯... 門.5 鍵.txt", "A,Bは", "1,000円", "一〇〇円、三人")),
        ("A gate, a lamp. 3.5", "A gate, a lamp. 3.5"),
        ("Ａは，Ｂの門を閉めた．", "Aは、Bの門を閉めた。"),
        ("灯､門｡", "灯、門。"),
        ("灯,門, 鍵.", "灯、門、鍵。"),
        ("灯（夜）,門", "灯(夜)、門"),
        ("１，０００円，３．５枚．", "1,000円、3.5枚。"),
        ("第１２条　門", "第12条 門"),
        ("（門番）「灯」", "(門番)「灯」"),
        ("ｶﾞﾗｽ ﾊﾟﾝ", "ガラス パン"),
        ("カﾞラス", "ガラス"),
        ("五～九", "五〜九"),
        ("①㈱ｶ", "①㈱カ"),
        ("\ud800，\x00", "\ud800、\x00"),
    ],
)
def test_widths_and_punctuation(text, normal):
    assert normalise_japanese(text) == normal


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("第三百九十八条の二第一項第三号", "第398条の2第1項第3号"),
        ("前二条及び前三項", "前2条及び前3項"),
        ("二箇月、三か月、十年、二十日、一人、五〇八円", "2箇月、3か月、10年、20日、1人、508円"),
        ("三分の二", "3分の2"),
        # 百千 is no numeral
        *((text, text) for text in ("二万円", "一般の灯は、十分に、一方、万一、三者、二以上", "百千年", "事前条件")),
        ("前条の一部、第五条の一", "前条の一部、第5条の一"),
        ("第一条の二の三", "第1条の2の3"),
    ],
)
def test_numerals_that_count_are_written_in_digits_only_when_asked(text, normal):
    assert normalise_japanese(text, numerals=True) == normal
    assert normalise_japanese(text) == text


@given(article_numbers, japanese_words)
def test_the_number_of_an_article_is_written_in_digits(number, words):
    main, *branches = number.split("-")
    written = f"第{main}条" + "".join(f"の{branch}" for branch in branches)
    assert normalise_japanese(f"{japanese_number(number)}、{words}", numerals=True).startswith(f"{written}、")


_anything = st.text(max_size=40) | st.text(
    alphabet="あカﾞｶ、。，．,. １2Ａb（）」ー・第三十分の一条項〇百人月　～￣ゟ゛ﾟ\ud800", max_size=14
)


@pytest.mark.slow
@given(_anything, st.booleans())
def test_done_twice_it_changes_nothing_more(text, numerals):
    once = normalise_japanese(text, numerals=numerals)
    assert normalise_japanese(once, numerals=numerals) == once


# Kanji and roman numerals, both ways.


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
        *("", "門", "十a", "12", "一 二", "十百", "百千", "十十", "二三百", "〇", "〇五", "一二三四五", "一万", "百〇"),
        "零",
    ],
)
def test_what_is_no_kanji_numeral_is_refused(numeral):
    with pytest.raises(ColieeError, match=f"kanji numeral.*{numeral!r}"):
        kanji_to_int(numeral)


# Unicode's normal form NFKC, also of many marks on one letter.


MARKS = ["\u0301", "\u0327", "\u0f73", "\u3099", "\uff9e", "\U0001d165", "\u0344", " ", ".", "\u1e69", "か", "a"]


@given(st.text() | st.lists(st.sampled_from(MARKS)).map("".join))
def test_a_text_is_normalised_as_by_unicodedata(text):
    assert nfkc(text) == unicodedata.normalize("NFKC", text)
    assert nfkc(nfkc(text)) == nfkc(text)


def test_many_marks_are_normalised_as_by_unicodedata():
    chance = random.Random(0)
    for size in (31, 32, 33, 200):
        for _ in range(50):
            text = "か" + "".join(chance.choices(MARKS[:9], k=size)) + "か"
            assert nfkc(text) == unicodedata.normalize("NFKC", text)
