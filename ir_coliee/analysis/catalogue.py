"""All analyses by name: what the command `analyse`, the report and the pages choose from."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

from ir_coliee.analysis.curves import answers_per_query, calibration, cutoff_curve, precision_recall, recall_by_depth
from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.groups import (
    agreement,
    answered_by,
    groups,
    hard_for_all,
    hardest_queries,
    interactions,
    losses_by_group,
)
from ir_coliee.analysis.losses import false_answers, items, losses
from ir_coliee.analysis.properties import drift
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.editions import TASK_NAMES, Split
from ir_coliee.errors import ColieeError

_ALL = (*TASK_NAMES,)
_SETS = ("task1", "task2", "task3", "rationale")  # whose answers are sets of items
_RANKED = ("task1", "task2", "task3")


class Analysis(NamedTuple):
    """An analysis: call it with `EvaluatedRuns`.

    Attributes
    ----------
    function : callable
        The function, whose name is that of the analysis and the kind of its frame.
    description : str
        What it shows, in one line.
    tasks : tuple of str
        The tasks that it is made for.
    needs_several_runs : bool
        Whether it compares runs.
    on_request : bool
        Whether it is made only if it is named, because it is long.
    """

    function: Callable[[EvaluatedRuns], AnalysisFrame]
    description: str
    tasks: tuple[str, ...] = _ALL
    needs_several_runs: bool = False
    on_request: bool = False

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def is_for(self, split: Split) -> bool:
        """Return whether it is made for the task of a split."""
        return split.task in self.tasks

    def __call__(self, runs: EvaluatedRuns) -> AnalysisFrame:
        """Analyse runs.

        Raises
        ------
        ColieeError
            If it cannot be made of these runs. The first line says why.
        """
        if not self.is_for(runs.split):
            raise ColieeError(f"{self.name} is for {', '.join(self.tasks)}, got {runs.split.id}.")
        return self.function(runs)


_ANALYSES = (
    Analysis(drift, "what differs between the train queries and these"),
    Analysis(hardest_queries, "the queries by their mean value over the runs"),
    Analysis(answered_by, "how many queries no run, some runs and all runs answer"),
    Analysis(hard_for_all, "which groups of queries no run answers"),
    Analysis(groups, "groups of queries by their properties, with intervals and tests"),
    Analysis(interactions, "groups for which a run differs from the others", needs_several_runs=True),
    Analysis(losses, "where relevant items are lost between the gold labels and the answers"),
    Analysis(losses_by_group, "which groups of queries lose most, by cause"),
    Analysis(false_answers, "what the false answers are"),
    Analysis(items, "each miss and false answer with its cause and evidence", on_request=True),
    Analysis(cutoff_curve, "the official figure by cut-off", _RANKED),
    Analysis(recall_by_depth, "recall by depth of the ranking", _RANKED),
    Analysis(calibration, "probabilities against the shares of relevant items"),
    Analysis(answers_per_query, "numbers of answers against numbers of relevant items", _SETS),
    Analysis(precision_recall, "precision and recall, among the official runs", _SETS),
    Analysis(agreement, "shared answers and correlation of runs", needs_several_runs=True),
)
#: Every analysis of runs, by name, in the order in which they are read.
ANALYSES: MappingProxyType[str, Analysis] = MappingProxyType({each.name: each for each in _ANALYSES})

#: The analyses that the command `analyse` makes unless others are asked for: what is lost, and where.
MAIN = ("losses", "hardest_queries")


def chosen(split: Split, names: list[str] | None = None) -> list[Analysis]:
    """Return the analyses with these names, by default those for the task of a split that are not made on request.

    Raises
    ------
    ColieeError
        If there is no such analysis.
    """
    if unknown := [name for name in names or () if name not in ANALYSES]:
        raise ColieeError(f"There is no analysis {unknown[0]!r}.\nThe analyses are: {', '.join(ANALYSES)}.")
    return (
        [ANALYSES[name] for name in dict.fromkeys(names)]
        if names
        else [a for a in ANALYSES.values() if a.is_for(split) and not a.on_request]
    )
