"""The counts behind every set measure: for each query true positives, returned and relevant items.

A micro-averaged measure is a ratio of pooled counts, so the value of a query is a `PooledValue`: a float
that carries its counts. The ordinary mean of such values is the micro average (`ir_coliee.measures.pooled_values`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_coliee.measures.pooled_values import Pooled

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from ir_coliee.arrays import Integers


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


class PooledValue(Pooled):
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

    @property
    def kind(self) -> Ratio:
        """Values of other ratios are refused, of another beta too."""
        return self.ratio

    def pooled_with(self, other: PooledValue) -> PooledValue:
        """The ratio of the counts of both together."""
        return PooledValue(self.counts.pooled_with(other.counts), self.ratio)

    def __reduce__(self) -> tuple[type, tuple[Counts, Ratio]]:
        return PooledValue, (self.counts, self.ratio)


def query_counts(
    qrels: pd.DataFrame, run: pd.DataFrame, *, rel: int = 1, cutoff: int | None = None
) -> Iterator[tuple[str, Counts]]:
    """The counts of every query of the qrels, answered or not.

    ``qrels`` has the columns query_id, doc_id, relevance; ``run`` query_id, doc_id, score. Items of
    relevance ``rel`` and more are relevant. An item that is returned twice counts once, queries of the
    run that the qrels do not know are passed over. With ``cutoff`` only the first items count, in
    trec_eval's order: float32 score descending, then doc_id descending.
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
        order = _best_first(rows, run["score"], docs, doc_ids)
        rows, docs = rows[order], docs[order]
    pairs = rows * len(doc_ids) + docs  # below 0 where the qrels do not know the query
    counted = pairs >= 0
    counted[counted] = first_occurrences(pairs[counted], len(queries) * len(doc_ids))
    rows, pairs = rows[counted], pairs[counted]
    if cutoff is not None:
        begins = np.searchsorted(rows, np.arange(len(queries)))
        shallow = np.arange(len(rows)) - begins[rows] < cutoff
        rows, pairs = rows[shallow], pairs[shallow]

    positives = qrels.loc[qrels["relevance"] >= rel, ["query_id", "doc_id"]].drop_duplicates()
    gold_rows, gold_docs = queries.get_indexer(positives["query_id"]), doc_ids.get_indexer(positives["doc_id"])
    hits = np.isin(pairs, (gold_rows * len(doc_ids) + gold_docs)[gold_docs >= 0])
    columns = (np.bincount(of, minlength=len(queries)).tolist() for of in (rows[hits], rows, gold_rows))
    yield from zip(queries, itertools.starmap(Counts, zip(*columns)))


def _best_first(
    rows: Integers, scores: pd.Series[float], docs: Integers, doc_ids: pd.Index[Any]
) -> npt.NDArray[np.int64]:
    """The order by row, then trec_eval's within it."""
    import numpy as np
    import pandas as pd

    last_first = -pd.factorize(doc_ids, sort=True)[0]
    with np.errstate(over="ignore"):  # beyond 32 bits all scores are infinite
        falling = -scores.to_numpy(np.float32, na_value=np.nan)
    order = np.lexsort((falling, rows))
    near = (np.diff(rows[order]) == 0) & ~(falling[order][:-1] < falling[order][1:])
    tied = np.flatnonzero(np.append(near, False) | np.append(False, near))  # few, and ids are slow to sort
    among = order[tied]
    order[tied] = among[np.lexsort((last_first[docs[among]], falling[among], rows[among]))]
    return order
