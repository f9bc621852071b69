"""Parts of a text as offsets, so that results can be located in the original text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """A part of a text.

    Attributes
    ----------
    start : int
        Offset of the first character.
    end : int
        Offset after the last character; equal to ``start`` for an empty span.
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """Text of the span.

        Examples
        --------
        >>> Span(2, 6).of("A lamp.")
        'lamp'
        """
        return text[self.start : self.end]

    def stripped(self, text: str) -> Span:
        """Span without white space at both ends.

        Examples
        --------
        >>> Span(1, 7).stripped("A lamp .")
        Span(start=2, end=6)
        """
        piece = text[self.start : self.end]
        end = self.start + len(piece.rstrip())
        return Span(min(self.start + len(piece) - len(piece.lstrip()), end), end)


def remove_spans(text: str, spans: Iterable[Span], filler: str = "") -> str:
    """Replace each span of a text by ``filler``.

    Parameters
    ----------
    text : str
        The text.
    spans : iterable of Span
        Spans in ascending order that do not overlap.
    filler : str
        Replacement of each span.

    Examples
    --------
    >>> remove_spans("A dim lamp.", [Span(2, 6)])
    'A lamp.'
    """
    pieces, end = [], 0
    for span in spans:
        pieces.append(text[end : span.start])
        end = span.end
    return filler.join([*pieces, text[end:]])
