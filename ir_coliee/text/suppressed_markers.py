"""Suppressed markers: the placeholders with which the organisers replaced citations in decisions.

Since 2021 a program writes `` <FRAGMENT_SUPPRESSED> ``. Before, this word and three others were written by hand,
without brackets. A marker may be joined to letters, digits or another marker, and may lack a bracket.
"""

from __future__ import annotations

from ir_coliee.text.spans import Span, remove_spans

_WORDS, _SUPPRESSED = ("FRAGMENT", "REFERENCE", "CITATION", "DATE"), "_SUPPRESSED"
#: The markers without their brackets.
MARKERS = tuple(word + _SUPPRESSED for word in _WORDS)


def marker_spans(text: str) -> list[Span]:
    """Spans of the suppressed markers of a text, including their brackets, in order.

    Examples
    --------
    >>> marker_spans("as inFRAGMENT_SUPPRESSEDand <DATE_SUPPRESSED>")
    [Span(start=5, end=24), Span(start=28, end=45)]
    """
    spans = []
    # several times as fast as a pattern: what all have in common is searched for, then the word before it
    place = text.find(_SUPPRESSED)
    while place >= 0:
        end = place + len(_SUPPRESSED)
        for word in _WORDS:
            if text.endswith(word, 0, place):
                start = place - len(word)
                spans.append(Span(start - text.endswith("<", 0, start), end + text.startswith(">", end)))
        place = text.find(_SUPPRESSED, end)
    return spans


def remove_markers(text: str) -> str:
    """Replace each suppressed marker by a blank; letters that are joined to a marker stay.

    Examples
    --------
    >>> remove_markers("as inFRAGMENT_SUPPRESSEDand")
    'as in and'
    """
    return remove_spans(text, marker_spans(text), " ")
