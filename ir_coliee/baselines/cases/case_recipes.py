"""The recipes of task 1: what is learned from which candidates, and how rankings are cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from ir_coliee.baselines.cases.case_features import COMPACT, LEAN, CaseFeatureSet
from ir_coliee.baselines.recipes import BoostedLearner, FeatureTable, Recipe
from ir_coliee.frames import Booleans, Floats, ranks_from_0
from ir_coliee.measures import MicroF1
from ir_coliee.transformers import PoolCutoff
from ir_coliee.transformers.training_labels import label_values

_ALL_BEFORE_RANK = 25  # candidates before this rank are all learned from
_SHARE_OF_OTHERS = 0.3  # share of the other candidates that is learned from

#: The features of each recipe.
FEATURES: dict[str, CaseFeatureSet] = {"lean": LEAN, "compact": COMPACT}


def case_recipe(name: str, *, pool_features: bool = True) -> tuple[Recipe, CaseFeatureSet]:
    """Return a recipe of task 1 and its features.

    Parameters
    ----------
    name : {"lean", "compact"}
        The name of the recipe.
    pool_features : bool
        Whether features may compare a query with the other queries of its pool.

    Returns
    -------
    tuple of Recipe and CaseFeatureSet

    Examples
    --------
    >>> recipe, features = case_recipe("lean")
    >>> recipe.second_round, len(features.names)
    (True, 66)
    """
    features = FEATURES[name] if pool_features else FEATURES[name].without_pool_features()
    learner = BoostedLearner(rounds=160, rate=0.08, leaves=31, rows_per_leaf=40, columns=0.4, bins=63, seeds=3)
    recipe = Recipe(
        name,
        learners=(learner,),
        cut=pool_cutoff,
        measure=MicroF1,
        row_weights=row_weights,
        second_round=pool_features,
        nested_learners=(replace(learner, seeds=1),),
    )
    return recipe, features


def row_weights(table: FeatureTable, labels: Booleans) -> Floats:
    """Return the weights of candidates in learning.

    Parameters
    ----------
    table : FeatureTable
        Candidates, those of a query together, best first.
    labels : bool array of shape (rows,)
        Whether each candidate is relevant.

    Returns
    -------
    float64 array of shape (rows,)
        1 for relevant candidates and for the 25 first of each query. Of the others, 30 % are chosen at random, the same
        in each run, with the weight 1 / .3; the rest have the weight 0.
    """
    ranks = ranks_from_0(pd.factorize(table.qids)[0])
    chosen = np.random.default_rng(0).random(len(table)) < _SHARE_OF_OTHERS
    weights = np.where(chosen, 1 / _SHARE_OF_OTHERS, 0.0)
    return np.where(labels | (ranks < _ALL_BEFORE_RANK), 1.0, weights)


def pool_cutoff(runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> PoolCutoff:
    """Return the cut-off by the highest expected micro F1 of a pool.

    Parameters
    ----------
    runs : sequence of pandas.DataFrame
        The candidates of each held-out block: ``qid`` and ``docno``.
    gold : pandas.DataFrame
        ``qid``, ``docno`` and ``label``.

    Returns
    -------
    PoolCutoff
        At least 1 and at most 10 texts of a query. Its recall is `candidate_recall` with four digits, the only value
        that depends on labels.

    Raises
    ------
    ValueError
        If no noticed case is among the candidates.
    """
    return PoolCutoff(float(f"{candidate_recall(runs, gold):.4g}"), min_items=1, max_items=10)


def candidate_recall(runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> float:
    """Return the share of the noticed cases that are among the candidates: the mean over blocks that have any.

    Parameters
    ----------
    runs, gold
        As of `pool_cutoff`.

    Returns
    -------
    float
        In [0, 1]; 0 if no block has a noticed case.
    """
    noticed = gold.loc[label_values(gold) > 0, ["qid", "docno"]].drop_duplicates()
    shares = []
    for run in runs:
        of_block = noticed[noticed["qid"].isin(run["qid"])]
        if len(of_block):
            shares.append(len(of_block.merge(run[["qid", "docno"]], on=["qid", "docno"])) / len(of_block))
    return float(np.mean(shares)) if shares else 0.0
