"""How a score stands among those of its group: a query's candidates, or the queries that have a candidate."""

from __future__ import annotations

import numpy as np

from ir_coliee.arrays import Floats, Integers


class GroupStatistics:
    """Scores in groups, sorted once. Every answer has an entry for each score, in the order given.

    >>> standing = GroupStatistics(np.array([0, 0, 0, 1]), np.array([2.0, 8.0, 2.0, 5.0]))
    >>> standing.ranks.tolist(), standing.best(1).tolist(), standing.best(2).tolist()
    ([1, 0, 1, 0], [8.0, 8.0, 8.0, 5.0], [2.0, 2.0, 2.0, 5.0])
    """

    def __init__(self, groups: Integers, scores: Floats) -> None:
        """``groups``: the number of each score's group; every number from 0 to the highest is there."""
        narrow = groups.astype(np.min_scalar_type(int(groups.max(initial=0))))  # 16 bits are sorted by their digits
        by_score = np.argsort(-scores)
        self._order = by_score[np.argsort(narrow[by_score], kind="stable")]
        self._groups = groups
        self._falling = scores[self._order]
        self.sizes = np.bincount(groups)
        self._starts = np.cumsum(self.sizes) - self.sizes

    @property
    def ranks(self) -> Integers:
        """How many scores of the group are higher."""
        starts = self._starts.repeat(self.sizes)
        places = np.arange(len(starts))
        falls = np.append(True, self._falling[1:] < self._falling[:-1])[: len(starts)]
        ranks = np.empty_like(places)
        ranks[self._order] = np.maximum.accumulate(np.where(falls | (places == starts), places, 0)) - starts
        return ranks

    def best(self, k: int) -> Floats:
        """The k-th best of the group, counted from 1; of a smaller group the lowest."""
        found: Floats = self._falling[self._starts + np.minimum(k, self.sizes) - 1][self._groups]
        return found

    @property
    def means(self) -> Floats:
        """The mean of the group."""
        sums = np.add.reduceat(self._falling, self._starts) if len(self._starts) else self._falling
        return np.asarray((sums / self.sizes)[self._groups], dtype=np.float64)


def ratio_to_best(scores: Floats, best: Floats) -> Floats:
    """Each score as a share of the best, which is 1: score / best, best / score where the best is negative.

    0 where the best is 0, as where nothing is shared.

    >>> ratio_to_best(np.array([2.0, -4.0, 0.0]), np.array([8.0, -2.0, 0.0])).tolist()
    [0.25, 0.5, 0.0]
    """
    above, below = np.where(best < 0, best, scores), np.where(best < 0, scores, best)
    return np.divide(above, below, out=np.zeros_like(scores), where=best != 0)


def fill_missing_scores(scores: Floats, groups: Integers) -> Floats:
    """The scores with the lowest of the group for a missing one (NaN); 0 where all of a group are missing.

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
