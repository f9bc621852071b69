"""How a statement is covered by a text: shared tokens and phrases, the longest match, and what is left unmatched."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ir_coliee.engine.term_counts import shingle_hashes, token_hashes
from ir_coliee.frames import Hashes, Integers
from ir_coliee.text.analysers import STOP_WORDS, PlacedTokens, character_bigrams, words
from ir_coliee.text.japanese import nfkc

_PHRASE = {"en": 2, "ja": 4}  # units of a phrase
_CHARACTERS = {"en": 4, "ja": 3}  # of a character n-gram


class AlignedText(NamedTuple):
    """A text in the forms that are compared.

    Attributes
    ----------
    units : tuple of str
        The words in English, the letters and digits in Japanese, in order.
    tokens : frozenset of str
        Words without stop words in English, character bigrams in Japanese.
    phrases : frozenset of tuple of str
        Sequences of two words, or of four characters in Japanese.
    characters : frozenset of tuple of str
        Sequences of four characters in English, of three in Japanese.
    """

    units: tuple[str, ...]
    tokens: frozenset[str]
    phrases: frozenset[tuple[str, ...]]
    characters: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, text: str, language: str) -> AlignedText:
        """Read a text.

        Examples
        --------
        >>> lamp = AlignedText.of("A lamp is lit.", "en")
        >>> lamp.units, sorted(lamp.tokens), sorted(lamp.phrases)
        (('a', 'lamp', 'is', 'lit'), ['lamp', 'lit'], [('a', 'lamp'), ('is', 'lit'), ('lamp', 'is')])
        """
        if language == "ja":
            units = [character for character in nfkc(text).lower() if character.isalnum()]
            tokens, characters = frozenset(character_bigrams(text)), units
        else:
            units = words(text)
            tokens, characters = frozenset(units) - STOP_WORDS, [*" ".join(units)]
        return cls(tuple(units), tokens, _ngrams(units, _PHRASE[language]), _ngrams(characters, _CHARACTERS[language]))


def token_idf(texts: Iterable[AlignedText]) -> dict[str, float]:
    """Inverse document frequency of each token of some texts, ln(1 + (N - df + .5) / (df + .5)).

    Examples
    --------
    >>> idf = token_idf([AlignedText.of("A lamp is lit.", "en"), AlignedText.of("A lamp.", "en")])
    >>> {token: round(value, 3) for token, value in sorted(idf.items())}
    {'lamp': 0.182, 'lit': 0.693}
    """
    token_sets = [text.tokens for text in texts]
    frequencies = Counter(chain.from_iterable(token_sets))
    return {token: math.log1p((len(token_sets) - df + 0.5) / (df + 0.5)) for token, df in frequencies.items()}


def coverage(covered: Collection[object], covering: Collection[object]) -> float:
    """Share of the members of a set that another has; 0 for an empty set.

    Examples
    --------
    >>> coverage({"lamp", "gate"}, {"lamp"})
    0.5
    """
    return sum(member in covering for member in covered) / len(covered) if covered else 0.0


def idf_coverage(covered: AlignedText, covering: AlignedText, idf: Mapping[str, float]) -> float:
    """Share of the inverse document frequency of a text's tokens that falls on tokens of another; 0 without tokens.

    A token that ``idf`` does not have counts 0, here and in `unmatched_idf`.
    """
    total = math.fsum(idf.get(token, 0.0) for token in covered.tokens)
    return math.fsum(idf.get(token, 0.0) for token in covered.tokens & covering.tokens) / total if total else 0.0


def unmatched_idf(covered: AlignedText, covering: AlignedText, idf: Mapping[str, float]) -> list[float]:
    """Inverse document frequency of each token of a text that another does not have, the largest first."""
    return sorted((idf.get(token, 0.0) for token in covered.tokens - covering.tokens), reverse=True)


def longest_match(covered: Sequence[str], covering: Sequence[str]) -> int:
    """Length of the longest sequence that two sequences have in common.

    Examples
    --------
    >>> longest_match("the lamp is lit".split(), "a lamp is lit here".split())
    3
    """
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(covering))}
    units = np.array([numbers[unit] for unit in covering], np.int64)
    lengths = np.zeros(len(units) + 1, np.int64)  # of the match that ends before each unit
    longest = 0
    for unit in covered:
        lengths[1:] = np.where(units == numbers.get(unit, -1), lengths[:-1] + 1, 0)
        longest = max(longest, int(lengths.max()))
    return longest


def _ngrams(units: Sequence[str], size: int) -> frozenset[tuple[str, ...]]:
    return frozenset(zip(*(units[start:] for start in range(size))))


# Verbatim passages that two texts share, with their places.


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
