"""Gradient boosting by LightGBM as a learner of recipes. It needs the extra ``learn``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ir_coliee.baselines.recipes.feature_table import Features
from ir_coliee.baselines.recipes.learners import mean, shares
from ir_coliee.frames import Booleans, Floats
from ir_coliee.transformers.features.learners import REPRODUCIBLE, lightgbm_library

_LEAVES = 100  # a small train split gets smaller leaves, so that there can be this many


@dataclass(frozen=True)
class BoostedLearner:
    """Gradient boosting of two classes: the mean of models that differ in their seed.

    Each fit uses one thread, so that the result does not depend on the number of cores; fits run side by side.

    Parameters
    ----------
    rounds : int
        The number of trees.
    rate : float
        The learning rate.
    leaves : int
        The largest number of leaves of a tree.
    rows_per_leaf : int
        The smallest number of rows in a leaf. In a small train split it is at most a hundredth of the rows.
    rows, columns : float
        The share of rows and of features that each tree is fitted on.
    l2 : float
        The L2 regularisation.
    bins : int
        The largest number of bins of a feature.
    seeds : int
        The number of models.
    """

    rounds: int = 160
    rate: float = 0.08
    leaves: int = 31
    rows_per_leaf: int = 40
    rows: float = 0.8
    columns: float = 0.4
    l2: float = 0.0
    bins: int = 63
    seeds: int = 1

    @property
    def title(self) -> str:
        """The learner in words, for notes."""
        return f"gradient boosting ({self.rounds} trees{f', {self.seeds} seeds' if self.seeds > 1 else ''})"

    def fit(self, values: Features, labels: Booleans, weights: Floats, names: Sequence[str] = ()) -> BoostedModel:
        """Fit a model on rows, see `Learner.fit`.

        Raises
        ------
        MissingExtraError
            If LightGBM is not installed.
        """
        lightgbm = lightgbm_library()
        parameters = {
            **REPRODUCIBLE,
            "objective": "binary",
            "learning_rate": self.rate,
            "num_leaves": self.leaves,
            "min_data_in_leaf": max(1, min(self.rows_per_leaf, len(values) // _LEAVES)),
            "bagging_fraction": self.rows,
            "bagging_freq": 1,
            "feature_fraction": self.columns,
            "lambda_l2": self.l2,
            "max_bin": self.bins,
            "num_threads": 1,
        }
        data = lightgbm.Dataset(values, labels, weight=weights, params=parameters)  # the bins are those of all seeds
        boosters = (
            lightgbm.train({**parameters, "random_state": seed}, data, self.rounds) for seed in range(self.seeds)
        )
        return BoostedModel(tuple(boosters))


@dataclass(frozen=True, eq=False)
class BoostedModel:
    """The fitted models of one or more seeds.

    Attributes
    ----------
    boosters : tuple of lightgbm.Booster
        The model of each seed. The probability is the mean of theirs.
    """

    boosters: tuple[Any, ...]

    def probabilities(self, values: Features) -> Floats:
        """Return the probability of each row."""
        if not len(values):
            return np.zeros(0)
        return mean([booster.predict(values, num_threads=1) for booster in self.boosters])

    def importances(self) -> Floats:
        """Return the share of each feature in the gain of all splits."""
        gains = [booster.feature_importance("gain") for booster in self.boosters]
        return shares(np.asarray(np.sum(gains, axis=0), dtype=np.float64))
