"""Classifiers of answers: the majority label, and logistic regression on TF-IDF or embeddings.

They need scikit-learn, the extra ``learn``; `EmbeddingClassifier` the extra ``neural`` as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, MissingExtraError
from ir_coliee.frames import (
    Floats,
    check_checkpoint,
    check_ids,
    check_language,
    integer_at_least,
    one_of,
    text_values,
)
from ir_coliee.models.embedder import Embedder
from ir_coliee.models.loading import LoadOptions
from ir_coliee.transformers.estimators import BaseEstimator, label_values, relevant_pairs, rescored

# Base class of the text classifiers: logistic regression on features of texts.


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
            return inp.assign(score=pd.Series(dtype=float), rank=pd.Series(dtype=int))
        classes = list(model.classes_)
        # each text once, because the candidates of a query repeat it
        rows, texts = pd.factorize(pd.Series(text_values(inp, self.column), dtype=object))
        probabilities = model.predict_proba(texts.tolist())[rows]
        labels = inp["docno"] if self.column == "query" else ["True"] * len(inp)
        scores = [row[classes.index(label)] if label in classes else 0.0 for row, label in zip(probabilities, labels)]
        return rescored(inp, scores)


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
        return rescored(inp, scores)


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


# Classification of texts by the embeddings of a sentence-transformers model and logistic regression.


class EmbeddingClassifier(TextClassifier):
    """Classify texts by embeddings and logistic regression: R to R.

    Scores are probabilities. The encoder is not fine-tuned.

    Parameters
    ----------
    model : str
        The Hugging Face name or the folder of a sentence-transformers model. Texts are truncated to its window.
    column : {'query', 'text'}
        The column that is classified: ``query`` for queries that get one of their candidates as the label, ``text``
        for candidates that are relevant or not. See `TfidfClassifier`.
    batch_size : int
        The number of texts that are encoded at a time.
    load : LoadOptions
        Number format, device and other options of loading the weights.

    Examples
    --------
    >>> EmbeddingClassifier("intfloat/multilingual-e5-small", "text").column
    'text'
    """

    LABEL = "Embedding classifier"

    def __init__(self, model: str, column: str, *, load: LoadOptions = LoadOptions(), batch_size: int = 32) -> None:
        self.model = check_checkpoint(model)
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.load = load
        super().__init__(column)

    def vectoriser(self) -> Any:
        """Return scikit-learn's transformer that embeds texts."""
        from sklearn.preprocessing import FunctionTransformer

        embedder = Embedder(
            self.model, document_instruction="", load=self.load, batch_size=self.batch_size, pooling="first"
        )
        return FunctionTransformer(_embedded, kw_args={"embedder": embedder})


def _embedded(texts: Sequence[str], embedder: Embedder) -> Floats:
    return embedder.embed_documents(texts).vectors.astype(np.float64)
