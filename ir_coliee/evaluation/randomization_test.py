"""The paired randomization test of the differences between runs, and Holm's correction for several pairs.

Under the null hypothesis the two runs of a pair are exchangeable: for each query, their answers may be swapped. The
p-value is the share of swaps whose absolute difference is at least as large as the observed one. Sources: Yeh, More
accurate tests for the statistical significance of result differences, COLING 2000; Smucker, Allan and Carterette, A
comparison of statistical significance tests for information retrieval evaluation, CIKM 2007.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ir_coliee.arrays import Floats, Integers
from ir_coliee.evaluation.measure_ratios import quotient

Pair = tuple[int, int]

_BLOCK = 2000  # the number of swaps in memory at a time
_ROUNDING = 1e-12  # differences that are closer than this count as equal


def is_exact(differing: npt.NDArray[np.bool_], permutations: int) -> bool:
    """Return whether all swaps of the differing queries are tried, instead of a random sample of swaps."""
    return 1 << int(differing.sum()) <= permutations


def randomization_p_values(
    terms: Floats, differing: Mapping[Pair, npt.NDArray[np.bool_]], *, seed: int, permutations: int
) -> dict[Pair, float]:
    """Compute the two-sided p-value of each pair of runs.

    The p-value is exact if all swaps can be tried. All other pairs share one random sample of swaps.

    Parameters
    ----------
    terms : numpy.ndarray of shape (2, n_runs, n_queries)
        The numerators and denominators of the measure, from `ir_coliee.evaluation.run_counts.RunCounts.terms`.
    differing : mapping of (int, int) to numpy.ndarray of bool
        For each pair of runs, by position, the queries on which they differ.
    seed : int
        Seed of the random swaps.
    permutations : int
        The number of random swaps, and the largest number of swaps that are all tried.

    Returns
    -------
    dict of (int, int) to float
        The p-value of each pair, in (0, 1].
    """
    totals = terms.sum(axis=2)
    exact = {}
    for pair, queries in differing.items():
        if is_exact(queries, permutations):
            runs = list(pair)
            pair_terms = terms[:, runs][:, :, queries]
            num_queries = pair_terms.shape[2]
            (count,) = _count_large_differences(pair_terms, totals[:, runs], [(0, 1)], _all_swaps(num_queries))
            exact[pair] = float(count) / 2**num_queries
    sampled_pairs = [pair for pair in differing if pair not in exact]
    if not sampled_pairs:
        return exact
    swaps = _random_swaps(terms.shape[2], permutations, seed)
    counts = _count_large_differences(terms, totals, sampled_pairs, swaps)
    return exact | {pair: (float(count) + 1) / (permutations + 1) for pair, count in zip(sampled_pairs, counts)}


def _all_swaps(num_queries: int) -> Iterator[Floats]:
    """Yield all swaps in blocks, one swap per row: 1 for a query whose answers are swapped, otherwise 0."""
    for start in range(0, 2**num_queries, _BLOCK):
        numbers = np.arange(start, min(start + _BLOCK, 2**num_queries))
        yield (numbers[:, np.newaxis] >> np.arange(num_queries) & 1).astype(np.float64)


def _random_swaps(num_queries: int, permutations: int, seed: int) -> Iterator[Floats]:
    """Yield random swaps in blocks, in the form of `_all_swaps`."""
    rng = np.random.default_rng(seed)
    for start in range(0, permutations, _BLOCK):
        yield rng.integers(2, size=(min(_BLOCK, permutations - start), num_queries)).astype(np.float64)


def _count_large_differences(terms: Floats, totals: Floats, pairs: Sequence[Pair], swaps: Iterable[Floats]) -> Integers:
    """Count for each pair the swaps whose absolute difference is at least as large as the observed one.

    ``totals`` are the sums of the terms over all queries, including queries that ``terms`` leaves out. Swapping a
    query moves the difference of its terms from one run to the other, so one matrix product serves all pairs.
    """
    values = quotient(*totals)
    counts = np.zeros(len(pairs), dtype=np.int64)
    for block in swaps:
        swapped_sums = terms @ block.T
        for index, (a, b) in enumerate(pairs):
            moved = swapped_sums[:, b] - swapped_sums[:, a]
            difference = quotient(*(totals[:, [a]] + moved)) - quotient(*(totals[:, [b]] - moved))
            counts[index] += np.count_nonzero(np.abs(difference) >= abs(values[a] - values[b]) - _ROUNDING)
    return counts


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple tests by Holm's method, which controls the family-wise error rate.

    The i-th smallest of m p-values is multiplied by m - i + 1 and limited to 1. A corrected value that is below that of
    a smaller p-value is raised to it. Source: Holm, A simple sequentially rejective multiple test procedure, 1979.

    Parameters
    ----------
    p_values : sequence of float
        The p-values.

    Returns
    -------
    list of float
        The corrected values, in the order of ``p_values``.

    Examples
    --------
    >>> holm([0.25, 0.01, 0.5])
    [0.5, 0.03, 0.5]
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = largest
    return corrected
