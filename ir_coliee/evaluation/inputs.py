"""Arguments that users pass to the functions of this package: a dataset and a run in any of their forms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ir_coliee.editions import Split, split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.runs.reading import (
    RunFile,
    RunLine,
    as_frame,
    open_run,
    queries_with_conflicting_ranks,
    read_answers,
)

if TYPE_CHECKING:
    import pandas as pd

#: A dataset id, an ir_datasets dataset, a PyTerrier dataset, or a split.
Dataset: TypeAlias = Any
#: A path, a frame with qid, docno and score, or a dict from query id to document id to score.
Run: TypeAlias = "pd.DataFrame | Mapping[str, Mapping[str, float]] | Path | str"


def as_split(dataset: Dataset) -> Split:
    """Return the split that a dataset stands for.

    Parameters
    ----------
    dataset : str or Split or ir_datasets.Dataset or pyterrier.datasets.Dataset
        An id such as ``coliee/task1/2025/test`` (``irds:`` or ``coliee:`` in front as in PyTerrier), or a dataset
        that was loaded with ir_datasets or PyTerrier.

    Returns
    -------
    Split

    Raises
    ------
    UnknownIdError
        For an id that this package does not have.
    ColieeError
        For the id of a collection without queries, and for anything that is not a dataset.

    Examples
    --------
    >>> import ir_datasets
    >>> as_split(ir_datasets.load("coliee/task3/sample/en/test")).id
    'coliee/task3/sample/en/test'
    >>> as_split("coliee:task3/sample/en/test").id
    'coliee/task3/sample/en/test'
    """
    if isinstance(dataset, Split):
        return dataset
    if isinstance(dataset, str):
        if dataset.startswith("coliee:"):
            dataset = f"coliee/{dataset.removeprefix('coliee:')}"
        return split(dataset.removeprefix("irds:"))
    if callable(load := getattr(dataset, "irds_ref", None)):  # PyTerrier's wrapper of an ir_datasets dataset
        dataset = load()
    if callable(dataset_id := getattr(dataset, "dataset_id", None)):
        return split(str(dataset_id()))
    raise ColieeError(
        f"A dataset of the type {type(dataset).__name__} is not supported. Pass an id such as "
        "'coliee/task1/sample/test', or a dataset loaded with ir_datasets or PyTerrier."
    )


class LoadedRun(NamedTuple):
    """A run as a frame, with what only its file tells.

    Attributes
    ----------
    frame : pandas.DataFrame
        The columns qid, docno and score; the ids of a file are those of the split.
    path : Path or None
        The file the run was read from.
    has_scores : bool
        Whether the run has scores; if not, the scores in the frame only reproduce the order.
    conflicting_queries : list of str
        Query ids whose ranks in the file contradict their scores.
    """

    frame: pd.DataFrame
    path: Path | None = None
    has_scores: bool = True
    conflicting_queries: list[str] = []


def load_run(dataset_split: Split, run: Run) -> LoadedRun:
    """Load a run of a split: read a file, convert a dict, take a frame as it is.

    Parameters
    ----------
    dataset_split : Split
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        A run file in any form that `ir_coliee.evaluation.runs.reading.parse_run` reads, a frame with the columns
        qid, docno and score (or ir_measures' names query_id and doc_id), or a dict from query id to document id to
        score.

    Returns
    -------
    LoadedRun

    Raises
    ------
    MalformedFileError
        If the file cannot be read.
    """
    if isinstance(run, (str, Path)):
        return loaded_file(dataset_split, open_run(Path(run)))
    return LoadedRun(frame_of(run))


def loaded_file(dataset_split: Split, file: RunFile) -> LoadedRun:
    """Load a run file that has been opened."""
    lines: list[RunLine] = read_answers(dataset_split, file)
    has_scores = not dataset_split.submission.columns or all(line.has_score for line in lines)
    return LoadedRun(as_frame(lines), file.path, has_scores, queries_with_conflicting_ranks(lines))


def frame_of(run: pd.DataFrame | Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Return a run in memory as a frame with PyTerrier's column names; a frame that has them is returned unchanged."""
    import pandas as pd

    if isinstance(run, Mapping):
        rows = [(query_id, doc_id, score) for query_id, scores in run.items() for doc_id, score in scores.items()]
        return pd.DataFrame(rows, columns=["qid", "docno", "score"])
    if isinstance(run, pd.DataFrame) and "qid" not in run.columns:
        return run.rename(columns={"query_id": "qid", "doc_id": "docno"})
    return run


def run_name(run: Run) -> str:
    """Return what a message calls a run: its path, or "the run" for one in memory."""
    return str(run) if isinstance(run, (str, Path)) else "the run"
