"""The permutation test whether a run's value for a group of queries differs from its value for the other queries.

Under the null hypothesis the membership in the group says nothing about the run: any set of as many queries could be
the group. The p-value is the share of these sets whose absolute difference to the other queries is at least as large as
the observed one. Sources: Fisher, The Design of Experiments, 1935, section 21; Phipson and Smyth, Permutation p-values
should never be zero, 2010.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ir_coliee.arguments import integer_at_least
from ir_coliee.arrays import Booleans, Floats, Integers
from ir_coliee.evaluation.measure_ratios import quotient

_ROUNDING = 1e-12  # differences that are closer than this count as equal
_BLOCK = 2**22  # the number of terms in memory at a time


def group_differences(terms: Floats, groups: Booleans) -> Floats:
    """Subtract the value for the other queries from the value for each group.

    Parameters
    ----------
    terms : numpy.ndarray of shape (2, n_runs, n_queries)
        The numerators and denominators of the measure, from `ir_coliee.evaluation.run_counts.RunCounts.terms`.
    groups : numpy.ndarray of bool, of shape (n_groups, n_queries)
        The queries of each group.

    Returns
    -------
    numpy.ndarray of shape (n_groups, n_runs)
        NaN for a group without queries or with all of them.

    Examples
    --------
    >>> terms = np.array([[[1.0, 0.0, 0.5]], [[1.0, 1.0, 1.0]]])  # a run with three queries
    >>> group_differences(terms, np.array([[True, False, True], [True, True, True]])).tolist()
    [[0.75], [nan]]
    """
    sizes = groups.sum(axis=1)
    differences = _difference(terms @ groups.T.astype(np.float64), terms.sum(axis=2)).T
    differences[(sizes == 0) | (sizes == groups.shape[1])] = np.nan
    return differences


def group_p_values(terms: Floats, groups: Booleans, *, seed: int = 0, permutations: int = 10_000) -> Floats:
    """Compute the two-sided p-value of each group and run.

    Parameters
    ----------
    terms, groups : numpy.ndarray
        See `group_differences`.
    seed : int, default 0
        Equal seeds give equal results.
    permutations : int, default 10000
        Number of random permutations of the queries, which all groups and runs share, and the largest number of sets
        of queries that are all tried.

    Returns
    -------
    numpy.ndarray of shape (n_groups, n_runs)
        If there are at most ``permutations`` sets of as many queries as the group has, all are tried and the value is
        exact. Otherwise it is (b + 1) / (permutations + 1), where b is the number of permutations with at least the
        observed difference. It does not depend on the other groups and runs. NaN for a group without queries or with
        all of them.

    Raises
    ------
    ValueError
        For fewer than one permutation.

    Examples
    --------
    >>> terms = np.array([[[1.0, 1.0, 0.0, 0.0]], [[1.0, 1.0, 1.0, 1.0]]])
    >>> group_p_values(terms, np.array([[True, True, False, False]])).round(4).tolist()  # 2 of 6 sets
    [[0.3333]]
    """
    integer_at_least("permutations", permutations, 1)
    observed = np.abs(group_differences(terms, groups)) - _ROUNDING
    num_queries = groups.shape[1]
    smaller = np.minimum(groups.sum(axis=1), num_queries - groups.sum(axis=1))
    p_values = np.full(observed.shape, np.nan)
    sampled = []
    for size in np.unique(smaller[smaller > 0]).tolist():
        rows = np.flatnonzero(smaller == size)
        if math.comb(num_queries, size) > permutations:
            sampled += rows.tolist()
            continue
        sets = np.array([*itertools.combinations(range(num_queries), size)])
        differences = np.abs(_difference(terms[:, :, sets].sum(axis=3), terms.sum(axis=2)))
        p_values[rows] = (differences >= observed[rows][:, :, np.newaxis]).mean(axis=2)
    if sampled:
        reached = _count_random(terms, observed[sampled], smaller[sampled], seed, permutations)
        p_values[sampled] = (reached + 1) / (permutations + 1)
    return p_values


def _difference(sums: Floats, totals: Floats) -> Floats:
    """Value for each set minus that for the other queries: sums of shape (2, runs, sets), totals of (2, runs)."""
    return quotient(*sums) - quotient(*(totals[:, :, np.newaxis] - sums))


def _count_random(terms: Floats, observed: Floats, sizes: Integers, seed: int, permutations: int) -> Integers:
    """Count the permutations whose first queries, as many as each group has, differ at least as much as the group."""
    distinct, places = np.unique(sizes, return_inverse=True)
    counts = np.zeros(observed.shape, dtype=np.int64)
    totals = terms.sum(axis=2)
    for order in _orders(terms.shape[2], permutations, max(1, _BLOCK // terms.size), seed):
        sums = terms[:, :, order].cumsum(axis=3)[:, :, :, distinct - 1]
        for place in range(len(distinct)):
            differences = np.abs(_difference(sums[:, :, :, place], totals))
            rows = np.flatnonzero(places == place)
            counts[rows] += (differences >= observed[rows][:, :, np.newaxis]).sum(axis=2)
    return counts


def _orders(num_queries: int, permutations: int, at_a_time: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield random permutations of the queries in blocks, one per row; they do not depend on the size of a block."""
    rng = np.random.default_rng(seed)
    for start in range(0, permutations, at_a_time):
        rows = min(at_a_time, permutations - start)
        yield rng.permuted(np.tile(np.arange(num_queries), (rows, 1)), axis=1)
