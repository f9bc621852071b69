"""Exact top-k retrieval with identical scores from every back-end: every document is scored.

Two back-ends add the same 64-bit products in the same order, term by term, so their scores are equal to the last
bit for any number of threads and any batches of queries (tested on x86-64; if a C compiler fuses multiplication and
addition, the last bit of scipy's scores may differ):

- ``scipy``, always available: multiplies the posting lists of the terms of a batch by the queries as a dense matrix. A
  posting is read once for 16 queries. A query without the term adds 0, which does not change a sum.
- ``numba``, the extra ``fast``: reads each posting list once for 32 queries, and adds it to the scores of each query
  with the term. Compilation takes about a second in each process.

This choice is based on a measurement with 959 whole decisions as queries and 4,400 documents (5.9e8 postings; see
``benchmarks/retrieval.py``). Times in seconds on one thread, without the selection of the best documents: numba 0.54
(one query at a time 1.56), scipy 1.2 (one query at a time 2.4, sparse times sparse 2.7), sparse_dot_topn 2.1 (whose
order of ties at the cut-off is not defined).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from threading import Lock
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Booleans, Floats, Integers

Backend = Literal["scipy", "numba"]
T = TypeVar("T")

BACKENDS: tuple[Backend, ...] = ("scipy", "numba")

_BATCH: dict[Backend, int] = {"scipy": 16, "numba": 32}
_WORTH_COMPILING = 5e8  # postings that scipy adds in the time that numba takes to compile, about a second


class Ranking(NamedTuple):
    """Best documents of a query, best first.

    Attributes
    ----------
    documents : int64 array
        Row numbers of the documents in the index.
    scores : float64 array
        Their scores, descending.
    """

    documents: Integers
    scores: Floats


def top_k(
    query_vectors: sparse.csr_matrix,
    weights_by_term: sparse.csr_matrix,
    k: int,
    *,
    document_part: Floats | None = None,
    backend: Backend | None = None,
    threads: int = 1,
) -> Iterator[Ranking]:
    """Rank, for each query, the documents that share a term with it.

    Parameters
    ----------
    query_vectors : csr_matrix, queries x terms
        Query weights.
    weights_by_term : csr_matrix, terms x documents
        Contribution of a term of query weight 1 to the score of a document.
    k : int
        Largest number of documents per query. Ties are ordered by document number, ascending.
    document_part : float64 array, optional
        Contribution of each document by itself, multiplied by the sum of the query weights.
    backend : {"scipy", "numba"}, optional
        By default numba, if it is installed and there is enough work to pay for the compilation.
    threads : int
        Number of threads.

    Yields
    ------
    Ranking
        One for each query, in order.

    Raises
    ------
    MissingExtraError
        For a back-end that is not installed.

    Examples
    --------
    >>> weights = sparse.csr_matrix([[1.0, 2.0, 0.0], [0.5, 0.0, 0.0]])
    >>> [ranking.documents.tolist() for ranking in top_k(sparse.csr_matrix([[1.0, 2.0]]), weights, 2)]
    [[0, 1]]
    """
    score = BatchScorer(query_vectors, weights_by_term, document_part=document_part, backend=backend)

    def ranked(start: int) -> list[Ranking]:
        scores, matched = score(start, start + score.batch)
        return [select_best(np.flatnonzero(found), row, k) for row, found in zip(scores, matched)]

    yield from map_in_threads(ranked, range(0, query_vectors.shape[0], score.batch), threads)


class BatchScorer:
    """Scores of all documents for a batch of queries; parameters as in `top_k`, ``batch`` is the fastest batch size."""

    def __init__(
        self,
        query_vectors: sparse.csr_matrix,
        weights_by_term: sparse.csr_matrix,
        *,
        document_part: Floats | None = None,
        backend: Backend | None = None,
    ) -> None:
        chosen = backend or _fitting(query_vectors, weights_by_term)
        self.batch = _BATCH[chosen]
        self._vectors, self._weights, self._document_part = query_vectors, weights_by_term, document_part
        self._add_up = _with_numba() if chosen == "numba" else _rows_times_dense
        positive = _products_are_positive(query_vectors, weights_by_term)
        self._occurrences = None if positive else _pattern(weights_by_term)

    def __call__(self, first: int, last: int) -> tuple[Floats, Booleans]:
        """Scores, and whether a term is shared, of queries ``first`` to ``last`` (exclusive) x documents."""
        vectors = self._vectors[first:last]
        scores = self._add_up(vectors, self._weights)
        matched = (scores if self._occurrences is None else self._add_up(_pattern(vectors), self._occurrences)) > 0
        if self._document_part is not None:
            scores += row_sums(vectors)[:, None] * self._document_part
        return scores, matched


def map_in_threads(work: Callable[[T], list[Ranking]], items: Iterable[T], threads: int) -> Iterator[Ranking]:
    """Results of ``work`` for each item, in order."""
    if threads == 1:
        yield from itertools.chain.from_iterable(map(work, items))
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from itertools.chain.from_iterable(pool.map(work, items))


def count_postings(query_vectors: sparse.csr_matrix, weights_by_term: sparse.csr_matrix) -> int:
    """Number of postings of the terms of all queries, counted once per query."""
    return int(np.diff(weights_by_term.indptr)[query_vectors.indices].sum(dtype=np.int64))


def row_sums(matrix: sparse.csr_matrix) -> Floats:
    """Sum of each row, added from left to right."""
    rows = np.arange(matrix.shape[0]).repeat(np.diff(matrix.indptr))
    return np.bincount(rows, weights=matrix.data, minlength=matrix.shape[0]).astype(np.float64)


def _fitting(query_vectors: sparse.csr_matrix, weights_by_term: sparse.csr_matrix) -> Backend:
    is_large = count_postings(query_vectors, weights_by_term) > _WORTH_COMPILING
    return "numba" if is_large and find_spec("numba") else "scipy"


def _products_are_positive(query_vectors: sparse.csr_matrix, weights_by_term: sparse.csr_matrix) -> bool:
    """Whether each shared term increases the score, so that the matching documents are those with a score."""
    if not query_vectors.nnz or not weights_by_term.nnz:
        return True
    smallest, smallest_weight = query_vectors.data.min(), weights_by_term.data.min()
    return bool(smallest > 0 and smallest_weight > 0 and smallest * smallest_weight > 0)


def _pattern(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    return sparse.csr_matrix((np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape)


def select_best(documents: Integers, scores: Floats, k: int) -> Ranking:
    """Rank the ``k`` best of some documents, given in ascending order of their numbers."""
    scores = scores[documents]
    if len(documents) > k:
        threshold = np.partition(scores, len(scores) - k)[len(scores) - k]
        keep = scores >= threshold
        documents, scores = documents[keep], scores[keep]
    order = _best_first(scores)[:k]
    return Ranking(documents[order], scores[order])


def _best_first(scores: Floats) -> Integers:
    """Stable descending order, faster than a stable sort: a vectorised sort, after which ties are corrected.

    Examples
    --------
    >>> _best_first(np.array([1.0, 2.0, 1.0, 3.0])).tolist()
    [3, 1, 0, 2]
    """
    order = np.argsort(-scores)
    ranked = scores[order]
    changes = ranked[1:] != ranked[:-1]
    if changes.all():
        return order
    places = np.cumsum(changes, dtype=np.int64)  # the default of numpy 1 on Windows is int32
    shift: Integers = len(scores) * np.concatenate([[0], places])
    return np.sort(shift + order) - shift


# --- scores of a batch (queries x documents); the products are added in the order of terms -----------------

AddUp = Callable[[sparse.csr_matrix, sparse.csr_matrix], Floats]


def _rows_times_dense(vectors: sparse.csr_matrix, weights_by_term: sparse.csr_matrix) -> Floats:
    present = np.zeros(vectors.shape[1], dtype=bool)
    present[vectors.indices] = True
    terms = np.flatnonzero(present)
    dense = np.zeros((len(terms), vectors.shape[0]))
    queries = np.arange(vectors.shape[0]).repeat(np.diff(vectors.indptr))
    dense[np.searchsorted(terms, vectors.indices), queries] = vectors.data
    return np.ascontiguousarray((weights_by_term[terms].T @ dense).T)


def _with_numba() -> AddUp:
    if find_spec("numba") is None:
        raise MissingExtraError("The back-end 'numba'", "fast")
    add = _compiled()

    def add_up(vectors: sparse.csr_matrix, weights_by_term: sparse.csr_matrix) -> Floats:
        by_term = vectors.tocsc()
        scores = np.zeros((vectors.shape[0], weights_by_term.shape[1]))
        terms = np.flatnonzero(np.diff(by_term.indptr))
        lists = weights_by_term.indptr, weights_by_term.indices, weights_by_term.data
        add(terms, by_term.indptr, by_term.indices, by_term.data, *lists, scores)
        return scores

    return add_up


@cache
def _compiled() -> Callable[..., None]:
    import numba

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
    def add(
        terms: Any, starts: Any, queries: Any, query_weights: Any, ends: Any, documents: Any, weights: Any, scores: Any
    ) -> None:  # pragma: no cover
        for term in terms:
            first, last = ends[term], ends[term + 1]
            listed, listed_weights = documents[first:last], weights[first:last]
            for place in range(starts[term], starts[term + 1]):
                row, weight = scores[queries[place]], query_weights[place]
                for posting in range(last - first):
                    row[np.uint32(listed[posting])] += weight * listed_weights[posting]

    return add  # type: ignore[no-any-return, unused-ignore]


# Dense matrix products with the same bits on any number of cores.


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Context in which dense products, inverses and decompositions run on one thread.

    The order of additions in BLAS and LAPACK, and so the last bits of the result, depend on the number of threads.
    threadpoolctl, which sets it, is installed with scikit-learn (the extra ``learn``). Without it the number of threads
    stays as it is, and results may differ between machines by rounding errors.

    The number is one of the whole process: several Python threads may be in such a context at the same time, and it is
    set back when the last of them leaves.

    Examples
    --------
    >>> import numpy as np
    >>> with one_blas_thread():
    ...     np.linalg.inv(np.array([[2.0]])).tolist()
    [[0.5]]
    """
    try:
        import threadpoolctl
    except ImportError:
        yield
        return
    # since threadpoolctl 3.8, limits of other threads than the first one have no effect until this is called
    openblas = getattr(threadpoolctl, "OpenBLASController", None)
    take_control = getattr(openblas, "clear_controlling_thread", lambda force: None)
    with _LOCK:
        if not _LIMITS:
            take_control(force=True)
        _LIMITS.append(None if _LIMITS else threadpoolctl.threadpool_limits(1))
    try:
        yield
    finally:
        with _LOCK:
            if (limit := _LIMITS.pop()) is not None:
                take_control(force=True)
                limit.restore_original_limits()


_LOCK = Lock()
_LIMITS: list[Any] = []  # one for each thread in the context; the first one sets the limit


# Exact similarities of embeddings. A text has one or several vectors; the highest dot product of two texts counts.


_QUERY_VECTORS = 512  # a block of similarities has at most this many rows, unless a single query has more
_DOCUMENT_VECTORS = 8192  # and this many columns, unless a single document has more

Vectors = npt.NDArray[np.float32]


def dense_scores(queries: Vectors, query_counts: Integers, documents: Vectors, counts: Integers) -> Iterator[Floats]:
    """Yield the scores of all documents for each query.

    Dot products are summed in 64 bits and rounded to 32 bits, so that equal vectors have equal scores in any block.

    Parameters
    ----------
    queries : numpy.ndarray of float32, shape (n_query_vectors, n_dimensions)
        The vectors of the first query, then those of the second, and so on.
    query_counts : numpy.ndarray of int64
        The number of vectors of each query, >= 1.
    documents, counts
        The same of the documents.

    Examples
    --------
    >>> queries, documents = np.eye(2, dtype=np.float32), np.array([[3, 0], [0, 1], [2, 0]], np.float32)
    >>> [scores.tolist() for scores in dense_scores(queries, np.array([1, 1]), documents, np.array([1, 2]))]
    [[3.0, 2.0], [0.0, 1.0]]
    """
    for first, last, start, stop in _blocks(query_counts, _QUERY_VECTORS):
        rows = queries[start:stop].astype(np.float64)
        of_queries = _starts(query_counts[first:last])
        scores = np.empty((last - first, len(counts)))
        for first_document, last_document, begin, end in _blocks(counts, _DOCUMENT_VECTORS):
            similarities = (rows @ documents[begin:end].astype(np.float64).T).astype(np.float32)
            of_documents = np.maximum.reduceat(similarities, _starts(counts[first_document:last_document]), axis=1)
            scores[:, first_document:last_document] = np.maximum.reduceat(of_documents, of_queries, axis=0)
        yield from scores


def _starts(counts: Integers) -> Integers:
    return np.cumsum(counts) - counts


def _blocks(counts: Integers, size: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield blocks of whole texts: the first and last text, and the first and last vector (exclusive)."""
    ends = np.cumsum(counts)
    first, start = 0, 0
    while first < len(counts):
        last = max(first + 1, int(np.searchsorted(ends, start + size, side="right")))
        stop = int(ends[last - 1])
        yield first, last, start, stop
        first, start = last, stop
