"""Cleaning of decisions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.cleaning import clean_case, join_broken_lines
from ir_coliee.text.decisions import TRANSLATIONS

EDITORS_NOTES = ("Editor's note: see there.", "[Editor’s Note: none]", "EDITOR'S NOTE")


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("the caseFRAGMENT_SUPPRESSEDheld; IREFERENCE_SUPPRESSED", "the case held; I"),
        ("The evidence was SUPPRESSED, see FRAGMENT 4.", "The evidence was SUPPRESSED, see FRAGMENT 4."),
        *((f"One.\n{mark}\nTwo.", "One.\nTwo.") for mark in ("[1]", " [1117] ", "\t[3]", "\u00a0[3]\u00a0")),
        ("[1]\nOne.\n[2] Two is [3] here.", "One.\nTwo is [3] here."),
        ("One.\n[20041]\nTwo.", "One.\n[20041]\nTwo."),
        ("\u00a0[French language version follows English language version] <DATE_SUPPRESSED> (FC)", "(FC)"),
        ("She is an Editor: she edits.", "She is an Editor: she edits."),
        *((f"One.\n {note}\nTwo, an editor's note.", "One.\nTwo, an editor's note.") for note in EDITORS_NOTES),
        *((f"[2]\n{word} A lamp was {word} lit.", "A lamp was lit.") for word in TRANSLATIONS),
        ("The translation is mine.", "The translation is mine."),
        ("  One \t\u00a0 two \n\n \n thr\u00adee  ", "One two\nthree"),
        *((text, "") for text in ("", " ", "\n", "[1]", "<FRAGMENT_SUPPRESSED>", "[End of document]")),
    ],
)
def test_what_organisers_and_editors_put_in_goes_and_all_else_stays(text, cleaned):
    assert clean_case(text) == cleaned


@pytest.mark.parametrize(
    "line",
    [
        "Editor: Nobody/xyz",
        "[End of document]",
        "MLB unedited judgment",
        "MLB headnote and full text",
        "Temp. Cite: [2098] X.Y. Nr. 12",
        "[French language version follows English language version]",
        "[La version française vient à la suite de la version anglaise]",
        "[English language version follows French language version]",
        "[La version anglaise vient à la suite de la version française]",
    ],
)
@pytest.mark.parametrize("before", ["", " ", "\u00a0"])
def test_an_editorial_line_goes_wherever_it_stands(line, before):
    assert clean_case(f"{before}{line}\nOne.\n{before}{line}\nTwo.\n{before}{line}") == "One.\nTwo."


NOISE = [
    "<FRAGMENT_SUPPRESSED>",
    "REFERENCE_SUPPRESSED",
    "\n[14]\n",
    "\n [14] \n",
    "\n[End of document]\n",
    "\nEditor: Nobody/xyz\n",
    "\n\n",
    "\u00a0",
    "\t",
]


@given(st.lists(st.sampled_from(["ferry", "Leaderboard", "s.", "14(2)", "élevée", *NOISE])))
def test_exactly_the_words_are_left_in_their_order(pieces):
    assert clean_case(" ".join(pieces)).split() == [piece for piece in pieces if piece not in NOISE]


DECISION = (
    " <FRAGMENT_SUPPRESSED>  (FC)\nMLB unedited judgment\nKestry Court\n[1]\nSee\n<FRAGMENT_SUPPRESSED> , at\nnoon.\n"
    "[2]\nLa lampe est à la cour.\n[3]\n[Translation] The gate\u00a0was\u00adn't  shut.\n[End of document]\n"
)


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ({}, "(FC) Kestry Court See , at noon. La lampe est à la cour. The gate wasn't shut."),
        ({"drop_header": True}, "See , at noon. La lampe est à la cour. The gate wasn't shut."),
        ({"drop_french": True}, "(FC) Kestry Court See , at noon. The gate wasn't shut."),
        (
            {"drop_marks": False},
            "(FC) Kestry Court [1] See , at noon. [2] La lampe est à la cour. [3] The gate wasn't shut.",
        ),
        (
            {"drop_markers": False},
            "<FRAGMENT_SUPPRESSED> (FC) Kestry Court See <FRAGMENT_SUPPRESSED> , at noon. La lampe est à la cour. "
            "The gate wasn't shut.",
        ),
        (
            {"drop_editorial": False},
            "(FC) MLB unedited judgment Kestry Court See , at noon. La lampe est à la cour. "
            "[Translation] The gate wasn't shut. [End of document]",
        ),
    ],
)
def test_each_step_has_a_switch_of_its_own(switches, words):
    assert clean_case(DECISION, **switches).split() == words.split()


def test_line_ends_of_either_kind_give_the_same():
    text = DECISION.replace("[3]", " [1998] \nThere.\n[3]")
    for switches in ({}, {"drop_header": True, "drop_french": True, "join_lines": True}):
        assert clean_case(text.replace("\n", "\r\n"), **switches) == clean_case(text, **switches)


@pytest.mark.parametrize(
    ("broken", "joined"),
    [
        ("The lamp\nwas lit.", "The lamp was lit."),
        ("He cites\nLamp v. Gate", "He cites Lamp v. Gate"),
        ("He cites\n[2098] 3 X.C. 9", "He cites [2098] 3 X.C. 9"),
        ("He cites v.\nit", "He cites v. it"),
        ("He cites [6 and\n12] Lamp v. Gate", "He cites [6 and 12] Lamp v. Gate"),
        ("A lamp\n\n , lit", "A lamp , lit"),
        ("The lamp was lit.\nThe gate was shut.", "The lamp was lit.\nThe gate was shut."),
        ("“The lamp was lit.”)\nThe gate", "“The lamp was lit.”)\nThe gate"),
        ("Lamp v. Gate.\n, at 7", "Lamp v. Gate. , at 7"),
        ("[6] The lamp\n[7] was lit", "[6] The lamp\n[7] was lit"),
        ("[7]\nwas lit", "[7]\nwas lit"),
        ("[7] It\nwas lit", "[7] It was lit"),
        ("a lamp;\nA gate", "a lamp;\nA gate"),
        ("Kestry\nCourt\n[1]\nA\nlamp", "Kestry\nCourt\n[1]\nA lamp"),
    ],
)
def test_a_line_that_ends_no_sentence_goes_on_in_the_next(broken, joined):
    assert join_broken_lines(broken) == joined


@given(
    st.text()
    | st.lists(st.sampled_from(["a lamp", "[1]", " [2] x", "Lamp.", "é la de", "\n", "\ud800"])).map("\n".join)
)
def test_joining_lines_keeps_every_word(text):
    assert join_broken_lines(text).split() == text.split()
    assert isinstance(clean_case(text, drop_header=True, drop_french=True, join_lines=True), str)
