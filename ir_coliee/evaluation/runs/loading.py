"""Load a run of any form: a file, a frame or a dict."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import printable_list
from ir_coliee.evaluation.runs.answers import Answers, encoded
from ir_coliee.evaluation.runs.in_memory import Run, check_run_frame, frame_of
from ir_coliee.evaluation.runs.reading import RunFile, open_run, read_answers
from ir_coliee.evaluation.runs.run_ids import RunIds
from ir_coliee.evaluation.runs.written_answers import parse_number
from ir_coliee.evaluation.task_evaluation import task_evaluation


class LoadedRun(NamedTuple):
    """A run as a frame, with properties that only the file has.

    Attributes
    ----------
    frame : pandas.DataFrame
        The columns qid, docno, score and, if the run has it, rank; the ids of a file are those of the split.
    path : Path or None
        The file the run was read from.
    has_scores : bool
        Whether the run has scores; if not, the scores in the frame only reproduce the order.
    tag : str
        The tag of the first line of the file; empty if it has none.
    conflicting_queries : list of str
        Query ids whose ranks in the file contradict their scores.
    num_file_names : int
        The number of ids that the file writes as names of text files, with ``.txt``.
    num_respelled : int
        The number of answers yes and no that the file does not spell as the official form does.
    num_unranked : int
        The number of different ranks that the file does not write as numbers.
    """

    frame: pd.DataFrame
    path: Path | None = None
    has_scores: bool = True
    tag: str = ""
    conflicting_queries: list[str] = []
    num_file_names: int = 0
    num_respelled: int = 0
    num_unranked: int = 0

    @property
    def notes(self) -> list[str]:
        """Notes on ranks that contradict the scores, on ids that are names of files, and on unofficial spellings."""
        notes = []
        if queries := self.conflicting_queries:
            named = printable_list(queries)
            notes.append(f"ranks contradict scores in {len(queries)} queries ({named}); the scores are used")
        if self.num_file_names:
            notes.append(f"ids that end in .txt, read without it: {self.num_file_names} (submit writes them right)")
        if self.num_respelled:
            notes.append(
                f"answers yes and no in an unofficial spelling: {self.num_respelled} (submit writes them right)"
            )
        if self.num_unranked:
            notes.append(f"ranks that are not numbers: {self.num_unranked}; the scores are used, and then the order")
        return notes


def load_run(dataset: Dataset, run: Run) -> LoadedRun:
    """Load a run of a split: read a file, convert a dict, select the columns of a frame.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
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
    MalformedRunError
        If the frame is malformed; see `ir_coliee.evaluation.runs.in_memory.check_run_frame`.

    Examples
    --------
    >>> load_run("coliee/task4/sample/en/test", {"R99-01-A": {"Y": 1.0}}).frame.values.tolist()
    [['R99-01-A', 'Y', 1.0]]
    """
    split = as_split(dataset)
    if isinstance(run, (str, Path)):
        return load_run_file(split, open_run(Path(run)))
    frame = frame_of(run)
    check_run_frame(frame)
    columns = [column for column in ("qid", "docno", "score", "rank") if column in frame.columns]
    frame = frame[columns].astype({"qid": object, "docno": object})  # categories of two runs cannot be compared
    if task_evaluation(split).single_answer:
        frame = frame.assign(docno=[*map(RunIds(split).label, frame["docno"])])
    return LoadedRun(frame)


def load_run_file(split: Split, file: RunFile) -> LoadedRun:
    """Load a run file that has been opened."""
    answers = read_answers(split, file)
    written = {name for column in ("written_query", "written_item") for name in answers.column(column)[1]}
    num_file_names = sum(name.endswith(".txt") for name in written)
    num_respelled = 0
    if task_evaluation(split).single_answer:
        table = answers.table.astype({"docno": object, "written_item": object})
        num_respelled = int(((table["tag"] != "") & (table["docno"] != table["written_item"])).sum())
    return LoadedRun(
        answers.as_frame(),
        file.path,
        answers.has_scores,
        answers.tag,
        answers.queries_with_conflicting_ranks(),
        num_file_names,
        num_respelled,
        sum(rank != "" and parse_number(rank) is None for rank in answers.column("rank")[1]),
    )


def answers_of(split: Split, run: Run) -> Answers:
    """Return the answers of a run of any form, with the errors of a file."""
    if isinstance(run, (str, Path)):
        return open_run(Path(run)).answers(split)
    frame = load_run(split, run).frame
    ids = {"query_id": encoded(frame["qid"]), "docno": encoded(frame["docno"])}
    ranks = encoded([*map(str, frame.get("rank", [""] * len(frame)))])
    table = pd.DataFrame(
        {
            "line": np.arange(1, len(frame) + 1),
            **ids,
            "score": frame["score"].to_numpy(np.float64),
            "tag": encoded([""] * len(frame)),
            "rank": ranks,
            "written_query": ids["query_id"],
            "written_item": ids["docno"],
            "has_score": True,
        }
    )
    return Answers(table, [])
