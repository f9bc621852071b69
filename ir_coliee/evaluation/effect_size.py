"""Effect size of the difference between two runs: its spread over queries, and the smallest detectable difference."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from ir_coliee.arrays import Floats
from ir_coliee.evaluation.measure_ratios import quotient
from ir_coliee.evaluation.run_counts import RunCounts
from ir_coliee.measures.base import ColieeMeasure

_SIGNIFICANCE_LEVEL = 0.05  # of a two-sided test
_POWER = 0.80
_ROUNDING = 1e-12  # a smaller standard deviation counts as 0


def spread(measure: ColieeMeasure | str, counts: RunCounts, run_a: str, run_b: str) -> float:
    """Return the standard deviation of the queries' contributions to the difference of two runs.

    For a mean over queries these are the differences of the queries. For a ratio of sums (the micro measures) the
    contribution of a query to a run's value is (numerator - value x denominator) / mean denominator, the
    linearised ratio (Cochran, Sampling Techniques, 1977, chapter 6). Divided by the square root of the number of
    queries, the result is the standard error of the difference.

    Parameters
    ----------
    measure : ColieeMeasure or str
        The measure or its name.
    counts : RunCounts
        The counts of the runs.
    run_a, run_b : str
        Names of the runs.

    Returns
    -------
    float
        NaN if the contributions do not differ, or for fewer than two queries.

    Raises
    ------
    ValueError
        For an unknown run, and for a measure that needs other counts.
    """
    return spread_of_terms(counts.terms(measure), counts.row(run_a), counts.row(run_b))


def spread_of_terms(terms: Floats, a: int, b: int) -> float:
    """Return the `spread` of two runs, given the terms of the measure and the rows of the runs in them."""
    if terms.shape[2] < 2:
        return math.nan
    deviation = float(np.std(_contributions(terms[:, a]) - _contributions(terms[:, b]), ddof=1))
    return deviation if deviation > _ROUNDING else math.nan


def _contributions(terms: Floats) -> Floats:
    """Return the contribution of each query to a run's value: the linearised ratio."""
    numerators, denominators = terms
    mean = denominators.mean()
    value = quotient(*terms.sum(axis=1))
    return np.asarray((numerators - value * denominators) / (mean if mean > 0 else 1.0))


def detectable_difference(measure: ColieeMeasure | str, counts: RunCounts, run_a: str, run_b: str) -> float:
    """Return the smallest true difference that a two-sided test at the 5 % level detects with a power of 80 %.

    It is (z(0.975) + z(0.80)) x `spread` / sqrt(queries), about 2.8 standard errors: the normal approximation of
    the power of a paired test (Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2; for
    sets of queries Sakai, Topic set size design, Information Retrieval Journal 19, 2016). It depends on the number of
    queries and on the spread of these two runs, not on the observed difference. It is slightly too small for fewer
    than about 20 queries, and does not account for multiple comparisons.

    Parameters
    ----------
    measure, counts, run_a, run_b
        As in `spread`.

    Returns
    -------
    float
        In the unit of the measure; NaN where `spread` is NaN.

    Raises
    ------
    ValueError
        As raised by `spread`.
    """
    return detectable_by(spread(measure, counts, run_a, run_b), len(counts.query_ids))


def detectable_by(standard_deviation: float, num_queries: int) -> float:
    """Return the `detectable_difference` for a spread and a number of queries; NaN without queries."""
    normal = NormalDist()
    standard_errors = normal.inv_cdf(1 - _SIGNIFICANCE_LEVEL / 2) + normal.inv_cdf(_POWER)
    return standard_errors * standard_deviation / math.sqrt(num_queries) if num_queries else math.nan
