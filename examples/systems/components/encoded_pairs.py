"""Answer by a classifier of encoded questions and texts, whose encoder is not fine-tuned.

CAPTAIN (run2, BERT and an SVM) and KIS (KIS1, LUKE) at COLIEE 2023, task 4. The overview of 2023 does not say what
their classifiers read; the features are our own choice.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy.special import expit

from ir_coliee.frames import Floats, check_ids, text_values
from ir_coliee.models import Embedder
from ir_coliee.transformers.estimators import BaseEstimator, answers_by_query, check_both_classes, relevant_pairs


class EncodedPairs(BaseEstimator):
    """Answer each query from its embedding and that of its most similar text: Q to Q, R to R.

    The most similar text of a query has the highest cosine. The features are both embeddings, their absolute
    difference and their product. Rows and columns stay; ``qanswer`` (Y or N) and ``yes`` are added, as by
    `ir_coliee.transformers.Entailment`. ``yes`` is the logistic function of the classifier's decision.

    Parameters
    ----------
    embedder : Embedder
        The encoder. It is not changed, and reads the beginning or the mean of a long text.
    classifier : object
        A classifier with scikit-learn's ``fit`` and ``decision_function``. `fit` does not change it.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> EncodedPairs(Embedder("bert-base-uncased", token_pooling="mean"), SVC()).embedder.token_pooling
    'mean'
    """

    LABEL = "Encoded pairs"

    def __init__(self, embedder: Embedder, classifier: Any) -> None:
        self.embedder = embedder
        self.classifier = classifier
        super().__init__()

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> EncodedPairs:
        """Fit the classifier.

        Parameters
        ----------
        topics : pandas.DataFrame
            Questions with the columns qid, query and text, a row for each text.
        qrels : pandas.DataFrame
            The columns qid, docno (Y or N) and label. Questions without an answer are left out.

        Returns
        -------
        EncodedPairs
            This object, fitted.

        Raises
        ------
        ColieeError
            For a question with two answers, or if all answers are the same.
        """
        pt.validate.columns(topics, includes=["qid", "query", "text"], context=self)
        answers = answers_by_query(relevant_pairs(qrels, self))
        answered = topics[topics["qid"].isin(answers.index)].reset_index(drop=True)
        labels = (answered.drop_duplicates("qid")["qid"].map(answers) == "Y").to_numpy(np.float64)
        check_both_classes(labels)
        self._fitted_model = copy.deepcopy(self.classifier).fit(self._features(answered), labels)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries.

        Raises
        ------
        ColieeError
            For a row without a query id, and for a query or text that is not a string.
        """
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        check_ids(inp)
        model = self.fitted_model()
        yes = expit(model.decision_function(self._features(inp))) if len(inp) else np.empty(0)
        numbers = pd.factorize(inp["qid"])[0]
        answers = np.where(yes > 0.5, "Y", "N").astype(object)
        return inp.assign(qanswer=answers[numbers], yes=yes[numbers]).reset_index(drop=True)

    def _features(self, frame: pd.DataFrame) -> Floats:
        """Return a row for each query, in the order of their appearance."""
        numbers, qids = pd.factorize(frame["qid"])
        first = frame.drop_duplicates("qid")
        queries = self.embedder.embed_queries(text_values(first, "query")).vectors.astype(np.float64)
        texts = self.embedder.embed_documents(text_values(frame, "text")).vectors.astype(np.float64)
        cosines = (_unit(queries)[numbers] * _unit(texts)).sum(axis=1)
        order = np.lexsort((-cosines, numbers))
        nearest = texts[order[np.searchsorted(numbers[order], np.arange(len(qids)))]]
        return np.hstack([queries, nearest, np.abs(queries - nearest), queries * nearest])


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = vectors / np.where(lengths > 0, lengths, 1)
    return unit
