"""Scores of the paragraphs of each pool for the text of its query."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy import sparse

from ir_coliee.engine.paragraphs.pools import Pools
from ir_coliee.engine.pool_scoring import pool_scores
from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.weightings import BM25
from ir_coliee.frames import Floats, Integers


def cosines(paragraphs: sparse.csr_matrix, queries: sparse.csr_matrix, pools: Pools) -> Floats:
    """Dot product of each paragraph with the query of its pool.

    Parameters
    ----------
    paragraphs : csr_matrix, paragraphs x terms
        Vectors of length 1.
    queries : csr_matrix, pools x terms
        Vectors of length 1.
    pools : Pools
        The pools.

    Returns
    -------
    float64 array
        One cosine for each paragraph.
    """
    query = np.zeros(paragraphs.shape[1])
    rows = np.arange(paragraphs.shape[0]).repeat(np.diff(paragraphs.indptr))
    products = np.empty(paragraphs.nnz)
    for pool, (first, last) in enumerate(pairwise(pools.bounds)):
        of_query = slice(queries.indptr[pool], queries.indptr[pool + 1])
        of_pool = slice(paragraphs.indptr[first], paragraphs.indptr[last])
        query[queries.indices[of_query]] = queries.data[of_query]
        products[of_pool] = paragraphs.data[of_pool] * query[paragraphs.indices[of_pool]]
        query[queries.indices[of_query]] = 0
    return np.bincount(rows, weights=products, minlength=paragraphs.shape[0]).astype(np.float64)


def mean_bm25(paragraphs: sparse.csr_matrix, queries: sparse.csr_matrix, pools: Pools) -> Floats:
    """BM25(1.2, .75) of each paragraph, with the statistics of its pool, per distinct term of the query.

    Parameters
    ----------
    paragraphs : csr_matrix, paragraphs x terms
        Counts.
    queries : csr_matrix, pools x terms
        Counts, of which only the terms are used.
    pools : Pools
        The pools.

    Returns
    -------
    float64 array
        One score for each paragraph; 0 if the query has no term.
    """
    terms = sparse.csr_matrix((np.ones(queries.nnz), queries.indices, queries.indptr), shape=queries.shape)
    scores = pool_scores(BM25(), paragraphs, row_sums(paragraphs), terms, _rows(pools), None)
    return np.concatenate([*scores]) / np.maximum(np.diff(queries.indptr), 1).repeat(pools.sizes)


def _rows(pools: Pools) -> list[Integers]:
    return np.split(np.arange(pools.bounds[-1]), pools.bounds[1:-1])


def similarities(vectors: sparse.csr_matrix, pools: Pools) -> Iterator[Floats]:
    """Cosines between all paragraphs of a pool.

    Parameters
    ----------
    vectors : csr_matrix, paragraphs x terms
        Vectors of length 1.
    pools : Pools
        The pools.

    Yields
    ------
    float64 array of shape (paragraphs, paragraphs)
        One for each pool.
    """
    for first, last in pairwise(pools.bounds):
        of_pool = vectors[first:last]
        yield (of_pool @ of_pool.T).toarray()
