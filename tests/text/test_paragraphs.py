"""A decision taken apart at its paragraph marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.cleaning import clean_case
from ir_coliee.text.decisions import paragraph_spans, paragraphs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Summary: a lamp.\n[1]\nIt was lent.", ["Summary: a lamp.", "It was lent."]),
        (" A lamp, see [3] there.\n", ["A lamp, see [3] there."]),
        ("", [""]),
        ("[1]\na\n[4]\nb\n[1]\nc", ["", "a", "b", "c"]),
        ("[1]\n[2]\nTwo.", ["", "", "Two."]),
        *((f"One.\n{mark}Two.", ["One.", "Two."]) for mark in ("[1117]\n", "\t[3] ", "\u00a0[3]\u00a0\n")),
        ("One.\n[2098] 3 X.C. 9\nmore", ["One.\n[2098] 3 X.C. 9\nmore"]),
        ("One.\r\n[2098]\r\nTwo.\r\n[3]\r\nThree.", ["One.", "Two.", "Three."]),
    ],
)
def test_a_decision_is_split_at_its_marks(text, expected):
    assert paragraphs(text) == expected


lines = st.lists(st.sampled_from(["a lamp", "", "[1]", " [2] ", "[2098]", "[7] gate", "<FRAGMENT_SUPPRESSED>"]))


@given(lines.map("\n".join))
def test_the_paragraphs_together_have_the_words_of_the_decision(text):
    together = " ".join(clean_case(paragraph) for paragraph in paragraphs(text))
    assert together.split() == clean_case(text).split()


@pytest.mark.parametrize("opening", ["7]\nA lamp.", " 7] A lamp.", "\n\n7]\nA lamp."])
def test_the_mark_that_opens_a_text_may_have_lost_its_bracket(opening):
    assert paragraphs(opening) == ["", "A lamp."]
    assert clean_case(opening) == "A lamp."
    assert paragraph_spans(opening)[1].number == 7
    assert paragraphs(f"A gate.\n{opening}") == [f"A gate.\n{opening}"]


bracketed = st.text(alphabet="[]123 \t\u00a0\nA\r", max_size=40)


@given(bracketed | st.text() | lines.map("\n".join))
def test_offsets_lead_back_to_the_text(text):
    found = paragraph_spans(text)
    assert [paragraph.text.of(text) for paragraph in found] == paragraphs(text)
    assert [paragraph.number is None for paragraph in found] == [True] + [False] * (len(found) - 1)
    bounds = [offset for paragraph in found for offset in (*paragraph.mark, *paragraph.text)]
    assert bounds == sorted(bounds)
