"""Runs as counts: for each run and query true positives, returned and relevant items, encoded once.

Intervals and tests draw queries again and again; on this table a draw is a sum.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ir_coliee.arrays import Floats, Integers
from ir_coliee.errors import MalformedRunError, printable
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.measures.counts import query_counts

if TYPE_CHECKING:
    import pandas as pd

#: A frame with qid, docno and score, or with ir_measures' names of them; or query id to document id to number.
Table: TypeAlias = "pd.DataFrame | Mapping[str, Mapping[str, float]]"

_NAMES = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}  # PyTerrier's, ir_measures'


@dataclass(frozen=True, eq=False)
class RunCounts:
    """The counts of several runs over the same queries.

    ``tp``, ``returned`` and ``relevant`` have a row for each of ``runs`` and a column for each of
    ``query_ids``, which are sorted. A query that a run does not answer has its column too. ``rel`` and
    ``cutoff`` are those of the measure that the counts were taken for.
    """

    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    tp: Integers
    returned: Integers
    relevant: Integers
    rel: int
    cutoff: int | None

    def row(self, run: str) -> int:
        """The row of a run. Raises `ValueError` for an unknown one."""
        if run not in self.runs:
            raise ValueError(f"no run {printable(run)!r} in the table; it has {', '.join(map(printable, self.runs))}")
        return self.runs.index(run)

    def terms(self, measure: ColieeMeasure) -> Floats:
        """The measure's numerators and denominators, of the shape 2 x runs x queries.

        Raises `ValueError` for a measure that counts with another ``rel`` or ``cutoff``.
        """
        if (measure["rel"], measure.first) != (self.rel, self.cutoff):
            raise ValueError(
                f"{measure} needs other counts: these were taken with rel={self.rel}, cutoff={self.cutoff}. "
                "Make a table for this measure."
            )
        return np.stack(measure.terms(self.tp, self.returned, self.relevant))


def merge_run_counts(tables: Mapping[str, RunCounts]) -> RunCounts:
    """Tables of one run each, over the same queries, as one whose runs have these names."""
    first = next(iter(tables.values()))
    tp, returned, relevant = (
        np.concatenate([getattr(table, name) for table in tables.values()]) for name in ("tp", "returned", "relevant")
    )
    return replace(first, runs=tuple(tables), tp=tp, returned=returned, relevant=relevant)


def count_runs(runs: Mapping[str, Table], qrels: Table, measure: ColieeMeasure) -> RunCounts:
    """The counts of runs, by name, as ``measure`` takes them; other measures of its ``rel`` and cut-off can share them.

    Runs are frames with qid, docno and score, qrels with qid, docno and label; ir_measures' names (query_id,
    doc_id, score, relevance) and its dicts of dicts do as well. All queries of the qrels count, answered or
    not; a run may be empty. What else counts is said at `ir_coliee.measures.counts.query_counts`. Raises
    `ValueError` for a measure that is none of ours, and `MalformedRunError` where a column is missing.

    >>> from ir_coliee import MicroF1
    >>> runs = {"mine": {"900001": {"900007": 1.0, "900009": 0.5}}}
    >>> table = count_runs(runs, {"900001": {"900007": 1}, "900002": {"900008": 1}}, MicroF1)
    >>> table.query_ids, table.tp.tolist(), table.returned.tolist(), table.relevant.tolist()
    (('900001', '900002'), [[1, 0]], [[2, 0]], [[1, 1]])
    """
    if not isinstance(measure, ColieeMeasure):
        raise ValueError(f"{measure} is no measure of counts: one of ir_coliee is needed, MicroF1 say")
    rel, cutoff = measure["rel"], measure.first
    judged = _as_frame("the qrels", qrels, ["query_id", "doc_id", "relevance"])
    frames = [_as_frame(f"run {printable(name)}", run, ["query_id", "doc_id", "score"]) for name, run in runs.items()]
    ids = sorted(judged["query_id"].unique())
    counts = [[counts for _, counts in query_counts(judged, run, rel=rel, cutoff=cutoff)] for run in frames]
    array = np.array(counts, dtype=np.int64).reshape(len(frames), len(ids), 3)
    tp, returned, relevant = np.moveaxis(array, 2, 0)
    return RunCounts(tuple(runs), tuple(ids), tp, returned, relevant, rel, cutoff)


def _as_frame(what: str, table: Table, columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    if isinstance(table, Mapping):
        query_ids = np.array([*table], dtype=object).repeat([len(docs) for docs in table.values()])
        doc_ids = itertools.chain.from_iterable(table.values())
        numbers = itertools.chain.from_iterable(docs.values() for docs in table.values())
        ids = (pd.Series(list(of_rows), dtype=object) for of_rows in (query_ids, doc_ids))
        return pd.DataFrame(dict(zip(columns, (*ids, pd.Series(list(numbers))))))
    frame = table.rename(columns=_NAMES)
    if missing := [column for column in columns if column not in frame.columns]:
        raise MalformedRunError(f"{what}: no column {missing[0]!r}. Needed are {', '.join(columns)}.")
    return frame
