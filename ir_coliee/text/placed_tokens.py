"""Tokens of a text with their offsets and paragraphs, so that what texts share can be shown in its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
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
        marks = [paragraph.mark for paragraph in paragraph_spans(text)]
        blanked = _blanked(text, sorted([*marks, *marker_spans(text)]))
        if language == "ja":
            tokens, spans = _characters(blanked)
        else:
            tokens, spans = _WORD.findall(blanked), [word.span() for word in _WORD.finditer(blanked)]
        firsts, starts = [mark.start for mark in marks], [start for start, _ in spans]
        return cls(
            [token.lower() for token in tokens],
            starts,
            [end for _, end in spans],
            [bisect_right(firsts, start) - 1 for start in starts],
        )

    def span(self, first: int, number: int) -> Span:
        """Return the span of characters of some consecutive tokens."""
        return Span(self.starts[first], self.ends[first + number - 1])


def _characters(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the letters and digits of a text, normalised, with their places."""
    normal = {character: nfkc(character) for character in set(text)}
    spans = [(place, place + 1) for place, character in enumerate(text) if normal[character].isalnum()]
    return [normal[text[place]] for place, _ in spans], spans


def _blanked(text: str, spans: Iterable[Span]) -> str:
    """Replace spans, sorted and without overlaps, by blanks of the same length."""
    pieces, end = [], 0
    for span in spans:
        pieces += [text[end : span.start], " " * (span.end - span.start)]
        end = span.end
    return "".join([*pieces, text[end:]])
