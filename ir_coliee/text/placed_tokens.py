"""Tokens of a text with their offsets and paragraphs, so that what texts share can be shown in its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ir_coliee.text.case_paragraphs import paragraph_spans
from ir_coliee.text.compatibility import nfkc
from ir_coliee.text.spans import Span
from ir_coliee.text.suppressed_markers import marker_spans

_WORD = re.compile(r"[^\W_]+")


class PlacedTokens(NamedTuple):
    """The tokens of a text in order.

    Attributes
    ----------
    tokens : list of str
        The tokens: words in lower case, or letters and digits of a Japanese text.
    starts, ends : list of int
        The offsets of the first character of each token and of the one after its last.
    paragraphs : list of int
        The paragraph of each token, as its position in `ir_coliee.text.case_paragraphs.paragraph_spans`.
    """

    tokens: list[str]
    starts: list[int]
    ends: list[int]
    paragraphs: list[int]

    @classmethod
    def of(cls, text: str, language: str = "en") -> PlacedTokens:
        r"""Read a text. Suppressed markers and paragraph marks have no tokens.

        Parameters
        ----------
        text : str
            The text.
        language : {"en", "ja"}
            English texts have words as tokens. In Japanese, each letter and digit is a token, normalised (NFKC).

        Examples
        --------
        >>> placed = PlacedTokens.of("[1]\nA lamp.\n[2]\nThe <FRAGMENT_SUPPRESSED> gate")
        >>> placed.tokens, placed.starts, placed.paragraphs
        (['a', 'lamp', 'the', 'gate'], [4, 6, 16, 42], [1, 1, 2, 2])
        """
        paragraphs = paragraph_spans(text)
        marks = [paragraph.mark for paragraph in paragraphs]
        spans = _characters(text) if language == "ja" else _words(_blanked(text, sorted([*marks, *marker_spans(text)])))
        tokens, starts, ends = [], [], []
        for token, start, end in spans:
            tokens.append(token)
            starts.append(start)
            ends.append(end)
        firsts = [mark.start for mark in marks]
        return cls(tokens, starts, ends, [bisect_right(firsts, start) - 1 for start in starts])

    def span(self, first: int, number: int) -> Span:
        """Return the span of characters of some consecutive tokens."""
        return Span(self.starts[first], self.ends[first + number - 1])


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    return ((word[0].lower(), word.start(), word.end()) for word in _WORD.finditer(text))


def _characters(text: str) -> Iterator[tuple[str, int, int]]:
    for place, character in enumerate(text):
        if (token := nfkc(character).lower()).isalnum():
            yield token, place, place + 1


def _blanked(text: str, spans: Iterable[Span]) -> str:
    """Replace spans, sorted and without overlaps, by blanks of the same length."""
    pieces, end = [], 0
    for span in spans:
        pieces += [text[end : span.start], " " * (span.end - span.start)]
        end = span.end
    return "".join([*pieces, text[end:]])
