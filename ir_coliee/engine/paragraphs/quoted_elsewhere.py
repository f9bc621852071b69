"""How often other decisions have the word 6-grams of a paragraph: passages that courts quote are in many.

The 6-grams of all paragraphs are kept as hashes, and decisions are streamed past them. A decision that has more than
40 % of the 6-grams of a noticed case, or of the base case of its query, is taken to be one of the two, and is skipped
for the paragraphs of that case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ir_coliee.engine.paragraphs.pools import Pools
from ir_coliee.engine.paragraphs.token_texts import TokenTexts
from ir_coliee.engine.shingles import HashedVocabulary, shingle_hashes, token_hashes
from ir_coliee.frames import Booleans, Floats, Hashes, Integers

_WORDS = 6
_SAME_CASE = 0.4  # share of its 6-grams
_FEW, _MANY = 8, 25  # shared 6-grams
_RARE, _FREQUENT = 20, 200  # decisions that have a 6-gram

#: The names of the features of `quoted_elsewhere`.
QUOTED = (
    "decisions_sharing_8",
    "decisions_sharing_25",
    "most_shared",
    "share_of_most_shared",
    "decisions_per_ngram",
    "share_held_by_few",
    "share_held",
    "held_by_few",
)


def ngram_hashes(texts: TokenTexts) -> Iterator[Hashes]:
    """Yield the hashes of the distinct word 6-grams of each text, in ascending order.

    Examples
    --------
    >>> [len(hashes) for hashes in ngram_hashes(TokenTexts.of(["one two three four five six seven", "one two"]))]
    [2, 0]
    """
    of_word = token_hashes(texts.vocabulary)
    for start, end in pairwise(texts.bounds):
        yield np.unique(shingle_hashes(of_word[texts.tokens[start:end]], _WORDS))


class _Incidence(NamedTuple):
    """Which sets have each element: the sets of the elements, one element after the other."""

    sets: Integers
    bounds: Integers

    @classmethod
    def of(cls, elements: Integers, sets: Integers, number: int) -> _Incidence:
        """Collect pairs of an element, which is less than ``number``, and a set."""
        order = np.argsort(elements, kind="stable")
        return cls(sets[order], np.append(0, np.cumsum(np.bincount(elements, minlength=number))))

    def of_elements(self, elements: Integers) -> Integers:
        """Return the sets of some elements, one element after the other."""
        sizes = self.bounds[elements + 1] - self.bounds[elements]
        ends = np.cumsum(sizes)
        sets: Integers = self.sets[(self.bounds[elements] - ends + sizes).repeat(sizes) + np.arange(sizes.sum())]
        return sets


def quoted_elsewhere(
    paragraphs: TokenTexts, pools: Pools, base_cases: Iterable[Hashes], decisions: Iterable[Hashes]
) -> Floats:
    """Compute eight features of how other decisions share the word 6-grams of each paragraph.

    Parameters
    ----------
    paragraphs : TokenTexts
        The paragraphs, pool by pool.
    pools : Pools
        The pools.
    base_cases : iterable of uint64 array
        The hashes of the 6-grams of the base case of each pool (`ngram_hashes`).
    decisions : iterable of uint64 array
        Those of each decision.

    Returns
    -------
    float64 array of shape (paragraphs, 8)
        See `QUOTED`; all 0 for a paragraph of less than 6 words.

        * log(1 + number of decisions that share at least 8 of its 6-grams), and at least 25;
        * log(1 + number of 6-grams that it shares with the decision that shares most), and their share of its own;
        * mean of log(1 + number of decisions that have a 6-gram, at most 200) over its 6-grams;
        * share of its 6-grams that 1 to 20 decisions have, and that any has; log(1 + number of the former).
    """
    return _KnownNgrams(paragraphs, pools, [*base_cases]).features(decisions)


def quoted_names() -> list[str]:
    """Return the names of the features of `quoted_features`."""
    return [f"{name}{kind}" for name in QUOTED for kind in ("", "_rank", "_z")]


def quoted_features(
    paragraphs: TokenTexts, pools: Pools, base_cases: Sequence[str], decisions: Iterable[str] | None = None
) -> Floats:
    """Compute the values of `quoted_elsewhere`, each with its rank and its z-score in the pool.

    Parameters
    ----------
    paragraphs : TokenTexts
        The paragraphs, pool by pool.
    pools : Pools
        The pools.
    base_cases : sequence of str
        The base case of each pool. Several pools may have the same one.
    decisions : iterable of str, optional
        The decisions that are searched, each once. By default these are the base cases.

    Returns
    -------
    float64 array of shape (paragraphs, 24)
        See `quoted_names`.
    """
    numbers: dict[str, int] = {}
    of_pools = [numbers.setdefault(text, len(numbers)) for text in base_cases]
    distinct = [*ngram_hashes(TokenTexts.of(numbers))]
    searched = distinct if decisions is None else ngram_hashes(TokenTexts.of(decisions))
    values = quoted_elsewhere(paragraphs, pools, [distinct[number] for number in of_pools], searched)
    return np.hstack([np.column_stack([column, pools.rank_and_z(column)]) for column in values.T])


class _KnownNgrams:
    """The 6-grams of paragraphs and base cases.

    An *entry* is a 6-gram of a pool. Decisions are counted by entry and not by 6-gram, because those that are skipped
    differ between pools.
    """

    def __init__(self, paragraphs: TokenTexts, pools: Pools, base_cases: list[Hashes]) -> None:
        of_paragraphs = [*ngram_hashes(paragraphs)]
        self._sizes = np.array([len(hashes) for hashes in of_paragraphs], dtype=np.int64)
        self._base_sizes = np.array([len(hashes) for hashes in base_cases], dtype=np.int64)
        hashes = np.concatenate([np.empty(0, np.uint64), *of_paragraphs, *base_cases])
        distinct, numbers = np.unique(hashes, return_inverse=True)
        self._vocabulary = HashedVocabulary(distinct, _WORDS)
        known, (in_paragraphs, in_base_cases) = len(distinct), np.split(numbers, [self._sizes.sum()])
        self._base_cases = _Incidence.of(in_base_cases, np.arange(len(base_cases)).repeat(self._base_sizes), known)
        self._paragraph = np.arange(len(paragraphs)).repeat(self._sizes)  # of each 6-gram of a paragraph
        entries, self._entry = np.unique(pools.numbers[self._paragraph] * known + in_paragraphs, return_inverse=True)
        self._pool = entries // known  # of each entry
        self._pool_sizes = np.bincount(self._pool, minlength=len(pools.sizes))
        self._entries = _Incidence.of(entries % known, np.arange(len(entries)), known)
        self._paragraphs = _Incidence.of(self._entry, self._paragraph, len(entries))

    def features(self, decisions: Iterable[Hashes]) -> Floats:
        """Compute the features, see `quoted_elsewhere`."""
        number = len(self._sizes)
        few, many, most = (np.zeros(number, dtype=np.int64) for _ in range(3))
        held = np.zeros(len(self._pool), dtype=np.int64)
        for hashes in decisions:
            entries = self._shared(hashes)
            held[entries] += 1
            shared = np.bincount(self._paragraphs.of_elements(entries), minlength=number)
            few += shared >= _FEW
            many += shared >= _MANY
            np.maximum(most, shared, out=most)
        holders = held[self._entry]  # of each 6-gram of a paragraph
        by_few = self._sums((holders >= 1) & (holders <= _RARE))
        sizes = np.maximum(self._sizes, 1)
        return np.column_stack(
            [
                *map(np.log1p, (few, many, most)),
                most / sizes,
                self._sums(np.log1p(np.minimum(holders, _FREQUENT))) / sizes,
                by_few / sizes,
                self._sums(holders >= 1) / sizes,
                np.log1p(by_few),
            ]
        )

    def _sums(self, values: Floats | Booleans) -> Floats:
        """Add values of the 6-grams of each paragraph."""
        return np.bincount(self._paragraph, weights=values, minlength=len(self._sizes)).astype(np.float64)

    def _shared(self, hashes: Hashes) -> Integers:
        """Return the entries that a decision has, without those of pools for which it is skipped."""
        numbers = self._vocabulary.columns(hashes)
        known = numbers[numbers >= 0]
        entries = self._entries.of_elements(known)
        of_pools = np.bincount(self._pool[entries], minlength=len(self._pool_sizes))
        of_base_cases = np.bincount(self._base_cases.of_elements(known), minlength=len(self._base_sizes))
        is_skipped = (of_pools > _SAME_CASE * self._pool_sizes) | (of_base_cases > _SAME_CASE * self._base_sizes)
        shared: Integers = entries[~is_skipped[self._pool[entries]]]
        return shared
