"""Letters that stand for persons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ir_coliee  # noqa: F401 registers the sample
from ir_coliee.text.cues import is_anonymised, person_letters, persons


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("A sold a gate to B.", "AB"),
        ("B's gate was sold by A; A and C knew.", "BAC"),
        ("A, a minor, sold the gate.", "A"),
        ("A may order glue.", "A"),
        ("A sold the gate.", "A"),
        ("A’s gate is closed.", "A"),
        ("The gate belongs to A. The lamp does not.", "A"),
        ("A and B share a well.", "AB"),
        ("A, B, and C share a well.", "ABC"),
        ('The keeper said: "A may pass."', "A"),
        ("The seller (A) sold to the buyer (B).", "AB"),
        ("Land X lies beside building Y.", "XY"),
        ("X–Y", "XY"),
        ("(1) A sold the gate.", "A"),
        ("A horse dealer sold B's mare.", "AB"),
        ("Ａは、Ｂの門を閉めた。", "AB"),
        ("AはBに灯を貸した。", "AB"),
        ("売主Aと買主Bが、CのためにDの門を閉めた。", "ABCD"),
        ("Ａ及びＢは、Iから", "ABI"),
        ("「Ａ」", "A"),
    ],
)
def test_persons_are_found(text, letters):
    assert "".join(person_letters(text)) == letters


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A gate must be closed.",
        "A person who sold the gate may close it.",
        "A secured creditor was paid.",
        "A will is void.",
        "The gate is closed. A lamp is lit.",
        'The keeper said: "A gate is closed."',
        "I may pass, and I will.",
        "(A) a gate",
        "The following: (A) a gate; (B) a well; and (C) a lamp.",
        "(1) A gate is closed.\n(2) A lamp is lit: (a) A well is dug, (ii) A road is built.",
        "A. A gate is closed.",
        "B) a well",
        "Ａ．門を閉める。",
        "（Ａ）門を閉める。",
        "A\nB\n",
        "U.S. law and J.B.S. rules",
        "John Q. Keeper closed the gate.",
        "An X-ray, a T-shirt, B2 paper, B/L and R&D",
        "See Annex B, Section C and Part A.",
        "Vitamin C",
        "Ｔシャツ、Ｅメール、Ａ型、A4判",
        "門番は、門を閉める。",
        "ABC and USA",
        "ＡＢＣ",
        "a gate of b and c",
    ],
)
def test_what_stands_for_no_person_is_left_out(text):
    assert person_letters(text) == ()


@given(st.text(max_size=60) | st.text(alphabet="AI .,()Ａ\nab'はー\ud800\x00・-1", max_size=20))
def test_any_text_has_persons_that_are_capitals_of_it(text):
    for one in persons(text):
        assert one.letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        assert text[one.start] in (one.letter, chr(ord(one.letter) + 0xFEE0))


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("B's gate is closed.", True),
        ("甲土地と乙建物", True),
        ("Ａが甲土地を売った。", True),
        ("A gate is closed.", False),
        ("装甲車、甲種、甲第一号証、甲板", False),
        ("", False),
    ],
)
def test_a_question_is_anonymised_by_letters_and_by_the_first_stems(text, is_so):
    assert is_anonymised(text) is is_so
