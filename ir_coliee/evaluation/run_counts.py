"""Count true positives, returned and relevant items of each query, once for several runs.

Bootstrap intervals and randomization tests resample queries thousands of times; with these arrays, a resample only
needs sums.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ir_coliee.arrays import Floats, Integers
from ir_coliee.display import Block, displayed
from ir_coliee.display import Table as TableBlock
from ir_coliee.errors import MalformedRunError, printable
from ir_coliee.evaluation.measure_ratios import as_measure
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.measures.counts import query_counts

if TYPE_CHECKING:
    import pandas as pd

#: A frame with qid, docno and score, or with query_id, doc_id and score, or a dict from query id to document id to
#: number.
Table: TypeAlias = "pd.DataFrame | Mapping[str, Mapping[str, float]]"

_NAMES = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}  # names of PyTerrier and of ir_measures


@displayed
@dataclass(frozen=True, eq=False)
class RunCounts:
    """The counts of several runs over the same queries.

    Attributes
    ----------
    runs : tuple of str
        Names of the runs.
    query_ids : tuple of str
        The queries, sorted; also those that a run does not answer.
    tp, returned, relevant : numpy.ndarray of int64
        True positives, returned and relevant items: one row per run, one column per query.
    rel, cutoff : int, int or None
        The parameters ``rel`` and ``cutoff`` of the measure that the counts were computed for.
    """

    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    tp: Integers
    returned: Integers
    relevant: Integers
    rel: int
    cutoff: int | None

    def display(self) -> Iterator[Block]:
        """Return the counts of each run over all queries, as `ir_coliee.display` shows them."""
        sums = zip(self.runs, self.tp.sum(axis=1), self.returned.sum(axis=1), self.relevant.sum(axis=1))
        yield f"{len(self.query_ids)} queries"
        yield TableBlock(["run", "tp", "returned", "relevant"], [*sums])

    def __repr__(self) -> str:
        return f"<RunCounts of {len(self.runs)} runs over {len(self.query_ids)} queries>"

    def row(self, run: str) -> int:
        """Return the row of a run. Raises `ValueError` for an unknown run."""
        if run not in self.runs:
            raise ValueError(f"no run {printable(run)!r} in the table; it has {', '.join(map(printable, self.runs))}")
        return self.runs.index(run)

    def terms(self, measure: ColieeMeasure | str) -> Floats:
        """Return the numerators and denominators of a measure, in an array of shape (2, n_runs, n_queries).

        Raises `ValueError` for a measure with another ``rel`` or ``cutoff``.
        """
        measure = as_measure(measure)
        if (measure["rel"], measure.num_evaluated) != (self.rel, self.cutoff):
            raise ValueError(
                f"{measure} needs other counts: these were made with rel={self.rel}, cutoff={self.cutoff}.\n"
                "Call count_runs with this measure."
            )
        return np.stack(measure.terms(self.tp, self.returned, self.relevant))


def merge_run_counts(tables: Mapping[str, RunCounts]) -> RunCounts:
    """Combine the counts of single runs over the same queries; the keys are the names of the runs."""
    first = next(iter(tables.values()))
    tp, returned, relevant = (
        np.concatenate([getattr(table, name) for table in tables.values()]) for name in ("tp", "returned", "relevant")
    )
    return replace(first, runs=tuple(tables), tp=tp, returned=returned, relevant=relevant)


def count_runs(runs: Mapping[str, Table], qrels: Table, measure: ColieeMeasure | str) -> RunCounts:
    """Count the items of each query of several runs.

    All queries of the qrels are counted, answered or not, as by `ir_coliee.measures.counts.query_counts`.

    Parameters
    ----------
    runs : mapping of str to pandas.DataFrame or dict
        Runs by name: frames with qid, docno and score or with query_id, doc_id and score, or dicts from query id to
        document id to score. A run may be empty.
    qrels : pandas.DataFrame or dict
        The gold labels: a frame with qid, docno and label or with query_id, doc_id and relevance, or a dict of dicts.
    measure : ColieeMeasure or str
        The measure, or its name. It provides ``rel`` and the cut-off. Other measures with the same values can use the
        counts.

    Returns
    -------
    RunCounts

    Raises
    ------
    ValueError
        If the measure is not a set measure of this package.
    MalformedRunError
        If a column is missing.

    Examples
    --------
    >>> from ir_coliee import MicroF1
    >>> runs = {"mine": {"900001": {"900007": 1.0, "900009": 0.5}}}
    >>> table = count_runs(runs, {"900001": {"900007": 1}, "900002": {"900008": 1}}, MicroF1)
    >>> table.query_ids, table.tp.tolist(), table.returned.tolist(), table.relevant.tolist()
    (('900001', '900002'), [[1, 0]], [[2, 0]], [[1, 1]])
    """
    measure = as_measure(measure)
    rel, cutoff = measure["rel"], measure.num_evaluated
    judged = _as_frame("The frame of qrels", qrels, ["query_id", "doc_id", "relevance"])
    frames = [_as_frame(f"Run {printable(name)}", run, ["query_id", "doc_id", "score"]) for name, run in runs.items()]
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
        raise MalformedRunError(f"{what} has no column {missing[0]!r}. Expected columns: {', '.join(columns)}.")
    return frame
