"""Recipes: one shape for the learned baselines of all tasks, so that a new one is a page.

A recipe learns the probability that a candidate is relevant from a table of features. Blocks of train queries are held
out one after the other; their runs decide the cut-off, and tell what the recipe is worth::

    from ir_coliee import MicroF1
    from ir_coliee.baselines.recipes import BestCutoff, BoostedLearner, FeatureTable, LogisticLearner
    from ir_coliee.baselines.recipes import QueryBlock, Recipe, ablation, fit, held_out
    from ir_coliee.transformers import ThresholdCutoff

    def block(name, ranking):  # a frame with the columns qid, docno, bm25, rank and characters
        columns = {"words.bm25": ranking["bm25"], "words.rank": ranking["rank"], "length.text": ranking["characters"]}
        return QueryBlock(name, FeatureTable.of(ranking["qid"], ranking["docno"], columns))

    recipe = Recipe(
        "lexical",
        learners=(BoostedLearner(num_iterations=300, learning_rate=0.03, num_leaves=15), LogisticLearner(c=0.02)),
        cut=BestCutoff(MicroF1, tuple(ThresholdCutoff(percent / 100, min_items=1) for percent in range(5, 65, 5))),
        measure=MicroF1,
    )
    train = [block("2023", ranking_of_2023), block("2024", ranking_of_2024), block("2025", ranking_of_2025)]
    scored = held_out(recipe, train, gold)
    print(scored.value, scored.cutoff)
    answers = scored.cutoff(fit(scored).run(block("test", ranking_of_the_test)))
    print(ablation(recipe, train, gold))  # what each family of features adds

A baseline of the package is a subclass of `ir_coliee.baselines.LearnedBaseline`, which has the recipe and returns the
blocks.
"""

from ir_coliee.baselines.recipes.fitting import (
    Ablation,
    BestCutoff,
    Cut,
    FittedRecipe,
    GivenCutoff,
    HeldOut,
    Recipe,
    RowWeights,
    ablation,
    fit,
    held_out,
    importances,
)
from ir_coliee.baselines.recipes.learners import BoostedLearner, Learner, LogisticLearner, Model
from ir_coliee.baselines.recipes.table import Columns, Features, FeatureTable, QueryBlock

__all__ = [
    "Ablation",
    "BestCutoff",
    "BoostedLearner",
    "Columns",
    "Cut",
    "FeatureTable",
    "Features",
    "FittedRecipe",
    "GivenCutoff",
    "HeldOut",
    "Learner",
    "LogisticLearner",
    "Model",
    "QueryBlock",
    "Recipe",
    "RowWeights",
    "ablation",
    "fit",
    "held_out",
    "importances",
]
