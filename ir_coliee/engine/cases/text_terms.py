"""The words and n-grams of texts as rows of sparse matrices, from which a pool selects its members."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.blas_threads import one_blas_thread
from ir_coliee.engine.cases.computed_once import computed_once
from ir_coliee.engine.cases.ngram_rows import NGramRows, ngram_rows
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.token_sequences import TokenSequences
from ir_coliee.engine.shingles import Tokens, token_hashes
from ir_coliee.engine.term_counts import empty_counts
from ir_coliee.frames import Hashes, Integers, Numbers
from ir_coliee.text.english import STOP_WORDS

#: Scores of a pool: 32-bit floating-point numbers, queries x texts.
Scores: TypeAlias = npt.NDArray[np.float32]

_TEXTS = 256  # texts that are counted at a time
_WORD_BITS = 32
_QUERIES = 64  # queries that are scored at a time
_COMMON = 0.25  # terms of more than this share of the texts are multiplied as dense matrices, which is faster


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


WORDS = NGrams(1)
#: Pairs of content words, as the scores use them.
BIGRAMS = NGrams(2, content=True)


@computed_once
def word_counts(sequences: TokenSequences) -> sparse.csr_matrix:
    """Return the count of each word in each text, as int32 (texts x vocabulary)."""
    return _count_words(_batches(sequences.tokens, sequences.bounds), len(sequences.vocabulary))


@computed_once
def capitalised_counts(sequences: TokenSequences) -> sparse.csr_matrix:
    """Return how often each word is capitalised in each text, as int32 (texts x vocabulary)."""
    places = np.flatnonzero(sequences.capitalised)
    bounds = np.searchsorted(places, sequences.bounds)
    return _count_words(_batches(sequences.tokens[places], bounds), len(sequences.vocabulary))


@computed_once
def vocabulary_hashes(sequences: TokenSequences) -> Hashes:
    """Return the hash of each token of the vocabulary."""
    return token_hashes(sequences.vocabulary)


@computed_once
def shared_ngrams(sequences: TokenSequences, kind: NGrams) -> NGramRows:
    """Return which n-grams each text has, of those that at least two texts have, and how many others.

    N-grams are told apart by hashes of their words, see `ir_coliee.engine.cases.ngram_rows`.

    Parameters
    ----------
    sequences : TokenSequences
        The texts.
    kind : NGrams
        The kind of n-gram.

    Returns
    -------
    NGramRows

    Examples
    --------
    >>> sequences = TokenSequences.of(["a lamp at the gate", "The lamp at the well", "lamp gate"])
    >>> shared_ngrams(sequences, NGrams(2)).shared.toarray().sum(axis=1).tolist()
    [2, 2, 0]
    >>> shared_ngrams(sequences, BIGRAMS).shared.toarray().sum(axis=1).tolist()
    [1, 0, 1]
    >>> shared_ngrams(sequences, BIGRAMS).alone.tolist()
    [0, 1, 0]
    """
    batches = _batches(sequences.tokens, sequences.bounds)
    if kind.content:
        is_content = np.array([word not in STOP_WORDS for word in sequences.vocabulary], np.bool_)
        batches = [batch.select(is_content) for batch in batches]
    return ngram_rows(batches, vocabulary_hashes(sequences), kind.size)


def _count_words(batches: list[Tokens], num_words: int) -> sparse.csr_matrix:
    parts = [empty_counts(0, num_words)]
    for batch in batches:
        texts = np.arange(len(batch.sizes) + 1) << _WORD_BITS
        words = texts[:-1].repeat(batch.sizes) | batch.numbers
        words.sort()  # several times as fast as adding duplicates in a sparse matrix
        places = np.flatnonzero(np.append(True, words[1:] != words[:-1])[: len(words)])
        counts, words = np.diff(np.append(places, len(words))).astype(np.int32), words[places]
        numbers = (words & ((1 << _WORD_BITS) - 1)).astype(np.int32)
        shape = len(batch.sizes), num_words
        parts.append(sparse.csr_matrix((counts, numbers, np.searchsorted(words, texts)), shape=shape))
    whole: sparse.csr_matrix = sparse.vstack(parts, format="csr", dtype=np.int32)
    return whole


def _batches(tokens: Numbers, bounds: Integers) -> list[Tokens]:
    sizes = np.diff(bounds).astype(np.int32)
    return [
        Tokens(tokens[bounds[first] : bounds[min(first + _TEXTS, len(sizes))]], sizes[first : first + _TEXTS])
        for first in range(0, len(sizes), _TEXTS)
    ]


class PoolTerms(NamedTuple):
    """The terms of the members of a pool.

    Attributes
    ----------
    members : csr_matrix, members x terms
        The rows of the members: counts of words, or 1 for each n-gram that at least two members have.
    df : float64 array
        The number of members that have each term.
    alone : int64 array
        The number of n-grams of each member that no other member has; 0 for words, all of which are terms.
    """

    members: sparse.csr_matrix
    df: npt.NDArray[np.float64]
    alone: Integers

    def within(self, min_df: int, max_df: float) -> PoolTerms:
        """Select terms by their document frequency."""
        kept = (self.df >= min_df) & (self.df <= max_df)
        return self._replace(members=columns(self.members, kept), df=self.df[kept])


@computed_once
def pool_terms(pool: TextPool, kind: NGrams) -> PoolTerms:
    """Return the words or n-grams of the members of a pool.

    Parameters
    ----------
    pool : TextPool
        The pool.
    kind : NGrams
        The kind of n-gram; `WORDS` are words.

    Returns
    -------
    PoolTerms
    """
    if kind == WORDS:
        min_df, rows, alone = 1, word_counts(pool.sequences), np.zeros(len(pool.sequences), np.int64)
    else:
        min_df, (rows, alone) = 2, shared_ngrams(pool.sequences, kind)
    members = rows[pool.members]
    df = np.bincount(members.indices, minlength=rows.shape[1])
    alone_here = np.searchsorted(np.flatnonzero(df[members.indices] < min_df), members.indptr)
    terms = PoolTerms(members, df.astype(np.float64), alone[pool.members] + np.diff(alone_here))
    return terms.within(min_df, np.inf)


def columns(matrix: sparse.csr_matrix, kept: npt.NDArray[np.bool_]) -> sparse.csr_matrix:
    """Return some columns of a matrix; several times as fast as indexing."""
    if kept.all():
        return matrix
    places = np.flatnonzero(kept[matrix.indices])
    numbers = (np.cumsum(kept) - 1).astype(np.int32)[matrix.indices[places]]
    bounds = np.searchsorted(places, matrix.indptr)
    return sparse.csr_matrix((matrix.data[places], numbers, bounds), shape=(matrix.shape[0], int(kept.sum())))


def products(queries: sparse.csr_matrix, texts: sparse.csr_matrix) -> Scores:
    """Return the inner product of each query with each text, with sums of 64 bits.

    Parameters
    ----------
    queries, texts : csr_matrix
        Weights of the same terms.
    """
    is_common = np.bincount(texts.indices, minlength=texts.shape[1]) > _COMMON * texts.shape[0]
    rare, common = ((columns(queries, kept), columns(texts, kept)) for kept in (~is_common, is_common))
    by_term, of_common = rare[1].T.tocsr(), common[1].toarray().T
    scores = np.empty((queries.shape[0], texts.shape[0]), dtype=np.float32)
    with one_blas_thread():
        for first in range(0, queries.shape[0], _QUERIES):
            some = slice(first, first + _QUERIES)
            scores[some] = (rare[0][some] @ by_term).toarray() + common[0][some].toarray() @ of_common
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
