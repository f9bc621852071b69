"""Letters that name persons in exam questions, in both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.anonymised_persons import anonymised_persons

ENGLISH = [
    ("A seller may ask for the price.", ""),
    ("It was lent. A debtor pays; a lamp is lit: A gate is shut.", ""),
    ("A, a smith, lends a plough.", "A"),
    ("A and B own a lamp.", "AB"),
    ("A's lamp is lit.", "A"),
    ("A may keep the lamp.", "A"),
    ("Where A sells B's lamp to C, D is bound.", "ABCD"),
    ("A sold a lamp to B. A pays B for it.", "B"),
    ("If the lamp is A's, A lamp-lighter lights it.", "A"),
    ("the seller (A) and the buyer (B)", "AB"),
    ("(A) a lamp; (B) a gate.", ""),
    ("a pledge owned by A.", "A"),
    ("As I said, Part V of the U.S. code, Section A and an X-ray are OK.", ""),
    ("“X” stands for a name", "X"),
    ("", ""),
]
JAPANESE = [
    ("ＡがＢに甲土地を売った。", "AB甲"),
    ("AがBに売った。", "AB"),
    ("ＡＢ間の契約は、ＢＣＤの三人に及ぶ。", "ABCD"),
    ("Ａ及びＩは、乙建物を共有する。", "AI乙"),
    ("売主は、装甲車の代金を支払う。甲第一号証。", ""),
    ("ＤＶＤ、ＰＣ及びＡＴＭ並びに第Ⅴ編", ""),
]


@pytest.mark.parametrize(("text", "letters"), ENGLISH)
def test_english_letters(text, letters):
    assert anonymised_persons(text, "en") == tuple(letters)


@pytest.mark.parametrize(("text", "letters"), JAPANESE)
def test_japanese_letters(text, letters):
    assert anonymised_persons(text, "ja") == tuple(letters)


@given(st.text(alphabet="AB ab.,'()ＡＢ甲I\n"), st.sampled_from(["en", "ja"]))
def test_each_letter_is_one_of_the_text_and_given_once(text, language):
    found = anonymised_persons(text, language)
    assert len(found) == len({*found})
    assert all(letter in text or chr(ord(letter) + 0xFEE0) in text for letter in found)
    assert "I" not in found or language == "ja"


def test_a_long_text_takes_no_long_time():
    assert anonymised_persons("A (" * 500_000 + "B", "en") == ("A", "B")
