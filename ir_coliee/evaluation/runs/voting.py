"""Combine several runs by majority vote."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, MalformedRunError, printable, printable_list
from ir_coliee.evaluation.runs.in_memory import Runs, named_runs
from ir_coliee.evaluation.runs.loading import load_run
from ir_coliee.evaluation.task_evaluation import task_evaluation

if TYPE_CHECKING:
    import pandas as pd


def vote(dataset: Dataset, runs: Runs) -> pd.DataFrame:
    """Answer each question with the majority of several runs; ties are answered with no.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split whose questions have one of two labels as their answer.
    runs : sequence of path, pandas.DataFrame or dict
        Two or more runs that answer the same questions, or a dict from name to run.

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
            f"{split.id} has no single answer per question.\nVotes are for tasks 4 and 5 and the pilot's prediction."
        )
    named = named_runs(runs)
    if len(named) < 2:
        raise ColieeError(f"A vote needs at least two runs, got {len(named)}. An odd number leaves no ties.")
    frames = {name: load_run(split, run).frame[["qid", "docno", "score"]] for name, run in named.items()}
    for name, run in frames.items():
        _check_answers(name, run, ANSWER_OF_DOCUMENT)
    questions = set().union(*(run["qid"] for run in frames.values()))
    for name, run in frames.items():
        if missing := sorted(questions.difference(run["qid"])):
            raise MalformedRunError(
                f"{name}: no answer to {printable_list(missing)}, which another run answers.\n"
                "Pass runs that answer the same questions."
            )
    return majority_vote(list(frames.values()))


def _check_answers(name: str, run: pd.DataFrame, labels: Collection[str]) -> None:
    if (unknown := ~run["docno"].isin(labels).to_numpy()).any():
        qid, docno = run[["qid", "docno"]].iloc[unknown.argmax()]
        raise MalformedRunError(
            f"{name}: query {printable(qid)}: {printable(docno)!r} is not a valid answer.\nExpected: Y or N."
        )
    if (twice := run["qid"].duplicated()).any():
        question = printable(run["qid"][twice].iloc[0])
        raise MalformedRunError(f"{name}: query {question} has two answers. Keep one answer per question.")
