"""Baseline classifiers of answers: the majority label, and TF-IDF with logistic regression.

They are baselines for the entailment tasks and the pilot. `TfidfClassifier` needs scikit-learn, the extra ``learn``.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyterrier as pt

from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.frames import check_ids, check_language, sort_results
from ir_coliee.transformers.answers.text_classifier import TextClassifier
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.training_labels import relevant_pairs


class MajorityAnswer(BaseEstimator):
    """Score each candidate answer by the share of training questions for which it is correct: R to R.

    Examples
    --------
    >>> pool = pd.DataFrame({"qid": ["1", "1"], "query": [""] * 2, "docno": ["N", "Y"], "score": [0.0] * 2})
    >>> answer = MajorityAnswer()
    >>> _ = answer.fit(pool, pd.DataFrame({"qid": ["1"], "docno": ["Y"], "label": [1]}))
    >>> answer(pool).docno.tolist()
    ['Y', 'N']
    """

    LABEL = "Majority answer"

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> MajorityAnswer:
        """Count the correct answers in qrels (qid, docno, label); the topics are not used.

        Raises `InsufficientTrainingDataError` if no label is above 0.
        """
        if (relevant := relevant_pairs(qrels, self)).empty:
            raise InsufficientTrainingDataError(
                f"None of the {len(qrels)} labels of the qrels is above 0; training needs correct answers."
            )
        self._fitted_model = relevant["docno"].value_counts(normalize=True).to_dict()
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Candidates with equal shares are sorted by docno."""
        pt.validate.result_frame(inp, context=self)
        check_ids(inp)
        scores = inp["docno"].map(self.fitted_model()).fillna(0.0).astype(float)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))


class TfidfClassifier(TextClassifier):
    """Classify texts by TF-IDF features and logistic regression, with scikit-learn's defaults: R to R.

    Scores are probabilities.

    Parameters
    ----------
    column : {'query', 'text'}
        The column that is classified. With ``query``, a query gets one of its candidates as its label, for example Y
        or N. With ``text``, each candidate is a text that is relevant or not, for example a claim that is accepted or
        not.
    language : {'en', 'ja'}
        The features are words in English, and n-grams of 1 to 3 characters in Japanese.

    Examples
    --------
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

    def vectoriser(self) -> Any:
        """Return scikit-learn's vectoriser for the language."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer(**({"analyzer": "char", "ngram_range": (1, 3)} if self.language == "ja" else {}))
