"""Extracts of texts around their marked parts, so that a text of two megabytes stays readable."""

from __future__ import annotations

from collections.abc import Iterable

from ir_coliee.display import Mark, MarkedText
from ir_coliee.text.case_paragraphs import Paragraph
from ir_coliee.text.spans import Span

_CONTEXT, _LONGEST = 120, 600  # characters around marks, and of an extract
_CUT = "…"


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
    before, after = _CUT if begin > within.start else "", _CUT if end < within.end else ""
    shift = len(before) - begin
    kept, done = [], begin
    for mark in ordered:
        start, done_after = max(mark.start, done), min(mark.end, end)
        if start < done_after:
            kept.append(Mark(start + shift, done_after + shift, mark.label))
            done = done_after
    return MarkedText(before + text[begin:end] + after, tuple(kept))


def place(paragraph: Paragraph) -> str:
    """Return the number of a paragraph as its mark; empty for text before the first mark.

    Examples
    --------
    >>> place(Paragraph(12, Span(0, 4), Span(5, 9)))
    '[12]'
    """
    return "" if paragraph.number is None else f"[{paragraph.number}]"
