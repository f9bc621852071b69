"""Paragraphs pool by pool, and statistics of values within each pool."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ir_coliee.engine.group_statistics import GroupStatistics, ratio_to_best
from ir_coliee.frames import Floats, Integers

_ROUNDING = 1e-9  # a smaller deviation, relative to the values, is due to rounding


class Pools(NamedTuple):
    """Pools of paragraphs, each in the order of its case.

    Attributes
    ----------
    bounds : int64 array
        The offset of the first paragraph of each pool, followed by the number of paragraphs. No pool is empty.

    Examples
    --------
    >>> pools = Pools.of_sizes([2, 1])
    >>> pools.numbers.tolist(), pools.places.tolist()
    ([0, 0, 1], [0, 1, 0])
    """

    bounds: Integers

    @classmethod
    def of_sizes(cls, sizes: list[int]) -> Pools:
        """Make pools of the given numbers of paragraphs."""
        return cls(np.append(0, np.cumsum(np.array(sizes, dtype=np.int64))))

    @property
    def sizes(self) -> Integers:
        """The number of paragraphs of each pool."""
        return np.diff(self.bounds)

    @property
    def numbers(self) -> Integers:
        """The pool of each paragraph."""
        return np.arange(len(self.sizes)).repeat(self.sizes)

    @property
    def places(self) -> Integers:
        """The place of each paragraph in its pool, from 0."""
        return np.arange(self.bounds[-1]) - self.bounds[:-1].repeat(self.sizes)

    def neighbour(self, values: Floats, step: int) -> Floats:
        """Return the value of the paragraph ``step`` places further in the pool; 0 where there is none.

        >>> Pools.of_sizes([2, 1]).neighbour(np.array([1.0, 2.0, 3.0]), 1).tolist()
        [2.0, 0.0, 0.0]
        """
        found = np.zeros(len(values))
        places = self.places + step
        inside = np.flatnonzero((places >= 0) & (places < self.sizes.repeat(self.sizes)))
        found[inside] = values[inside + step]
        return found

    def z_scores(self, values: Floats) -> Floats:
        """Return the difference of each value from the mean of its pool in standard deviations; 0 if all are equal.

        >>> Pools.of_sizes([2, 1]).z_scores(np.array([1.0, 3.0, 5.0])).tolist()
        [-1.0, 1.0, 0.0]
        """
        centred = values - self._means(values)
        deviations = np.sqrt(self._means(centred**2))
        varies = deviations > _ROUNDING * self._means(np.abs(values))
        return np.divide(centred, deviations, out=np.zeros(len(values)), where=varies)

    def _means(self, values: Floats) -> Floats:
        means: Floats = (np.bincount(self.numbers, weights=values) / self.sizes).repeat(self.sizes)
        return means

    def rank_and_z(self, values: Floats) -> Floats:
        """Return the rank (the number of higher values of the pool) and the z-score of each value (values x 2)."""
        return np.column_stack([GroupStatistics(self.numbers, values).ranks, self.z_scores(values)])

    def fivefold(self, scores: Floats) -> Floats:
        """Return score, ratio to the pool's best, rank, gap to its second best and z-score (scores x 5).

        See `ir_coliee.engine.group_statistics` for the ratio, and for the gap in a pool of one.

        >>> Pools.of_sizes([2]).fivefold(np.array([1.0, 4.0])).tolist()
        [[1.0, 0.25, 1.0, 0.0, -1.0], [4.0, 1.0, 0.0, 3.0, 1.0]]
        """
        groups = GroupStatistics(self.numbers, scores)
        ratio = ratio_to_best(scores, groups.best(1))
        return np.column_stack([scores, ratio, groups.ranks, scores - groups.best(2), self.z_scores(scores)])
