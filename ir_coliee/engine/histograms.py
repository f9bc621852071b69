"""Histograms of the similarities between the members of a query and those of groups of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.arrays import Floats, Integers

Dense = npt.NDArray[np.floating[Any]]

_PAIRS = 1 << 20  # whose similarities are held at once


def pair_histograms(
    query_weights: sparse.csr_matrix | Dense,
    query_bounds: Integers,
    weights: sparse.csr_matrix | Dense,
    pools: Sequence[tuple[Integers, Integers]],
    *,
    bins: int,
    limits: tuple[float, float],
) -> Iterator[Floats]:
    """Of each group of each query's pool (groups x bins) how many pairs of members have a similarity in each bin.

    A similarity is the product of two rows, one of ``query_weights`` (members of queries x terms), one of ``weights``
    (documents x terms): both sparse, or both dense. ``query_bounds``: where the members of each query begin, and the
    end. A pool has the documents of its groups, and where each group begins, and the end. The bins are equally wide
    between the ``limits``, the upper edge of each belongs to the next; what lies beyond a limit counts in the
    outermost.
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
    """What is multiplied: the queries' members as columns, the documents as rows."""
    if isinstance(queries, sparse.csr_matrix) and isinstance(documents, sparse.csr_matrix):
        return _in_terms_of(queries, documents)
    dense: Dense = np.asarray(queries)
    return dense.T, documents


def _in_terms_of(queries: sparse.csr_matrix, documents: sparse.csr_matrix) -> tuple[Floats, sparse.csr_matrix]:
    """The queries as a dense matrix (terms x queries) of their own terms and a last row of 0, and documents x those."""
    terms, of_queries = np.unique(queries.indices, return_inverse=True)
    dense = np.zeros((len(terms) + 1, queries.shape[0]))
    dense[of_queries, np.arange(queries.shape[0]).repeat(np.diff(queries.indptr))] = queries.data
    numbers = np.full(queries.shape[1], len(terms), dtype=documents.indices.dtype)
    numbers[terms] = np.arange(len(terms))
    columns = numbers[documents.indices]
    return dense, sparse.csr_matrix((documents.data, columns, documents.indptr), shape=(documents.shape[0], len(dense)))
