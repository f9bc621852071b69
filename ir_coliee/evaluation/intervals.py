"""Bootstrap confidence intervals of a run's value over the queries.

Each resample draws n of the n queries with replacement, and the measure is computed from the counts of the drawn
queries; a micro measure pools them. The bounds are percentiles of the resampled values (percentile bootstrap). Source:
Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ir_coliee.arguments import check_number, integer_at_least
from ir_coliee.arrays import Floats
from ir_coliee.evaluation.measure_ratios import quotient
from ir_coliee.evaluation.run_counts import RunCounts
from ir_coliee.measures.base import ColieeMeasure

_BLOCK = 2000  # the number of resamples in memory at a time


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


def interval(
    measure: ColieeMeasure | str, counts: RunCounts, *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> Interval:
    """Return the bootstrap interval of a single run; parameters and errors are those of `intervals`.

    Examples
    --------
    >>> from ir_coliee import MicroF1
    >>> from ir_coliee.evaluation.run_counts import count_runs
    >>> runs = {"mine": {"900001": {"900007": 1.0}, "900002": {"900009": 1.0}}}
    >>> table = count_runs(runs, {"900001": {"900007": 1}, "900002": {"900008": 1}}, MicroF1)
    >>> interval(MicroF1, table)  # the answer to one of the two queries is correct
    Interval(low=0.0, high=1.0, level=0.95)
    """
    if len(counts.runs) != 1:
        raise ValueError(f"The counts have {len(counts.runs)} runs, expected one. Use `intervals` for several runs.")
    return intervals(measure, counts, level=level, resamples=resamples, seed=seed)[counts.runs[0]]


def intervals(
    measure: ColieeMeasure | str, counts: RunCounts, *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> dict[str, Interval]:
    """Return the percentile bootstrap interval of each run's value over the queries.

    All runs are evaluated on the same resamples, so an interval does not depend on the other runs. Resample ``i``
    draws row ``i`` of ``numpy.random.default_rng(seed).integers(queries, size=(resamples, queries))``.

    Parameters
    ----------
    measure : ColieeMeasure or str
        The measure or its name.
    counts : RunCounts
        The counts of the runs.
    level : float, default 0.95
        The confidence level, in (0, 1).
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
    """
    return {run: bounds(values, level) for run, values in zip(counts.runs, resampled(measure, counts, resamples, seed))}


def resampled(measure: ColieeMeasure | str, counts: RunCounts, resamples: int, seed: int) -> Floats:
    """Return the values of all runs in all resamples, in an array of shape (runs, resamples)."""
    integer_at_least("resamples", resamples, 1)
    terms = counts.terms(measure)
    blocks = [quotient(*(terms @ weights.T)) for weights in _weights(len(counts.query_ids), resamples, seed)]
    return np.concatenate(blocks, axis=1)


def _weights(queries: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield resamples in blocks, one resample per row: the number of times that each query was drawn."""
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, _BLOCK):
        rows = min(_BLOCK, resamples - start)
        drawn = rng.integers(queries, size=(rows, queries))
        cells = drawn + queries * np.arange(rows)[:, np.newaxis]  # one integer for each pair of resample and query
        yield np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape).astype(np.float64)


def bounds(values: Floats, level: float) -> Interval:
    """Return the interval that contains the share ``level`` of the values, with equal shares below and above it."""
    check_number("level", level, "between 0 and 1 (exclusive)", lambda number: 0 < number < 1)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)
