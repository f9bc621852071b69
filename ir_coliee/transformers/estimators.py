"""Base classes of the transformers that are fitted to labelled data."""

from __future__ import annotations

from typing import Any

import pyterrier as pt

from ir_coliee.transformers.base import BaseTransformer


class FittableTransformer(BaseTransformer):
    """Base class: transformers that can be fitted. Two are equal only if their fitted models are equal as well.

    A subclass sets ``_fitted_model`` in its ``fit``.
    """

    def __init__(self) -> None:
        self._fitted_model: Any = None

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self._fitted_model == other._fitted_model  # type: ignore[attr-defined]

    __hash__ = BaseTransformer.__hash__

    def fitted_model(self) -> Any:
        """Return the fitted model; raise `ValueError` if there is none yet."""
        if self._fitted_model is None:
            raise ValueError(f"{self!r} is not fitted. Call fit(topics, qrels) first.")
        return self._fitted_model


class BaseEstimator(FittableTransformer, pt.Estimator):
    """Base class of the estimators, which are fitted when a pipeline that contains them is fitted."""
