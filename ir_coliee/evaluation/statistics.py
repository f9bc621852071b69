"""Statistics of set measures on whole arrays: ratios of sums, intervals, effect sizes and permutation tests."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.evaluation.runs import Run, require_frame
from ir_coliee.frames import Booleans, Floats, Integers, integer_at_least, shown
from ir_coliee.measures import ColieeMeasure
from ir_coliee.measures.counts import query_counts

# Set measures as ratios of two sums over queries, computed on whole arrays for searches and resampling.


def as_measure(measure: ColieeMeasure) -> ColieeMeasure:
    """Return a set measure of this package; raise `ValueError` for another measure."""
    if not isinstance(measure, ColieeMeasure):
        raise ValueError(f"measure must be a set measure of ir_coliee such as MicroF1, got {shown(measure, 30)}.")
    return measure


def measure_of_cutoffs(measure: ColieeMeasure) -> ColieeMeasure:
    """Return a set measure; raise `ValueError` if it has a cut-off of its own (``@k``)."""
    if as_measure(measure).num_evaluated:
        raise ValueError(f"{measure} cannot choose a cut-off. Pass a set measure without @k, such as MicroF1.")
    return measure


def quotient(numerators: Floats, denominators: Floats) -> Floats:
    """Divide elementwise; a zero denominator gives 0."""
    return np.divide(numerators, denominators, out=np.zeros_like(numerators), where=denominators != 0)


def highest_ratio(numerators: Floats, denominators: Floats) -> tuple[float, Integers]:
    """Return the highest ratio of the sums over all queries, if one of several choices is made for each query.

    Dinkelbach's method [1]_ finds the joint maximum exactly. Given the current value v, each query takes the first
    choice with the highest numerator - v * denominator; this is repeated with the new value until v no longer
    increases.

    Parameters
    ----------
    numerators, denominators : numpy.ndarray of shape (n_queries, n_choices)
        The terms of a measure, none of them negative.

    Returns
    -------
    value : float
        The highest ratio.
    choices : numpy.ndarray of shape (n_queries,)
        The number of the choice of each query.

    References
    ----------
    .. [1] W. Dinkelbach, On nonlinear fractional programming, Management Science 13 (1967).

    Examples
    --------
    >>> value, choices = highest_ratio(np.array([[2.0, 0.0], [0.0, 2.0]]), np.array([[2.0, 1.0], [1.0, 9.0]]))
    >>> value, choices.tolist()
    (0.6666666666666666, [0, 0])
    """
    queries = np.arange(len(numerators))
    best_value, choices = -1.0, np.zeros(len(queries), dtype=np.int64)
    value, candidates = 0.0, choices
    while value > best_value:
        best_value, choices = value, candidates
        candidates = (numerators - best_value * denominators).argmax(axis=1)
        sums = (terms[queries, candidates].sum(keepdims=True) for terms in (numerators, denominators))
        value = float(quotient(*sums)[0])
    return best_value, choices


# Count true positives, returned and relevant items of each query, once for several runs.


_NAMES = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}  # names of PyTerrier and of ir_measures


@dataclass(frozen=True, eq=False)
class RunCounts:
    """The counts of several runs over the same queries.

    Attributes
    ----------
    runs : tuple of str
        Names of the runs.
    query_ids : tuple of str
        The queries, sorted; also those that a run does not answer.
    tp, returned, relevant : numpy.ndarray of int64
        True positives, returned and relevant items: one row per run, one column per query.
    rel, cutoff : int, int or None
        The parameters ``rel`` and ``cutoff`` of the measure that the counts were computed for.
    answers : tuple of dict
        The returned items of each run by query id, also those after the ``cutoff``.
    """

    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    tp: Integers
    returned: Integers
    relevant: Integers
    rel: int
    cutoff: int | None
    answers: tuple[Mapping[str, Hashable], ...]

    def terms(self, measure: ColieeMeasure) -> Floats:
        """Return the numerators and denominators of a measure, in an array of shape (2, n_runs, n_queries).

        Raises `ValueError` for a measure with another ``rel`` or ``cutoff``.
        """
        if (measure["rel"], measure.num_evaluated) != (self.rel, self.cutoff):
            made = f"these were made with rel={self.rel}, cutoff={self.cutoff}"
            raise ValueError(f"{measure} needs other counts: {made}.\nCall count_runs with this measure.")
        return np.stack(measure.terms(self.tp, self.returned, self.relevant))

    def per_query(self, measure: ColieeMeasure) -> pd.DataFrame:
        """Return a row for each run and query: run, query_id, tp, returned, relevant and value, that of the measure."""
        return pd.DataFrame(
            {
                "run": np.repeat(np.array(self.runs, dtype=object), len(self.query_ids)),
                "query_id": np.tile(np.array(self.query_ids, dtype=object), len(self.runs)),
                "tp": self.tp.ravel(),
                "returned": self.returned.ravel(),
                "relevant": self.relevant.ravel(),
                "value": quotient(*self.terms(measure)).ravel(),
            }
        )


def merge_run_counts(tables: Mapping[str, RunCounts]) -> RunCounts:
    """Combine the counts of single runs over the same queries; the keys are the names of the runs."""
    first = next(iter(tables.values()))
    tp, returned, relevant = (
        np.concatenate([getattr(table, name) for table in tables.values()]) for name in ("tp", "returned", "relevant")
    )
    answers = tuple(itertools.chain.from_iterable(table.answers for table in tables.values()))
    return replace(first, runs=tuple(tables), tp=tp, returned=returned, relevant=relevant, answers=answers)


def count_runs(
    runs: Mapping[str, Run], qrels: pd.DataFrame | Mapping[str, Mapping[str, int]], measure: ColieeMeasure
) -> RunCounts:
    """Count the items of each query of several runs.

    All queries of the qrels are counted, answered or not, as by `ir_coliee.measures.counts.query_counts`.

    Parameters
    ----------
    runs : mapping of str to pandas.DataFrame or dict
        Runs by name, as in `ir_coliee.evaluation.runs.load_run`, but no paths. A run may be empty.
    qrels : pandas.DataFrame or dict
        The gold labels: a frame with qid, docno and label or with query_id, doc_id and relevance, or a dict of dicts.
    measure : ColieeMeasure
        The measure. It provides ``rel`` and the cut-off. Other measures with the same values can use the
        counts.

    Returns
    -------
    RunCounts

    Raises
    ------
    ValueError
        If the measure is not a set measure of this package.
    KeyError
        If a column is missing.

    Examples
    --------
    >>> from ir_coliee import MicroF1
    >>> runs = {"mine": {"900001": {"900007": 1.0, "900009": 0.5}}}
    >>> table = count_runs(runs, {"900001": {"900007": 1}, "900002": {"900008": 1}}, MicroF1)
    >>> table.query_ids, table.tp.tolist(), table.returned.tolist(), table.relevant.tolist()
    (('900001', '900002'), [[1, 0]], [[2, 0]], [[1, 1]])
    """
    rel, cutoff = as_measure(measure)["rel"], measure.num_evaluated
    judged, frames = _labels(qrels), [require_frame(run).rename(columns=_NAMES) for run in runs.values()]
    ids = sorted(judged["query_id"].unique())
    counts = [[counts for _, counts in query_counts(judged, run, rel=rel, cutoff=cutoff)] for run in frames]
    array = np.array(counts, dtype=np.int64).reshape(len(frames), len(ids), 3)
    tp, returned, relevant = np.moveaxis(array, 2, 0)
    answers = tuple(_answer_sets(frame) for frame in frames)
    return RunCounts(tuple(runs), tuple(ids), tp, returned, relevant, rel, cutoff, answers)


def _answer_sets(run: pd.DataFrame) -> dict[str, frozenset[str]]:
    return {str(query): frozenset(items) for query, items in run.groupby("query_id", observed=True)["doc_id"]}


def _labels(qrels: pd.DataFrame | Mapping[str, Mapping[str, int]]) -> pd.DataFrame:
    if isinstance(qrels, Mapping):
        rows = [(query_id, doc_id, label) for query_id, labels in qrels.items() for doc_id, label in labels.items()]
        return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    return qrels.rename(columns=_NAMES)


# Bootstrap confidence intervals of a run's value over the queries.


_CONFIDENCE_LEVEL = 0.95


class Interval(NamedTuple):
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        The bounds, in the unit of the measure.
    level : float
        The confidence level, in (0, 1).
    """

    low: float
    high: float
    level: float


def intervals(
    measure: ColieeMeasure, counts: RunCounts, *, resamples: int = 10_000, seed: int = 0
) -> dict[str, Interval]:
    """Return the 95 % percentile bootstrap interval of each run's value over the queries.

    All runs are evaluated on the same resamples, so an interval does not depend on the other runs. Resample ``i``
    draws row ``i`` of ``numpy.random.default_rng(seed).integers(queries, size=(resamples, queries))``, and the measure
    is computed from the counts of the drawn queries; a micro measure pools them [1]_.

    Parameters
    ----------
    measure : ColieeMeasure
        The measure.
    counts : RunCounts
        The counts of the runs.
    resamples : int, default 10000
        Number of resamples, at least 1.
    seed : int, default 0
        Equal seeds give equal intervals.

    Returns
    -------
    dict of str to Interval
        The interval of each run, by name. Without queries all bounds are 0.

    Raises
    ------
    ValueError
        If a parameter is out of range, or if the measure needs other counts.

    References
    ----------
    .. [1] Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.

    Examples
    --------
    >>> from ir_coliee import MicroF1
    >>> runs = {"mine": {"900001": {"900007": 1.0}, "900002": {"900009": 1.0}}}
    >>> table = count_runs(runs, {"900001": {"900007": 1}, "900002": {"900008": 1}}, MicroF1)
    >>> intervals(MicroF1, table)  # the answer to one of the two queries is correct
    {'mine': Interval(low=0.0, high=1.0, level=0.95)}
    """
    return {run: bounds(values) for run, values in zip(counts.runs, resampled(measure, counts, resamples, seed))}


def resampled(measure: ColieeMeasure, counts: RunCounts, resamples: int = 10_000, seed: int = 0) -> Floats:
    """Return the values of all runs in all resamples, in an array of shape (runs, resamples)."""
    integer_at_least("resamples", resamples, 1)
    queries = len(counts.query_ids)
    drawn = np.random.default_rng(seed).integers(queries, size=(resamples, queries))
    cells = drawn + queries * np.arange(resamples)[:, np.newaxis]  # one integer for each pair of resample and query
    times_drawn = np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape).astype(np.float64)
    return quotient(*(counts.terms(measure) @ times_drawn.T))


def bounds(values: Floats) -> Interval:
    """Return the interval that contains 95 % of the values, with equal shares below and above it."""
    low, high = np.quantile(values, [(1 - _CONFIDENCE_LEVEL) / 2, (1 + _CONFIDENCE_LEVEL) / 2])
    return Interval(float(low), float(high), _CONFIDENCE_LEVEL)


# Effect size of the difference between two runs: its spread over queries.


_ROUNDING = 1e-12  # a smaller standard deviation counts as 0


def spread(terms: Floats) -> float:
    """Return the standard deviation of the queries' contributions to the difference of two runs.

    For a mean over queries these are the differences of the queries. For a ratio of sums (the micro measures) the
    contribution of a query to a run's value is (numerator - value x denominator) / mean denominator, the
    linearised ratio (Cochran, Sampling Techniques, 1977, chapter 6). Divided by the square root of the number of
    queries, the result is the standard error of the difference.

    Parameters
    ----------
    terms : numpy.ndarray of shape (2, 2, n_queries)
        The numerators and denominators of two runs, from `RunCounts.terms`.

    Returns
    -------
    float
        NaN if the contributions do not differ, or for fewer than two queries.
    """
    if terms.shape[2] < 2:
        return math.nan
    deviation = float(np.std(_contributions(terms[:, 0]) - _contributions(terms[:, 1]), ddof=1))
    return deviation if deviation > _ROUNDING else math.nan


def _contributions(terms: Floats) -> Floats:
    """Return the contribution of each query to a run's value: the linearised ratio."""
    numerators, denominators = terms
    mean = denominators.mean()
    value = quotient(*terms.sum(axis=1))
    return np.asarray((numerators - value * denominators) / (mean if mean > 0 else 1.0))


# The paired randomization test of the differences between runs, and Holm's correction for several pairs.


def random_swaps(num_queries: int, permutations: int, seed: int) -> Floats:
    """Return random swaps, one per row: 1 for a query whose answers are swapped, otherwise 0."""
    integer_at_least("permutations", permutations, 1)
    return np.random.default_rng(seed).integers(2, size=(permutations, num_queries)).astype(np.float64)


def paired_p_value(terms: Floats, swaps: Floats) -> tuple[float, bool]:
    """Compute the two-sided p-value of the difference of two runs by the paired randomization test.

    If every query is won, lost or equal by the same amount, as by a measure with the values 0 and 1, this is the sign
    test, and p is the exact share of all swaps. It is also exact if there are no more swaps of the queries that differ
    than random swaps, so that all are tried. Otherwise it is (b + 1) / (permutations + 1), where b is the number of
    random swaps with a difference at least as large as the observed one [1]_.

    Parameters
    ----------
    terms : numpy.ndarray of shape (2, 2, n_queries)
        The numerators and denominators of two runs, from `RunCounts.terms`.
    swaps : numpy.ndarray of shape (permutations, n_queries)
        The random swaps, from `random_swaps`.

    Returns
    -------
    p : float
        The p-value, in (0, 1].
    is_exact : bool
        Whether all swaps were counted.

    References
    ----------
    .. [1] Phipson and Smyth, Permutation p-values should never be zero, 2010.

    Examples
    --------
    >>> ones = np.ones(5)
    >>> terms = np.array([[ones, 0 * ones], [ones, ones]])  # one run answers all five questions, the other none
    >>> paired_p_value(terms, random_swaps(5, 10, seed=0))
    (0.0625, True)
    """
    gains = terms[:, 0] - terms[:, 1]
    differing = (gains != 0).any(axis=0)
    number = int(differing.sum())
    if not gains[1].any() and len(np.unique(np.abs(gains[0, differing]))) <= 1:
        fewer = min(int((gains[0] > 0).sum()), int((gains[0] < 0).sum()))
        return min(1.0, 2 * sum(math.comb(number, wins) for wins in range(fewer + 1)) / 2**number), True
    is_exact = 1 << number <= len(swaps)
    if is_exact:
        gains, swaps = gains[:, differing], (np.arange(2**number)[:, np.newaxis] >> np.arange(number) & 1).astype(float)
    moved = gains @ swaps.T  # what a swap takes from one run and gives to the other
    a, b = terms.sum(axis=2).T[:, :, np.newaxis]
    observed = abs(quotient(*a) - quotient(*b))
    differences = np.abs(quotient(*(a - moved)) - quotient(*(b + moved)))
    reached = int(np.count_nonzero(differences >= observed - _ROUNDING))
    return (reached / len(swaps), True) if is_exact else ((reached + 1) / (len(swaps) + 1), False)


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


# The permutation test whether a run's value for a group of queries differs from its value for the other queries.


_BLOCK = 2**22  # the number of terms in memory at a time


def group_differences(terms: Floats, groups: Booleans) -> Floats:
    """Subtract the value for the other queries from the value for each group.

    Parameters
    ----------
    terms : numpy.ndarray of shape (2, n_runs, n_queries)
        The numerators and denominators of the measure, from `ir_coliee.evaluation.statistics.RunCounts.terms`.
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


def _orders(num_queries: int, permutations: int, at_a_time: int, seed: int) -> Iterator[Integers]:
    """Yield random permutations of the queries in blocks, one per row; they do not depend on the size of a block."""
    rng = np.random.default_rng(seed)
    for start in range(0, permutations, at_a_time):
        rows = min(at_a_time, permutations - start)
        yield rng.permuted(np.tile(np.arange(num_queries), (rows, 1)), axis=1)
