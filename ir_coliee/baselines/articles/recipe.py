"""The recipe of task 3: its learners and its cut."""

from __future__ import annotations

from ir_coliee.baselines.recipes import BoostedLearner, GivenCutoff, LogisticLearner, Recipe
from ir_coliee.measures import MacroF2
from ir_coliee.transformers import ExpectedFCutoff

#: As many of the one to five best articles as have the highest expected F2, by the probabilities of the 14 best.
CUTOFF = ExpectedFCutoff(2.0, average="macro", min_items=1, max_items=5, depth=14)

STANDARD = Recipe(
    "standard",
    learners=(
        BoostedLearner(rounds=150, rate=0.06, leaves=8, rows_per_leaf=60, rows=0.8, columns=0.25, l2=10.0, bins=63),
        LogisticLearner(c=0.02, signed_log=True),
    ),
    cut=GivenCutoff(CUTOFF),
    measure=MacroF2,
)
