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
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.frames import Floats

ScoreMatrix = npt.NDArray[np.float64]
Sizes = npt.NDArray[np.int64]
Condition = Callable[..., Sizes]

_THRESHOLDS = np.arange(2, 60) / 100
_NEGLIGIBLE = 39.2  # exp(-39.2) is 1e-17; less probable numbers are below the rounding error
_EQUAL = 1e-12  # expected values that differ by less are treated as equal, because of rounding


class Rule(NamedTuple):
    """A rule for the number of items that a query keeps: those that meet a condition, within bounds.

    Attributes
    ----------
    condition : callable
        A function of a score matrix, the lengths of its rows and ``arguments``. It returns how many of the first items
        of each row meet the condition, and must not depend on columns after the first ``max_items + 1``, because only
        those are passed.
    arguments : tuple
        The other arguments of the condition. Equal conditions with equal arguments are evaluated once.
    min_items : int
        The smallest number of items that are kept, if the query has as many.
    max_items : int or None
        The largest number of items that are kept. None for no limit.
    """

    condition: Condition
    arguments: tuple[Any, ...] = ()
    min_items: int = 0
    max_items: int | None = None


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
    >>> rules = [Rule(at_least_threshold, (1.5,)), Rule(all_items, max_items=1)]
    >>> answer_sizes(rules, np.array([[3.0, 2.0, 1.0]]), np.array([3])).tolist()
    [[2], [1]]
    """
    depth = scores.shape[1]
    max_items = [depth if rule.max_items is None else min(rule.max_items, depth) for rule in rules]
    numbers: dict[tuple[Condition, tuple[Any, ...]], int] = {}
    number_of = [numbers.setdefault((rule.condition, rule.arguments), len(numbers)) for rule in rules]
    widths = [0] * len(numbers)
    for number, width in zip(number_of, max_items):
        widths[number] = max(width, widths[number])
    meeting = np.empty((len(numbers), len(lengths)), dtype=np.int64)
    for (condition, arguments), number in numbers.items():
        meeting[number] = condition(scores[:, : widths[number] + 1], lengths, *arguments)
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


# Conditions: the number of first items of each row that meet them.


def all_items(scores: ScoreMatrix, lengths: Sizes) -> Sizes:
    """Every item."""
    return lengths


def at_least_threshold(scores: ScoreMatrix, lengths: Sizes, threshold: float) -> Sizes:
    """Items that score at least ``threshold``."""
    return _count_meeting(scores >= threshold)


def at_least_ratio(scores: ScoreMatrix, lengths: Sizes, ratio: float, threshold: float) -> Sizes:
    """Items that score at least ``threshold`` and ``ratio`` times the best score of their query.

    If the best score is not positive, the bound is the best score divided by ``ratio``.
    """
    best = scores[:, :1]
    with np.errstate(over="ignore"):  # a tiny ratio, by which no score is too low
        bound = np.where(best > 0, best * ratio, best / ratio)
    return _count_meeting(scores >= np.maximum(bound, threshold))


def within_margin(scores: ScoreMatrix, lengths: Sizes, margin: float) -> Sizes:
    """Items that score less than ``margin`` below the best score of their query."""
    with np.errstate(invalid="ignore"):  # inf - inf
        return _count_meeting(scores[:, :1] - scores < margin)


def before_largest_gap(scores: ScoreMatrix, lengths: Sizes, min_items: int, max_items: int | None) -> Sizes:
    """Items that precede the largest gap between neighbouring scores.

    Only gaps after at least ``min_items`` and at most ``max_items`` items count (None: no limit). If several gaps are
    the largest, the first is used.
    """
    upper = scores[:, min_items - 1 : max_items]
    lower = scores[:, min_items : None if max_items is None else max_items + 1]
    if not lower.shape[1]:
        return lengths
    upper = upper[:, : lower.shape[1]]
    with np.errstate(invalid="ignore"):  # inf - inf, which is no gap
        gaps = np.where(upper == lower, 0.0, upper - lower)
    sizes = np.arange(lower.shape[1]) + min_items
    gaps[sizes >= lengths[:, None]] = -1.0  # the lower neighbour is padding
    return np.asarray(gaps.argmax(axis=1) + min_items, dtype=np.int64)


def highest_expected_f(
    scores: ScoreMatrix, lengths: Sizes, beta: float, max_items: int, depth: int | None = None
) -> Sizes:
    """As many items as have the highest expected F of the query, up to ``max_items``; the fewest if several.

    All but the first ``depth`` items count as not relevant.
    """
    expected = expected_f(scores[:, :depth].clip(0.0, 1.0), max_items, beta)
    best = expected.max(axis=1, keepdims=True)
    return np.asarray((expected >= best - _EQUAL).argmax(axis=1), dtype=np.int64)


def highest_expected_micro_f(
    scores: ScoreMatrix, lengths: Sizes, beta: float, max_items: int, depth: int | None = None
) -> Sizes:
    """Those of the first ``max_items`` items that reach the score of an item with the best expected micro F.

    All queries have the same threshold: the one with the highest ratio of expected counts. All but the first ``depth``
    items of each query count as not relevant.
    """
    probabilities = scores[:, :depth].clip(0.0, 1.0)
    candidates = probabilities[:, :max_items]
    descending = -np.sort(-candidates.ravel())
    descending = descending[descending > 0]
    if not len(descending):
        return np.zeros(len(scores), dtype=np.int64)
    f = descending.cumsum() / (np.arange(1, len(descending) + 1) + beta**2 * probabilities.sum())
    return _count_meeting(candidates >= descending[f.argmax()])


def above_best_threshold(scores: ScoreMatrix, lengths: Sizes, recall: float, max_items: int) -> Sizes:
    """Those of the first ``max_items`` items that reach the best of the thresholds .02, .03, … .59.

    The threshold t with the highest expected micro F1 of all queries: 2 s / (n + S / recall), where n items score at
    least t, s is the sum of their scores, and S the sum of all scores.
    """
    probabilities = scores.clip(0.0, 1.0)
    descending = -np.sort(-probabilities.ravel())
    cumulated = np.append(0.0, descending.cumsum())
    returned = np.searchsorted(-descending, -_THRESHOLDS, side="right")
    f1 = 2 * cumulated[returned] / np.maximum(returned + cumulated[-1] / recall, np.finfo(np.float64).tiny)
    return _count_meeting(probabilities[:, :max_items] >= _THRESHOLDS[f1.argmax()])


def size_from_dispersion(
    scores: ScoreMatrix, lengths: Sizes, intercept: float, slope: float, depth: int, max_items: int
) -> Sizes:
    """``intercept + slope * dispersion`` items, rounded, of the first ``depth`` scores; at most ``max_items``."""
    sizes = np.rint(intercept + slope * dispersion(scores, depth))
    return sizes.clip(0, min(max_items, scores.shape[1])).astype(np.int64)


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


# Expected F of a ranking at each cut-off, for independent relevance probabilities.


def expected_f(probabilities: Floats, max_size: int, beta: float = 1.0) -> Floats:
    """Expected F of the first 0, 1, 2, …, ``max_size`` items of each query.

    Parameters
    ----------
    probabilities : float64 array, queries x items
        Probabilities of relevance, descending, padded with 0. Items are relevant independently of each other, and no
        other item is relevant.
    max_size : int
        Largest number of items.
    beta : float
        Weight of recall: F = (1 + beta²) tp / (number of items + beta² relevant).

    Returns
    -------
    float64 array, queries x (max_size + 1)
        Expected F of each number of items. F is 0 where nothing is returned or relevant.

    Notes
    -----
    Of all sets of a size the first items have the highest expected F. The result is exact: the distributions of the
    number of relevant items, among the returned and the others, are computed by adding one item at a time. Numbers that
    are exceeded with a probability below 1e-17 (Bernstein's inequality) are ignored.

    References
    ----------
    M. Jansche. A maximum expected utility framework for binary sequence labeling. ACL 2007.
    N. Ye, K. M. A. Chai, W. S. Lee and H. L. Chieu. Optimizing F-measures: a tale of two approaches. ICML 2012.

    Examples
    --------
    >>> expected_f(np.array([[1.0, 0.5]]), 2).round(4).tolist()
    [[0.0, 0.8333, 0.8333]]
    """
    queries, items = probabilities.shape
    max_size = min(max_size, items)
    width = _highest_number(probabilities) + 1
    # distribution of the number of relevant items among the returned, for each size
    relevant_of_size = [np.ones((queries, 1))]
    for place in range(max_size):
        relevant_of_size.append(_with_one_more(relevant_of_size[-1], probabilities[:, place], width))
    others = np.ones((queries, 1))  # the same for the items that are not returned
    for place in range(max_size, items):
        others = _with_one_more(others, probabilities[:, place], width)

    expected = np.zeros((queries, max_size + 1))
    for size in range(max_size, 0, -1):
        tp = np.arange(relevant_of_size[size].shape[1])[:, None]
        f = (1 + beta**2) * tp / (size + beta**2 * (tp + np.arange(others.shape[1])))
        expected[:, size] = ((relevant_of_size[size] @ f) * others).sum(axis=1)
        others = _with_one_more(others, probabilities[:, size - 1], width)
    return expected


def _with_one_more(numbers: Floats, probability: Floats, width: int) -> Floats:
    """Distribution of the number of relevant items after one more item; numbers from ``width`` are dropped."""
    share = probability[:, None]
    more = np.zeros((len(numbers), min(numbers.shape[1] + 1, width)))
    more[:, : numbers.shape[1]] = numbers * (1 - share)
    more[:, 1:] += (numbers * share)[:, : more.shape[1] - 1]
    return more


def _highest_number(probabilities: Floats) -> int:
    """Largest number of relevant items that has to be considered in any query."""
    mean = probabilities.sum(axis=1).max(initial=0.0)
    above = _NEGLIGIBLE / 3 + np.sqrt(_NEGLIGIBLE**2 / 9 + 2 * _NEGLIGIBLE * mean)
    return int(min(np.ceil(mean + above), probabilities.shape[1]))
