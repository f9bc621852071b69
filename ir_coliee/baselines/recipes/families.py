"""What each family of features adds to a recipe: held-out values without it, and its share of the fitted models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.baselines.recipes.feature_table import QueryBlock, family_of
from ir_coliee.baselines.recipes.fitting import FittedRecipe, HeldOut, fit, has_two_rounds, held_out
from ir_coliee.baselines.recipes.recipe import Recipe
from ir_coliee.display import Block, Heading, Table, displayed
from ir_coliee.progress import progress

SECOND = "second"  # the family of the features of the second round
_TOTAL = "total"  # the family of sums, in tasks 1 and 3
_FEATURES_SHOWN = 10


@displayed
class Ablation(NamedTuple):
    """The result of leaving out each family of features.

    Attributes
    ----------
    recipe : Recipe
        The recipe.
    value : float
        The measure on held-out blocks, with all features.
    families : pandas.DataFrame
        A row for each family: ``family``; ``features``, their number; ``share``, in [0, 1], of the fitted models, see
        `importances`; ``without``, the measure on held-out blocks without the family; and ``difference``, what is lost.
    features : pandas.DataFrame
        The result of `importances`.
    """

    recipe: Recipe
    value: float
    families: pd.DataFrame
    features: pd.DataFrame

    def display(self) -> Iterator[Block]:
        """Return the value, the families, and the features with the largest shares."""
        measure = self.recipe.measure
        yield Heading(f"recipe {self.recipe.name}: {measure} {self.value:.4f} on held-out blocks")
        yield Table.of_frame(self.families)
        yield "share: of the gain of all splits, or of the absolute coefficients, in the models of all blocks"
        yield f"without: {measure} on held-out blocks without the family; difference: what is lost"
        has_total = _TOTAL in set(self.families["family"])
        sums = f", and so does the family {_TOTAL}, which sums scores of several families" if has_total else ""
        yield f"candidates stay as they are{sums}"
        yield Heading("features with the largest shares")
        yield Table.of_frame(self.features.head(_FEATURES_SHOWN))

    def __repr__(self) -> str:
        return str(self)


def importances(fitted: FittedRecipe) -> pd.DataFrame:
    """Return the share of each feature in the models of a fitted recipe.

    Parameters
    ----------
    fitted : FittedRecipe
        The recipe.

    Returns
    -------
    pandas.DataFrame
        ``feature``, ``family`` and ``share``, the largest share first. The share is the mean over all models, in which
        it is that of the gain of all splits of the trees, or of the absolute weights.
    """
    names = fitted.rounds[-1].names
    shares = pd.Series(0.0, index=[*names])
    models = [(each.names, model) for each in fitted.rounds for model in each.models]
    for features, model in models:
        shares[[*features]] += model.importances() / len(models)
    frame = pd.DataFrame({"feature": names, "family": [*map(family_of, names)], "share": shares.to_numpy()})
    ordered: pd.DataFrame = frame.sort_values("share", ascending=False, kind="stable").reset_index(drop=True)
    return ordered


def ablation(recipe: Recipe, blocks: Sequence[QueryBlock], gold: pd.DataFrame) -> Ablation:
    """Leave out each family of features in turn, and score held-out blocks without it.

    Parameters
    ----------
    recipe, blocks, gold
        As of `ir_coliee.baselines.recipes.held_out`.

    Returns
    -------
    Ablation
        The values. Without the family ``second``, there is no second round. The candidates stay as they are.

    Raises
    ------
    InsufficientTrainingDataError, MissingExtraError
        As by `ir_coliee.baselines.recipes.held_out`.
    """
    scored = held_out(recipe, blocks, gold)
    features = importances(fit(scored))
    by_family = features.groupby("family")
    families = [*blocks[0].table.families, *([SECOND] if has_two_rounds(recipe, blocks) else [])]
    without = np.array(
        [
            _value_without(family, scored) if len(families) > 1 else 0.0
            for family in progress(families, "without each family", unit="families")
        ]
    )
    columns = {
        "family": families,
        "features": by_family.size()[families].to_numpy(),
        "share": by_family["share"].sum()[families].to_numpy(),
        "without": without,
        "difference": scored.value - without,
    }
    return Ablation(recipe, scored.value, pd.DataFrame(columns), features)


def _value_without(family: str, scored: HeldOut) -> float:
    recipe, blocks = scored.recipe, scored.blocks
    if family == SECOND:
        return held_out(replace(recipe, second_round=False), blocks, scored.gold).value
    return held_out(recipe, [block.without(family) for block in blocks], scored.gold).value
