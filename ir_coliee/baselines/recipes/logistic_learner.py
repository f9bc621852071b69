"""Logistic regression by scikit-learn as a learner of recipes. It needs the extra ``learn``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ir_coliee.baselines.recipes.feature_table import Features, family_of
from ir_coliee.baselines.recipes.learners import shares
from ir_coliee.engine.blas_threads import one_blas_thread
from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Booleans, Floats

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
