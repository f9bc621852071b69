"""Shingles of a collection as numbers: hashed, counted and kept within document-frequency bounds.

A decision has as many shingles as words, most of them in no other decision. None is ever spelled: a shingle is a
64-bit hash, computed for all places of a batch of documents at once from the hashes of their words, and document
frequencies come from sorting the hashes of one range after the other, so that little is in memory at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.arrays import Booleans, Hashes, Integers, Numbers, compact_counts

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_RANGE_BITS = 5  # ranges of hashes that are sorted one after the other
_PARTS = 2  # so many times all is hashed, to have a part of the ranges in memory
_MOST_BUCKET_BITS = 22  # a table of them still fits into a cache
_HASH = re.compile(r"[0-9a-f]{16}")


class Tokens(NamedTuple):
    """The tokens of some documents in reading order, by their numbers, and how many each document has."""

    numbers: Numbers
    sizes: Numbers

    def select(self, selected: Booleans) -> Tokens:
        """Select tokens by a boolean for each token number."""
        chosen = selected[self.numbers]
        if chosen.all():
            return self  # nothing is allocated: the batches are all that was read
        before, ends = np.concatenate([[0], np.cumsum(chosen)]), np.concatenate([[0], np.cumsum(self.sizes)])
        return Tokens(self.numbers[chosen], np.diff(before[ends]).astype(np.int32))


class HashedVocabulary(Mapping[str, int]):
    """Columns by shingle. A term is the hash in 16 hexadecimal digits; the words with blanks between find it too."""

    def __init__(self, hashes: Hashes, words: int) -> None:
        """``hashes``: ascending, by column; ``words``: those of a shingle."""
        self.hashes = hashes
        self.words = words

    def columns(self, hashes: Hashes) -> Integers:
        """The columns of these hashes, -1 where there is none."""
        places = np.searchsorted(self.hashes, hashes)
        found = np.flatnonzero(places < len(self.hashes))
        found = found[self.hashes[places[found]] == hashes[found]]
        columns = np.full(len(hashes), -1, dtype=np.int64)
        columns[found] = places[found]
        return columns

    def __getitem__(self, term: str) -> int:
        column = self.columns(self._hashes(term) if isinstance(term, str) else np.empty(0, np.uint64))
        if len(column) != 1 or column[0] < 0:
            raise KeyError(term)
        return int(column[0])

    def _hashes(self, term: str) -> Hashes:
        if " " in term:
            return shingle_hashes(token_hashes(term.split(" ")), self.words)
        return np.array([int(term, 16)] if _HASH.fullmatch(term) else [], dtype=np.uint64)

    def __iter__(self) -> Iterator[str]:
        return (f"{number:016x}" for number in self.hashes.tolist())

    def __len__(self) -> int:
        return len(self.hashes)


def token_hashes(tokens: Iterable[str]) -> Hashes:
    """A hash of each token: the same on every machine."""
    digests = (blake2b(token.encode(errors="surrogatepass"), digest_size=8).digest() for token in tokens)
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def shingle_hashes(tokens: Hashes, words: int) -> Hashes:
    """The hash of the shingle that begins at each place, from the hashes of the tokens."""
    places = max(len(tokens) - words + 1, 0)
    hashes: Hashes = tokens[:places].copy()
    for offset in range(1, words):
        hashes *= _FACTOR
        hashes += tokens[offset : offset + places]
    # a sum of products has poor low bits, and the high ones part the ranges: mixed as by SplitMix64
    hashes ^= hashes >> np.uint64(30)
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    hashes ^= hashes >> np.uint64(27)
    hashes *= np.uint64(0x94D049BB133111EB)
    hashes ^= hashes >> np.uint64(31)
    return hashes


def count_shingles(
    batches: Sequence[Tokens], tokens: Hashes, words: int, *, min_df: int, max_df: int
) -> tuple[Hashes, sparse.csc_matrix]:
    """The shingles that at least ``min_df`` and at most ``max_df`` documents have, and documents x shingles.

    ``batches``: the documents in order, a few hundred at a time; ``tokens``: the hash of each number. The hashes are in
    order, a column each.
    """
    columns: tuple[list[npt.NDArray[Any]], ...] = ([], [], [], [])
    for part in np.split(np.arange(1 << _RANGE_BITS), _PARTS):
        ranges = _by_range(batches, tokens, words, part[0], part[-1])
        while ranges:
            of_range: tuple[npt.NDArray[Any], ...] = _kept(*ranges.pop(0), min_df, max_df)
            for column, values in zip(columns, of_range):
                column.append(values)
    hashes, frequencies, documents, counts = map(_emptied, columns)
    ends = np.concatenate([[0], np.cumsum(frequencies, dtype=np.int64)])
    shape = (sum(len(batch.sizes) for batch in batches), len(hashes))
    return hashes, sparse.csc_matrix((counts, documents, ends), shape=shape)


def _emptied(column: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """The arrays of a column as one; empties the column."""
    whole = np.concatenate(column)
    column.clear()
    return whole


def _by_range(
    batches: Sequence[Tokens], tokens: Hashes, words: int, first: int, last: int
) -> list[tuple[list[Hashes], list[Numbers]]]:
    """The shingles of the ranges from ``first`` to ``last``, and the documents that have them, batch by batch."""
    ranges: list[tuple[list[Hashes], list[Numbers]]] = [([], []) for _ in range(first, last + 1)]
    documents = 0
    for batch in batches:
        hashes = shingle_hashes(tokens[batch.numbers], words)
        owners = np.repeat(np.arange(documents, documents + len(batch.sizes), dtype=np.int32), batch.sizes)
        documents += len(batch.sizes)
        leading = (hashes >> np.uint64(64 - _RANGE_BITS)).astype(np.uint8)
        meant = owners[: len(hashes)] == owners[len(owners) - len(hashes) :]  # the last word is the same document's
        meant &= (leading >= first) & (leading <= last)
        hashes, owners, leading = hashes[meant], owners[: len(meant)][meant], leading[meant] - np.uint8(first)
        order = np.argsort(leading, kind="stable")
        ends = np.cumsum(np.bincount(leading, minlength=len(ranges)))[:-1]
        for place, hashed, owning in zip(ranges, np.split(hashes[order], ends), np.split(owners[order], ends)):
            place[0].append(hashed.copy())  # a view would hold the whole array in memory
            place[1].append(owning.copy())
    return ranges


def _kept(
    hashes_of_lots: list[Hashes], documents_of_lots: list[Numbers], min_df: int, max_df: int
) -> tuple[Hashes, Integers, Numbers, npt.NDArray[np.unsignedinteger[Any]]]:
    """Of one range: the hashes within the bounds, their document frequencies, and their documents and counts."""
    hashes = np.concatenate([np.empty(0, np.uint64), *hashes_of_lots])
    documents = np.concatenate([np.empty(0, np.int32), *documents_of_lots])
    if min_df > 1:  # most occur once: what shares its bucket with nothing need not be sorted
        bits = min(len(hashes).bit_length() + 1, _MOST_BUCKET_BITS)
        buckets = ((hashes << np.uint64(_RANGE_BITS)) >> np.uint64(64 - bits)).astype(np.int64)
        often = np.bincount(buckets, minlength=1)[buckets] >= min_df
        hashes, documents = hashes[often], documents[often]
    order = np.argsort(hashes, kind="stable")  # those of one hash stay in the documents' order
    hashes, documents = hashes[order], documents[order]
    another = np.append(True, hashes[1:] != hashes[:-1])[: len(hashes)]
    places = np.flatnonzero(another | np.append(True, documents[1:] != documents[:-1])[: len(hashes)])
    counts = compact_counts(np.diff(np.append(places, len(hashes))))
    starts = np.flatnonzero(another[places])
    frequencies = np.diff(np.append(starts, len(places)))
    within = (frequencies >= min_df) & (frequencies <= max_df)
    postings = np.repeat(within, frequencies)
    return hashes[places[starts[within]]], frequencies[within], documents[places[postings]], counts[postings]
