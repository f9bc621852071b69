"""Base class of the feature transformers, and the column ``features`` as a matrix.

Features are an array of numbers in the column ``features`` of each row, as PyTerrier's learners take them. Each feature
transformer of this package appends its features to those of the row, so several transformers are combined with ``>>``.
PyTerrier's ``**`` works as well, and is compiled to ``>>``. All features are finite numbers; `feature_names` returns
their names.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError
from ir_coliee.frames import Floats, Integers, check_ids
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.retrieval.retriever import Retriever


class FeatureTransformer(BaseTransformer):
    """Base class of the feature transformers (R to R): append features to each row.

    The rows keep their order. A subclass defines `feature_names` and `values`.
    """

    @property
    def feature_names(self) -> list[str]:
        """The names of the features, in their order."""
        raise NotImplementedError

    def columns(self) -> list[str]:
        """Return the columns that the features are computed from, besides qid and docno."""
        return []

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features.

        Parameters
        ----------
        results : pandas.DataFrame
            Results with the columns qid, docno and those of `columns`, at least one row.

        Returns
        -------
        numpy.ndarray of shape (n_results, n_features)
        """
        raise NotImplementedError

    def fuse_feature_union(self, other: pt.Transformer, is_left: bool) -> pt.Transformer | None:
        """Compile ``**`` of feature transformers of this package to ``>>``, which needs no merge of frames."""
        if not all(isinstance(step, FeatureTransformer) for step in _steps(other)):
            return None
        return self >> other if is_left else other >> self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Append the features to each row."""
        pt.validate.result_frame(inp, extra_columns=self.columns(), context=self)
        check_ids(inp)
        if isinstance(self, BaseEstimator):
            self.fitted_model()  # raises its error also if there are no rows
        results = inp.reset_index(drop=True)
        return add_features(results, self.values(results) if len(results) else np.empty((0, len(self.feature_names))))


def _steps(pipeline: pt.Transformer) -> list[pt.Transformer]:
    return list(pipeline) if isinstance(pipeline, pt._ops.Compose) else [pipeline]


def rows_by_query(results: pd.DataFrame) -> list[Integers]:
    """Return the positions of each query's rows, with the queries in order of appearance."""
    groups = results.groupby("qid", sort=False, observed=True).indices.values()
    return [np.asarray(rows, dtype=np.int64) for rows in groups]


def add_features(results: pd.DataFrame, values: Floats) -> pd.DataFrame:
    """Append features to results.

    Parameters
    ----------
    results : pandas.DataFrame
        Results, with or without a column ``features``.
    values : numpy.ndarray of shape (n_results, n_features)
        The features to append.

    Returns
    -------
    pandas.DataFrame
        A new frame with the column ``features``.
    """
    if "features" in results.columns:
        values = np.hstack([feature_matrix(results), values])
    frame: pd.DataFrame = results.assign(features=pd.Series(list(values), index=results.index, dtype=object))
    return frame


def feature_matrix(results: pd.DataFrame) -> Floats:
    """Return the column ``features`` as a matrix.

    Parameters
    ----------
    results : pandas.DataFrame
        Results with the column ``features``.

    Returns
    -------
    numpy.ndarray of shape (n_results, n_features)

    Raises
    ------
    ColieeError
        If the features of a row are not numbers, or if their number differs from that of the first row.

    Examples
    --------
    >>> feature_matrix(pd.DataFrame({"qid": ["1", "1"], "features": [np.array([1.0, 2.0]), np.array([3.0, 4.0])]}))
    array([[1., 2.],
           [3., 4.]])
    """
    rows = results["features"].tolist()
    if not rows:
        return np.empty((0, 0))
    sizes = np.array([row.size if isinstance(row, np.ndarray) and row.ndim == 1 else -1 for row in rows])
    if (different := (sizes != sizes[0]) | (sizes < 0)).any():
        row = int(different.argmax())
        expected = f"an array of {sizes[0]} numbers, as in the first row" if sizes[0] >= 0 else "an array of numbers"
        raise ColieeError(f"The features in row {row} must be {expected}.")
    try:
        return np.concatenate(rows, dtype=np.float64).reshape(len(rows), -1)
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The features must be numbers. {error}") from None


def feature_names(pipeline: pt.Transformer) -> list[str]:
    """Return the names of the features that a pipeline computes, in their order.

    Parameters
    ----------
    pipeline : pyterrier.Transformer
        A feature transformer, or several combined with ``>>`` or ``**``.

    Returns
    -------
    list of str
        The names of each step of ``>>`` and of each operand of ``**``. An operand that is not a feature transformer of
        this package has one feature, its score, which is named after its class, or for a retriever after its weighting.
        A step that computes no features has no names.

    Examples
    --------
    >>> from ir_coliee.transformers import CrossQueryFeatures, ScoreFeatures
    >>> feature_names(ScoreFeatures(["bm25"]) >> CrossQueryFeatures(["bm25"]))[:5]
    ['bm25', 'bm25_ratio', 'bm25_rank', 'bm25_gap', 'queries']
    """
    if isinstance(pipeline, pt._ops.Compose):
        return [name for step in pipeline for name in feature_names(step)]
    if isinstance(pipeline, pt._ops.FeatureUnion):
        return [name for operand in pipeline for name in feature_names(operand) or [_class_name(operand)]]
    return list(getattr(pipeline, "feature_names", []))


def _class_name(operand: pt.Transformer) -> str:
    return type(operand.weighting if isinstance(operand, Retriever) else operand).__name__
