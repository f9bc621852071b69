"""The counts behind every set measure: for each query true positives, returned and relevant items.

A micro-averaged measure is a ratio of pooled counts, but evaluation programs average the values of
the queries; `pt.Experiment` adds them up itself and divides by their number. So the value of a query
is a `PooledValue`: a float that carries its counts. Adding two pools the counts, and dividing the sum
by any number gives the measure of the pooled counts. The ordinary mean of such values is the micro
average, wherever Python adds them up; numpy and pandas see plain numbers and give the mean of those.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ir_measures.measures.base import Agg

from ir_coliee.errors import ColieeWarning

if TYPE_CHECKING:
    import pandas as pd


class Counts(NamedTuple):
    """True positives, returned and relevant items, of one query or pooled over several."""

    tp: int
    returned: int
    relevant: int

    def pooled_with(self, other: Counts) -> Counts:
        """The counts of both together."""
        return Counts(self.tp + other.tp, self.returned + other.returned, self.relevant + other.relevant)

    def precision(self) -> float:
        """tp / returned; 0 where nothing is returned."""
        return self.tp / self.returned if self.returned else 0.0

    def recall(self) -> float:
        """tp / relevant; 0 where nothing is relevant."""
        return self.tp / self.relevant if self.relevant else 0.0

    def f(self, beta: float) -> float:
        """(1 + beta²) tp / (beta² relevant + returned); 0 where nothing is relevant or returned."""
        weight = beta * beta
        total = weight * self.relevant + self.returned
        return (1 + weight) * self.tp / total if total else 0.0


class Ratio(NamedTuple):
    """Which ratio of the counts a measure takes: ``P``, ``R`` or ``F`` with its beta."""

    name: str
    beta: float = 1.0

    def of(self, counts: Counts) -> float:
        """The ratio's value, in [0, 1]."""
        if self.name == "P":
            return counts.precision()
        if self.name == "R":
            return counts.recall()
        return counts.f(self.beta)


class PooledValue(float):
    """A query's value of a micro measure: a float that pools its counts when it is added.

    >>> first, second = (PooledValue(Counts(tp, n, 4), Ratio("P")) for tp, n in [(1, 1), (1, 4)])
    >>> sum([first, second]) / 2  # 2 of 5 returned items, not the mean of 1.0 and 0.25
    0.4
    """

    counts: Counts
    ratio: Ratio

    def __new__(cls, counts: Counts, ratio: Ratio) -> PooledValue:
        value = super().__new__(cls, ratio.of(counts))
        value.counts = counts
        value.ratio = ratio
        return value

    def __add__(self, other: object) -> PooledValue:
        if isinstance(other, PooledValue) and other.ratio == self.ratio:
            return PooledValue(self.counts.pooled_with(other.counts), self.ratio)
        # the 0 that a sum starts with, and NaN, the value of a query without qrels
        number = isinstance(other, (int, float)) and not isinstance(other, PooledValue)
        if number and (other == 0 or math.isnan(other)):  # type: ignore[arg-type]
            return self
        raise TypeError(f"cannot add {other!r} to a micro-averaged value: it carries no counts of the same measure")

    __radd__ = __add__

    def __truediv__(self, _number: object) -> float:
        return float(self)

    def __reduce__(self) -> tuple[type, tuple[Counts, Ratio]]:
        return PooledValue, (self.counts, self.ratio)


class PooledAggregator(Agg):
    """ir_measures' aggregator of a micro measure; 0 where there is no query."""

    def __init__(self) -> None:
        self._total: float = 0.0

    def add(self, value: float) -> None:
        """Take in the value of one query."""
        self._total = self._total + value

    def result(self) -> float:
        """The value of the pooled counts."""
        return float(self._total)


def _warn_of_other_types(qrels: pd.DataFrame, run: pd.DataFrame) -> None:
    """A number as an id equals no zero-padded string: the figures would be 0 without a word."""
    for column in ("query_id", "doc_id"):
        if len(run) and len(qrels):
            wanted, given = qrels[column].iloc[0], run[column].iloc[0]
            if isinstance(wanted, str) != isinstance(given, str):
                message = f"the {column}s of the run are like {given!r}, those of the qrels like {wanted!r}: no match"
                warnings.warn(message, ColieeWarning, stacklevel=4)


def query_counts(
    qrels: pd.DataFrame, run: pd.DataFrame, *, rel: int = 1, cutoff: int | None = None
) -> Iterator[tuple[str, Counts]]:
    """The counts of every query of the qrels, answered or not.

    ``qrels`` has the columns query_id, doc_id, relevance; ``run`` query_id, doc_id, score. Items of
    relevance ``rel`` and more are relevant. An item that is returned twice counts once, queries of the
    run that the qrels do not know are passed over. With ``cutoff`` only the first items count, in
    trec_eval's order: float32 score descending, then doc_id descending.
    """
    relevant = qrels.loc[qrels["relevance"] >= rel, ["query_id", "doc_id"]].drop_duplicates()
    returned = run.loc[run["query_id"].isin(qrels["query_id"].unique())]
    _warn_of_other_types(qrels, run)
    if cutoff is not None:
        ordered = returned.assign(score=returned["score"].astype("float32")).sort_values(
            ["score", "doc_id"], ascending=False, kind="stable"
        )
        returned = (
            ordered.drop_duplicates(["query_id", "doc_id"]).groupby("query_id", sort=False, observed=True).head(cutoff)
        )
    returned = returned[["query_id", "doc_id"]].drop_duplicates()
    # pandas refuses to merge columns of different types, be they empty
    hits = returned.astype(object).merge(relevant.astype(object), on=["query_id", "doc_id"])
    tp, n, g = (frame.groupby("query_id", observed=True).size().to_dict() for frame in (hits, returned, relevant))
    for query_id in sorted(qrels["query_id"].unique()):
        yield query_id, Counts(tp.get(query_id, 0), n.get(query_id, 0), g.get(query_id, 0))
