"""Cleaning of decisions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.cleaning import clean_case, join_broken_lines


@pytest.mark.parametrize("what", ["FRAGMENT", "REFERENCE", "CITATION", "DATE"])
@pytest.mark.parametrize("written", ["<{}>", "{}", "<{}", "{}>"])
def test_a_suppressed_citation_leaves_its_neighbours(what, written):
    mark = written.format(f"{what}_SUPPRESSED")
    assert clean_case(f"see {mark} at para 4") == "see at para 4"


def test_a_mark_glued_to_letters_takes_none_of_them():
    assert clean_case("the caseFRAGMENT_SUPPRESSEDheld; IREFERENCE_SUPPRESSED") == "the case held; I"


def test_two_marks_glued_together_both_go():
    assert clean_case("a FRAGMENT_SUPPRESSEDDATE_SUPPRESSED<CITATION_SUPPRESSED> b") == "a b"


def test_the_word_suppressed_alone_is_a_word_of_the_decision():
    assert clean_case("The evidence was SUPPRESSED, see FRAGMENT 4.") == "The evidence was SUPPRESSED, see FRAGMENT 4."


@pytest.mark.parametrize("mark", ["[1]", " [12] ", "[1117]", "\t[3]", "\u00a0[3]\u00a0"])
def test_a_paragraph_mark_on_its_own_line_goes(mark):
    assert clean_case(f"One.\n{mark}\nTwo.") == "One.\nTwo."


def test_the_text_behind_a_paragraph_mark_stays():
    assert clean_case("One.\n[2] Two is [3] here.") == "One.\nTwo is [3] here."


def test_a_paragraph_mark_at_the_very_start_goes():
    assert clean_case("[1]\nOne.") == "One."


def test_five_digits_in_brackets_are_no_paragraph_mark():
    assert clean_case("One.\n[20041]\nTwo.") == "One.\n[20041]\nTwo."


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


def test_a_bilingual_notice_goes_where_suppression_marks_follow_on_its_line():
    notice = " [French language version follows English language version] <FRAGMENT_SUPPRESSED> (FC)"
    assert clean_case(f"One.\n{notice}\nTwo.") == "One.\n(FC)\nTwo."


def test_the_word_editor_inside_a_line_stays():
    assert clean_case("She is an Editor: she edits.") == "She is an Editor: she edits."


def test_white_space_is_folded():
    assert clean_case("  One \t\u00a0 two \n\n \n three  ") == "One two\nthree"


def test_soft_hyphens_join_what_they_part():
    assert clean_case("rea\u00adson\u00adable") == "reasonable"


@pytest.mark.parametrize("text", ["", " ", "\n", "[1]", "<FRAGMENT_SUPPRESSED>", "[End of document]"])
def test_a_decision_without_words_is_empty(text):
    assert clean_case(text) == ""


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


@given(st.lists(st.sampled_from(["ferry", "é", "[1]", " ", "\n", "\t", "\u00a0", "<DATE_SUPPRESSED>"])).map("".join))
def test_no_white_space_is_doubled_and_none_stands_at_the_ends_of_lines(text):
    cleaned = clean_case(text)
    assert all(line and line == line.strip() and "  " not in line for line in cleaned.split("\n")) or cleaned == ""


@pytest.mark.parametrize("word", ["[Translation]", "[translation]", "[TRANSLATION]"])
def test_the_word_that_a_translation_follows_goes(word):
    assert clean_case(f"[2]\n{word} A lamp was {word} lit.") == "A lamp was lit."
    assert clean_case("The translation is mine.") == "The translation is mine."


@pytest.mark.parametrize("line", ["Editor's note: see there.", "[Editor’s Note: none]", "EDITOR'S NOTE"])
def test_a_line_of_the_editor_s_note_goes(line):
    assert clean_case(f"One.\n {line}\nTwo, an editor's note.") == "One.\nTwo, an editor's note."


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


def test_with_every_switch_it_is_the_cleaning_of_thuir():
    cleaned = clean_case(DECISION, drop_header=True, drop_french=True, join_lines=True)
    assert cleaned == "See , at noon.\nThe gate wasn't shut."


def test_without_folding_no_white_space_is_touched():
    assert clean_case(" A \u00a0 lamp\u00ad \n\n\r\n ", fold_blanks=False) == " A \u00a0 lamp\u00ad \n\n\r\n "


def test_a_header_is_kept_where_no_mark_ends_it():
    assert clean_case("Kestry Court\nA lamp.", drop_header=True) == "Kestry Court\nA lamp."


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
    ],
)
def test_a_line_that_ends_no_sentence_goes_on_in_the_next(broken, joined):
    assert join_broken_lines(broken) == joined


def test_no_line_of_a_header_is_joined():
    assert join_broken_lines("Kestry\nCourt\n[1]\nA\nlamp") == "Kestry\nCourt\n[1]\nA lamp"


@given(
    st.text()
    | st.lists(st.sampled_from(["a lamp", "[1]", " [2] x", "Lamp.", "é la de", "\n", "\ud800"])).map("\n".join)
)
def test_joining_lines_keeps_every_word(text):
    assert join_broken_lines(text).split() == text.split()
    assert isinstance(clean_case(text, drop_header=True, drop_french=True, join_lines=True), str)
