"""Learners: they fit a model of the probability that a candidate is relevant. They need the extra ``learn``."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from ir_coliee.baselines.recipes.table import Features, family_of
from ir_coliee.engine.counting import available_cores
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Booleans, Floats
from ir_coliee.transformers.features.learning import REPRODUCIBLE, Boosting, lightgbm_library

_LEAVES = 100  # a small train split gets smaller leaves, so that there can be this many
_ITERATIONS = 1000
_MIN_SCALE = 1e-12


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


@dataclass(frozen=True, kw_only=True)
class BoostedLearner(Boosting):
    """Gradient boosting of two classes by LightGBM: the mean of models that differ in their seed.

    Each fit uses one thread, so that the result does not depend on the number of cores; fits run side by side. Counts
    are made column by column: the trees are the same as row by row, in half of the time with a part of the features.

    Parameters
    ----------
    seeds : int
        The number of models.
    **parameters
        LightGBM's parameters, see `Boosting`. In a small train split ``min_data_in_leaf`` is at most a hundredth of the
        rows.
    """

    seeds: int = 1

    @property
    def title(self) -> str:
        """The learner in words, for notes."""
        return f"gradient boosting ({self.num_iterations} trees{f', {self.seeds} seeds' if self.seeds > 1 else ''})"

    def fit(self, values: Features, labels: Booleans, weights: Floats, names: Sequence[str] = ()) -> BoostedModel:
        """Fit a model on rows, see `Learner.fit`.

        Raises
        ------
        MissingExtraError
            If LightGBM is not installed.
        """
        lightgbm = lightgbm_library()
        own = {name: value for name, value in asdict(self).items() if name not in ("num_iterations", "seeds")}
        parameters = {**own, **REPRODUCIBLE, "objective": "binary", "bagging_freq": 1, "num_threads": 1}
        parameters |= {"force_row_wise": False, "force_col_wise": True}
        parameters["min_data_in_leaf"] = max(1, min(self.min_data_in_leaf, len(values) // _LEAVES))
        data = lightgbm.Dataset(values, labels, weight=weights, params=parameters).construct()  # bins for all seeds

        def fit_seed(seed: int) -> Any:
            return lightgbm.train({**parameters, "random_state": seed}, data, self.num_iterations)

        with ThreadPoolExecutor(min(self.seeds, available_cores())) as threads:
            return BoostedModel((*threads.map(fit_seed, range(self.seeds)),))


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
        return _shares(np.asarray(np.sum(gains, axis=0), dtype=np.float64))


@dataclass(frozen=True)
class LogisticLearner:
    """Logistic regression by scikit-learn on standardised features. A missing value counts as the mean.

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
        return _shares(np.abs(self.coefficients))


def mean(columns: Sequence[Floats]) -> Floats:
    """Return the mean of columns.

    >>> mean([np.array([1.0, 3.0]), np.array([2.0, 4.0])]).tolist()
    [1.5, 3.5]
    """
    return np.asarray(np.mean(columns, axis=0), dtype=np.float64)


def _shares(amounts: Floats) -> Floats:
    """Divide amounts by their sum; all are 0 if the sum is."""
    return np.asarray(amounts / (amounts.sum() or 1.0), dtype=np.float64)


def _signed_log(values: Features) -> Floats:
    wide = values.astype(np.float64)
    return np.asarray(np.sign(wide) * np.log1p(np.abs(wide)), dtype=np.float64)
