"""Which n-grams texts share, found by sorting one integer for each position of all texts.

The integer has the leading bits of the hash of the n-gram and, in its last bits, the number of the text. Sorting brings
the texts that share an n-gram together, and numpy sorts integers with vector instructions. With 10,000 texts, 50 bits
of the hash are left, so that of 30 million n-grams hardly two are taken for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.shingles import Tokens, shingle_hashes
from ir_coliee.frames import Booleans, Hashes, Integers, Numbers

_FIRST_OF_SLICE = np.arange(1, 16, dtype=np.uint64) << np.uint64(60)  # 16 slices, compared one by one to limit memory


class NGramRows(NamedTuple):
    """The n-grams of texts.

    Attributes
    ----------
    shared : csr_matrix, texts x n-grams
        1 for each n-gram of a text that at least one other text has; n-grams are in the order of their hashes.
    alone : int64 array
        The number of distinct n-grams of each text that no other text has.
    """

    shared: sparse.csr_matrix
    alone: Integers


def ngram_rows(batches: Sequence[Tokens], hashes: Hashes, size: int) -> NGramRows:
    """Return which n-grams each text has, of those that at least two texts have, and how many others.

    Parameters
    ----------
    batches : sequence of Tokens
        The texts in order, a few hundred per batch.
    hashes : uint64 array
        The hash of each token number.
    size : int
        The number of words of an n-gram.

    Returns
    -------
    NGramRows
    """
    num_texts = sum(len(batch.sizes) for batch in batches)
    text_bits = np.uint64(num_texts.bit_length())
    keys = _keys(batches, hashes, size, text_bits)
    keys.sort()
    slices = np.split(keys, np.searchsorted(keys, _FIRST_OF_SLICE))
    texts_of_slices, df_of_slices, alone = zip(*(_shared(each, num_texts, text_bits) for each in slices))
    texts, dfs = np.concatenate(texts_of_slices), np.concatenate(df_of_slices)
    bounds = np.concatenate([[0], np.cumsum(dfs)])
    by_ngram = sparse.csc_matrix((np.ones(len(texts), np.int8), texts, bounds), shape=(num_texts, len(dfs)))
    return NGramRows(by_ngram.tocsr(), np.sum(alone, axis=0))


def _keys(batches: Sequence[Tokens], hashes: Hashes, size: int, text_bits: np.uint64) -> Hashes:
    """Return a key for each n-gram of each text: its hash with the number of the text in the last bits."""
    keys = np.empty(sum(int(np.maximum(batch.sizes - (size - 1), 0).sum()) for batch in batches), np.uint64)
    leading = ~_last_bits(text_bits)
    first_key = first_text = 0
    for numbers, sizes in batches:
        texts = np.arange(first_text, first_text + len(sizes), dtype=np.uint64).repeat(sizes)
        found = shingle_hashes(hashes[numbers], size) & leading
        found |= texts[: len(found)]
        within = texts[: len(found)] == texts[len(texts) - len(found) :]  # the first and the last word are of one text
        found = found[within]
        keys[first_key : first_key + len(found)] = found
        first_key, first_text = first_key + len(found), first_text + len(sizes)
    return keys


def _shared(keys: Hashes, num_texts: int, text_bits: np.uint64) -> tuple[Numbers, Integers, Integers]:
    """Return the texts of the n-grams that several texts have, the number of each, and of the others of each text."""
    keys = keys[_differs_from_last(keys)]  # a text may have an n-gram several times
    is_first = _differs_from_last(keys >> text_bits)
    is_alone = is_first & np.append(is_first[1:], True)[: len(keys)]
    others = (keys[is_alone] & _last_bits(text_bits)).astype(np.int64)
    keys, is_first = keys[~is_alone], is_first[~is_alone]
    df = np.diff(np.append(np.flatnonzero(is_first), len(keys))).astype(np.int64)
    return (keys & _last_bits(text_bits)).astype(np.int32), df, np.bincount(others, minlength=num_texts)


def _differs_from_last(values: Hashes) -> Booleans:
    return np.append(True, values[1:] != values[:-1])[: len(values)]


def _last_bits(number: np.uint64) -> np.uint64:
    return (np.uint64(1) << number) - np.uint64(1)
