"""Histograms of the similarities between the paragraphs of a query and those of its candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.frames import Floats, Integers

Dense = npt.NDArray[np.floating[Any]]

_PAIRS = 1 << 20  # similarities in memory at a time


def pair_histograms(
    query_weights: sparse.csr_matrix | Dense,
    query_bounds: Integers,
    weights: sparse.csr_matrix | Dense,
    pools: Sequence[tuple[Integers, Integers]],
    *,
    bins: int,
    limits: tuple[float, float],
) -> Iterator[Floats]:
    """Count the pairs of a query paragraph and a candidate paragraph in each bin of similarity.

    Parameters
    ----------
    query_weights : csr_matrix or float array, query paragraphs x terms
        The rows are the paragraphs of the queries.
    query_bounds : int64 array
        Row offsets: rows ``query_bounds[i]`` to ``query_bounds[i + 1]`` are the paragraphs of query i.
    weights : csr_matrix or float array, paragraphs x terms
        The rows are the paragraphs of the collection; sparse if ``query_weights`` is sparse, otherwise dense.
    pools : sequence of (int64 array, int64 array)
        For each query, the rows in ``weights`` of the paragraphs of its candidates, and the offset of each candidate
        in these rows, followed by their number.
    bins : int
        Number of bins of equal width.
    limits : (float, float)
        Lower edge of the first bin and upper edge of the last.

    Yields
    ------
    float64 array, candidates x bins
        Number of pairs in each bin, for each query in order. The similarity of a pair is the dot product of its rows. A
        value on a bin edge belongs to the higher bin; values outside the limits belong to the first or last bin.
    """
    low, high = limits
    for (first, last), (documents, bounds) in zip(pairwise(query_bounds), pools):
        members, of_documents = _factors(query_weights[first:last], weights[documents])
        groups = len(bounds) - 1
        first_bins = np.arange(groups).repeat(np.diff(bounds))[:, None] * bins
        histograms = np.zeros(groups * bins)
        step = max(1, _PAIRS // max(1, len(documents)))
        for start in range(0, last - first, step):
            places = of_documents @ members[:, start : start + step]
            places -= low
            places *= bins / (high - low)
            np.clip(places, 0, bins - 1, out=places)
            histograms += np.bincount((places.astype(np.int64) + first_bins).ravel(), minlength=groups * bins)
        yield histograms.reshape(groups, bins)


def _factors(
    queries: sparse.csr_matrix | Dense, documents: sparse.csr_matrix | Dense
) -> tuple[Dense, sparse.csr_matrix | Dense]:
    """Factors of the similarities: the query paragraphs as columns (dense), and the documents as rows."""
    if isinstance(queries, sparse.csr_matrix) and isinstance(documents, sparse.csr_matrix):
        return _in_terms_of(queries, documents)
    dense: Dense = np.asarray(queries)
    return dense.T, documents


def _in_terms_of(queries: sparse.csr_matrix, documents: sparse.csr_matrix) -> tuple[Floats, sparse.csr_matrix]:
    """Restrict both matrices to the terms of the queries.

    Returns the queries as a dense matrix (terms x queries) with a last row of 0, and the documents (documents x terms),
    in which all other terms are mapped to that row.
    """
    terms, of_queries = np.unique(queries.indices, return_inverse=True)
    dense = np.zeros((len(terms) + 1, queries.shape[0]))
    dense[of_queries, np.arange(queries.shape[0]).repeat(np.diff(queries.indptr))] = queries.data
    numbers = np.full(queries.shape[1], len(terms), dtype=documents.indices.dtype)
    numbers[terms] = np.arange(len(terms))
    columns = numbers[documents.indices]
    return dense, sparse.csr_matrix((documents.data, columns, documents.indptr), shape=(documents.shape[0], len(dense)))
