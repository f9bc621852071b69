"""Learners: they fit a model of the probability that a candidate is relevant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ir_coliee.baselines.recipes.feature_table import Features
from ir_coliee.frames import Booleans, Floats


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
