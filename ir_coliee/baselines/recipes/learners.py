"""Learners: they fit a model of the probability that a candidate is relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ir_coliee.baselines.recipes.table import Features, family_of
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Booleans, Floats
from ir_coliee.transformers.features.learning import REPRODUCIBLE, lightgbm_library


class Model(Protocol):
    """A fitted model."""

    def probabilities(self, values: Features) -> Floats:
        """Return the probability of each row."""

    def importances(self) -> Floats:
        """Return the share of each feature in the model. The shares sum to 1, or to 0 if no feature is used."""


class Learner(Protocol):
    """A kind of model with its parameters."""

    @property
    def title(self) -> str:
        """The learner in words, for notes."""

    def fit(self, values: Features, labels: Booleans, weights: Floats, names: Sequence[str] = ()) -> Model:
        """Fit a model on rows, their labels, and their weights.

        Parameters
        ----------
        values : float32 array of shape (rows, features)
            The features.
        labels : bool array of shape (rows,)
            Whether each row is relevant; both classes occur.
        weights : float64 array of shape (rows,)
            The positive weight of each row.
        names : sequence of str
            The name of each feature, for a learner that leaves families out.
        """


def mean_probabilities(models: Sequence[Model], values: Features) -> Floats:
    """Return the mean of the probabilities of models."""
    return mean([model.probabilities(values) for model in models])


def mean(columns: Sequence[Floats]) -> Floats:
    """Return the mean of columns.

    >>> mean([np.array([1.0, 3.0]), np.array([2.0, 4.0])]).tolist()
    [1.5, 3.5]
    """
    return np.asarray(np.mean(columns, axis=0), dtype=np.float64)


def shares(amounts: Floats) -> Floats:
    """Divide amounts by their sum; all are 0 if the sum is.

    >>> shares(np.array([1.0, 3.0])).tolist()
    [0.25, 0.75]
    """
    total = amounts.sum()
    return np.asarray(amounts / total if total else amounts * 0.0, dtype=np.float64)


# Gradient boosting by LightGBM as a learner of recipes. It needs the extra ``learn``.


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


# Logistic regression by scikit-learn as a learner of recipes. It needs the extra ``learn``.


_ITERATIONS = 1000
_PARTS = ("centres", "scales", "coefficients")
_MIN_SCALE, _MAX_NUMBER = 1e-12, 1e30  # of a scale, and of every number: no score overflows


@dataclass(frozen=True)
class LogisticLearner:
    """Logistic regression on standardised features. A missing value counts as the mean.

    Parameters
    ----------
    c : float
        The inverse of the L2 regularisation.
    signed_log : bool
        Whether each feature x is replaced by sign(x) log(1 + abs(x)) first.
    without : tuple of str
        Families of features that are not used: their coefficients are 0.
    """

    c: float = 0.02
    signed_log: bool = True
    without: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The learner in words, for notes."""
        return f"logistic regression (C={self.c:g})"

    def fit(self, values: Features, labels: Booleans, weights: Floats, names: Sequence[str] = ()) -> LogisticModel:
        """Fit a model on rows, see `Learner.fit`.

        Raises
        ------
        MissingExtraError
            If scikit-learn is not installed.
        """
        try:
            from sklearn.linear_model import LogisticRegression
        except ImportError:
            raise MissingExtraError("Logistic regression", "learn") from None
        scaled = _signed_log(values) if self.signed_log else values.astype(np.float64)
        known = ~np.isnan(scaled)
        known[:, [number for number, name in enumerate(names) if family_of(name) in self.without]] = False
        numbers = np.maximum(known.sum(axis=0), 1)
        centres = np.where(known, scaled, 0.0).sum(axis=0) / numbers
        centred = np.where(known, scaled - centres, 0.0)
        scales = np.sqrt((centred**2).sum(axis=0) / numbers)
        scales[scales < _MIN_SCALE] = 1.0
        with one_blas_thread():  # sums in another order would differ in their last bits
            regression = LogisticRegression(C=self.c, max_iter=_ITERATIONS)
            regression.fit(centred / scales, labels, sample_weight=weights)
        return LogisticModel(centres, scales, regression.coef_[0], float(regression.intercept_[0]), self.signed_log)


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """The numbers of a logistic regression.

    Attributes
    ----------
    centres, scales, coefficients : float64 array of shape (features,)
        What is subtracted from each feature, what it is then divided by, and its coefficient.
    intercept : float
        The intercept.
    signed_log : bool
        Whether each feature x is replaced by sign(x) log(1 + abs(x)) first.
    """

    centres: Floats
    scales: Floats
    coefficients: Floats
    intercept: float
    signed_log: bool

    def probabilities(self, values: Features) -> Floats:
        """Return the probability of each row."""
        scaled = _signed_log(values) if self.signed_log else values.astype(np.float64)
        standardised = (scaled - self.centres) / self.scales
        logits = (np.where(np.isnan(standardised), 0.0, standardised) * self.coefficients).sum(axis=1) + self.intercept
        return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logits)), dtype=np.float64)  # never overflows

    def importances(self) -> Floats:
        """Return the share of each feature in the sum of the absolute coefficients."""
        return shares(np.abs(self.coefficients))


def _signed_log(values: Features) -> Floats:
    wide = values.astype(np.float64)
    return np.asarray(np.sign(wide) * np.log1p(np.abs(wide)), dtype=np.float64)
