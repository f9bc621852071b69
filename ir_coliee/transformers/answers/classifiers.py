"""Answers learned from labelled text: the majority label, and TF-IDF with logistic regression.

The starting points of the entailment tasks and of the pilot, against which anything else is measured.
The second needs scikit-learn, the extra ``learn``.
"""

from __future__ import annotations

from typing import Any, TypeVar

import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import check_language
from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.frames import check_ids, sort_results, text_values
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.training_labels import label_values, relevant_pairs

_Fitted = TypeVar("_Fitted", bound="_TextClassifier")


class MajorityAnswer(BaseEstimator):
    """Score every candidate answer by how often it was right in training: R to R.

    >>> pool = pd.DataFrame({"qid": ["1", "1"], "query": [""] * 2, "docno": ["N", "Y"], "score": [0.0] * 2})
    >>> answer = MajorityAnswer()
    >>> _ = answer.fit(pool, pd.DataFrame({"qid": ["1"], "docno": ["Y"], "label": [1]}))
    >>> answer(pool).docno.tolist()
    ['Y', 'N']
    """

    LABEL = "Majority answer"

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> MajorityAnswer:
        """Learn from qrels (qid, docno, label); the topics are not needed. Raises `ColieeError` where none is right."""
        if (right := relevant_pairs(qrels, self)).empty:
            raise ColieeError(f"nothing to learn: of {len(qrels)} labels none is of a right answer")
        self._fitted_model = right["docno"].value_counts(normalize=True).to_dict()
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Equal shares: the first in the alphabet wins."""
        pt.validate.result_frame(inp, context=self)
        check_ids(inp)
        shares = self.fitted_model()
        scores = inp["docno"].map(shares).fillna(0.0).astype(float)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))


class _TextClassifier(BaseEstimator):
    """Base of the classifiers: logistic regression on numbers that a subclass makes of texts. R to R."""

    def __init__(self, column: str) -> None:
        if column not in ("query", "text"):
            raise ValueError(f"column={column!r} is neither 'query' nor 'text'")
        self.column = column
        super().__init__()

    def _features(self) -> Any:
        """What makes numbers of texts, as scikit-learn has it. Raises `MissingExtraError`."""
        raise NotImplementedError

    def fit(self: _Fitted, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> _Fitted:
        """Learn from a frame with the text column and qrels (qid, docno, label).

        Raises `MissingExtraError` without scikit-learn, `ColieeError` where all labels are the same.
        """
        try:
            from sklearn.linear_model import LogisticRegression
            from sklearn.pipeline import make_pipeline
        except ImportError:
            raise MissingExtraError("A classifier of texts", "learn") from None
        wanted = ["qid", self.column] if self.column == "query" else ["qid", "docno", self.column]
        pt.validate.columns(topics, includes=wanted, context=self)
        check_ids(topics)
        right = relevant_pairs(qrels, self)
        if self.column == "query":
            right = right.drop_duplicates("qid")
            examples = topics.drop_duplicates("qid").merge(right[["qid", "docno"]], on="qid", suffixes=("_pool", ""))
            labels = examples["docno"]
        else:
            judged = qrels[["qid", "docno"]].assign(label=label_values(qrels))
            examples = topics.drop(columns="label", errors="ignore").merge(judged, on=["qid", "docno"])
            labels = (examples["label"] > 0).astype(str)
        if labels.nunique() < 2:
            raise ColieeError(f"nothing to learn: all {len(labels)} labels are the same")
        model = make_pipeline(self._features(), LogisticRegression(max_iter=1000))
        try:
            self._fitted_model = model.fit(text_values(examples, self.column), labels.tolist())
        except ValueError as error:  # no text has a word in it
            raise ColieeError(f"nothing to learn: {error}") from None
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Raises `ColieeError` for what is no text."""
        pt.validate.result_frame(inp, extra_columns=[self.column], context=self)
        check_ids(inp)
        model = self.fitted_model()
        if inp.empty:
            return inp.assign(score=pd.Series(dtype=float), rank=pd.Series(dtype=int))
        classes = list(model.classes_)
        rows, texts = pd.factorize(
            pd.Series(text_values(inp, self.column), dtype=object)
        )  # each once: a pool repeats them
        probabilities = model.predict_proba(texts.tolist())[rows]
        wanted = inp["docno"] if self.column == "query" else ["True"] * len(inp)
        scores = [row[classes.index(label)] if label in classes else 0.0 for row, label in zip(probabilities, wanted)]
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))


class TfidfClassifier(_TextClassifier):
    """TF-IDF and logistic regression, scikit-learn's defaults: R to R, scores are probabilities.

    ``column`` says what is classified. With ``query`` a text gets one of the labels that are its
    candidates (Y or N); with ``text`` each candidate is a text of its own and is right or not (a claim
    that is accepted or not). ``language`` chooses word features, or for Japanese runs of 1 to 3
    characters.

    >>> statements = pd.DataFrame({"qid": ["R99-1-1", "R99-1-1", "R99-1-2", "R99-1-2"], "docno": list("YNYN")})
    >>> statements["query"] = ["A lamp is a movable."] * 2 + ["A house is a movable."] * 2
    >>> gold = pd.DataFrame({"qid": ["R99-1-1", "R99-1-2"], "docno": ["Y", "N"], "label": 1})
    >>> TfidfClassifier("query", language="en").fit(statements, gold)(statements).docno.tolist()
    ['Y', 'N', 'N', 'Y']
    """

    LABEL = "TF-IDF classifier"

    def __init__(self, column: str, *, language: str) -> None:
        self.language = check_language(language)
        super().__init__(column)

    def _features(self) -> Any:
        """_TextClassifier._features"""
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer(**({"analyzer": "char", "ngram_range": (1, 3)} if self.language == "ja" else {}))
