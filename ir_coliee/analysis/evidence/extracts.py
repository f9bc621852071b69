"""Extracts of texts around their marked parts, so that a text of two megabytes stays readable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ir_coliee.display import Mark, MarkedText
from ir_coliee.text.decisions import Paragraph
from ir_coliee.text.spans import Span

_CONTEXT, _LONGEST = 120, 600  # characters around marks, and of an extract
_CUT = "…"
_BLANK, _WORD = re.compile(r"\s+"), 20


def extract(text: str, within: Span, marks: Iterable[Mark]) -> MarkedText:
    r"""Cut a text around the first of its marks.

    Parameters
    ----------
    text : str
        The text.
    within : Span
        The part of it that may be shown, such as a paragraph.
    marks : iterable of Mark
        Marked parts. Where they overlap, the characters belong to the first one.

    Returns
    -------
    MarkedText
        At most 120 characters before the first and after the last mark, and at most 600 characters in all. "…" shows
        that a text goes on; marks beyond it are left out.

    Examples
    --------
    >>> extract("A lamp. " * 100, Span(8, 24), [Mark(10, 14, "shared")])
    MarkedText(text='A lamp. A lamp.', marks=(Mark(start=2, end=6, label='shared'),))
    """
    ordered = sorted(marks)
    within = within.stripped(text)
    begin = max(within.start, (ordered[0].start if ordered else within.start) - _CONTEXT)
    last = max((mark.end for mark in ordered), default=begin)
    end = min(within.end, last + _CONTEXT, begin + _LONGEST)
    begin, end = _at_blanks(text, begin, end, within)
    before, after = _CUT if begin > within.start else "", _CUT if end < within.end else ""
    shift = len(before) - begin
    kept, done = [], begin
    for mark in ordered:
        start, done_after = max(mark.start, done), min(mark.end, end)
        if start < done_after:
            kept.append(Mark(start + shift, done_after + shift, mark.label))
            done = done_after
    return MarkedText(before + text[begin:end] + after, tuple(kept))


def _at_blanks(text: str, begin: int, end: int, within: Span) -> tuple[int, int]:
    """Move cuts inwards to blanks, by at most 20 characters, so that no word is cut; Japanese has none."""
    if begin > within.start and (blank := _BLANK.search(text, begin, begin + _WORD)):
        begin = blank.end()
    if end < within.end and (blanks := [*_BLANK.finditer(text, max(end - _WORD, begin), end)]):
        end = blanks[-1].start()
    return begin, end


def place(paragraph: Paragraph, paragraphs: Sequence[Paragraph]) -> str:
    """Return the mark of a paragraph; ``header`` above the first one, and nothing in a text without marks.

    Examples
    --------
    >>> header, numbered = Paragraph(None, Span(0, 0), Span(0, 3)), Paragraph(12, Span(3, 8), Span(9, 14))
    >>> place(numbered, [header, numbered]), place(header, [header, numbered]), place(header, [header])
    ('[12]', 'header', '')
    """
    if paragraph.number is None:
        return "header" if len(paragraphs) > 1 else ""
    return f"[{paragraph.number}]"


def heading(name: str, place: str) -> str:
    """Return the heading of an extract.

    Examples
    --------
    >>> heading("item", "[4]"), heading("item", "header"), heading("item", "")
    ('item, paragraph [4]', 'item, header', 'item')
    """
    return f"{name}, paragraph {place}" if place.startswith("[") else ", ".join(filter(None, (name, place)))
