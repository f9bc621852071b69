"""How a statement is covered by a text: shared tokens and phrases, the longest match, and what is left unmatched."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ir_coliee.text.compatibility import nfkc
from ir_coliee.text.english import STOP_WORDS
from ir_coliee.text.tokenisers import character_bigrams, words

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
