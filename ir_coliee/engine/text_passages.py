"""Verbatim passages that two texts share, with their places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ir_coliee.engine.shingles import shingle_hashes, token_hashes
from ir_coliee.frames import Hashes, Integers
from ir_coliee.text.placed_tokens import PlacedTokens

#: An n-gram that a text repeats more often is boilerplate, not a quotation (our choice).
MAX_REPEATS = 8


class TextPassage(NamedTuple):
    """A passage of two texts.

    Attributes
    ----------
    first, second : int
        The number of its first token in each text.
    size : int
        The number of its tokens.
    """

    first: int
    second: int
    size: int


def text_passages(first: PlacedTokens, second: PlacedTokens, size: int) -> list[TextPassage]:
    """Find the passages of two texts: consecutive tokens that both contain, as many as possible.

    Parameters
    ----------
    first, second : PlacedTokens
        The texts.
    size : int
        The smallest number of tokens of a passage.

    Returns
    -------
    list of TextPassage
        The longest passages first, then in the order of the first text. Passages do not cross paragraphs. N-grams
        that a text repeats more than 8 times are no evidence and are left out.
        Where passages overlap completely in one of the texts, the longest one is kept.

    Examples
    --------
    >>> lamp, gate = PlacedTokens.of("A lamp at the gate burned."), PlacedTokens.of("He saw: a lamp at the gate.")
    >>> text_passages(lamp, gate, 3)
    [TextPassage(first=0, second=2, size=5)]
    """
    numbers = {token: number for number, token in enumerate(dict.fromkeys([*first.tokens, *second.tokens]))}
    hashes = token_hashes(numbers)
    in_first, in_second = _matches(
        _rare_ngrams(first, numbers, hashes, size), _rare_ngrams(second, numbers, hashes, size)
    )
    distances = in_first - in_second
    order = np.lexsort((in_first, distances))
    # consecutive matches of a passage have the same distance between the texts
    continued = (np.diff(distances[order]) == 0) & (np.diff(in_first[order]) == 1)
    starts = np.flatnonzero(np.append(True, ~continued)[: len(order)])
    sizes = np.diff(np.append(starts, len(order))) + size - 1
    opening = order[starts]
    found = map(TextPassage, in_first[opening].tolist(), in_second[opening].tolist(), sizes.tolist())
    return _without_repeats(sorted(found, key=lambda it: (-it.size, it.first, it.second)), first, second)


def _rare_ngrams(text: PlacedTokens, numbers: Mapping[str, int], hashes: Hashes, size: int) -> tuple[Hashes, Integers]:
    """Return the n-grams that lie in one paragraph and are not repeated often, with the number of their first token."""
    tokens = np.fromiter(map(numbers.__getitem__, text.tokens), np.int64, len(text.tokens))
    ngrams = shingle_hashes(hashes[tokens], size)
    paragraphs = np.array(text.paragraphs, np.int64)
    places = np.flatnonzero(paragraphs[: len(ngrams)] == paragraphs[len(paragraphs) - len(ngrams) :])
    _, which, times = np.unique(ngrams[places], return_inverse=True, return_counts=True)
    places = places[times[which] <= MAX_REPEATS]
    return ngrams[places], places


def _matches(first: tuple[Hashes, Integers], second: tuple[Hashes, Integers]) -> tuple[Integers, Integers]:
    """Return the places of all pairs of equal n-grams."""
    order = np.argsort(first[0], kind="stable")
    ordered = first[0][order]
    begins = np.searchsorted(ordered, second[0], side="left")
    times = np.searchsorted(ordered, second[0], side="right") - begins
    of_second = np.arange(len(times)).repeat(times)
    nth = np.arange(len(of_second)) - (np.cumsum(times) - times)[of_second]  # among the matches of one n-gram
    return first[1][order[begins[of_second] + nth]], second[1][of_second]


def _without_repeats(passages: list[TextPassage], first: PlacedTokens, second: PlacedTokens) -> list[TextPassage]:
    """Leave out passages all of whose tokens belong to longer ones, in one of the texts."""
    in_first, in_second = np.zeros(len(first.tokens), np.bool_), np.zeros(len(second.tokens), np.bool_)
    kept = []
    for passage in passages:
        of_first = in_first[passage.first : passage.first + passage.size]
        of_second = in_second[passage.second : passage.second + passage.size]
        if not (of_first.all() or of_second.all()):
            of_first[:] = of_second[:] = True
            kept.append(passage)
    return kept
