"""What each family of features adds to a recipe: held-out values without it, and its share of the fitted models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import pandas as pd

from ir_coliee.baselines.recipes.feature_table import QueryBlock, family_of
from ir_coliee.baselines.recipes.fitting import FittedRecipe, HeldOut, fit, has_two_rounds, held_out
from ir_coliee.baselines.recipes.recipe import Recipe
from ir_coliee.display import Block, Heading, Table, displayed
from ir_coliee.evaluation.statistics import bounds, count_runs, quotient, resampled
from ir_coliee.progress import progress

SECOND = "second"  # the family of the features of the second round
TOTAL = "total"  # the family of sums of scores of several families
_TOTAL_STAYS = f", and so does the family {TOTAL}, which sums scores of several families"
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
        `importances`; ``without``, the measure on held-out blocks without the family; ``difference``, what the family
        adds; and ``low`` and ``high``, the 95 % interval of the difference by bootstrap over the queries.
    features : pandas.DataFrame
        The result of `importances`.
    group : str
        What the blocks are, in the singular.
    note : str
        Why this recipe was chosen, if another one might have been.
    """

    recipe: Recipe
    value: float
    families: pd.DataFrame
    features: pd.DataFrame
    group: str = "block"
    note: str = ""

    def display(self) -> Iterator[Block]:
        """Return the value, the families, and the features with the largest shares."""
        measure, held_out = self.recipe.measure, f"held-out {self.group}s"
        yield Heading(f"recipe {self.recipe.name}: {measure} {self.value:.4f} on {held_out}")
        if self.note:
            yield self.note
        yield Table.of_frame(self.families)
        yield "share: how much of the trees' gain, or of the absolute weights, comes from the family"
        yield f"without: {measure} on {held_out} without the family"
        yield "difference: what the family adds; negative: better without the family"
        yield "low, high: 95 % interval of the difference, by bootstrap over the queries"
        yield f"candidates stay as they are{_TOTAL_STAYS if TOTAL in [*self.families['family']] else ''}"
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
    answers = {
        family: _answers_without(family, scored) if len(families) > 1 else scored.answers[:0]
        for family in progress(families, "without each family", unit="families")
    }
    counts = count_runs({"": scored.answers, **answers}, gold, recipe.measure)
    without = quotient(*counts.terms(recipe.measure).sum(axis=2))[1:]
    value, *others = resampled(recipe.measure, counts)
    intervals = [bounds(value - other) for other in others]
    columns = {
        "family": families,
        "features": by_family.size()[families].to_numpy(),
        "share": by_family["share"].sum()[families].to_numpy(),
        "without": without,
        "difference": scored.value - without,
        "low": [each.low for each in intervals],
        "high": [each.high for each in intervals],
    }
    return Ablation(recipe, scored.value, pd.DataFrame(columns), features)


def _answers_without(family: str, scored: HeldOut) -> pd.DataFrame:
    recipe, blocks = scored.recipe, scored.blocks
    if family == SECOND:
        return held_out(replace(recipe, second_round=False), blocks, scored.gold).answers
    return held_out(recipe, [block.without(family) for block in blocks], scored.gold).answers
