"""The recipe of task 2: its learner for near and for far fragments, and its cut-off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from ir_coliee.baselines.paragraphs.roles import Role
from ir_coliee.baselines.recipes import BoostedLearner, Recipe
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.measures import MicroF1
from ir_coliee.transformers import ThresholdCutoff
from ir_coliee.transformers.candidates.cutoffs import Cutoff

_THRESHOLDS = tuple(percent / 100 for percent in range(2, 61))
_MAX_ITEMS = (2, 3, 5)
_NEAR_TIE = 0.005


@dataclass(frozen=True)
class NearTieCutoff:
    """The best threshold on the probability, with the smallest max_items within .005 of the best: 2, 3 or 5.

    At least one paragraph is returned. A near tie is decided by the shorter answer, because test splits differ in the
    number of relevant paragraphs.
    """

    def __call__(self, runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> Cutoff:
        """Choose a cut-off, see `ir_coliee.baselines.recipes.Cut`."""
        run = pd.concat(runs, ignore_index=True)
        fitted = [
            fit_cutoff(run, gold, MicroF1, [ThresholdCutoff(t, min_items=1, max_items=items) for t in _THRESHOLDS])
            for items in _MAX_ITEMS
        ]
        best = max(each.value for each in fitted)
        return next(each.cutoff for each in fitted if each.value >= best - _NEAR_TIE)


def paragraph_recipe(role: Role) -> Recipe:
    """Return the recipe for the fragments of a role; leaves are smaller for near ones, which tell more."""
    learner = BoostedLearner(
        rounds=300,
        rate=0.03,
        leaves=15,
        rows_per_leaf=200 if role.is_far else 60,
        rows=0.8,
        columns=0.3,
        l2=5.0,
        bins=255,
        seeds=3,
    )
    return Recipe("standard", (learner,), NearTieCutoff(), MicroF1)
