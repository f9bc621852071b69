"""All analyses by name: what the command `analyse`, the report and the pages choose from."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.editions import TASK_NAMES, Split
from ir_coliee.errors import ColieeError

if TYPE_CHECKING:
    from ir_coliee.analysis.frame import AnalysisFrame
    from ir_coliee.analysis.runs import EvaluatedRuns

_ALL = (*TASK_NAMES,)
_SETS = ("task1", "task2", "task3", "rationale")  # whose answers are sets of items
_RANKED = ("task1", "task2", "task3")


class Analysis(NamedTuple):
    """An analysis: call it with `EvaluatedRuns`.

    Attributes
    ----------
    name : str
        The name of the function and the kind of its frame.
    module : str
        The module of `ir_coliee.analysis` that has the function.
    description : str
        What it shows, in one line.
    tasks : tuple of str
        The tasks that it is made for.
    needs_rankings : bool
        Whether it needs the ranking of a run, in tasks that have rankings.
    needs_several_runs : bool
        Whether it compares runs.
    on_request : bool
        Whether it is made only if it is named, because it is long.
    """

    name: str
    module: str
    description: str
    tasks: tuple[str, ...] = _ALL
    needs_rankings: bool = False
    needs_several_runs: bool = False
    on_request: bool = False

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
        function = getattr(import_module(f"ir_coliee.analysis.{self.module}"), self.name)
        frame: AnalysisFrame = function(runs)
        return frame


#: Every analysis of runs, by name, in the order in which they are read.
ANALYSES: MappingProxyType[str, Analysis] = MappingProxyType(
    {
        each.name: each
        for each in (
            Analysis("drift", "drift", "what differs between the train queries and these"),
            Analysis("hardest_queries", "hardness", "the queries by their mean value over the runs"),
            Analysis("answered_by", "hardness", "how many queries no run, some runs and all runs answer"),
            Analysis("hard_for_all", "groups", "which groups of queries no run answers"),
            Analysis("groups", "groups", "groups of queries by their properties, with intervals and tests"),
            Analysis(
                "interactions", "groups", "groups for which a run differs from the others", needs_several_runs=True
            ),
            Analysis("losses", "losses", "where relevant items are lost between the gold labels and the answers"),
            Analysis("losses_by_group", "groups", "which groups of queries lose most, by cause"),
            Analysis("false_answers", "losses", "what the false answers are"),
            Analysis("items", "losses", "each miss and false answer with its cause and evidence", on_request=True),
            Analysis("cutoff_curve", "curves", "the official figure by cut-off", _RANKED, needs_rankings=True),
            Analysis("recall_by_depth", "curves", "recall by depth of the ranking", _RANKED, needs_rankings=True),
            Analysis(
                "calibration", "curves", "probabilities against the shares of relevant items", needs_rankings=True
            ),
            Analysis("answers_per_query", "curves", "numbers of answers against numbers of relevant items", _SETS),
            Analysis("precision_recall", "curves", "precision and recall, among the official runs", _SETS),
            Analysis("agreement", "hardness", "shared answers and correlation of runs", needs_several_runs=True),
        )
    }
)

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
