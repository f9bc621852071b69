"""Base classes of the transformers that are fitted to labelled data, and the labels of candidates and questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, printable
from ir_coliee.frames import Booleans, Floats, check_ids, number_pairs, sort_results
from ir_coliee.transformers.base import BaseTransformer


class FittableTransformer(BaseTransformer):
    """Base class: transformers that can be fitted. Two are equal only if they have the same fitted model.

    A subclass sets ``_fitted_model`` in its ``fit``.
    """

    def __init__(self) -> None:
        self._fitted_model: Any = None

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self._fitted_model is other._fitted_model  # type: ignore[attr-defined]

    __hash__ = BaseTransformer.__hash__

    def fitted_model(self) -> Any:
        """Return the fitted model; raise `ValueError` if there is none yet."""
        if self._fitted_model is None:
            raise ValueError(f"{self!r} is not fitted. Call fit(topics, qrels) first.")
        return self._fitted_model


class BaseEstimator(FittableTransformer, pt.Estimator):
    """Base class of the estimators, which are fitted when a pipeline that contains them is fitted."""


def check_candidates(results: pd.DataFrame, context: pt.Transformer, *columns: str) -> None:
    """Check for candidates with their queries, their texts and further columns, and for their ids."""
    with pt.validate.any(results, context=context) as frame:
        mode = 'candidates with texts, which pt.text.get_text(dataset, "text") adds'
        frame.columns(includes=["qid", "query", "docno", "text", *columns], mode=mode)
    check_ids(results)


def rescored(results: pd.DataFrame, scores: Floats | list[float] | pd.Series[float]) -> pd.DataFrame:
    """Return results in the order of new scores; equal ones are ordered by document number."""
    return sort_results(results.drop(columns="rank", errors="ignore").assign(score=scores))


def label_values(qrels: pd.DataFrame) -> Floats:
    """Return the labels of qrels as numbers, 0 for a missing one.

    Raises `ColieeError` for labels that are not numbers and for rows without ids.
    """
    check_ids(qrels)
    try:
        return np.asarray(pd.to_numeric(qrels["label"]).to_numpy(np.float64, na_value=0.0))
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The column label of the qrels must be numbers. {error}") from None


def relevant_pairs(qrels: pd.DataFrame, context: pt.Transformer) -> pd.DataFrame:
    """Return the rows of qrels (qid, docno, label) with a label above 0. Raises what `label_values` raises."""
    pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=context)
    return qrels[label_values(qrels) > 0]


def answers_by_query(relevant: pd.DataFrame) -> pd.Series[str]:
    """Return the correct answer of each query, by qid, from `relevant_pairs`.

    Raises `ColieeError` for a query with two correct answers.
    """
    pairs = relevant.drop_duplicates(["qid", "docno"])
    if (repeated := pairs["qid"].duplicated()).any():
        raise ColieeError(
            f"Query {printable(str(pairs['qid'][repeated].iloc[0]))} has two correct answers in the qrels. "
            "Keep one label above 0 for each query."
        )
    return pairs.set_index("qid")["docno"]


def result_labels(results: pd.DataFrame, qrels: pd.DataFrame) -> Floats:
    """Return the label of each result.

    Parameters
    ----------
    results : pandas.DataFrame
        Results with the columns qid and docno.
    qrels : pandas.DataFrame
        The columns qid, docno and label.

    Returns
    -------
    numpy.ndarray of shape (n_results,)
        0 for a pair that the qrels do not contain; the highest label of a pair that they contain several times.

    Raises
    ------
    ColieeError
        If labels are not numbers.
    """
    labels, (wanted, known) = label_values(qrels), number_pairs(results, qrels)
    label_of_pair = pd.Series(labels, index=known).groupby(level=0).max()
    return np.asarray(label_of_pair.reindex(wanted, fill_value=0.0), dtype=np.float64)


def check_both_classes(labels: Floats | Booleans) -> None:
    """Raise `InsufficientTrainingDataError` if there are not both relevant and other candidates."""
    if (labels > 0).all() or not (labels > 0).any():
        which = "All" if len(labels) and labels[0] > 0 else "None"
        raise InsufficientTrainingDataError(
            f"{which} of the {len(labels)} candidates are relevant by the qrels; training needs both classes.\n"
            "Check that results and qrels have the same queries; `ir_coliee audit` checks the files of a split."
        )
