"""Suppressed markers."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.decisions import marker_spans, remove_markers
from ir_coliee.text.spans import Span, remove_spans

# as in the description of the data
PATTERN = re.compile(r"<?(?:FRAGMENT|REFERENCE|CITATION|DATE)_SUPPRESSED>?")
PIECES = ["FRAGMENT", "REFERENCE", "CITATION", "DATE", "_SUPPRESSED", "FRAGMENT_SUPPRESSED", "<", ">", "a", " ", "\n"]


@pytest.mark.parametrize("what", ["FRAGMENT", "REFERENCE", "CITATION", "DATE"])
@pytest.mark.parametrize("written", ["<{}>", "{}", "<{}", "{}>"])
@pytest.mark.parametrize(("before", "behind"), [("", ""), (" ", " "), ("a", "b"), ("A", "B"), ("1", "2")])
def test_every_spelling_is_found_and_takes_no_neighbour(what, written, before, behind):
    marker = written.format(f"{what}_SUPPRESSED")
    text = before + marker + behind
    assert [span.of(text) for span in marker_spans(text)] == [marker]
    assert remove_markers(text) == f"{before} {behind}"


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text())
def test_markers_are_what_the_pattern_of_the_description_finds(text):
    assert [tuple(span) for span in marker_spans(text)] == [found.span() for found in PATTERN.finditer(text)]
    assert remove_markers(text) == PATTERN.sub(" ", text)


@given(st.text(" \n\u00a0ab", max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_a_span_without_blanks_is_what_strip_leaves(text, start, length):
    span = Span(min(start, len(text)), min(start + length, len(text)))
    stripped = span.stripped(text)
    assert stripped.of(text) == span.of(text).strip()
    assert span.start <= stripped.start <= stripped.end <= span.end


def test_pieces_are_taken_out_of_a_text():
    assert remove_spans("abcdef", [Span(0, 1), Span(2, 4)], "-") == "-b-ef"
    assert remove_spans("abc", []) == "abc"


def test_a_bracket_at_the_other_end_of_a_text_is_no_part_of_a_marker():
    assert marker_spans("FRAGMENT_SUPPRESSED<") == [Span(0, 19)]
    assert marker_spans(">FRAGMENT_SUPPRESSED") == [Span(1, 20)]
