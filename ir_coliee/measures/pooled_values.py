"""Values of queries that are pooled when an evaluation program averages them.

Evaluation programs add the values of the queries and divide by their number; `pt.Experiment` does so even if the
measure has its own aggregator. Where the ordinary mean would be wrong, the value of a query is therefore a `Pooled`
float, which carries its components. Adding two of them pools the components, and dividing the sum by any number gives
the value of the pooled components. numpy and pandas treat them as plain numbers and compute the ordinary mean.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from ir_measures.measures.base import Agg


class Pooled(float):
    """A float that carries its components. Subclasses define the components and how two values are pooled."""

    @property
    def kind(self) -> Hashable:
        """The kind of value; only values of the same class and kind can be added."""
        raise NotImplementedError

    def pooled_with(self, other: Any) -> Pooled:
        """Return the value of the pooled components; ``other`` is of the same class and kind."""
        raise NotImplementedError

    def __add__(self, other: object) -> Pooled:
        if isinstance(other, Pooled):
            if type(other) is type(self) and other.kind == self.kind:
                return self.pooled_with(other)
        # the 0 at the start of a sum, and NaN, the value of a query without qrels
        elif isinstance(other, (int, float)) and (other == 0 or math.isnan(other)):
            return self
        raise TypeError(f"Cannot add {other!r} to {self!r}: both must be values of the same measure.")

    __radd__ = __add__

    def __truediv__(self, _number: object) -> float:
        return float(self)


class MeanValue(Pooled):
    """A value of a mean that excludes some queries: a total and the number of queries in it.

    An excluded query has the total 0 and the number 0.

    Examples
    --------
    >>> values = [MeanValue(1.0, 1, "M"), MeanValue(0.5, 1, "M"), MeanValue(0.0, 0, "M")]
    >>> sum(values) / 3
    0.75
    """

    total: float
    queries: int
    measure: str

    def __new__(cls, total: float, queries: int, measure: str) -> MeanValue:
        """Create the value from its components."""
        value = super().__new__(cls, total / queries if queries else 0.0)
        value.total = total
        value.queries = queries
        value.measure = measure
        return value

    @property
    def kind(self) -> Hashable:
        """The measure."""
        return self.measure

    def pooled_with(self, other: MeanValue) -> MeanValue:
        """Return the mean over the queries of both."""
        return MeanValue(self.total + other.total, self.queries + other.queries, self.measure)

    def __reduce__(self) -> tuple[type, tuple[float, int, str]]:
        return MeanValue, (self.total, self.queries, self.measure)


class TotalValue(Pooled):
    """A query's contribution to a total: the "mean" of such values is their sum, as for NumRet in PyTerrier.

    Examples
    --------
    >>> sum([TotalValue(3, "Returned"), TotalValue(2, "Returned")]) / 2
    5.0
    """

    measure: str

    def __new__(cls, number: float, measure: str) -> TotalValue:
        """Create the value from its components."""
        value = super().__new__(cls, number)
        value.measure = measure
        return value

    @property
    def kind(self) -> Hashable:
        """The measure."""
        return self.measure

    def pooled_with(self, other: TotalValue) -> TotalValue:
        """Return the sum."""
        return TotalValue(float(self) + float(other), self.measure)

    def __reduce__(self) -> tuple[type, tuple[float, str]]:
        return TotalValue, (float(self), self.measure)


class PooledAggregator(Agg):
    """Aggregator of pooled values for ir_measures; its result is 0 without queries."""

    def __init__(self) -> None:
        self._total: float = 0.0

    def add(self, value: float) -> None:
        """Add the value of a query."""
        self._total = self._total + value

    def result(self) -> float:
        """Return the pooled value."""
        return float(self._total)
