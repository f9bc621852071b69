"""Load a run of any form: a file, a frame or a dict."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import MalformedFileError, printable_list
from ir_coliee.evaluation.runs.in_memory import Run, check_run_frame, frame_of
from ir_coliee.evaluation.runs.reading import (
    RunFile,
    RunLine,
    as_frame,
    open_run,
    parse_run,
    queries_with_conflicting_ranks,
    read_answers,
)
from ir_coliee.evaluation.runs.run_ids import RunIds
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
    """

    frame: pd.DataFrame
    path: Path | None = None
    has_scores: bool = True
    tag: str = ""
    conflicting_queries: list[str] = []
    num_file_names: int = 0
    num_respelled: int = 0

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
    lines = read_answers(split, file)
    has_scores = all(line.has_score for line in lines)
    tag = lines[0].tag if lines else ""
    file_names = {written for line in lines for written in line.written if written.endswith(".txt")}
    conflicting = queries_with_conflicting_ranks(lines)
    respelled = [line for line in lines if line.tag and line.docno != line.written[1]]
    num_respelled = len(respelled) if task_evaluation(split).single_answer else 0
    return LoadedRun(as_frame(lines), file.path, has_scores, tag, conflicting, len(file_names), num_respelled)


def entries_of(split: Split, run: Run) -> list[RunLine | MalformedFileError]:
    """Return the answers of a run of any form as lines, and for each line of a file that cannot be read the error."""
    if isinstance(run, (str, Path)):
        return list(parse_run(split, open_run(Path(run))))
    frame = load_run(split, run).frame
    ranks = map(str, frame.get("rank", [""] * len(frame)))
    columns = zip(frame["qid"], frame["docno"], frame["score"], ranks)
    return [
        RunLine(number, query_id, docno, float(score), "", rank, (query_id, docno))
        for number, (query_id, docno, score, rank) in enumerate(columns, start=1)
    ]
