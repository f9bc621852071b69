"""A decision taken apart at its paragraph marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.cases import clean_case, paragraphs


def test_what_stands_before_the_first_mark_comes_first_and_may_be_empty():
    assert paragraphs("Summary: a lamp.\n[1]\nIt was lent.") == ["Summary: a lamp.", "It was lent."]
    assert paragraphs("[1]\nIt was lent.") == ["", "It was lent."]


def test_a_text_without_marks_is_one_piece():
    assert paragraphs(" A lamp, see [3] there.\n") == ["A lamp, see [3] there."]
    assert paragraphs("") == [""]


def test_the_place_counts_and_not_the_number_of_the_mark():
    assert paragraphs("[1]\na\n[4]\nb\n[1]\nc") == ["", "a", "b", "c"]


@pytest.mark.parametrize("mark", ["[1]\n", " [12] \n", "[1117]\n", "\t[3] ", "\u00a0[3]\u00a0\n", "[2] "])
def test_every_form_of_a_mark_begins_a_paragraph(mark):
    assert paragraphs(f"One.\n{mark}Two.") == ["One.", "Two."]


def test_a_year_before_text_is_no_mark():
    assert paragraphs("One.\n[2098] 3 X.C. 9\nmore") == ["One.\n[2098] 3 X.C. 9\nmore"]


def test_marks_behind_one_another_leave_an_empty_paragraph():
    assert paragraphs("[1]\n[2]\nTwo.") == ["", "", "Two."]


lines = st.lists(st.sampled_from(["a lamp", "", "[1]", " [2] ", "[2098]", "[7] gate", "<FRAGMENT_SUPPRESSED>"]))


@given(lines.map("\n".join))
def test_the_paragraphs_together_have_the_words_of_the_decision(text):
    together = " ".join(clean_case(paragraph) for paragraph in paragraphs(text))
    assert together.split() == clean_case(text).split()
