"""Combine several runs by majority vote."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ir_coliee.datasets.resolution import Dataset, as_split
from ir_coliee.errors import ColieeError, MalformedRunError, printable, printable_list
from ir_coliee.evaluation.runs.reading import as_frame, read_run
from ir_coliee.evaluation.task_evaluation import task_evaluation

if TYPE_CHECKING:
    import pandas as pd


def vote(dataset: Dataset, runs: Sequence[Path]) -> pd.DataFrame:
    """Answer each question with the majority of several run files; ties are answered with no.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split whose questions have one of two labels as their answer.
    runs : sequence of Path
        Two or more run files that answer the same questions.

    Returns
    -------
    pandas.DataFrame
        Results in the form of `ir_coliee.transformers.majority_vote`.

    Raises
    ------
    ColieeError
        For a split of another task, for fewer than two files, and for a file that is passed twice.
    MalformedFileError
        If a file cannot be read.
    MalformedRunError
        If a file answers a question twice, or if the files do not answer the same questions.
    """
    from ir_coliee.transformers.answers.votes import (  # imports PyTerrier, which reading does not need
        ANSWER_OF_DOCUMENT,
        majority_vote,
    )

    split = as_split(dataset)
    if not task_evaluation(split).single_answer:
        raise ColieeError(
            f"{split.id} has no single answer per question. Votes are for tasks 4 and 5 and the pilot's prediction."
        )
    if len(runs) < 2:
        raise ColieeError(f"A vote needs at least two run files, got {len(runs)}. An odd number leaves no ties.")
    files = [path.resolve() for path in runs]
    if repeated := [str(path) for path, file in zip(runs, files) if files.count(file) > 1]:
        raise ColieeError(f"{repeated[0]} was passed twice. Pass each run once.")
    frames = [as_frame(read_run(split, path)) for path in runs]
    for path, run in zip(runs, frames):
        _check_answers(path, run, ANSWER_OF_DOCUMENT)
    questions = set().union(*(run["qid"] for run in frames))
    for path, run in zip(runs, frames):
        if missing := sorted(questions.difference(run["qid"])):
            raise MalformedRunError(
                f"{path}: no answer to {printable_list(missing)}, which another run answers. "
                "Pass runs that answer the same questions."
            )
    return majority_vote(frames)


def _check_answers(path: Path, run: pd.DataFrame, labels: Collection[str]) -> None:
    if (unknown := ~run["docno"].isin(labels).to_numpy()).any():
        qid, docno = run[["qid", "docno"]].iloc[unknown.argmax()]
        raise MalformedRunError(
            f"{path}: query {printable(qid)}: {printable(docno)!r} is not a valid answer. Expected: Y or N."
        )
    if (twice := run["qid"].duplicated()).any():
        name = printable(run["qid"][twice].iloc[0])
        raise MalformedRunError(f"{path}: query {name} has two answers. Keep one answer per question.")
