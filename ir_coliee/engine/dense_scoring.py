"""Exact similarities of embeddings. A text has one or several vectors; the highest dot product of two texts counts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ir_coliee.engine.scoring import Ranking
from ir_coliee.frames import Floats, Integers

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


def dense_ranking(scores: Floats, num_results: int) -> Ranking:
    """Return the ranking by scores; equal scores are in the order of the documents.

    Examples
    --------
    >>> dense_ranking(np.array([1.0, 3.0, 1.0, 0.0]), 3).documents.tolist()
    [1, 0, 2]
    """
    candidates = np.arange(len(scores))
    if num_results < len(scores):
        lowest = np.partition(scores, len(scores) - num_results)[len(scores) - num_results]
        candidates = np.flatnonzero(scores >= lowest)
    documents = candidates[np.argsort(-scores[candidates], kind="stable")][:num_results]
    return Ranking(documents, scores[documents])


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
