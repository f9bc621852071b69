"""Compare runs: significance, confidence interval and effect size of their differences.

The test is the paired randomization test on the measure itself. Under the null hypothesis the two runs are
exchangeable: the answers to each query are swapped or not, and p is the share of swaps that give an absolute difference
at least as large as the observed one. A t-test on the F1 of the queries tests another quantity than the pooled F1.
Sources: Yeh, More accurate tests for the statistical significance
of result differences, COLING 2000; Smucker, Allan and Carterette, A comparison of statistical significance
tests for information retrieval evaluation, CIKM 2007.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.arguments import integer_at_least
from ir_coliee.arrays import Floats, Integers
from ir_coliee.datasets.resolution import Dataset, as_split
from ir_coliee.errors import ColieeWarning, MalformedRunError, printable
from ir_coliee.evaluation.intervals import bounds, resampled
from ir_coliee.evaluation.measure_ratios import quotient
from ir_coliee.evaluation.run_counts import RunCounts, count_runs, merge_run_counts
from ir_coliee.evaluation.runs.in_memory import Run
from ir_coliee.evaluation.scored_run import ScoredRun
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.evaluation.task_evaluation import task_evaluation
from ir_coliee.measures import AnswerAccuracy
from ir_coliee.measures.base import ColieeMeasure

Pair = tuple[int, int]

_RESAMPLES = 10_000
_LEVEL = 0.95
_TWO_SIDED_ERROR = 0.05
_POWER = 0.80
_BLOCK = 2000  # swaps at a time, so that memory does not grow with their number
_ROUNDING = 1e-12  # numbers that differ by less are equal


def compare(
    dataset: Dataset,
    runs: Mapping[str, Run],
    *,
    measure: ColieeMeasure | None = None,
    answers: Mapping[str, Run] | None = None,
    seed: int = 0,
    permutations: int = 10_000,
) -> pd.DataFrame:
    """Compare every pair of runs on a split with gold labels.

    Runs are checked as by `ir_coliee.evaluation.scoring.score`; its notes are given as `ColieeWarning`. An empty run
    has the value 0.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    runs : mapping of str to path, pandas.DataFrame or dict
        Two or more answer sets by name.
    measure : ColieeMeasure, optional
        The measure to compare; by default the official one. In task 3 of 2026 that is gated accuracy if ``answers``
        are passed, otherwise the F2 that breaks ties.
    answers : mapping of str to path, pandas.DataFrame or dict, optional
        The answers Y and N that belong to each run of task 3 of 2026.
    seed : int, default 0
        Seed of the swaps and of the bootstrap.
    permutations : int, default 10000
        Number of random swaps.

    Returns
    -------
    pandas.DataFrame
        One row per pair, with the columns of `compare_counts`.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    MalformedRunError
        If a run cannot be scored.
    ValueError
        For fewer than two runs or one permutation, and for a measure that is not a set measure of this package.

    Examples
    --------
    >>> runs = {"right": {"R99-01-A": {"Y": 1.0}}, "wrong": {"R99-01-A": {"N": 1.0}}}
    >>> comparison = compare("coliee/task4/sample/en/test", runs)
    >>> comparison[["run_a", "run_b", "p", "differing", "exact"]].values.tolist()
    [['right', 'wrong', 1.0, 1, True]]
    """
    split = as_split(dataset)
    if measure is not None and answers is not None:
        raise ValueError(f"{measure} does not use the answers Y and N. Omit answers= or measure=.")
    scorer = Scorer(split)
    scored: dict[str, ScoredRun] = {}
    for name, run in runs.items():
        try:
            scored[name], notes = scorer.match(run, answers=None if answers is None else answers[name])
        except MalformedRunError as error:
            raise MalformedRunError(f"Run {printable(name)}: {error}") from error
        for note in notes:
            warnings.warn(f"run {printable(name)}: {note}", ColieeWarning, stacklevel=2)
    if answers is not None:
        gates = merge_run_counts({name: run.gated_counts() for name, run in scored.items()})
        return compare_counts(AnswerAccuracy, gates, seed=seed, permutations=permutations)
    chosen = task_evaluation(split).measure if measure is None else measure
    counts = count_runs({name: run.answers for name, run in scored.items()}, scorer.gold, chosen)
    return compare_counts(chosen, counts, seed=seed, permutations=permutations)


def compare_counts(
    measure: ColieeMeasure, counts: RunCounts, *, seed: int = 0, permutations: int = 10_000
) -> pd.DataFrame:
    """Compare every pair of runs by their counts.

    Parameters
    ----------
    measure : ColieeMeasure
        The measure to compare.
    counts : RunCounts
        The counts of two or more runs.
    seed : int, default 0
        Seed of the swaps and of the bootstrap; equal seeds give equal results.
    permutations : int, default 10000
        Number of random swaps.

    Returns
    -------
    pandas.DataFrame
        One row per pair, in the order of the runs. Apart from Holm's correction a row does not depend on the other
        runs. The columns are:

        * ``run_a``, ``run_b``: names; ``value_a``, ``value_b``: values; ``difference``: a minus b.
        * ``low``, ``high``: 95 % percentile bootstrap interval of the difference, from 10,000 resamples of queries.
        * ``p``: two-sided p-value of the randomization test. If n queries differ and 2^n is at most ``permutations``,
          all swaps are tried and p is exact; otherwise p is (b + 1) / (permutations + 1), where b random swaps give a
          difference at least as large (Phipson and Smyth, Permutation p-values should never be zero, 2010). It is 1
          if no query differs.
        * ``p_holm``: p corrected for the number of pairs by `holm`.
        * ``effect_size``: the difference divided by `spread`. For a mean over queries it is Cohen's d for paired
          samples. It has no unit and does not grow with the number of queries, so it is comparable across splits and
          measures. NaN if the contributions of the queries do not vary.
        * ``detectable``: the smallest difference that these queries could detect (`detectable_difference`), or NaN.
        * ``differing``: the number of queries on which the two runs differ; ``exact``: whether all swaps were tried.

    Raises
    ------
    ValueError
        For fewer than two runs or one permutation, and for a measure that needs other counts.
    """
    if len(counts.runs) < 2:
        raise ValueError(f"A comparison needs at least two runs, got {len(counts.runs)}.")
    integer_at_least("permutations", permutations, 1)
    terms = counts.terms(measure)
    values = quotient(*terms.sum(axis=2))
    again = resampled(measure, counts, _RESAMPLES, seed)
    pairs = list(itertools.combinations(range(len(counts.runs)), 2))
    differing = {(a, b): (terms[:, a] != terms[:, b]).any(axis=0) for a, b in pairs}
    p_values = _p_values(terms, differing, seed, permutations)
    rows = []
    for a, b in pairs:
        difference = values[a] - values[b]
        low, high, _ = bounds(again[a] - again[b], _LEVEL)
        deviation = _spread(terms, a, b)
        rows.append(
            {
                "run_a": counts.runs[a],
                "run_b": counts.runs[b],
                "value_a": values[a],
                "value_b": values[b],
                "difference": difference,
                "low": low,
                "high": high,
                "p": p_values[a, b],
                "effect_size": difference / deviation,
                "detectable": _detectable(deviation, len(counts.query_ids)),
                "differing": int(differing[a, b].sum()),
                "exact": _is_exact(differing[a, b], permutations),
            }
        )
    comparison = pd.DataFrame(rows)
    comparison.insert(list(comparison.columns).index("p") + 1, "p_holm", holm(comparison["p"].tolist()))
    return comparison


def _is_exact(differing: npt.NDArray[np.bool_], permutations: int) -> bool:
    return 1 << int(differing.sum()) <= permutations


def _p_values(
    terms: Floats, differing: Mapping[Pair, npt.NDArray[np.bool_]], seed: int, permutations: int
) -> dict[Pair, float]:
    """Return p of each pair: exact if there are few swaps, otherwise from random swaps shared by all such pairs."""
    totals = terms.sum(axis=2)
    found = {}
    for pair, queries in differing.items():
        if _is_exact(queries, permutations):
            swapped = terms[:, list(pair)][:, :, queries]
            (large,) = _count_large_differences(swapped, totals[:, list(pair)], [(0, 1)], _all_swaps(swapped.shape[2]))
            found[pair] = float(large) / 2 ** swapped.shape[2]
    others = [pair for pair in differing if pair not in found]
    large = (
        _count_large_differences(terms, totals, others, _random_swaps(terms.shape[2], permutations, seed))
        if others
        else []
    )
    return found | {pair: (float(number) + 1) / (permutations + 1) for pair, number in zip(others, large)}


def _all_swaps(queries: int) -> Iterator[Floats]:
    """Yield blocks with one swap per row: 1 for a query whose answers are swapped, otherwise 0."""
    for start in range(0, 2**queries, _BLOCK):
        numbers = np.arange(start, min(start + _BLOCK, 2**queries))
        yield (numbers[:, np.newaxis] >> np.arange(queries) & 1).astype(np.float64)


def _random_swaps(queries: int, permutations: int, seed: int) -> Iterator[Floats]:
    rng = np.random.default_rng(seed)
    for start in range(0, permutations, _BLOCK):
        yield rng.integers(2, size=(min(_BLOCK, permutations - start), queries)).astype(np.float64)


def _count_large_differences(terms: Floats, totals: Floats, pairs: Sequence[Pair], swaps: Iterable[Floats]) -> Integers:
    """Return for each pair how many swaps give an absolute difference at least as large as the observed one.

    ``totals`` are the sums of the terms over all queries, also over those that ``terms`` leaves out. A swap moves the
    difference of the terms of its queries from one run to the other, so one matrix product serves all pairs.
    """
    values = quotient(*totals)
    large = np.zeros(len(pairs), dtype=np.int64)
    for block in swaps:
        sums = terms @ block.T
        for number, (a, b) in enumerate(pairs):
            moved = sums[:, b] - sums[:, a]
            difference = quotient(*(totals[:, [a]] + moved)) - quotient(*(totals[:, [b]] - moved))
            large[number] += np.count_nonzero(np.abs(difference) >= abs(values[a] - values[b]) - _ROUNDING)
    return large


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple tests by Holm's method, which controls the family-wise error rate.

    The i-th smallest of m p-values is multiplied by m - i + 1, then raised to the largest corrected value before it,
    and limited to 1. Source: Holm, A simple sequentially rejective multiple test procedure, 1979.

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
    for rank, number in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[number]))
        corrected[number] = largest
    return corrected


def spread(measure: ColieeMeasure, counts: RunCounts, run_a: str, run_b: str) -> float:
    """Return the standard deviation of the queries' contributions to the difference of two runs.

    For a mean over queries these are the differences of the queries. For a ratio of sums (the micro measures) the
    contribution of a query to a run's value is (numerator - value x denominator) / mean denominator, the
    linearised ratio (Cochran, Sampling Techniques, 1977, chapter 6). Divided by the square root of the number of
    queries, the result is the standard error of the difference.

    Parameters
    ----------
    measure : ColieeMeasure
        The measure.
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
    return _spread(counts.terms(measure), counts.row(run_a), counts.row(run_b))


def _spread(terms: Floats, a: int, b: int) -> float:
    if terms.shape[2] < 2:
        return math.nan
    deviation = float(np.std(_contributions(terms[:, a]) - _contributions(terms[:, b]), ddof=1))
    return deviation if deviation > _ROUNDING else math.nan


def _contributions(terms: Floats) -> Floats:
    numerators, denominators = terms
    mean = denominators.mean()
    value = quotient(*terms.sum(axis=1))
    return np.asarray((numerators - value * denominators) / (mean if mean > 0 else 1.0))


def detectable_difference(measure: ColieeMeasure, counts: RunCounts, run_a: str, run_b: str) -> float:
    """Return the smallest true difference that these queries detect with a power of 80 % at 5 %, two-sided.

    It is (z(0.975) + z(0.80)) x `spread` / sqrt(queries), about 2.8 standard errors: the normal approximation of
    the power of a paired test (Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2; for
    sets of queries Sakai, Topic set size design, Information Retrieval Journal 19, 2016). It describes the set of
    queries, not the observed difference. It assumes the spread of these two runs, is slightly too small below about 20
    queries, and does not account for multiple comparisons.

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
    return _detectable(spread(measure, counts, run_a, run_b), len(counts.query_ids))


def _detectable(deviation: float, queries: int) -> float:
    normal = NormalDist()
    errors = normal.inv_cdf(1 - _TWO_SIDED_ERROR / 2) + normal.inv_cdf(_POWER)
    return errors * deviation / math.sqrt(queries) if queries else math.nan


def as_table(comparison: pd.DataFrame) -> str:
    """Format a comparison as text, with names and numbers in columns and four decimals.

    Parameters
    ----------
    comparison : pandas.DataFrame
        The result of `compare` or `compare_counts`.

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> print(as_table(pd.DataFrame([{"run_a": "bm25", "difference": 0.12345, "p": 0.00001, "exact": False}])))
    run_a difference       p exact
     bm25     0.1235 <0.0001    no
    """
    numbers: dict[str, Callable[[Any], str]] = {
        name: "{:.4f}".format for name in map(str, comparison.columns) if comparison[name].dtype.kind == "f"
    }
    small: dict[str, Callable[[Any], str]] = {name: _p_as_text for name in ("p", "p_holm") if name in numbers}
    names: dict[str, Callable[[Any], str]] = {name: printable for name in ("run_a", "run_b") if name in comparison}
    formats: dict[str, Callable[[Any], str]] = {**numbers, **small, **names, "exact": _yes_or_no}
    text: str = comparison.to_string(index=False, formatters=formats, na_rep="-")
    return text


def _yes_or_no(value: object) -> str:
    return "yes" if value else "no"


def _p_as_text(p: float) -> str:
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"
