"""Traits of the texts of cases: which text has which, and which has none."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.text_irregularities import (
    DECISION_IRREGULARITIES,
    FRAGMENT_IRREGULARITIES,
    PARAGRAPH_IRREGULARITIES,
    SourceText,
    irregularity_names,
    paragraph_marks,
)

USUAL = (
    " <FRAGMENT_SUPPRESSED>  (FC)\n[1]\nA lamp. See <FRAGMENT_SUPPRESSED> for more.\n[2]\nA gate.\n[End of document]"
)


def of_decision(text):
    return irregularity_names(DECISION_IRREGULARITIES, SourceText("900001", text.encode(), text.replace("\r\n", "\n")))


def of_paragraph(text, name="007"):
    return irregularity_names(PARAGRAPH_IRREGULARITIES, SourceText(name, text.encode(), text.replace("\r\n", "\n")))


def test_the_usual_decision_and_the_usual_paragraph_have_no_feature():
    assert of_decision(USUAL) == []
    assert of_paragraph("[7]\nA lamp.") == of_paragraph("[7]") == []
    assert irregularity_names(FRAGMENT_IRREGULARITIES, SourceText("901", b"", "A lamp.\n")) == []


FRENCH_FOLLOWS = "[French language version follows English language version]"
ANGLAISE_FIRST = "[La version française vient à la suite de la version anglaise]"
ENGLISH_FOLLOWS = "[English language version follows French language version]"


@pytest.mark.parametrize(
    ("old", "new", "traits"),
    [
        ("\n", "\r\n", ["crlf"]),
        ("lamp", "lamp\u00a0oil", ["no-break-space"]),
        ("lamp", "la\u00admp", ["soft-hyphen"]),
        ("A lamp", "FRAGMENT_SUPPRESSED 5", []),
        ("A lamp", "aFRAGMENT_SUPPRESSED", ["glued-suppression"]),
        ("A lamp", "CITATION_SUPPRESSEDs", ["glued-suppression"]),
        ("A lamp", "<XDATE_SUPPRESSED>", ["glued-suppression"]),
        ("A lamp", "é<REFERENCE_SUPPRESSED> .", ["glued-suppression"]),
        ("A lamp", "<REFERENCE_SUPPRESSED>é", ["glued-suppression"]),
        ("A lamp", "DATE_SUPPRESSEDDATE_SUPPRESSED", ["glued-suppression"]),
        ("A lamp", "(DATE_SUPPRESSED), 1DATE_SUPPRESSED2", []),
        ("[1]\n", "", ["no-first-mark", "skipped-mark"]),
        ("[1]\n", "See [1] above.\n", ["skipped-mark"]),
        ("[2]", "[1]", ["repeated-mark"]),
        ("[2]", "[2]\nA key.\n[1]\nA lock.\n[3]", ["repeated-mark"]),
        ("[2]", "[3]", ["skipped-mark"]),
        ("[2]", "[1977]", ["skipped-mark"]),
        ("[2]", "[12345]", []),
        ("[2]", " [2]", ["spaced-mark"]),
        ("[2]", "[2]\u00a0", ["no-break-space", "spaced-mark"]),
        ("A gate.", "[4] is no mark of its own", ["text-on-mark-line"]),
        ("A gate.", " [4]is", ["text-on-mark-line"]),
        ("A gate.", "[1998] 4 X.C. 9", []),
        ("A gate.", "See [4] is", []),
        ("A gate.", "[Translation] A gate.", ["translation"]),
        ("A gate.", "A gate. [TRANSLATION]", ["translation"]),
        ("A gate.", "A translation.", []),
        ("[1]", f"{FRENCH_FOLLOWS}\n\u00a0{ANGLAISE_FIRST}\n[1]", ["no-break-space", "bilingual-notice"]),
        ("[1]", f"{FRENCH_FOLLOWS}\n{ANGLAISE_FIRST} (header)\n[1]", ["bilingual-notice"]),
        ("[1]", f" {ENGLISH_FOLLOWS}\n[1]", ["bilingual-notice", "bilingual-notice-alone"]),
        (
            "[1]",
            f"{FRENCH_FOLLOWS}\n{ENGLISH_FOLLOWS} <FRAGMENT_SUPPRESSED>\n[1]",
            ["bilingual-notice", "bilingual-notice-before-suppression", "bilingual-notice-alone"],
        ),
        ("A gate.", f"A gate. {ENGLISH_FOLLOWS}", []),
        ("A gate.", " Summary: A gate.", ["headnote"]),
        ("A gate.", "In Summary: a gate.", []),
        ("\n[End of document]", "", ["no-end-mark"]),
        ("\nA gate.", "\n \t\nA gate.", ["blank-line"]),
        ("[1]", "\n[1]", ["blank-line"]),
    ],
)
def test_a_decision_has_the_features_of_its_changes(old, new, traits):
    assert USUAL.count(old) >= 1
    assert of_decision(USUAL.replace(old, new)) == traits


def test_a_feature_is_found_on_the_first_line_too():
    assert "headnote" in of_decision("Summary: a lamp.\n" + USUAL)
    assert "text-on-mark-line" in of_decision("[1] A lamp.\n[End of document]")
    assert "skipped-mark" in of_decision("[2]\nA lamp. [1]\n[End of document]")


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("[8]\nA lamp.", ["mark-unlike-name"]),
        ("[07]\nA lamp.", []),
        (" [7] \nA lamp.", ["spaced-mark"]),
        ("[7]\u00a0\nA lamp.", ["no-break-space", "spaced-mark"]),
        ("[7] A lamp.", ["text-on-mark-line"]),
        ("[8]A lamp.", ["mark-unlike-name", "text-on-mark-line"]),
        ("\n[7]\nA lamp.", ["line-above-mark"]),
        (" \n\n [7]\nA lamp.", ["spaced-mark", "line-above-mark"]),
        ("7]\nA lamp.", ["mark-without-bracket"]),
        ("A lamp under [7]\nburns.", ["no-mark"]),
        ("", ["no-mark"]),
        ("[7]\r\nA lamp.", ["crlf"]),
        ("[7]\nA\u00adlamp.", ["soft-hyphen"]),
    ],
)
def test_a_paragraph_has_the_features_of_its_opening(text, traits):
    assert of_paragraph(text) == traits


def test_a_paragraph_whose_name_is_no_number_has_no_mark_unlike_it():
    assert of_paragraph("[8]\nA lamp.", name="p7") == []


def test_a_fragment_of_several_lines():
    assert irregularity_names(FRAGMENT_IRREGULARITIES, SourceText("901", b"", "A lamp\nburns.")) == ["several-lines"]


MARKED = st.text(alphabet="[]123 \t\u00a0\nA", max_size=60)


@given(MARKED | st.text())
def test_paragraph_marks_are_those_of_a_pattern_that_looks_at_every_line(text):
    pattern = r"(?m)^[ \t\u00a0]*\[(\d{1,4})\][ \t\u00a0]*$"
    assert paragraph_marks(text) == [int(number) for number in re.findall(pattern, text)]


@given(MARKED)
def test_marks_that_are_neither_repeated_nor_skipped_are_one_to_the_last(text):
    marks = paragraph_marks(text)
    irregular = {"repeated-mark", "skipped-mark"} & set(of_decision(text))
    assert (marks == list(range(1, len(marks) + 1))) == (not irregular)
    assert ("repeated-mark" in irregular) == (len(marks) > len(set(marks)))


@given(MARKED | st.text())
def test_how_a_paragraph_opens_is_told_of_any_text(text):
    ways = {"no-mark", "mark-without-bracket"} & set(of_paragraph(text))
    has_mark = re.match(r"(\s*\n)?[ \t\u00a0]*\[\d{1,4}\]", text)
    assert len(ways) == (0 if has_mark else 1)
