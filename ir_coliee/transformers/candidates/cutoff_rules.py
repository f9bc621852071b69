"""Cut-off rules as functions of score matrices, without data frames.

A `Rule` determines how many of the first items of a query are kept: those that meet a condition, within bounds. The
cut-off transformers (`ir_coliee.transformers.candidates.cutoffs`) and the search for the best cut-off
(`ir_coliee.evaluation.cutoffs`) apply the same rules, so that both give the same answer sets. `answer_sizes`
evaluates each distinct condition once, which makes a search over thousands of rules fast.

All functions take a score matrix and the number of real scores in each of its rows. A row of the matrix has the scores
of a query in descending order, padded with -inf. `score_matrix` creates both from a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.engine.statistics import expected_f

ScoreMatrix = npt.NDArray[np.float64]
Sizes = npt.NDArray[np.int64]
Condition = Callable[[ScoreMatrix, Sizes], Sizes]

_EQUAL = 1e-12  # expected values that differ by less are treated as equal, because of rounding


class Rule(NamedTuple):
    """A rule for the number of items that a query keeps: those that meet a condition, within bounds.

    Attributes
    ----------
    condition : callable
        Takes a score matrix and the lengths of its rows and returns how many of the first items of each row meet the
        condition. It must be hashable, so that equal conditions are evaluated once, and its result must not depend on
        columns after the first ``max_items + 1``, because only those are passed.
    min_items : int
        The smallest number of items that are kept, if the query has as many.
    max_items : int or None
        The largest number of items that are kept. None for no limit.
    """

    condition: Condition
    min_items: int
    max_items: int | None


def answer_sizes(rules: Sequence[Rule], scores: ScoreMatrix, lengths: Sizes) -> Sizes:
    """Apply many rules to a score matrix at once.

    Parameters
    ----------
    rules : sequence of Rule
        The rules to apply.
    scores : numpy.ndarray of shape (n_queries, depth)
        The scores of each query in descending order, padded with -inf.
    lengths : numpy.ndarray of shape (n_queries,)
        The number of real scores in each row.

    Returns
    -------
    numpy.ndarray of shape (n_rules, n_queries)
        The number of items that each query keeps by each rule.

    Examples
    --------
    >>> rules = [Rule(AtLeastThreshold(1.5), 0, None), Rule(AllItems(), 0, 1)]
    >>> answer_sizes(rules, np.array([[3.0, 2.0, 1.0]]), np.array([3])).tolist()
    [[2], [1]]
    """
    depth = scores.shape[1]
    max_items = [depth if rule.max_items is None else min(rule.max_items, depth) for rule in rules]
    numbers: dict[Condition, int] = {}
    number_of = [numbers.setdefault(rule.condition, len(numbers)) for rule in rules]
    widths = [0] * len(numbers)
    for number, width in zip(number_of, max_items):
        widths[number] = max(width, widths[number])
    meeting = np.empty((len(numbers), len(lengths)), dtype=np.int64)
    for condition, number in numbers.items():
        meeting[number] = condition(scores[:, : widths[number] + 1], lengths)
    min_items = np.array([min(rule.min_items, depth) for rule in rules], dtype=np.int64)
    sizes: Sizes = np.maximum(meeting[np.array(number_of, dtype=np.int64)], min_items[:, None])
    np.minimum(sizes, np.array(max_items, dtype=np.int64)[:, None], out=sizes)
    np.minimum(sizes, lengths, out=sizes)  # in place: this matrix is the largest one of a search
    return sizes


def score_matrix(ordered: pd.DataFrame) -> tuple[ScoreMatrix, Sizes]:
    """Arrange the scores of results as a matrix.

    Parameters
    ----------
    ordered : pandas.DataFrame
        Results as `ir_coliee.frames.sort_results` returns them, with the columns qid, score and rank.

    Returns
    -------
    scores : numpy.ndarray of shape (n_queries, depth)
        A row for each query, in order of appearance, padded with -inf. A missing score is -inf as well.
    lengths : numpy.ndarray of shape (n_queries,)
        The number of results of each query.
    """
    queries = pd.factorize(ordered["qid"])[0]
    lengths = np.bincount(queries).astype(np.int64)
    matrix = np.full((len(lengths), lengths.max(initial=0)), -np.inf)
    scores = ordered["score"].to_numpy(dtype=np.float64)
    matrix[queries, ordered["rank"].to_numpy()] = np.where(np.isnan(scores), -np.inf, scores)
    return matrix, lengths


@dataclass(frozen=True)
class AllItems:
    """Condition that every item meets."""

    def __call__(self, scores: ScoreMatrix, lengths: Sizes) -> Sizes:
        """Return the number of first items of each row that meet the condition."""
        return lengths


@dataclass(frozen=True)
class AtLeastThreshold:
    """Condition that an item scores at least ``threshold``."""

    threshold: float

    def __call__(self, scores: ScoreMatrix, lengths: Sizes) -> Sizes:
        """Return the number of first items of each row that meet the condition."""
        return _count_meeting(scores >= self.threshold)


@dataclass(frozen=True)
class AtLeastRatio:
    """Condition that an item scores at least ``threshold`` and ``ratio`` times the best score of its query.

    If the best score is not positive, the bound is the best score divided by ``ratio``.
    """

    ratio: float
    threshold: float = -np.inf

    def __call__(self, scores: ScoreMatrix, lengths: Sizes) -> Sizes:
        """Return the number of first items of each row that meet the condition."""
        best = scores[:, :1]
        with np.errstate(over="ignore"):  # a tiny ratio, by which no score is too low
            bound = np.where(best > 0, best * self.ratio, best / self.ratio)
        return _count_meeting(scores >= np.maximum(bound, self.threshold))


@dataclass(frozen=True)
class WithinMargin:
    """Condition that an item scores less than ``margin`` below the best score of its query."""

    margin: float

    def __call__(self, scores: ScoreMatrix, lengths: Sizes) -> Sizes:
        """Return the number of first items of each row that meet the condition."""
        with np.errstate(invalid="ignore"):  # inf - inf
            return _count_meeting(scores[:, :1] - scores < self.margin)


@dataclass(frozen=True)
class BeforeLargestGap:
    """Condition that an item precedes the largest gap between neighbouring scores.

    Only gaps after at least ``min_items`` and at most ``max_items`` items count (None: no limit). If several gaps are
    the largest, the first is used.
    """

    min_items: int
    max_items: int | None

    def __call__(self, scores: ScoreMatrix, lengths: Sizes) -> Sizes:
        """Return the number of first items of each row that meet the condition."""
        depth = scores.shape[1]
        if self.min_items > depth:
            return lengths
        max_items = depth if self.max_items is None else min(self.max_items, depth)
        upper, lower = scores[:, self.min_items - 1 : max_items], scores[:, self.min_items : max_items + 1]
        if not lower.shape[1]:
            return lengths
        upper = upper[:, : lower.shape[1]]
        with np.errstate(invalid="ignore"):  # inf - inf, which is no gap
            gaps = np.where(upper == lower, 0.0, upper - lower)
        sizes = np.arange(lower.shape[1]) + self.min_items
        gaps[sizes >= lengths[:, None]] = -1.0  # the lower neighbour is padding
        return np.asarray(gaps.argmax(axis=1) + self.min_items, dtype=np.int64)


@dataclass(frozen=True)
class HighestExpectedF:
    """The size, up to ``max_items``, with the highest expected F of the query; the smallest such size if several.

    All but the first ``depth`` items count as not relevant.
    """

    beta: float
    max_items: int
    depth: int | None = None

    def __call__(self, scores: ScoreMatrix, lengths: Sizes) -> Sizes:
        """Return the number of first items of each row that meet the condition."""
        expected = expected_f(scores[:, : self.depth].clip(0.0, 1.0), self.max_items, self.beta)
        best = expected.max(axis=1, keepdims=True)
        return np.asarray((expected >= best - _EQUAL).argmax(axis=1), dtype=np.int64)


@dataclass(frozen=True)
class HighestExpectedMicroF:
    """Condition that one of the first ``max_items`` items reaches the threshold with the best expected micro F.

    All queries have the same threshold: the one with the highest ratio of expected counts. All but the first ``depth``
    items of each query count as not relevant.
    """

    beta: float
    max_items: int
    depth: int | None = None

    def __call__(self, scores: ScoreMatrix, lengths: Sizes) -> Sizes:
        """Return the number of first items of each row that meet the condition."""
        probabilities = scores[:, : self.depth].clip(0.0, 1.0)
        candidates = probabilities[:, : self.max_items]
        descending = -np.sort(-candidates.ravel())
        descending = descending[descending > 0]
        if not len(descending):
            return np.zeros(len(scores), dtype=np.int64)
        returned = np.arange(1, len(descending) + 1)
        f = descending.cumsum() / (returned + self.beta**2 * probabilities.sum())
        return _count_meeting(candidates >= descending[f.argmax()])


@dataclass(frozen=True)
class SizeFromDispersion:
    """The size ``intercept + slope * dispersion``, rounded, from the first ``depth`` scores, up to ``max_items``."""

    intercept: float
    slope: float
    depth: int
    max_items: int

    def __call__(self, scores: ScoreMatrix, lengths: Sizes) -> Sizes:
        """Return the number of first items of each row that meet the condition."""
        sizes = np.rint(self.intercept + self.slope * dispersion(scores, self.depth))
        return np.asarray(sizes.clip(0, min(self.max_items, scores.shape[1])), dtype=np.int64)


def dispersion(scores: ScoreMatrix, depth: int) -> npt.NDArray[np.float64]:
    """Coefficient of variation of each query's first scores.

    The standard deviation divided by the absolute value of the mean.

    Parameters
    ----------
    scores : numpy.ndarray of shape (n_queries, n_items)
        The scores of each query in descending order, padded with -inf. Scores that are not finite are left out.
    depth : int
        The number of scores of each query that are used.

    Returns
    -------
    numpy.ndarray of shape (n_queries,)
        Values >= 0. The value is 0 for a query without finite scores or with a mean of 0.

    Examples
    --------
    >>> dispersion(np.array([[4.0, 0.0, -np.inf], [2.0, 2.0, 2.0]]), 10).tolist()
    [1.0, 0.0]
    """
    first = scores[:, :depth]
    finite = np.isfinite(first)
    number = finite.sum(axis=1, keepdims=True).clip(1)
    values = np.where(finite, first, 0.0)
    values = values / np.abs(values).max(axis=1, keepdims=True, initial=np.finfo(np.float64).tiny)  # no overflow
    mean = values.sum(axis=1, keepdims=True) / number
    deviation = np.sqrt((np.where(finite, values - mean, 0.0) ** 2).sum(axis=1, keepdims=True) / number)
    ratio: npt.NDArray[np.float64] = np.divide(
        deviation, np.abs(mean), out=np.zeros_like(mean), where=np.abs(mean) > _EQUAL
    )
    return ratio[:, 0]


def _count_meeting(meeting: npt.NDArray[np.bool_]) -> Sizes:
    """Return how many items of each row meet a condition; as scores descend, these are the first ones."""
    return np.asarray(meeting.sum(axis=1), dtype=np.int64)
