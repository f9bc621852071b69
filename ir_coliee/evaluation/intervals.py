"""Bootstrap intervals: how far a run's value would move with other queries of the same kind.

The queries are the sample: a resample draws as many of them, with replacement, and the measure is computed on
the counts of what was drawn, pooled measures included. The interval lies between percentiles of the
resampled values (percentile bootstrap). Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
chapter 13.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ir_coliee.arguments import integer_at_least
from ir_coliee.evaluation.measure_ratios import quotient
from ir_coliee.evaluation.run_counts import RunCounts
from ir_coliee.frames import Floats
from ir_coliee.measures.base import ColieeMeasure

_BLOCK = 2000  # resamples at a time, so that memory does not grow with their number


class Interval(NamedTuple):
    """From ``low`` to ``high``, both in the unit of the measure; ``level`` is the share that it covers."""

    low: float
    high: float
    level: float


def interval(
    measure: ColieeMeasure, counts: RunCounts, *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> Interval:
    """The interval of a single run; see `intervals`. Raises `ValueError` for a table of none or several.

    >>> from ir_coliee import MicroF1
    >>> from ir_coliee.evaluation.run_counts import count_runs
    >>> runs = {"mine": {"900001": {"900007": 1.0}, "900002": {"900009": 1.0}}}
    >>> table = count_runs(runs, {"900001": {"900007": 1}, "900002": {"900008": 1}}, MicroF1)
    >>> interval(MicroF1, table)  # right on one of two queries: either may be drawn twice
    Interval(low=0.0, high=1.0, level=0.95)
    """
    if len(counts.runs) != 1:
        raise ValueError(f"the table has {len(counts.runs)} runs: `intervals` gives one for each")
    return intervals(measure, counts, level=level, resamples=resamples, seed=seed)[counts.runs[0]]


def intervals(
    measure: ColieeMeasure, counts: RunCounts, *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> dict[str, Interval]:
    """For each run of a table the percentile bootstrap interval of its value over the queries.

    All runs see the same resamples, so that an interval does not depend on which other runs are there. Equal
    seeds give equal intervals: resample ``i`` draws row ``i`` of ``numpy.random.default_rng(seed).integers(queries,
    size=(resamples, queries))``. Without a query, all values and bounds are 0. Raises `ValueError` for a
    level outside 0 to 1, for fewer resamples than 1, and for a measure that needs other counts.
    """
    return {run: bounds(values, level) for run, values in zip(counts.runs, resampled(measure, counts, resamples, seed))}


def resampled(measure: ColieeMeasure, counts: RunCounts, resamples: int, seed: int) -> Floats:
    """The values of all runs in all resamples, of the shape runs x resamples."""
    integer_at_least("resamples", resamples, 1)
    terms = counts.terms(measure)
    blocks = [quotient(*(terms @ weights.T)) for weights in _weights(len(counts.query_ids), resamples, seed)]
    return np.concatenate(blocks, axis=1)


def _weights(queries: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Blocks of rows, a resample each: how often it has each query."""
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, _BLOCK):
        rows = min(_BLOCK, resamples - start)
        drawn = rng.integers(queries, size=(rows, queries))
        places = drawn + queries * np.arange(rows)[:, np.newaxis]
        yield np.bincount(places.ravel(), minlength=places.size).reshape(places.shape).astype(np.float64)


def bounds(values: Floats, level: float) -> Interval:
    """The interval that leaves out an equal share of the values on both sides."""
    if not 0 < level < 1:
        raise ValueError(f"level={level!r} is not a number between 0 and 1")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)
