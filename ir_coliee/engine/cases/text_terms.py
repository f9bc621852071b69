"""The words and n-grams of texts as rows of sparse matrices, from which a pool selects its members."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.cases.ngram_rows import ngram_rows
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.token_sequences import TokenSequences
from ir_coliee.engine.shingles import Tokens, token_hashes
from ir_coliee.engine.term_counts import empty_counts
from ir_coliee.text.english import STOP_WORDS

#: Scores of a pool: 32-bit floating-point numbers, queries x texts.
Scores: TypeAlias = npt.NDArray[np.float32]

_TEXTS = 256  # texts that are counted at a time
_WORD_BITS = 32
_QUERIES = 64  # queries that are scored at a time


class NGrams(NamedTuple):
    """A kind of n-gram.

    Attributes
    ----------
    size : int
        The number of words.
    content : bool
        Whether stop words are left out before n-grams are formed.
    """

    size: int
    content: bool = False


#: Pairs of content words, as the scores use them.
BIGRAMS = NGrams(2, content=True)


class _Counted:
    """A matrix of a collection that is counted once, by the first of several threads that need it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._matrix: sparse.csr_matrix | None = None

    def matrix(self, count: Callable[[], sparse.csr_matrix]) -> sparse.csr_matrix:
        with self._lock:
            if self._matrix is None:
                self._matrix = count()
            return self._matrix


#: The matrices of the collections that are in use.
_KEPT: WeakKeyDictionary[TokenSequences, dict[NGrams, _Counted]] = WeakKeyDictionary()
_LOCK = Lock()


def word_counts(sequences: TokenSequences) -> sparse.csr_matrix:
    """Return the count of each word in each text, as int32 (texts x vocabulary)."""
    return _kept(sequences, NGrams(1), _count_words)


def shared_ngrams(sequences: TokenSequences, kind: NGrams) -> sparse.csr_matrix:
    """Return which n-grams each text has, of those that at least two texts have.

    N-grams are told apart by hashes of their words, see `ir_coliee.engine.cases.ngram_rows`.

    Parameters
    ----------
    sequences : TokenSequences
        The texts.
    kind : NGrams
        The kind of n-gram.

    Returns
    -------
    csr_matrix, texts x n-grams
        1 for each n-gram of a text.

    Examples
    --------
    >>> sequences = TokenSequences.of(["a lamp at the gate", "The lamp at the well", "lamp gate"])
    >>> shared_ngrams(sequences, NGrams(2)).toarray().sum(axis=1).tolist()
    [2, 2, 0]
    >>> shared_ngrams(sequences, BIGRAMS).toarray().sum(axis=1).tolist()
    [1, 0, 1]
    """
    return _kept(sequences, kind, lambda texts: _count_ngrams(texts, kind))


def _kept(
    sequences: TokenSequences, kind: NGrams, count: Callable[[TokenSequences], sparse.csr_matrix]
) -> sparse.csr_matrix:
    with _LOCK:
        counted = _KEPT.setdefault(sequences, {}).setdefault(kind, _Counted())
    return counted.matrix(lambda: count(sequences))


def _count_words(sequences: TokenSequences) -> sparse.csr_matrix:
    parts = [empty_counts(0, len(sequences.vocabulary))]
    for batch in _batches(sequences):
        texts = np.arange(len(batch.sizes) + 1) << _WORD_BITS
        words = texts[:-1].repeat(batch.sizes) | batch.numbers
        words.sort()  # several times as fast as adding duplicates in a sparse matrix
        places = np.flatnonzero(np.append(True, words[1:] != words[:-1])[: len(words)])
        counts, words = np.diff(np.append(places, len(words))).astype(np.int32), words[places]
        columns = (words & ((1 << _WORD_BITS) - 1)).astype(np.int32)
        shape = len(batch.sizes), len(sequences.vocabulary)
        parts.append(sparse.csr_matrix((counts, columns, np.searchsorted(words, texts)), shape=shape))
    whole: sparse.csr_matrix = sparse.vstack(parts, format="csr", dtype=np.int32)
    return whole


def _count_ngrams(sequences: TokenSequences, kind: NGrams) -> sparse.csr_matrix:
    batches = _batches(sequences)
    if kind.content:
        is_content = np.array([word not in STOP_WORDS for word in sequences.vocabulary], np.bool_)
        batches = [batch.select(is_content) for batch in batches]
    return ngram_rows(batches, token_hashes(sequences.vocabulary), kind.size)


def _batches(sequences: TokenSequences) -> list[Tokens]:
    bounds, sizes = sequences.bounds, sequences.lengths.astype(np.int32)
    return [
        Tokens(sequences.tokens[bounds[first] : bounds[min(first + _TEXTS, len(sizes))]], sizes[first : first + _TEXTS])
        for first in range(0, len(sizes), _TEXTS)
    ]


class PoolTerms(NamedTuple):
    """The terms of the queries and texts of a pool that are within bounds of document frequency.

    Attributes
    ----------
    queries, texts : csr_matrix
        The rows of the queries and of the texts; equal columns.
    members : csr_matrix
        The rows of the members of the pool: each text once, the queries' texts included.
    df : float64 array
        The number of members that have each term.
    """

    queries: sparse.csr_matrix
    texts: sparse.csr_matrix
    members: sparse.csr_matrix
    df: npt.NDArray[np.float64]

    @classmethod
    def of(cls, pool: TextPool, rows: sparse.csr_matrix, min_df: int = 1, max_df: float = np.inf) -> PoolTerms:
        """Select the terms of a pool.

        Parameters
        ----------
        pool : TextPool
            The pool.
        rows : csr_matrix, texts of the collection x terms
            What each text of the collection has.
        min_df : int, default=1
            The smallest document frequency, at least 1.
        max_df : float, optional
            The largest document frequency.
        """
        numbers = pool.members
        members = rows[numbers]
        df = np.bincount(members.indices, minlength=rows.shape[1])
        kept = (df >= min_df) & (df <= max_df)
        members = _columns(members, kept)
        queries, texts = (members[np.searchsorted(numbers, each)] for each in (pool.queries, pool.texts))
        return cls(queries, texts, members, df[kept].astype(np.float64))


def _columns(matrix: sparse.csr_matrix, kept: npt.NDArray[np.bool_]) -> sparse.csr_matrix:
    """Return some columns of a matrix; several times as fast as indexing."""
    entries = kept[matrix.indices]
    bounds = np.concatenate([[0], np.cumsum(entries)])[matrix.indptr]
    numbers = (np.cumsum(kept) - 1).astype(np.int32)[matrix.indices[entries]]
    return sparse.csr_matrix((matrix.data[entries], numbers, bounds), shape=(matrix.shape[0], int(kept.sum())))


def products(queries: sparse.csr_matrix, texts: sparse.csr_matrix) -> Scores:
    """Return the inner product of each query with each text, with sums of 64 bits.

    Parameters
    ----------
    queries, texts : csr_matrix
        Weights of the same terms.
    """
    by_term = texts.T.tocsr()
    scores = np.zeros((queries.shape[0], texts.shape[0]), dtype=np.float32)
    for first in range(0, queries.shape[0], _QUERIES):
        scores[first : first + _QUERIES] = (queries[first : first + _QUERIES] @ by_term).toarray()
    return scores


def weighted(matrix: sparse.csr_matrix, weights: npt.NDArray[np.float64]) -> sparse.csr_matrix:
    """Return a matrix with other values in the same places."""
    return sparse.csr_matrix((weights, matrix.indices, matrix.indptr), shape=matrix.shape)


def unit_rows(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return a matrix whose rows have the Euclidean length 1; a row without entries stays empty."""
    sizes = np.diff(matrix.indptr)
    rows = np.arange(len(sizes)).repeat(sizes)
    norms = np.sqrt(np.bincount(rows, weights=matrix.data**2, minlength=len(sizes)))
    return weighted(matrix, matrix.data / norms[rows])
