"""Japanese in one width and one punctuation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import article_numbers, japanese_number, japanese_words

from ir_coliee.text.japanese import normalise_japanese


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("", ""),
        ("Ａは，Ｂの門を閉めた．", "Aは、Bの門を閉めた。"),
        ("灯､門｡", "灯、門。"),
        ("灯,門, 鍵.", "灯、門、鍵。"),
        ("灯... 門.5 鍵.txt", "灯... 門.5 鍵.txt"),
        ("灯（夜）,門", "灯(夜)、門"),
        ("A,Bは", "A,Bは"),
        ("１，０００円，３．５枚．", "1,000円、3.5枚。"),
        ("1,000円", "1,000円"),
        ("第１２条　門", "第12条 門"),
        ("（門番）「灯」", "(門番)「灯」"),
        ("ｶﾞﾗｽ ﾊﾟﾝ", "ガラス パン"),
        ("カﾞラス", "ガラス"),
        ("五～九", "五〜九"),
        ("一〇〇円、三人", "一〇〇円、三人"),
        ("①㈱ｶ", "①㈱カ"),
        ("A gate, a lamp. 3.5", "A gate, a lamp. 3.5"),
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
        ("二万円", "二万円"),
        ("一般の灯は、十分に、一方、万一、三者、二以上", "一般の灯は、十分に、一方、万一、三者、二以上"),
        ("前条の一部、第五条の一", "前条の一部、第5条の一"),
        ("百千年", "百千年"),  # no numeral
        ("第一条の二の三", "第1条の2の3"),
        ("事前条件", "事前条件"),
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
