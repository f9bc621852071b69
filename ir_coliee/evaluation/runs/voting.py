"""Runs of one's own, combined: the answer that most of them give."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, MalformedRunError, printable, printable_list
from ir_coliee.evaluation.runs.reading import as_frame, read_run
from ir_coliee.evaluation.task_evaluation import task_evaluation

if TYPE_CHECKING:
    import pandas as pd


def vote(split: Split, paths: Sequence[Path]) -> pd.DataFrame:
    """What most run files of a split answer to each question, as `ir_coliee.transformers.majority_vote` gives it.

    For the tasks whose answer is one of two labels; equal votes are a no. Raises `ColieeError` for a split of another
    task, for fewer than two files and for one that is given twice, `MalformedFileError` for what cannot be read,
    `MalformedRunError` for a question that a file answers twice, and for files that do not answer the same ones.
    """
    from ir_coliee.transformers.answers.votes import (  # brings PyTerrier, which reading does without
        ANSWER_OF_DOCUMENT,
        majority_vote,
    )

    if not task_evaluation(split).single_answer:
        wanted = "Votes are for tasks 4 and 5 and the pilot's prediction"
        raise ColieeError(f"{split.id}: its questions have no single answer, Y or N. {wanted}.")
    if len(paths) < 2:
        raise ColieeError(f"{len(paths)} run file is nothing to vote on. Give two or more; three leave no ties.")
    files = [path.resolve() for path in paths]
    if repeated := [str(path) for path, file in zip(paths, files) if files.count(file) > 1]:
        raise ColieeError(f"{repeated[0]} is given twice. Give each run once.")
    runs = [as_frame(read_run(split, path)) for path in paths]
    for path, run in zip(paths, runs):
        _refuse_bad_answers(path, run, ANSWER_OF_DOCUMENT)
    asked = set().union(*(run["qid"] for run in runs))
    for path, run in zip(paths, runs):
        if missing := sorted(asked.difference(run["qid"])):
            raise MalformedRunError(
                f"{path}: no answer to {printable_list(missing)}, which another of the runs answers. "
                "Vote over runs of the same questions."
            )
    return majority_vote(runs)


def _refuse_bad_answers(path: Path, run: pd.DataFrame, labels: Collection[str]) -> None:
    if (unknown := ~run["docno"].isin(labels).to_numpy()).any():
        qid, docno = run[["qid", "docno"]].iloc[unknown.argmax()]
        raise MalformedRunError(f"{path}: query {printable(qid)}: {printable(docno)!r} is no answer. Expected: Y or N.")
    if (twice := run["qid"].duplicated()).any():
        name = printable(run["qid"][twice].iloc[0])
        raise MalformedRunError(f"{path}: query {name} is answered twice. Keep one answer for each question.")
