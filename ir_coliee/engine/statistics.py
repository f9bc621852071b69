"""Expected F-measure of a ranking at each cut-off, for independent relevance probabilities."""

from __future__ import annotations

import numpy as np

from ir_coliee.frames import Floats, Integers

_NEGLIGIBLE = 39.2  # exp(-39.2) is 1e-17; less probable numbers are below the rounding error


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


# Statistics of scores within groups, such as the candidates of a query or the queries of a candidate.


class GroupStatistics:
    """Ranks, best scores and means of scores within groups.

    All results have one entry per score, in the order of ``scores``.

    Parameters
    ----------
    groups : int64 array
        Group number of each score; all numbers from 0 to the largest occur.
    scores : float64 array
        The scores.

    Attributes
    ----------
    sizes : int64 array
        Number of scores of each group.

    Examples
    --------
    >>> statistics = GroupStatistics(np.array([0, 0, 0, 1]), np.array([2.0, 8.0, 2.0, 5.0]))
    >>> statistics.ranks.tolist(), statistics.best(1).tolist(), statistics.best(2).tolist()
    ([1, 0, 1, 0], [8.0, 8.0, 8.0, 5.0], [2.0, 2.0, 2.0, 5.0])
    """

    def __init__(self, groups: Integers, scores: Floats) -> None:
        narrow = groups.astype(np.min_scalar_type(int(groups.max(initial=0))))  # numpy uses radix sort for 16 bits
        by_score = np.argsort(-scores)
        self._order = by_score[np.argsort(narrow[by_score], kind="stable")]
        self._groups = groups
        self._falling = scores[self._order]
        self.sizes = np.bincount(groups)
        self._starts = np.cumsum(self.sizes) - self.sizes

    @property
    def ranks(self) -> Integers:
        """Number of higher scores in the group."""
        starts = self._starts.repeat(self.sizes)
        places = np.arange(len(starts))
        falls = np.append(True, self._falling[1:] < self._falling[:-1])[: len(starts)]
        ranks = np.empty_like(places)
        ranks[self._order] = np.maximum.accumulate(np.where(falls | (places == starts), places, 0)) - starts
        return ranks

    def best(self, k: int) -> Floats:
        """``k``-th best score of the group, from 1; the lowest score of a smaller group."""
        found: Floats = self._falling[self._starts + np.minimum(k, self.sizes) - 1][self._groups]
        return found

    @property
    def means(self) -> Floats:
        """Mean score of the group."""
        sums = np.add.reduceat(self._falling, self._starts) if len(self._starts) else self._falling
        return np.asarray((sums / self.sizes)[self._groups], dtype=np.float64)


def ratio_to_best(scores: Floats, best: Floats) -> Floats:
    """Ratio of each score to the best score, at most 1: score / best, or best / score if the best is negative.

    The ratio is 0 if the best score is 0.

    Parameters
    ----------
    scores : float64 array
        The scores.
    best : float64 array
        Best score of the group of each score.

    Returns
    -------
    float64 array

    Examples
    --------
    >>> ratio_to_best(np.array([2.0, -4.0, 0.0]), np.array([8.0, -2.0, 0.0])).tolist()
    [0.25, 0.5, 0.0]
    """
    above, below = np.where(best < 0, best, scores), np.where(best < 0, scores, best)
    return np.divide(above, below, out=np.zeros_like(scores), where=best != 0)


def fill_missing_scores(scores: Floats, groups: Integers) -> Floats:
    """Replace missing scores (NaN) by the lowest score of their group, or by 0 if the whole group is missing.

    Parameters
    ----------
    scores : float64 array
        The scores.
    groups : int64 array
        Group number of each score.

    Returns
    -------
    float64 array
        ``scores`` itself if none is missing.

    Examples
    --------
    >>> fill_missing_scores(np.array([2.0, np.nan, 3.0, np.nan]), np.array([0, 0, 0, 1])).tolist()
    [2.0, 2.0, 3.0, 0.0]
    """
    missing = np.isnan(scores)
    if not missing.any():
        return scores
    lowest = np.full(groups.max() + 1, np.inf)
    np.minimum.at(lowest, groups[~missing], scores[~missing])
    lowest[lowest == np.inf] = 0
    return np.where(missing, lowest[groups], scores)
