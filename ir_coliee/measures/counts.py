"""Counts of true positives, returned and relevant items per query, from which the set measures are computed.

A micro-averaged measure is a ratio of pooled counts. Therefore the value of a query is a `PooledValue`, a float that
carries its counts; the ordinary mean of such values is the micro average (`ir_coliee.measures.counts`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_measures.measures.base import Agg

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from ir_coliee.frames import Integers


# Values of queries that are pooled when an evaluation program averages them.


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


# Counts of true positives, returned and relevant items per query, from which the set measures are computed.


class Counts(NamedTuple):
    """True positives, returned and relevant items of a query, or pooled over several queries."""

    tp: int
    returned: int
    relevant: int

    def pooled_with(self, other: Counts) -> Counts:
        """Return the sum of both counts."""
        return Counts(self.tp + other.tp, self.returned + other.returned, self.relevant + other.relevant)


class Ratio(NamedTuple):
    """A ratio of counts.

    Attributes
    ----------
    name : str
        ``P``, ``R`` or ``F``.
    beta : float
        The beta of F.
    """

    name: str
    beta: float = 1.0

    def terms(self, tp: Any, returned: Any, relevant: Any) -> tuple[Any, Any]:
        """Return the numerator and the denominator for numbers or arrays of counts."""
        if self.name == "P":
            return tp, returned
        if self.name == "R":
            return tp, relevant
        weight = self.beta * self.beta
        return (1 + weight) * tp, weight * relevant + returned

    def of(self, counts: Counts) -> float:
        """Return the value of the ratio, in [0, 1]; 0 if the denominator is 0."""
        numerator, denominator = self.terms(*counts)
        return float(numerator / denominator) if denominator else 0.0


class PooledValue(Pooled):
    """The value of a micro measure for one query: a float whose addition pools the counts.

    Examples
    --------
    >>> first, second = (PooledValue(Counts(tp, n, 4), Ratio("P")) for tp, n in [(1, 1), (1, 4)])
    >>> sum([first, second]) / 2  # 2 of 5 returned items, not the mean of 1.0 and 0.25
    0.4
    """

    counts: Counts
    ratio: Ratio

    def __new__(cls, counts: Counts, ratio: Ratio) -> PooledValue:
        """Create the value from its counts."""
        value = super().__new__(cls, ratio.of(counts))
        value.counts = counts
        value.ratio = ratio
        return value

    @property
    def kind(self) -> Ratio:
        """The ratio, including beta. Only values of the same ratio can be added."""
        return self.ratio

    def pooled_with(self, other: PooledValue) -> PooledValue:
        """Return the ratio of the pooled counts."""
        return PooledValue(self.counts.pooled_with(other.counts), self.ratio)

    def __reduce__(self) -> tuple[type, tuple[Counts, Ratio]]:
        return PooledValue, (self.counts, self.ratio)


def query_counts(
    qrels: pd.DataFrame, run: pd.DataFrame, *, rel: int = 1, cutoff: int | None = None
) -> Iterator[tuple[str, Counts]]:
    """Count the items of every query of the qrels, answered or not.

    Repeated items count once. Queries of the run without qrels are ignored.

    Parameters
    ----------
    qrels : pandas.DataFrame
        The columns query_id, doc_id and relevance.
    run : pandas.DataFrame
        The columns query_id, doc_id and score.
    rel : int, default 1
        The lowest relevance that counts as relevant.
    cutoff : int, optional
        The number of items per query that are evaluated, in the order of trec_eval: float32 score descending, then
        doc_id descending. By default all items.

    Yields
    ------
    query_id : str
        The query id; ids are in ascending order.
    counts : Counts
        Its counts.
    """
    import numpy as np
    import pandas as pd

    from ir_coliee.frames import first_occurrences, number_grouped_ids, number_ids, warn_if_nothing_matches

    warn_if_nothing_matches(run, qrels, ("query_id", "doc_id"), stacklevel=3)
    queries = pd.Index(sorted(qrels["query_id"].unique()), dtype=object)
    numbers, answered = number_grouped_ids(run["query_id"])
    docs, doc_ids = number_ids(run["doc_id"])
    rows = queries.get_indexer(answered)[numbers]
    if cutoff is not None:
        order = _trec_eval_order(rows, run["score"], docs, doc_ids)
        rows, docs = rows[order], docs[order]
    pairs = rows * len(doc_ids) + docs  # negative for queries without qrels
    counted = pairs >= 0
    counted[counted] = first_occurrences(pairs[counted], len(queries) * len(doc_ids))
    rows, pairs = rows[counted], pairs[counted]
    if cutoff is not None:
        starts = np.searchsorted(rows, np.arange(len(queries)))
        within_cutoff = np.arange(len(rows)) - starts[rows] < cutoff
        rows, pairs = rows[within_cutoff], pairs[within_cutoff]

    positives = qrels.loc[qrels["relevance"] >= rel, ["query_id", "doc_id"]].drop_duplicates()
    gold_rows, gold_docs = (
        queries.get_indexer(pd.Index(positives["query_id"])),
        doc_ids.get_indexer(pd.Index(positives["doc_id"])),
    )
    hits = np.isin(pairs, (gold_rows * len(doc_ids) + gold_docs)[gold_docs >= 0])
    columns = (np.bincount(of_rows, minlength=len(queries)).tolist() for of_rows in (rows[hits], rows, gold_rows))
    yield from zip(queries, itertools.starmap(Counts, zip(*columns)))


def _trec_eval_order(
    rows: Integers, scores: pd.Series[float], docs: Integers, doc_ids: pd.Index[Any]
) -> npt.NDArray[np.int64]:
    """Return the order of the rows by query, then as in trec_eval: by score and then id, both descending."""
    import numpy as np
    import pandas as pd

    id_ranks = -pd.factorize(doc_ids, sort=True)[0]  # ascending ranks are descending ids
    with np.errstate(over="ignore"):  # larger scores become infinite in 32 bits
        descending = -scores.to_numpy(np.float32, na_value=np.nan)
    order = np.lexsort((descending, rows))
    equals_next = (np.diff(rows[order]) == 0) & ~(descending[order][:-1] < descending[order][1:])
    tied = np.flatnonzero(np.append(equals_next, False) | np.append(False, equals_next))
    tied_rows = order[tied]  # only these are sorted by id, because sorting by id is slow
    order[tied] = tied_rows[np.lexsort((id_ranks[docs[tied_rows]], descending[tied_rows], rows[tied_rows]))]
    return order
