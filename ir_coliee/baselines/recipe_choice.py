"""The choice among the recipes of a task: by name, or by the time that they are estimated to take."""

from __future__ import annotations

import math

from ir_coliee.baselines.costs import COSTS, Estimate
from ir_coliee.baselines.learned_baseline import Choices
from ir_coliee.baselines.pipeline_kinds import AnswerPipeline, Pipeline, RecipePipeline
from ir_coliee.baselines.training_data import TrainingData
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import shown


def check_choices(
    split: Split,
    learned: Pipeline | RecipePipeline,
    recipe: str | None,
    pool_features: bool,
    max_seconds: float | None,
    fast: bool,
) -> None:
    """Raise `ColieeError` for a choice that the task of a split does not have, or that ``fast`` excludes."""
    baseline = f"The baseline of {split.id}"
    names = [*COSTS[split.task].of_recipe] if split.task in COSTS else []
    if recipe is not None and recipe not in names:
        exist = f"Its recipes: {', '.join(names)}." if names else "It has no recipes; omit --recipe (recipe=)."
        raise ColieeError(f"{baseline} has no recipe {printable(repr(recipe), 40)}.\n{exist}")
    if max_seconds is not None:
        if not 0 < max_seconds < math.inf:
            raise ColieeError(f"--max-seconds (max_seconds=) must be a number > 0, got {shown(max_seconds)}.")
        if not names:
            raise ColieeError(f"{baseline} has no recipes to choose from.\nOmit --max-seconds (max_seconds=).")
    if not pool_features and split.task != "task1":
        advice = "Omit --no-pool-features (pool_features=): it is for task 1."
        raise ColieeError(f"{baseline} has no features that compare all queries of a test pool.\n{advice}")
    if fast and not isinstance(learned, RecipePipeline):
        raise ColieeError(f"{baseline} has no BM25 to run alone.\nOmit --fast (fast=).")
    if fast and (recipe is not None or max_seconds is not None or not pool_features):
        advice = "Omit --fast (fast=), or the options that choose among recipes."
        raise ColieeError(f"--fast (fast=) runs only BM25, which follows no recipe.\n{advice}")


def choose_recipe(
    split: Split,
    learned: RecipePipeline | AnswerPipeline,
    training: TrainingData,
    recipe: str | None,
    pool_features: bool,
    max_seconds: float | None,
) -> tuple[Choices, Estimate] | str:
    """Choose the recipe that is named, else the richest one in ``max_seconds``, else the default.

    Parameters
    ----------
    split : Split
        The split to answer.
    learned : RecipePipeline
        The pipeline of its task.
    training : TrainingData
        The labelled queries.
    recipe, pool_features, max_seconds
        As in `ir_coliee.baselines.run_baseline`; `check_choices` has accepted them.

    Returns
    -------
    tuple of Choices and Estimate, or str
        The choices and what they will take; or if no recipe takes at most ``max_seconds``, why there is none. The
        choice is that of a run for which no features are kept, so that equal commands give equal runs.

    Raises
    ------
    InsufficientTrainingDataError
        If the recipe cannot be fitted on the labelled queries.
    """
    costs, splits, estimates = COSTS[split.task], [split, *training.splits], []
    offered = [name for name in costs.of_recipe if name not in costs.on_request]
    for name in [recipe or learned.default] if max_seconds is None or recipe else offered:
        estimates.append(costs.estimate(name, splits))
        if max_seconds is None or estimates[-1].seconds <= max_seconds:
            choices = Choices(name, pool_features)
            is_kept = learned.prepare(split, training, choices).is_kept()
            return choices, costs.estimate(name, splits, is_kept=is_kept)
    return f"no recipe fits in {max_seconds:g} s ({'; '.join(map(str, estimates))})"
