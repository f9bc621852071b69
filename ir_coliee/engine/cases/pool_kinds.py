"""Candidates of a pool of decisions, and four features of each score that compare it with the other pairs of the pool.

Scores are dense matrices of queries x texts. A matrix of the same form tells which pairs are allowed: the text of the
query itself is no candidate, and some editions give each query a candidate pool.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ir_coliee.engine.cases.text_terms import Scores
from ir_coliee.frames import Booleans, Floats, Integers, ratios

#: The kinds of a score, in the order of the columns that `pool_kinds` returns.
KINDS = ("ratio", "rank", "query_rank", "query_ratio")


class Candidates(NamedTuple):
    """The candidates of the queries of a pool, grouped by query.

    Attributes
    ----------
    queries : int64 array
        The row of each candidate in the score matrices, ascending.
    texts : int64 array
        The column of each candidate in the score matrices.
    """

    queries: Integers
    texts: Integers

    @property
    def places(self) -> Integers:
        """The place of each candidate among the candidates of its query, from 0."""
        return np.arange(len(self.queries)) - np.searchsorted(self.queries, self.queries)


def total_score(scores: Sequence[Scores], allowed: Booleans) -> Scores:
    """Sum several scores, each divided by the query's best.

    Parameters
    ----------
    scores : sequence of float32 array, queries x texts
        The scores.
    allowed : bool array, queries x texts
        The pairs of which a text may be a candidate of a query.

    Returns
    -------
    float32 array, queries x texts
        The sums. A score whose best is not positive adds nothing.

    Examples
    --------
    >>> allowed = np.ones((1, 2), dtype=bool)
    >>> total_score([np.float32([[4, 2]]), np.float32([[0, 3]])], allowed).tolist()
    [[1.0, 1.5]]
    """
    total = np.zeros(allowed.shape, dtype=np.float32)
    for each in scores:
        total += ratios(each, each.max(axis=1, where=allowed, initial=-np.inf)[:, None])
    return total


def best_candidates(total: Scores, allowed: Booleans, num_candidates: int) -> Candidates:
    """Return the texts with the highest scores of each query, best first.

    Parameters
    ----------
    total : float32 array, queries x texts
        The scores that choose.
    allowed : bool array, queries x texts
        The pairs of which a text may be a candidate of a query.
    num_candidates : int
        The largest number of candidates of a query.

    Returns
    -------
    Candidates
        The candidates. Equal scores are in the order of the texts.

    Examples
    --------
    >>> best_candidates(np.float32([[1, 3, 2]]), np.array([[True, True, False]]), 5).texts.tolist()
    [1, 0]
    """
    order = np.argsort(-np.where(allowed, total, -np.inf), axis=1, kind="stable")[:, :num_candidates]
    queries = np.arange(len(total))[:, None].repeat(order.shape[1], axis=1)
    kept = np.take_along_axis(allowed, order, axis=1)
    return Candidates(queries[kept], order[kept].astype(np.int64))


def pool_kinds(scores: Scores, allowed: Booleans, candidates: Candidates) -> Scores:
    """Compute four features of a score for each candidate, by all allowed pairs of the pool.

    Parameters
    ----------
    scores : float32 array, queries x texts
        The scores.
    allowed : bool array, queries x texts
        The pairs that are compared.
    candidates : Candidates
        The pairs that the features are computed of.

    Returns
    -------
    float32 array, candidates x 4
        In the order of `KINDS`: the ratio to the query's best score; the rank in the query, which is the number of its
        texts with a higher score; the rank of the query, which is the number of queries with a higher score for this
        text; and the ratio to the text's best score over all queries. A ratio to a best score that is not positive is
        0.

    Examples
    --------
    >>> scores, allowed = np.float32([[4, 2], [8, 1]]), np.ones((2, 2), dtype=bool)
    >>> pool_kinds(scores, allowed, Candidates(np.array([0, 1]), np.array([0, 1]))).tolist()
    [[1.0, 0.0, 1.0, 0.5], [0.125, 1.0, 1.0, 0.5]]
    """
    compared = np.where(allowed, scores, np.float32(-np.inf))
    values = scores[candidates.queries, candidates.texts]
    ratio, rank = _ratio_and_rank(values, compared, candidates.queries)
    query_ratio, query_rank = _ratio_and_rank(values, compared.T, candidates.texts)
    return np.column_stack([ratio, rank, query_rank, query_ratio])


def _ratio_and_rank(values: Scores, compared: Scores, rows: Integers) -> tuple[Scores, Scores]:
    """Return the ratio of each value to the best of its row, and the number of higher scores in the row."""
    best = compared.max(axis=1, initial=-np.inf)[rows]
    return ratios(values, best), ranks_in_rows(values, compared, rows).astype(np.float32)


def ranks_in_rows(values: Scores | Floats, compared: Scores | Floats, rows: Integers) -> Integers:
    """Return the number of higher scores in a row of a matrix.

    Parameters
    ----------
    values : array
        The values to rank.
    compared : array, rows x columns
        The scores that they are compared with.
    rows : int64 array
        The row of each value.

    Returns
    -------
    int64 array
        The rank of each value, from 0. Equal scores have equal ranks.

    Examples
    --------
    >>> ranks_in_rows(np.float32([2, 7]), np.float32([[1, 2, 3], [7, 7, 9]]), np.array([0, 1])).tolist()
    [1, 1]
    """
    rising = np.sort(compared, axis=1)
    ranks = np.empty(len(values), dtype=np.int64)
    for row, its_values in _by_row(rows):
        ranks[its_values] = rising.shape[1] - np.searchsorted(rising[row], values[its_values], side="right")
    return ranks


def _by_row(rows: Integers) -> Iterator[tuple[int, Integers]]:
    """Yield each row that occurs, with the positions where it does."""
    order = np.argsort(rows, kind="stable")
    starts = np.flatnonzero(np.diff(rows[order], prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(order)]):
        yield int(rows[order[start]]), order[start:end]
