"""Scores of given documents by the cheaper of two methods: individually, or selected from the scores of all documents.

If each query has hundreds of candidates, scoring every document costs less than fetching theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy import sparse

from ir_coliee.engine.pool_scoring import pool_scores
from ir_coliee.engine.scoring import BatchScorer
from ir_coliee.engine.weightings import Collection, Weighting, query_weights
from ir_coliee.frames import Floats, Integers

# measured cost of a posting in nanoseconds: adding it to a sum, computing its weight, fetching it, and fetching it if
# the norms of documents need all their terms
_ADDED, _WEIGHED, _FETCHED, _FETCHED_WITH_NORM = 2, 120, 20, 150


def pair_scores(
    weights_by_term: Callable[[], sparse.csr_matrix],
    weighting: Weighting,
    counts: sparse.csr_matrix,
    lengths: Floats,
    query_vectors: sparse.csr_matrix,
    pools: Sequence[Integers],
    collection: Collection | None,
    *,
    weighed: bool = False,
) -> Iterator[Floats]:
    """Scores of each query's pool; see `ir_coliee.engine.pool_scoring.pool_scores`.

    Parameters
    ----------
    weights_by_term : callable
        Returns the weights of all documents (terms x documents) if they are needed.
    weighting, counts, lengths, query_vectors, pools, collection
        See `pool_scores`.
    weighed : bool
        Whether ``weights_by_term`` has the weights already.
    """
    weighing = 0 if weighed else _WEIGHED * counts.nnz
    fetching = _FETCHED_WITH_NORM if weighting.cosine else _FETCHED
    if collection is None or not _all_is_cheaper(counts, query_vectors, pools, collection, weighing, fetching):
        return pool_scores(weighting, counts, lengths, query_vectors, pools, collection)
    vectors = query_weights(weighting, query_vectors, collection)
    return _picked(BatchScorer(vectors, weights_by_term(), document_part=weighting.length_weights(lengths)), pools)


def _all_is_cheaper(
    counts: sparse.csr_matrix,
    query_vectors: sparse.csr_matrix,
    pools: Sequence[Integers],
    collection: Collection,
    weighing: int,
    fetching: int,
) -> bool:
    sizes = np.diff(counts.indptr)
    fetched = sum(int(sizes[pool].sum()) for pool in pools)
    added = float(collection.df[query_vectors.indices].sum())
    return bool(fetching * fetched > _ADDED * added + weighing)


def _picked(scorer: BatchScorer, pools: Sequence[Integers]) -> Iterator[Floats]:
    for start in range(0, len(pools), scorer.batch):
        scores, _ = scorer(start, start + scorer.batch)
        for row, documents in zip(scores, pools[start : start + scorer.batch]):
            yield row[documents]
