"""Scores of given documents, one pool per query, with statistics of the collection or of the pool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.weightings import Collection, Weighting, document_weights, query_weights
from ir_coliee.frames import Floats, Integers

_TOGETHER = 4096  # documents whose rows are fetched at once; small pools are combined


def pool_scores(
    weighting: Weighting,
    counts: sparse.csr_matrix,
    lengths: Floats,
    query_vectors: sparse.csr_matrix,
    pools: Sequence[Integers],
    collection: Collection | None,
) -> Iterator[Floats]:
    """Score the documents of each query's pool.

    Parameters
    ----------
    weighting : Weighting
        The formula.
    counts : csr_matrix, documents x terms
        Term counts of the collection.
    lengths : float64 array
        Tokens of each document.
    query_vectors : csr_matrix, queries x terms
        Term frequencies.
    pools : sequence of int64 array
        Row numbers of the documents of each pool.
    collection : Collection or None
        None computes the statistics from each query's pool, as if there were no other documents.

    Yields
    ------
    float64 array
        Scores of a pool, in its order. With the statistics of the whole collection they equal those of `top_k`. A
        document without a query term gets the contribution of its length, which is 0 except with Dirichlet smoothing.
    """
    numbers = np.full(counts.shape[1], -1, dtype=np.int64)
    for place, (documents, pool) in enumerate(zip(pools, fetched(counts, pools))):
        span = slice(query_vectors.indptr[place], query_vectors.indptr[place + 1])
        query = query_vectors.indices[span], query_vectors.data[span]
        yield _scores(weighting, pool, lengths[documents], query, collection, numbers)


class Pool(NamedTuple):
    """Postings of some documents.

    Attributes
    ----------
    terms : integer array
        Term numbers.
    tf : float64 array
        Their counts.
    bounds : int64 array
        Offset of each document in the postings, followed by their number.
    """

    terms: npt.NDArray[np.integer]
    tf: Floats
    bounds: Integers


def fetched(counts: sparse.csr_matrix, pools: Sequence[Integers]) -> Iterator[Pool]:
    """Postings of the documents of each pool; small pools are fetched together."""
    for start, end in _combined_pools(pools):
        batch = pools[start:end]
        rows = counts[np.concatenate(batch)]
        for first, last in pairwise(np.cumsum([0, *map(len, batch)])):
            yield _rows(rows, first, last)


def _combined_pools(pools: Sequence[Integers]) -> Iterator[tuple[int, int]]:
    """Start and end of each range of pools that are fetched together; a range has at least one pool."""
    ends = np.cumsum([len(pool) for pool in pools])
    start = 0
    while start < len(pools):
        before = ends[start - 1] if start else 0
        end = max(int(np.searchsorted(ends, before + _TOGETHER, side="right")), start + 1)
        yield start, end
        start = end


def _rows(matrix: sparse.csr_matrix, first: int, last: int) -> Pool:
    bounds = matrix.indptr[first : last + 1]
    span = slice(bounds[0], bounds[-1])
    return Pool(matrix.indices[span], matrix.data[span].astype(np.float64), bounds.astype(np.int64) - bounds[0])


def _scores(
    weighting: Weighting,
    pool: Pool,
    lengths: Floats,
    query: tuple[npt.NDArray[np.integer], Floats],
    collection: Collection | None,
    numbers: Integers,
) -> Floats:
    """Scores of the documents of a pool.

    ``numbers`` is a buffer with -1 for every term of the collection; its values are restored before the return.
    """
    (occurring, tf, bounds), (wanted, query_tf) = pool, query
    of_row = np.arange(len(lengths)).repeat(np.diff(bounds))
    # a norm needs all terms of a document, other weights only the terms of the query
    terms = np.union1d(occurring, wanted) if weighting.cosine else wanted
    numbers[terms] = np.arange(len(terms))
    local, local_query = numbers[occurring], numbers[wanted]
    numbers[terms] = -1
    if not weighting.cosine:
        shared = local >= 0
        local, tf, of_row = local[shared], tf[shared], of_row[shared]
    if collection is None:
        within = Collection.of(local, tf, lengths, len(terms))
        known = within.df[local_query] > 0
        local_query, query_tf = local_query[known], query_tf[known]
    else:
        within = collection._replace(df=collection.df[terms], cf=collection.cf[terms])
    starts = np.searchsorted(of_row, np.arange(len(lengths) + 1))
    weights = document_weights(weighting, _matrix(tf, local, starts, len(terms)), lengths, within)
    vector = query_weights(weighting, _matrix(query_tf, local_query, [0, len(query_tf)], len(terms)), within)
    of_term = np.zeros(len(terms))
    of_term[local_query] = vector.data
    products = of_term[local] * weights.data
    scores = np.bincount(of_row, weights=products, minlength=len(lengths)).astype(np.float64)
    by_length = weighting.length_weights(lengths)
    return scores if by_length is None else scores + row_sums(vector) * by_length


def _matrix(data: Floats, terms: Integers, bounds: npt.ArrayLike, size: int) -> sparse.csr_matrix:
    bounds = np.asarray(bounds)
    return sparse.csr_matrix((data, terms, bounds), shape=(len(bounds) - 1, size))
