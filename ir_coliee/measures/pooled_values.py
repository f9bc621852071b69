"""Values of queries that pool when an evaluation program averages them.

Evaluation programs average the values of the queries: they add them up and divide by their number;
`pt.Experiment` does so itself, whatever aggregator a measure has. So the value of a query is, where the
ordinary mean would be wrong, a `Pooled` float that carries what it is made of. Adding two takes their
parts together, and dividing the sum by any number gives the value of all parts together. numpy and pandas
see plain numbers and give the mean of those.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from ir_measures.measures.base import Agg


class Pooled(float):
    """A float that carries what it is made of. A subclass says of what, and how two are taken together."""

    @property
    def kind(self) -> Hashable:
        """Only values of one class and kind can be added."""
        raise NotImplementedError

    def pooled_with(self, other: Any) -> Pooled:
        """The value of the parts of both; ``other`` is of the same class and kind."""
        raise NotImplementedError

    def __add__(self, other: object) -> Pooled:
        if isinstance(other, Pooled):
            if type(other) is type(self) and other.kind == self.kind:
                return self.pooled_with(other)
        # the 0 that a sum starts with, and NaN, the value of a query without qrels
        elif isinstance(other, (int, float)) and (other == 0 or math.isnan(other)):
            return self
        raise TypeError(f"cannot add {other!r} to {self!r}: it carries no counts of the same measure")

    __radd__ = __add__

    def __truediv__(self, _number: object) -> float:
        return float(self)


class MeanValue(Pooled):
    """A query's value of a mean that leaves queries out: the sum of the values, and of how many queries.

    A query that is left out has the value 0 over 0 queries.

    >>> values = [MeanValue(1.0, 1, "M"), MeanValue(0.5, 1, "M"), MeanValue(0.0, 0, "M")]
    >>> sum(values) / 3
    0.75
    """

    total: float
    queries: int
    measure: str

    def __new__(cls, total: float, queries: int, measure: str) -> MeanValue:
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
        """The mean over the queries of both."""
        return MeanValue(self.total + other.total, self.queries + other.queries, self.measure)

    def __reduce__(self) -> tuple[type, tuple[float, int, str]]:
        return MeanValue, (self.total, self.queries, self.measure)


class TotalValue(Pooled):
    """A query's share of a total: the "mean" of such values is their sum, as PyTerrier has it for NumRet.

    >>> sum([TotalValue(3, "Returned"), TotalValue(2, "Returned")]) / 2
    5.0
    """

    measure: str

    def __new__(cls, number: float, measure: str) -> TotalValue:
        value = super().__new__(cls, number)
        value.measure = measure
        return value

    @property
    def kind(self) -> Hashable:
        """The measure."""
        return self.measure

    def pooled_with(self, other: TotalValue) -> TotalValue:
        """The sum."""
        return TotalValue(float(self) + float(other), self.measure)

    def __reduce__(self) -> tuple[type, tuple[float, str]]:
        return TotalValue, (float(self), self.measure)


class PooledAggregator(Agg):
    """ir_measures' aggregator of values that pool; 0 where there is no query."""

    def __init__(self) -> None:
        self._total: float = 0.0

    def add(self, value: float) -> None:
        """Take in the value of one query."""
        self._total = self._total + value

    def result(self) -> float:
        """The value of all parts together."""
        return float(self._total)
