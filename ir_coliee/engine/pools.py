"""Scores of given documents, one pool per query, and the ranks, best scores and means of scores within groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.scoring import Backend, BatchScorer, Ranking, map_in_threads, row_sums, select_best
from ir_coliee.engine.weightings import Collection, Weighting, document_weights, query_weights
from ir_coliee.frames import Booleans, Floats, Integers

_TOGETHER = 4096  # documents whose rows are fetched at once; small pools are combined


def pool_scores(
    weighting: Weighting,
    counts: sparse.csr_matrix,
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
    numbers = np.full(counts.shape[1], -1, dtype=np.int64)  # the place of each term among those of a pool
    for place, (documents, (occurring, tf, bounds)) in enumerate(zip(pools, fetched(counts, pools))):
        span = slice(query_vectors.indptr[place], query_vectors.indptr[place + 1])
        wanted, query_tf = query_vectors.indices[span], query_vectors.data[span]
        of_row = np.arange(len(documents)).repeat(np.diff(bounds))
        lengths = np.bincount(of_row, weights=tf, minlength=len(documents)).astype(np.float64)
        # a norm needs all terms of a document, other weights only the terms of the query
        terms = np.union1d(occurring, wanted) if weighting.cosine else wanted
        numbers[terms] = np.arange(len(terms))
        local, local_query = numbers[occurring], numbers[wanted]
        numbers[terms] = -1
        if not weighting.cosine:
            shared = local >= 0
            local, tf, of_row = local[shared], tf[shared], of_row[shared]
        starts = np.searchsorted(of_row, np.arange(len(documents) + 1))
        of_documents = _matrix(tf, local, starts, len(terms))
        if collection is None:
            within = Collection.of(of_documents, lengths)
            known = within.df[local_query] > 0
            local_query, query_tf = local_query[known], query_tf[known]
        else:
            within = collection._replace(df=collection.df[terms], cf=collection.cf[terms])
        weights = document_weights(weighting, of_documents, lengths, within)
        vector = query_weights(weighting, _matrix(query_tf, local_query, [0, len(query_tf)], len(terms)), within)
        of_term = np.zeros(len(terms))
        of_term[local_query] = vector.data
        products = of_term[local] * weights.data
        scores = np.bincount(of_row, weights=products, minlength=len(documents)).astype(np.float64)
        by_length = weighting.length_weights(lengths)
        yield scores if by_length is None else scores + row_sums(vector) * by_length


def fetched(
    counts: sparse.csr_matrix, pools: Sequence[Integers]
) -> Iterator[tuple[npt.NDArray[np.integer], Floats, Integers]]:
    """Postings of the documents of each pool: term numbers, counts, and the offset of each document, and the end.

    Small pools are fetched together.
    """
    ends = np.cumsum([0, *map(len, pools)])
    start = 0
    while start < len(pools):
        end = max(int(np.searchsorted(ends, ends[start] + _TOGETHER, side="right")) - 1, start + 1)
        rows = counts[np.concatenate(pools[start:end])]
        for first, last in pairwise(ends[start : end + 1] - ends[start]):
            bounds = rows.indptr[first : last + 1]
            span = slice(bounds[0], bounds[-1])
            yield rows.indices[span], rows.data[span].astype(np.float64), bounds.astype(np.int64) - bounds[0]
        start = end


def _matrix(data: Floats, terms: Integers, bounds: npt.ArrayLike, size: int) -> sparse.csr_matrix:
    bounds = np.asarray(bounds)
    return sparse.csr_matrix((data, terms, bounds), shape=(len(bounds) - 1, size))


# Scores of given documents by the cheaper of two methods: individually, or selected from the scores of all documents.


# measured cost of a posting in nanoseconds: adding it to a sum, computing its weight, fetching it, and fetching it if
# the norms of documents need all their terms
_ADDED, _WEIGHED, _FETCHED, _FETCHED_WITH_NORM = 2, 120, 20, 150


def pair_scores(
    weights_by_term: Callable[[], sparse.csr_matrix],
    weighting: Weighting,
    counts: sparse.csr_matrix,
    query_vectors: sparse.csr_matrix,
    pools: Sequence[Integers],
    collection: Collection | None,
    *,
    weighed: bool = False,
) -> Iterator[Floats]:
    """Scores of each query's pool; see `ir_coliee.engine.pools.pool_scores`.

    Parameters
    ----------
    weights_by_term : callable
        Returns the weights of all documents (terms x documents) if they are needed.
    weighting, counts, query_vectors, pools, collection
        See `pool_scores`.
    weighed : bool
        Whether ``weights_by_term`` has the weights already.
    """
    if collection is not None:
        sizes = np.diff(counts.indptr)
        fetching = _FETCHED_WITH_NORM if weighting.cosine else _FETCHED
        weighing = 0 if weighed else _WEIGHED * counts.nnz
        adding = _ADDED * float(collection.df[query_vectors.indices].sum())
        if fetching * sum(int(sizes[pool].sum()) for pool in pools) > adding + weighing:
            vectors = query_weights(weighting, query_vectors, collection)
            of_lengths = weighting.length_weights(row_sums(counts))
            return _picked(BatchScorer(vectors, weights_by_term(), document_part=of_lengths), pools)
    return pool_scores(weighting, counts, query_vectors, pools, collection)


def _picked(scorer: BatchScorer, pools: Sequence[Integers]) -> Iterator[Floats]:
    for start in range(0, len(pools), scorer.batch):
        scores, _ = scorer(start, start + scorer.batch)
        for row, documents in zip(scores, pools[start : start + scorer.batch]):
            yield row[documents]


# Score groups of documents, such as the paragraphs of a case, by their members; queries can be groups as well.


Aggregate = Literal["max", "mean"] | int


def aggregator(bounds: Integers, aggregate: Aggregate) -> Callable[[Floats], Floats]:
    """Function that aggregates scores (rows x members) by groups.

    Parameters
    ----------
    bounds : int64 array
        Members ``bounds[i]`` to ``bounds[i + 1]`` are group i; no group is empty.
    aggregate : {"max", "mean"} or int
        A number k is the mean of the k best members (of all if there are fewer).

    Returns
    -------
    callable
        Maps a float64 array, rows x members, to a float64 array, rows x groups.

    Examples
    --------
    >>> aggregator(np.array([0, 3, 4]), 2)(np.array([[1.0, 5.0, 2.0, 7.0]])).tolist()
    [[3.5, 7.0]]
    """
    starts, sizes = bounds[:-1], np.diff(bounds)
    if aggregate == "max":
        return lambda scores: np.maximum.reduceat(scores, starts, axis=1)
    if aggregate == "mean":
        return lambda scores: np.add.reduceat(scores, starts, axis=1) / sizes
    k = aggregate
    # groups of equal size form a dense block, whose best members are found by one partition
    alike = [(size, np.flatnonzero(sizes == size)) for size in np.unique(sizes).tolist()]
    blocks = [(groups, starts[groups, None] + np.arange(size)) for size, groups in alike]

    def mean_of_best(scores: Floats) -> Floats:
        means = np.empty((len(scores), len(sizes)))
        for groups, members in blocks:
            block = scores[:, members]
            size = block.shape[-1]
            if size > k:
                block = np.partition(block, size - k, axis=-1)[..., size - k :]
            block.sort(axis=-1)
            # cumsum always adds from left to right, while the order of numpy's sum depends on the shape
            means[:, groups] = np.cumsum(block[..., ::-1], axis=-1)[..., -1] / min(k, size)
        return means

    return mean_of_best


def top_groups(
    query_vectors: sparse.csr_matrix,
    query_bounds: Integers,
    weights_by_term: sparse.csr_matrix,
    bounds: Integers,
    k: int,
    *,
    aggregate: Aggregate,
    query_aggregate: Aggregate,
    document_part: Floats | None = None,
    backend: Backend | None = None,
    threads: int = 1,
) -> Iterator[Ranking]:
    """Rank, for each query, the groups of documents of which a member shares a term with the query.

    Parameters
    ----------
    query_vectors : csr_matrix, query members x terms
        Query weights.
    query_bounds : int64 array
        Row offsets: rows ``query_bounds[i]`` to ``query_bounds[i + 1]`` are the members of query i.
    weights_by_term : csr_matrix, terms x documents
        Contribution of a term of query weight 1 to the score of a document.
    bounds : int64 array
        Documents ``bounds[i]`` to ``bounds[i + 1]`` are group i.
    k : int
        Largest number of groups per query. Ties are ordered by group number, ascending.
    aggregate, query_aggregate : {"max", "mean"} or int
        How the scores of a group's members, and then of the query's members, are aggregated; see `aggregator`.
    document_part, backend, threads
        See `ir_coliee.engine.scoring.top_k`.

    Yields
    ------
    Ranking
        Group numbers and scores, one for each query, in order. A member without a shared term has the contribution of
        its length, which is 0 except with Dirichlet smoothing.
    """
    score = BatchScorer(query_vectors, weights_by_term, document_part=document_part, backend=backend)
    of_groups = aggregator(bounds, aggregate)

    def ranked(batch: tuple[int, int]) -> list[Ranking]:
        members = query_bounds[batch[0] : batch[1] + 1]
        scored = _group_scores(score, members, bounds, of_groups, query_aggregate)
        return [select_best(np.flatnonzero(hits), row, k) for row, hits in zip(*scored)]

    starts = np.searchsorted(query_bounds[:-1], np.arange(0, query_bounds[-1], score.batch))
    ends = np.unique([*starts, len(query_bounds) - 1]).tolist()
    return map_in_threads(ranked, pairwise(ends), threads)


def pool_group_scores(
    weighting: Weighting,
    counts: sparse.csr_matrix,
    query_vectors: sparse.csr_matrix,
    query_bounds: Integers,
    pools: Sequence[tuple[Integers, Integers]],
    collection: Collection | None,
    *,
    aggregate: Aggregate,
    query_aggregate: Aggregate,
) -> Iterator[Floats]:
    """Score the groups of each query's pool.

    Parameters
    ----------
    weighting : Weighting
        The formula.
    counts : csr_matrix, documents x terms
        Term counts of the collection.
    query_vectors : csr_matrix, query members x terms
        Term frequencies.
    query_bounds : int64 array
        Row offsets of the members of each query, followed by their number; see `top_groups`.
    pools : sequence of (int64 array, int64 array)
        For each query, the row numbers of the members of all groups, and the offset of each group in them, followed by
        their number.
    collection : Collection or None
        None computes the statistics from the documents of each query's pool.
    aggregate, query_aggregate : {"max", "mean"} or int
        See `top_groups`.

    Yields
    ------
    float64 array
        Score of each group of a pool. With the statistics of the whole collection they equal those of `top_groups`.
    """
    for (first, last), (documents, bounds) in zip(pairwise(query_bounds), pools):
        pool, queries = counts[documents], query_vectors[first:last]
        lengths, within = row_sums(pool), collection
        if within is None:
            within = Collection.of(pool, lengths)
            queries.data[within.df[queries.indices] == 0] = 0  # the slice is a copy
            queries.eliminate_zeros()
        weights = document_weights(weighting, pool, lengths, within).T.tocsr()
        vectors, part = query_weights(weighting, queries, within), weighting.length_weights(lengths)
        score = BatchScorer(vectors, weights, document_part=part, backend="scipy")
        members, of_groups = np.array([0, last - first]), aggregator(bounds, aggregate)
        yield _group_scores(score, members, bounds, of_groups, query_aggregate)[0][0]


def _group_scores(
    score: BatchScorer,
    query_bounds: Integers,
    bounds: Integers,
    of_groups: Callable[[Floats], Floats],
    query_aggregate: Aggregate,
) -> tuple[Floats, Booleans]:
    """Scores of all groups for consecutive queries, and whether a member shares a term (queries x groups)."""
    first, last = query_bounds[[0, -1]]
    steps = (score(*step) for step in pairwise([*range(first, last, score.batch), last]))  # limits the memory
    scored = [(of_groups(scores), np.logical_or.reduceat(matched, bounds[:-1], axis=1)) for scores, matched in steps]
    scores, matched = (np.ascontiguousarray(np.concatenate(pieces).T) for pieces in zip(*scored))
    found = np.logical_or.reduceat(matched, query_bounds[:-1] - first, axis=1)
    return aggregator(query_bounds - first, query_aggregate)(scores).T, found.T


# Statistics of scores within groups, such as the candidates of a query or the queries of a candidate.


class GroupStatistics:
    """Ranks, best scores and means of scores within groups.

    All results have one entry per score, in the order of ``scores``.

    Parameters
    ----------
    groups : int64 array
        Group number of each score; all numbers from 0 to the largest occur.
    scores : float64 array
        The scores.

    Attributes
    ----------
    sizes : int64 array
        Number of scores of each group.

    Examples
    --------
    >>> statistics = GroupStatistics(np.array([0, 0, 0, 1]), np.array([2.0, 8.0, 2.0, 5.0]))
    >>> statistics.ranks.tolist(), statistics.best(1).tolist(), statistics.best(2).tolist()
    ([1, 0, 1, 0], [8.0, 8.0, 8.0, 5.0], [2.0, 2.0, 2.0, 5.0])
    """

    def __init__(self, groups: Integers, scores: Floats) -> None:
        narrow = groups.astype(np.min_scalar_type(int(groups.max(initial=0))))  # numpy uses radix sort for 16 bits
        by_score = np.argsort(-scores)
        self._order = by_score[np.argsort(narrow[by_score], kind="stable")]
        self._groups = groups
        self._falling = scores[self._order]
        self.sizes = np.bincount(groups)
        self._starts = np.cumsum(self.sizes) - self.sizes

    @property
    def ranks(self) -> Integers:
        """Number of higher scores in the group."""
        starts = self._starts.repeat(self.sizes)
        places = np.arange(len(starts))
        falls = np.append(True, self._falling[1:] < self._falling[:-1])[: len(starts)]
        ranks = np.empty_like(places)
        ranks[self._order] = np.maximum.accumulate(np.where(falls | (places == starts), places, 0)) - starts
        return ranks

    def best(self, k: int) -> Floats:
        """``k``-th best score of the group, from 1; the lowest score of a smaller group."""
        return self._falling[self._starts + np.minimum(k, self.sizes) - 1][self._groups]

    @property
    def means(self) -> Floats:
        """Mean score of the group."""
        sums = np.add.reduceat(self._falling, self._starts) if len(self._starts) else self._falling
        return np.asarray((sums / self.sizes)[self._groups], dtype=np.float64)


def ratio_to_best(scores: Floats, best: Floats) -> Floats:
    """Ratio of each score to the best score, at most 1: score / best, or best / score if the best is negative.

    The ratio is 0 if the best score is 0.

    Parameters
    ----------
    scores : float64 array
        The scores.
    best : float64 array
        Best score of the group of each score.

    Returns
    -------
    float64 array

    Examples
    --------
    >>> ratio_to_best(np.array([2.0, -4.0, 0.0]), np.array([8.0, -2.0, 0.0])).tolist()
    [0.25, 0.5, 0.0]
    """
    above, below = np.where(best < 0, best, scores), np.where(best < 0, scores, best)
    return np.divide(above, below, out=np.zeros_like(scores), where=best != 0)


def fill_missing_scores(scores: Floats, groups: Integers) -> Floats:
    """Replace missing and infinite scores by the lowest score of their group, or by 0 if it has no other.

    Parameters
    ----------
    scores : float64 array
        The scores.
    groups : int64 array
        Group number of each score.

    Returns
    -------
    float64 array
        ``scores`` itself if all are finite.

    Examples
    --------
    >>> fill_missing_scores(np.array([2.0, np.nan, 3.0, np.nan]), np.array([0, 0, 0, 1])).tolist()
    [2.0, 2.0, 3.0, 0.0]
    """
    missing = ~np.isfinite(scores)
    if not missing.any():
        return scores
    lowest = np.full(groups.max() + 1, np.inf)
    np.minimum.at(lowest, groups[~missing], scores[~missing])
    lowest[lowest == np.inf] = 0
    return np.where(missing, lowest[groups], scores)
