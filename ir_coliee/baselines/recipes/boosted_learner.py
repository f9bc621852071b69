"""Gradient boosting by LightGBM as a learner of recipes. It needs the extra ``learn``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ir_coliee.baselines.boosted_trees import BoostedTrees
from ir_coliee.baselines.recipes.feature_table import Features
from ir_coliee.baselines.recipes.learners import mean, shares
from ir_coliee.errors import ColieeError
from ir_coliee.frames import Booleans, Floats
from ir_coliee.transformers.features.learners import REPRODUCIBLE, lightgbm_library

_LEAVES = 100  # a small train split gets smaller leaves, so that there can be this many
_END = "\nend of trees\n"


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
        ColieeError
            If the version of LightGBM is not known.
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
        try:
            return BoostedModel(tuple(BoostedTrees.parse(booster.model_to_string()) for booster in boosters))
        except ValueError as error:
            problem = f"The trees of this version of LightGBM are not known: {error}"
            raise ColieeError(f"{problem}.\nInstall another version: pip install 'lightgbm<5'.") from None


@dataclass(frozen=True)
class BoostedModel:
    """The trees of one or more seeds.

    Attributes
    ----------
    seeds : tuple of BoostedTrees
        The trees of each seed. The probability is the mean of theirs.
    """

    seeds: tuple[BoostedTrees, ...]

    @classmethod
    def parse(cls, content: bytes) -> BoostedModel:
        """Read what `content` returns; raise `ValueError` for anything else."""
        *texts, rest = content.decode("ascii").split(_END)
        if rest or not texts:
            raise ValueError("the end of the trees is missing")
        model = cls(tuple(BoostedTrees.parse(text + _END) for text in texts))
        if len({trees.num_features for trees in model.seeds}) > 1:
            raise ValueError("the trees of different seeds have different numbers of features")
        return model

    @property
    def num_features(self) -> int:
        """The number of features of a candidate."""
        return self.seeds[0].num_features

    def probabilities(self, values: Features) -> Floats:
        """Return the probability of each row."""
        if not len(values):
            return np.zeros(0)
        return mean([booster.predict(values, num_threads=1) for booster in self._boosters])

    def importances(self) -> Floats:
        """Return the share of each feature in the gain of all splits."""
        gains = np.zeros(self.num_features)
        for tree in (tree for trees in self.seeds for tree in trees.trees):
            np.add.at(gains, list(tree.split_feature), tree.split_gain)
        return shares(gains)

    def content(self) -> bytes:
        """Return the trees in LightGBM's text format, seed after seed."""
        return "".join(trees.text() for trees in self.seeds).encode("ascii")

    @cached_property
    def _boosters(self) -> list[Any]:
        return [trees.booster() for trees in self.seeds]
