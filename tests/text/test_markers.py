"""Suppressed markers."""

import re

from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.decisions import Span, marker_spans, remove_markers

# as in the description of the data
PATTERN = re.compile(r"<?(?:FRAGMENT|REFERENCE|CITATION|DATE)_SUPPRESSED>?")
PIECES = ["FRAGMENT", "REFERENCE", "CITATION", "DATE", "_SUPPRESSED", "FRAGMENT_SUPPRESSED", "<", ">", "a", " ", "\n"]


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
