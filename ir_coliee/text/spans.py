"""Pieces of a text by their offsets, so that what is found in it leads back to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """A piece of a text: the offset of its first character and the one behind its last. Empty: both are equal."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The piece itself.

        >>> Span(2, 6).of("A lamp.")
        'lamp'
        """
        return text[self.start : self.end]

    def stripped(self, text: str) -> Span:
        """The piece without white space at both ends.

        >>> Span(1, 7).stripped("A lamp .")
        Span(start=2, end=6)
        """
        piece = text[self.start : self.end]
        end = self.start + len(piece.rstrip())
        return Span(min(self.start + len(piece) - len(piece.lstrip()), end), end)


def remove_spans(text: str, spans: Iterable[Span], filler: str = "") -> str:
    """The text with ``filler`` in place of each piece. The pieces are in order and do not overlap.

    >>> remove_spans("A dim lamp.", [Span(2, 6)])
    'A lamp.'
    """
    kept, end = [], 0
    for span in spans:
        kept.append(text[end : span.start])
        end = span.end
    return filler.join([*kept, text[end:]])
