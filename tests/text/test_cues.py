"""What statements are compared by: last clause, negation, exceptions, cue words, quantities; letters of persons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text import cues
from ir_coliee.text.japanese import is_japanese
from ir_coliee.text.sentences import last_clause

LANGUAGES = ("en", "ja")
PIECES = [
    *("A lamp", ", ", "; ", ". ", "灯は", "、", "。", "なければならない", "不", "三箇月", "25 days", "may not", "（"),
    "\n",
]
CUES_OF_DEMAND = {"obligation", "demand", "even_if", "condition", "universal", "consent"}
CUES_OF_GOOD_FAITH = {"knowledge", "fault", "condition", "only", "invalidity", "deeming"}
TEXTS = st.text() | st.lists(st.sampled_from(PIECES)).map("".join)


@pytest.mark.parametrize(
    ("statement", "clause"),
    [
        ("If a lamp is lost, the borrower must replace it.", "the borrower must replace it."),
        ("A lamp, which is lit, must be shut, too.", "must be shut, too."),
        *((statement, statement) for statement in ("A lamp is lost.", "Lit, lost.", "")),
        ("A lent B a lamp, and a gate. B may keep 1,000 lamps.", "B may keep 1,000 lamps."),
    ],
)
def test_the_last_clause_has_four_words(statement, clause):
    assert last_clause(statement, "en").of(statement) == clause


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_the_last_clause_ends_the_text(text, language):
    clause = last_clause(text, language)
    assert 0 <= clause.start <= clause.end <= len(text)
    assert not text[clause.end :].strip()


def cue_names(text, language):
    found = dict(zip(cues.CUES, cues.cue_counts(text, language), strict=True))
    return {cue for cue, count in found.items() if count}


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [
        (cues.negations, "It does not lapse. Nothing is void without a mark; no lamp cannot be lit.", 5),
        (cues.negations, "It isn't lit, wouldn’t be, and CAN'T be.", 3),
        *(
            (cues.negations, text, 0)
            for text in ("A note about a knot", "The ant's lamp", "少なくとも、少ない。まず灯を")
        ),
        (cues.negations, "償わなければならない", 2),
        (cues.negations, "償わない。償わず、償いません。償わざるを得なかった。", 5),
        (cues.negations, "行かず、済まず、及ばず、惜しまず、拒まずに、できずに", 6),
        (cues.negations, "まず、灯を。甲はまず、灯を、まず、門を。先ず、", 0),
        (cues.negations, "必ず、かならず、そのはず、すくなくとも、すくない", 0),
        (cues.negations, "三月ないし五月、甲ないしは乙", 0),
        *(
            (cues.negations, text, 2)
            for text in ("灯すことができないし、消すこともできない", "償わなければならず、必ず償う")
        ),
        (cues.negations, "つまらない灯、つまらなくはない", 1),
        (cues.exceptions, "Unless it is lit; however, provided that it is shut.", 3),
        (cues.exceptions, "ただし、灯については、この限りでない。但し書", 3),
        (cues.exceptions, "A lamp.", 0),
        (cue_names, "B must not demand it, even if all agree.", CUES_OF_DEMAND),
        (cue_names, "B may not. A may, and can, but cannot.", {"permission", "inability"}),
        (cue_names, "B can't. A can’t.", {"inability"}),
        (cue_names, "必ず償う", {"always"}),
        (cue_names, "取り消すことができる。", {"permission", "rescission"}),
        (cue_names, "第三者に対抗することができない。", {"third_party", "assertion", "inability"}),
        (cue_names, "善意でかつ過失がないときに限り、無効とみなす。", CUES_OF_GOOD_FAITH),
        (cues.quantities, "ten years, 3-month, one half", [(10, "year"), (3, "month"), (1, "half")]),
        (cues.quantities, "two thirds, ninety-nine times", [(2, "third"), (99, "time")]),
        *(
            (cues.quantities, text, [])
            for text in ("Article 7, one lamp, tens of days, 12 yearsold", "第三者、一定の、第五条")
        ),
        (cues.quantities, "三か月、２ヶ月、百二十日", [(3, "月"), (2, "月"), (120, "日")]),
        (cues.quantities, "五〇円、十万円、三分の二", [(50, "円"), (10, "万円"), (3, "分の二")]),
    ],
)
def test_negations_exceptions_cues_and_quantities_are_found(read, text, expected):
    assert read(text, "ja" if is_japanese(text) else "en") == expected


# Letters that stand for persons.


NO_PERSONS = [
    *("", "A gate must be closed.", "A person who sold the gate may close it.", "A secured creditor was paid."),
    *("A will is void.", "The gate is closed. A lamp is lit.", 'The keeper said: "A gate is closed."'),
    *("I may pass, and I will.", "(A) a gate", "The following: (A) a gate; (B) a well; and (C) a lamp."),
    *("(1) A gate is closed.\n(2) A lamp is lit: (a) A well is dug, (ii) A road is built.", "A. A gate is closed."),
    *("B) a well", "Ａ．門を閉める。", "（Ａ）門を閉める。", "A\nB\n", "U.S. law and J.B.S. rules"),
    *("John Q. Keeper closed the gate.", "An X-ray, a T-shirt, B2 paper, B/L and R&D"),
    *("See Annex B, Section C and Part A.", "Vitamin C", "Ｔシャツ、Ｅメール、Ａ型、A4判", "門番は、門を閉める。"),
    *("ABC and USA", "ＡＢＣ", "a gate of b and c"),
]


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        *((text, "") for text in NO_PERSONS),
        ("A sold a gate to B.", "AB"),
        ("B's gate was sold by A; A and C knew.", "BAC"),
        *((text, "A") for text in ("A, a minor, sold the gate.", "A may order glue.", "A sold the gate.")),
        *((text, "A") for text in ("A’s gate is closed.", "The gate belongs to A. The lamp does not.")),
        ("A and B share a well.", "AB"),
        ("A, B, and C share a well.", "ABC"),
        ('The keeper said: "A may pass."', "A"),
        ("The seller (A) sold to the buyer (B).", "AB"),
        *((text, "XY") for text in ("Land X lies beside building Y.", "X–Y")),
        ("(1) A sold the gate.", "A"),
        *((text, "AB") for text in ("A horse dealer sold B's mare.", "Ａは、Ｂの門を閉めた。", "AはBに灯を貸した。")),
        ("売主Aと買主Bが、CのためにDの門を閉めた。", "ABCD"),
        ("Ａ及びＢは、Iから", "ABI"),
        ("「Ａ」", "A"),
    ],
)
def test_persons_are_found(text, letters):
    assert "".join(cues.person_letters(text)) == letters


@given(st.text(max_size=60) | st.text(alphabet="AI .,()Ａ\nab'はー\ud800\x00・-1", max_size=20))
def test_any_text_has_persons_that_are_capitals_of_it(text):
    for one in cues.persons(text):
        assert one.letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        assert text[one.start] in (one.letter, chr(ord(one.letter) + 0xFEE0))


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        *((text, True) for text in ("B's gate is closed.", "甲土地と乙建物", "Ａが甲土地を売った。")),
        *((text, False) for text in ("A gate is closed.", "装甲車、甲種、甲第一号証、甲板", "")),
    ],
)
def test_a_question_is_anonymised_by_letters_and_by_the_first_stems(text, is_so):
    assert cues.is_anonymised(text) is is_so
