"""The suppressed citations of a decision, each with the words around it."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from ir_coliee.text.placed_tokens import PlacedTokens
from ir_coliee.text.spans import Span
from ir_coliee.text.suppressed_markers import marker_spans


class CitationPlace(NamedTuple):
    """A suppressed citation.

    Attributes
    ----------
    markers : tuple of Span
        Its markers: several if they are so near to each other that they are one citation.
    first, last : int
        The tokens of its context: the number of the first one, and of the one after the last.
    """

    markers: tuple[Span, ...]
    first: int
    last: int


def citation_places(text: str, tokens: PlacedTokens, *, width: int = 50, same: int = 8) -> list[CitationPlace]:
    """Find the suppressed citations of a decision.

    Parameters
    ----------
    text : str
        A decision.
    tokens : PlacedTokens
        Its tokens.
    width : int
        The number of words before and after a citation.
    same : int
        Markers that are at most so many words apart are one citation, as in `ir_coliee.engine.cases.contexts`.

    Returns
    -------
    list of CitationPlace
        In order.

    Examples
    --------
    >>> text = "We agree with FRAGMENT_SUPPRESSED and follow it."
    >>> tokens = PlacedTokens.of(text)
    >>> [tokens.tokens[place.first : place.last] for place in citation_places(text, tokens, width=1)]
    [['with', 'and']]
    """
    citations: list[list[tuple[int, Span]]] = []
    for marker in marker_spans(text):
        before = bisect_left(tokens.starts, marker.start)  # the number of tokens before the marker
        if citations and before - citations[-1][-1][0] <= same:
            citations[-1].append((before, marker))
        else:
            citations.append([(before, marker)])
    return [
        CitationPlace(
            tuple(marker for _, marker in citation),
            max(citation[0][0] - width, 0),
            min(citation[-1][0] + width, len(tokens.tokens)),
        )
        for citation in citations
    ]
