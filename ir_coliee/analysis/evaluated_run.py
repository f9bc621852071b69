"""A run of a split with its ranking and its gold labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ir_coliee.analysis.stage_losses import Stage
from ir_coliee.evaluation.scoring import Remarks, ScoredRun


@dataclass(frozen=True, eq=False)
class EvaluatedRun:
    """A run of a split.

    Attributes
    ----------
    name : str
        The name that the run was passed under; for a file of a list the shortest end of its name that tells it from
        the others, such as ``bm25`` for ``coliee-task1-sample-test.bm25``.
    answers : pandas.DataFrame
        The answer set: the columns qid, docno, score and rank, of queries of the split, each pair once, sorted.
    ranking : pandas.DataFrame or None
        The ranking that the answers were cut from, with the same columns; None if it was not passed and no file beside
        the run has it.
    scored : ScoredRun or None
        The run with the gold labels; None if the local release has no labels.
    remarks : Remarks
        Warnings and notes on the run and its ranking.
    path : pathlib.Path or None
        The file of the answer set.
    has_scores : bool
        Whether the ranking has scores, or the answer set if there is no ranking; if not, the scores in the frame only
        reproduce the order.
    stages : sequence of Stage
        The stages of an observed pipeline with their results; empty for other runs.
    """

    name: str
    answers: pd.DataFrame
    ranking: pd.DataFrame | None
    scored: ScoredRun | None
    remarks: Remarks
    path: Path | None = None
    has_scores: bool = True
    stages: Sequence[Stage] = ()

    @property
    def depth(self) -> int:
        """The largest number of items that the answer set has for a query."""
        return int(self.answers.groupby("qid").size().max()) if len(self.answers) else 0
