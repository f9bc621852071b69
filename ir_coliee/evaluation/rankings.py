"""Load a ranked run and check it, for everything that chooses or applies a cut-off or combines runs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.editions import TASK_NAMES
from ir_coliee.errors import ColieeError, MalformedRunError
from ir_coliee.evaluation.runs.in_memory import Run, run_name
from ir_coliee.evaluation.runs.loading import load_run
from ir_coliee.evaluation.runs.own_cases import without_own_cases
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.frames import sort_results
from ir_coliee.transformers.candidates.cutoffs import Cutoff, TopK


class Ranking(NamedTuple):
    """A ranked run that has been checked.

    Attributes
    ----------
    scorer : Scorer
        The split that the run answers, with its checks and its gold labels.
    name : str
        The name of the run in messages.
    frame : pandas.DataFrame
        The columns qid, docno, score and rank, sorted, without unknown queries, repeated items and, in task 1, the
        query itself. The ids are categories, which are fast to encode.
    has_scores : bool
        Whether the run has scores; if not, the scores in the frame only reproduce the order.
    tag : str
        The tag of the first line of a file; empty if it has none.
    notes : list of str
        Notes on answers that are ignored, dropped or counted as wrong.
    """

    scorer: Scorer
    name: str
    frame: pd.DataFrame
    has_scores: bool
    tag: str
    notes: list[str]

    def cut(self, cutoff: Cutoff) -> pd.DataFrame:
        """Return the answer set that a cut-off selects. Raises `ColieeError` if it needs scores and there are none."""
        if not self.has_scores and not isinstance(cutoff, TopK):
            raise ColieeError(f"{self.name} has no scores, which {cutoff!r} needs.\nUse --top (TopK).")
        answers: pd.DataFrame = cutoff(self.frame)
        return answers


def load_ranking(scorer: Scorer, run: Run, name: str = "") -> Ranking:
    """Load a ranked run of any form.

    Parameters
    ----------
    scorer : Scorer
        Of the split that the run answers; the labels are not read.
    run : path, pandas.DataFrame or dict
        The run; see `ir_coliee.evaluation.runs.loading.load_run`.
    name : str, optional
        The name of the run in messages; by default its path, or "the run" for one in memory.

    Returns
    -------
    Ranking

    Raises
    ------
    MalformedFileError
        If the file cannot be read.
    MalformedRunError
        If the run is empty or has no result that counts, or as raised by
        `ir_coliee.evaluation.run_checks.RunChecker.check`.
    ColieeError
        If the task has one answer per question instead of a ranking.
    """
    split = scorer.split
    if scorer.evaluation.single_answer:
        raise ColieeError(
            f"{split.id} has no rankings.\n{TASK_NAMES[split.task]} has one answer per question. "
            "Combine its runs with `ir_coliee vote`."
        )
    name = name or run_name(run)
    try:
        loaded = load_run(split, run)
        notes = scorer.checker.check(loaded.frame)
    except MalformedRunError as error:
        raise MalformedRunError(f"{name}: {error}") from None
    frame = loaded.frame[loaded.frame["qid"].isin(scorer.checker.query_ids)]
    frame = sort_results(frame.assign(score=pd.to_numeric(frame["score"]).astype(np.float64)))
    if (repeated := frame.duplicated(["qid", "docno"])).any():
        frame = sort_results(frame[~repeated])
    frame, dropped = without_own_cases(split, frame)
    notes += [*loaded.notes, *dropped]
    if frame.empty:
        problem = "\n".join(["has no result that counts.", *notes]) if notes else "is empty."
        raise MalformedRunError(f"{name} {problem}\nExpected: a ranking of the queries of {split.id}.")
    frame = frame.astype({"qid": "category", "docno": "category"})
    return Ranking(scorer, name, frame, loaded.has_scores, loaded.tag, notes)
