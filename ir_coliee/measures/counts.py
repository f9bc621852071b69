"""Counts of true positives, returned and relevant items per query, from which the set measures are computed.

A micro-averaged measure is a ratio of pooled counts. Therefore the value of a query is a `PooledValue`, a float that
carries its counts; the ordinary mean of such values is the micro average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from ir_coliee.frames import Integers


class Counts(NamedTuple):
    """True positives, returned and relevant items of a query, or pooled over several queries."""

    tp: int
    returned: int
    relevant: int


def share(numerator: float, denominator: float) -> float:
    """Return the quotient, or 0 if the denominator is 0."""
    return numerator / denominator if denominator else 0.0


# Values of queries that are pooled when an evaluation program averages them.


class PooledValue(float):
    """A float with the numbers from which it was computed. Its addition pools them; its division changes nothing.

    Parameters
    ----------
    numbers : tuple of float
        The numbers of a query, or their sums over several queries.
    formula : callable
        Function that computes the value. Values are added only if their formulas are equal: a ratio of the counts of a
        micro measure, `share` of a mean that excludes some queries (a total and the number of queries in it).

    Examples
    --------
    >>> from ir_coliee.measures import Ratio
    >>> sum(PooledValue(Counts(tp, n, 4), Ratio("P")) for tp, n in [(1, 1), (1, 4)]) / 2  # 2 of 5, not the mean
    0.4
    >>> sum(PooledValue(numbers, share) for numbers in [(1.0, 1), (0.5, 1), (0.0, 0)]) / 3
    0.75
    """

    numbers: tuple[float, ...]
    formula: Callable[..., float]

    def __new__(cls, numbers: tuple[float, ...], formula: Callable[..., float]) -> PooledValue:
        """Compute the value from its numbers."""
        value = super().__new__(cls, formula(*numbers))
        value.numbers = numbers
        value.formula = formula
        return value

    def __add__(self, other: Any) -> PooledValue:
        if isinstance(other, PooledValue):
            if other.formula == self.formula:
                return PooledValue(tuple(map(sum, zip(self.numbers, other.numbers))), self.formula)
        elif other == 0 or other != other:  # the start of a sum, and NaN, the value of a query without qrels
            return self
        raise TypeError(f"Cannot add {other!r} to {self!r}: both must be values of the same measure.")

    __radd__ = __add__

    def __truediv__(self, _number: object) -> float:
        return float(self)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return PooledValue, (self.numbers, self.formula)


# Counts of all queries.


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
        The columns query_id, doc_id and score; a set without scores is in the order of its rows.
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
        by_position = pd.Series(-np.arange(len(run)), dtype=np.float64)
        order = _trec_eval_order(rows, run.get("score", by_position), docs, doc_ids)
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
    gold_rows = queries.get_indexer(pd.Index(positives["query_id"]))
    gold_docs = doc_ids.get_indexer(pd.Index(positives["doc_id"]))
    hits = np.isin(pairs, (gold_rows * len(doc_ids) + gold_docs)[gold_docs >= 0])
    columns = (np.bincount(of_rows, minlength=len(queries)).tolist() for of_rows in (rows[hits], rows, gold_rows))
    yield from zip(queries, map(Counts, *columns))


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
