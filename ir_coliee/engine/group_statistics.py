"""Statistics of scores within groups, such as the candidates of a query or the queries of a candidate."""

from __future__ import annotations

import numpy as np

from ir_coliee.frames import Floats, Integers


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
