"""Base class of the text classifiers: logistic regression on features of texts."""

from __future__ import annotations

from typing import Any, TypeVar

import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, MissingExtraError
from ir_coliee.frames import check_ids, one_of, sort_results, text_values
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.training_labels import label_values, relevant_pairs

_Fitted = TypeVar("_Fitted", bound="TextClassifier")


class TextClassifier(BaseEstimator):
    """Base class of the text classifiers (R to R): logistic regression on features that a subclass computes.

    Parameters
    ----------
    column : {'query', 'text'}
        The column that is classified. With ``query``, a query gets one of its candidates as its label, for example Y
        or N. With ``text``, each candidate is a text that is relevant or not, for example a claim that is accepted or
        not.
    """

    def __init__(self, column: str) -> None:
        self.column = one_of("column", column, ("query", "text"))
        super().__init__()

    def vectoriser(self) -> Any:
        """Return scikit-learn's transformer from texts to features. Raises `MissingExtraError`."""
        raise NotImplementedError

    def fit(self: _Fitted, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> _Fitted:
        """Fit the classifier.

        Parameters
        ----------
        topics : pandas.DataFrame
            Queries or candidates, with the column that is classified.
        qrels : pandas.DataFrame
            The columns qid, docno and label.

        Returns
        -------
        TextClassifier
            This object, fitted.

        Raises
        ------
        MissingExtraError
            If scikit-learn is not installed.
        ColieeError
            If all labels are the same, or if no text contains a word.
        """
        try:
            from sklearn.linear_model import LogisticRegression
            from sklearn.pipeline import make_pipeline
        except ImportError:
            raise MissingExtraError("A classifier of texts", "learn") from None
        required = ["qid", self.column] if self.column == "query" else ["qid", "docno", self.column]
        pt.validate.columns(topics, includes=required, context=self)
        check_ids(topics)
        relevant = relevant_pairs(qrels, self)
        if self.column == "query":
            relevant = relevant.drop_duplicates("qid")
            examples = topics.drop_duplicates("qid").merge(relevant[["qid", "docno"]], on="qid", suffixes=("_pool", ""))
            labels = examples["docno"]
        else:
            judged = qrels[["qid", "docno"]].assign(label=label_values(qrels))
            examples = topics.drop(columns="label", errors="ignore").merge(judged, on=["qid", "docno"])
            labels = (examples["label"] > 0).astype(str)
        if labels.nunique() < 2:
            raise InsufficientTrainingDataError(f"All {len(labels)} labels are the same; training needs both classes.")
        model = make_pipeline(self.vectoriser(), LogisticRegression(max_iter=1000))
        try:
            self._fitted_model = model.fit(text_values(examples, self.column), labels.tolist())
        except ValueError as error:  # no text contains a word
            raise ColieeError(f"The texts give no features: {error}") from None
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates by probability. Raises `ColieeError` for a value that is not a string."""
        pt.validate.result_frame(inp, extra_columns=[self.column], context=self)
        check_ids(inp)
        model = self.fitted_model()
        if inp.empty:
            frame: pd.DataFrame = inp.assign(score=pd.Series(dtype=float), rank=pd.Series(dtype=int))
            return frame
        classes = list(model.classes_)
        # each text once, because the candidates of a query repeat it
        rows, texts = pd.factorize(pd.Series(text_values(inp, self.column), dtype=object))
        probabilities = model.predict_proba(texts.tolist())[rows]
        labels = inp["docno"] if self.column == "query" else ["True"] * len(inp)
        scores = [row[classes.index(label)] if label in classes else 0.0 for row, label in zip(probabilities, labels)]
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))
