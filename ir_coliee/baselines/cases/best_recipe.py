"""The better of two recipes of task 1, chosen on held-out blocks."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from ir_coliee.baselines.baseline_run import BaselineRun
from ir_coliee.baselines.learned_baseline import LearnedBaseline
from ir_coliee.baselines.recipes.families import Ablation

_MARGIN = 0.01  # what the features that only the richer recipe has must add


@dataclass(frozen=True, eq=False)
class BestRecipe(LearnedBaseline):
    """A recipe, and a richer one that takes its place if it is clearly better.

    Attributes
    ----------
    simple, richer : LearnedBaseline
        The recipe, and the richer one for the same split.
    """

    simple: LearnedBaseline = field(kw_only=True)
    richer: LearnedBaseline = field(kw_only=True)

    @classmethod
    def of(cls, simple: LearnedBaseline, richer: LearnedBaseline) -> BestRecipe:
        """Return the better of two recipes; nothing is computed yet."""
        values = {each.name: getattr(simple, each.name) for each in fields(LearnedBaseline)}
        values["is_kept"] = lambda: simple.is_kept() and richer.is_kept()
        return cls(**values, simple=simple, richer=richer)

    def runs(self) -> list[BaselineRun]:
        """Return the run of the first recipe, if its held-out value is within .01 of the richer one or above it.

        Otherwise the run of the richer recipe is returned. Raises what `LearnedBaseline.runs` raises.
        """
        chosen, note = self._choice()
        [run] = chosen.runs()
        return [run._replace(notes=[note, *run.notes])]

    def ablation(self) -> Ablation:
        """Return the ablation of the recipe that `runs` would use; raises what `LearnedBaseline.runs` raises."""
        chosen, note = self._choice()
        return chosen.ablation()._replace(note=note)

    def _choice(self) -> tuple[LearnedBaseline, str]:
        """Return the chosen baseline, and why it was chosen."""
        own, other = self.simple.held_out(), self.richer.held_out()
        is_enough = own.value >= other.value - _MARGIN
        note = (
            f"recipe {(own if is_enough else other).recipe.name} was chosen on held-out {self.group}s: "
            f"{own.recipe.name} {own.value:.4f}, {other.recipe.name} {other.value:.4f}; {own.recipe.name} if it is "
            f"within {_MARGIN}"
        )
        return self.simple if is_enough else self.richer, note
