"""Words and n-grams of texts as rows of sparse matrices, from which a pool selects its members; BM25 of spans of texts.

Which n-grams texts share is found by sorting one integer for each position of all texts. The integer has the leading
bits of the hash of the n-gram and, in its last bits, the number of the text. Sorting brings the texts that share an
n-gram together, and numpy sorts integers with vector instructions. With 10,000 texts, 50 bits of the hash are left, so
that of 30 million n-grams hardly two are taken for one.

A `SpanIndex` scores each text by its best span; the scores of all spans are never in memory. Two back-ends add the same
32-bit weights in the same order, term by term, so that their scores are equal to the last bit: ``scipy``, always
available, multiplies sparse matrices; ``numba``, the extra ``fast``, adds posting lists to an array of all spans. With
24,000 contexts and 113,000 pieces of 1,870 decisions (1.2e9 postings), numba takes 2 s on one core of an AMD EPYC and
scipy 16 s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.cases.texts import Scores, TextPool, TokenSequences, computed_once
from ir_coliee.engine.scoring import count_postings, one_blas_thread
from ir_coliee.engine.term_counts import Tokens, shingle_hashes, token_hashes
from ir_coliee.engine.weightings import lucene_idf, unit_rows, weighted
from ir_coliee.frames import Booleans, Hashes, Integers, Numbers
from ir_coliee.text.analysers import STOP_WORDS

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

    N-grams are told apart by hashes of their words, see `ngram_rows`.

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
    parts = [sparse.csr_matrix(np.empty((0, num_words), np.int32))]
    for batch in batches:
        texts = np.arange(len(batch.sizes) + 1) << _WORD_BITS
        words = texts[:-1].repeat(batch.sizes) | batch.numbers
        words.sort()  # several times as fast as adding duplicates in a sparse matrix
        places = np.flatnonzero(np.append(True, words[1:] != words[:-1])[: len(words)])
        counts, words = np.diff(np.append(places, len(words))).astype(np.int32), words[places]
        numbers = (words & ((1 << _WORD_BITS) - 1)).astype(np.int32)
        shape = len(batch.sizes), num_words
        parts.append(sparse.csr_matrix((counts, numbers, np.searchsorted(words, texts)), shape=shape))
    return sparse.vstack(parts, format="csr", dtype=np.int32)


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
    """Return the words (`WORDS`) or n-grams of the members of a pool."""
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
    """Return the inner product of each query with each text, with sums of 64 bits."""
    is_common = np.bincount(texts.indices, minlength=texts.shape[1]) > _COMMON * texts.shape[0]
    rare, common = ((columns(queries, kept), columns(texts, kept)) for kept in (~is_common, is_common))
    by_term, of_common = rare[1].T.tocsr(), common[1].toarray().T
    scores = np.empty((queries.shape[0], texts.shape[0]), dtype=np.float32)
    with one_blas_thread():
        for first in range(0, queries.shape[0], _QUERIES):
            some = slice(first, first + _QUERIES)
            scores[some] = (rare[0][some] @ by_term).toarray() + common[0][some].toarray() @ of_common
    return scores


def bigram_vectors(pool: TextPool, max_share: float = 1.0) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """Return vectors of length 1, of queries and of texts, with the idf of the distinct bigrams of content words.

    Bigrams with a document frequency above ``max_share`` of the members are left out. A vector without a bigram is
    empty. The bigrams that a single member of the pool has are one column, which has the length of their vector.
    """
    num_members = len(pool.members)
    max_df = max_share * num_members
    bigrams = pool_terms(pool, BIGRAMS).within(2, max_df)
    weights = lucene_idf(bigrams.df, num_members)[bigrams.members.indices]
    idf_alone = lucene_idf(np.ones(1), num_members) if max_df >= 1 else np.zeros(1)
    alone = sparse.csr_matrix(sparse.diags(np.sqrt(bigrams.alone) * idf_alone))
    alone.eliminate_zeros()
    vectors = sparse.hstack([weighted(bigrams.members, weights), alone], format="csr")
    return pool.rows_of(unit_rows(vectors))


# --- n-grams that texts share --------------------------------------------------------------------------

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

    Batches have the texts in order, a few hundred each; ``hashes`` has the hash of each token number.
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


# --- BM25 of spans -------------------------------------------------------------------------------------

#: Scores of the contexts from the first number to the second (exclusive) x texts.
ContextScorer: TypeAlias = Callable[[int, int], Scores]

_WORTH_COMPILING = 5e7  # postings that scipy adds in the time that numba takes to compile, a second


@dataclass(frozen=True, eq=False)
class SpanIndex:
    """BM25 weights of the terms of spans.

    Attributes
    ----------
    weights : csr_matrix, terms x spans, float32
        Contribution of a term to the score of a span.
    bounds : int64 array
        The spans of the i-th text are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    weights: sparse.csr_matrix
    bounds: Integers

    @classmethod
    def of(cls, counts: sparse.csc_matrix, lengths: Integers, bounds: Integers, k1: float, b: float) -> SpanIndex:
        """Weigh the terms of spans by `ir_coliee.engine.weightings.BM25`; N and df are numbers of spans.

        ``counts`` (spans x terms) has the terms that are used, ``lengths`` the number of tokens of each span.
        """
        df = np.diff(counts.indptr)
        idf = (lucene_idf(df.astype(np.float64), len(lengths)) * (k1 + 1)).astype(np.float32)
        norms = (k1 * (1 - b + b * lengths / max(1.0, lengths.mean()))).astype(np.float32)
        tf = counts.data.astype(np.float32)
        weights = np.repeat(idf, df) * tf / (tf + norms[counts.indices])
        return cls(sparse.csc_matrix((weights, counts.indices, counts.indptr), shape=counts.shape).T, bounds)

    def scorer(self, contexts: sparse.csr_matrix) -> ContextScorer:
        """Return a function that scores all texts by their best span; it may be called by several threads.

        Each term of a context counts once; its terms are in ascending order. Numba is used if it is installed and there
        is enough work to pay for the compilation, or another index has paid already.
        """
        is_worth_it = _compiled.cache_info().currsize or count_postings(contexts, self.weights) > _WORTH_COMPILING
        return (_with_numba if is_worth_it and find_spec("numba") else _with_scipy)(self, contexts)


def _with_scipy(index: SpanIndex, contexts: sparse.csr_matrix) -> ContextScorer:
    once = sparse.csr_matrix((np.ones(contexts.nnz, np.float32), contexts.indices, contexts.indptr), contexts.shape)
    has_span = np.diff(index.bounds) > 0
    starts = index.bounds[:-1][has_span]

    def scores(first: int, last: int) -> Scores:
        best = np.zeros((last - first, len(has_span)), dtype=np.float32)
        best[:, has_span] = np.maximum.reduceat((once[first:last] @ index.weights).toarray(), starts, axis=1)
        return best

    return scores


def _with_numba(index: SpanIndex, contexts: sparse.csr_matrix) -> ContextScorer:
    score = _compiled()
    lists = index.weights.indptr.astype(np.int64), index.weights.indices, index.weights.data
    terms_of = contexts.indptr.astype(np.int64)

    def scores(first: int, last: int) -> Scores:
        best = np.empty((last - first, len(index.bounds) - 1), dtype=np.float32)
        score(terms_of[first : last + 1], contexts.indices, *lists, index.bounds, best.view(np.int32))
        return best

    return scores


@cache
def _compiled() -> Callable[..., None]:
    import numba

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
    def score(
        terms_of: Any, terms: Any, lists: Any, spans: Any, weights: Any, bounds: Any, best: Any
    ) -> None:  # pragma: no cover
        sums = np.zeros(bounds[-1], dtype=np.float32)
        # numbers from 0 are ordered as their bits are, and the largest integer is found faster
        bits = sums.view(np.int32)
        for context in range(len(terms_of) - 1):
            sums[:] = 0
            for place in range(terms_of[context], terms_of[context + 1]):
                term = terms[place]
                for posting in range(lists[term], lists[term + 1]):
                    sums[np.uint32(spans[posting])] += weights[posting]
            for text in range(len(bounds) - 1):
                largest = np.int32(0)
                for span in range(bounds[text], bounds[text + 1]):
                    largest = max(largest, bits[span])
                best[context, text] = largest

    return score  # type: ignore[no-any-return, unused-ignore]
