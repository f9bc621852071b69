"""Base classes of the transformers of articles: estimators that score articles, and features of matrices of scores."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple, TypeVar

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.engine.articles.article_collection import ArticleCollection
from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.engine.articles.labelled_questions import LabelledQuestions
from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError, printable
from ir_coliee.frames import (
    Floats,
    Integers,
    check_ids,
    integer_at_least,
    number_ids,
    sort_results,
    take_rows,
    text_values,
)
from ir_coliee.text.analysers import Analysis, check_text_analyser
from ir_coliee.text.stems import Stems
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.features.base import FeatureTransformer
from ir_coliee.transformers.features.score_features import checked_columns, score_values
from ir_coliee.transformers.training_labels import relevant_pairs

_Fitted = TypeVar("_Fitted", bound="ArticleEstimator")


class ArticleEstimator(BaseEstimator):
    """Base of the estimators that score all articles of a collection for questions: Q to R, R to R.

    A subclass defines `fitted`, which returns a model with ``labelled`` and ``scores``.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    analyser : str or analyser, optional
        The analyser of the texts. By default stems without stop words in English, and lemmas of content words in
        Japanese, see `ir_coliee.text.stems`.
    num_results : int
        The largest number of articles for each question, >= 1.
    """

    def __init__(self, dataset: Dataset, analyser: Analysis | None, num_results: int) -> None:
        self.dataset = as_dataset_id(dataset)
        self.analyser = None if analyser is None else check_text_analyser(analyser)
        self.num_results = integer_at_least("num_results", num_results, 1)
        super().__init__()

    def fitted(self, articles: list[str], labelled: LabelledQuestions, analyser: Analysis) -> Any:
        """Return the model that is fitted to the articles and the labelled questions."""
        raise NotImplementedError

    def fit(self: _Fitted, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> _Fitted:
        """Fit the model.

        Parameters
        ----------
        topics : pandas.DataFrame
            Questions with the columns qid and query. One without a relevant article in the collection is ignored.
        qrels : pandas.DataFrame
            The columns qid, docno and label.

        Returns
        -------
        ArticleEstimator
            This object, fitted.

        Raises
        ------
        InsufficientTrainingDataError
            If no question has a relevant article.
        """
        pt.validate.columns(topics, includes=["qid", "query"], context=self)
        collection = ArticleCollection.of(self.dataset)
        labelled = labelled_questions(topics, qrels, collection, self)
        analyser = self.analyser
        if analyser is None:
            stems = Stems.of(collection.language)
            for note in stems.notes:
                warnings.warn(f"{type(self).__name__}: {note}", ColieeWarning, stacklevel=2)
            analyser = stems.analyser
        self._fitted_model = self.fitted(collection.texts(), labelled, analyser)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve the articles of questions (Q to R), or score the articles of the frame (R to R).

        Raises `ColieeError` for an article that the collection does not have.
        """
        with pt.validate.any(inp, context=self) as frame:
            frame.query_frame(extra_columns=["query"], mode="retrieve")
            frame.result_frame(extra_columns=["query"], mode="rescore")
        check_ids(inp)
        model = self.fitted_model()
        questions = inp.drop_duplicates("qid", ignore_index=True)
        scores = model.scores(text_values(questions, "query"), ExamQuestions.of(questions["qid"].tolist()))
        docnos = model.labelled.docnos
        if frame.mode == "rescore":
            rows, found = number_ids(inp["qid"])[0], inp.reset_index(drop=True)
            columns = _columns(docnos, inp["docno"], self.dataset)
        else:
            rows, columns = (each.ravel() for each in np.indices(scores.shape))
            found = take_rows(questions, rows).assign(docno=docnos[columns])
        ordered = sort_results(found.drop(columns="rank", errors="ignore").assign(score=scores[rows, columns]))
        output: pd.DataFrame = ordered[ordered["rank"] < self.num_results].reset_index(drop=True)
        return output


def labelled_questions(
    topics: pd.DataFrame, qrels: pd.DataFrame, collection: ArticleCollection, context: pt.Transformer
) -> LabelledQuestions:
    """Return the questions that have a relevant article; raise `InsufficientTrainingDataError` if none has."""
    check_ids(topics)
    texts = text_values(topics, "query") if "query" in topics.columns else [""] * len(topics)
    gold = relevant_pairs(qrels, context)
    pairs = zip(gold["qid"].tolist(), gold["docno"].tolist())
    labelled = LabelledQuestions.of(dict(zip(topics["qid"].tolist(), texts)), pairs, collection.docnos.tolist())
    if not labelled.texts:
        raise InsufficientTrainingDataError(
            f"None of the {len(topics)} questions has a relevant article in the collection.\n"
            "Check that topics and qrels have the same query ids."
        )
    return labelled


class ScoreGrid(NamedTuple):
    """The rows of a frame as cells of a matrix: questions x all articles of the collection.

    Attributes
    ----------
    frame : pandas.DataFrame
        The results.
    qids : list of str
        The question of each row of the matrix.
    rows, columns : numpy.ndarray of int64
        The cell of each row of the frame.
    collection : ArticleCollection
        The articles, which are the columns of the matrix.
    """

    frame: pd.DataFrame
    qids: list[str]
    rows: Integers
    columns: Integers
    collection: ArticleCollection

    def scores(self, column: str) -> Floats:
        """Return a column of scores as a matrix, 0 for articles that the frame lacks."""
        matrix = np.zeros((len(self.qids), len(self.collection.docnos)))
        matrix[self.rows, self.columns] = score_values(self.frame, column, self.rows)
        return matrix


class ArticleFeatures(FeatureTransformer):
    """Base of the feature transformers (R to R) that compute features on matrices of questions and articles.

    A subclass defines `feature_names` and `matrices`.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = as_dataset_id(dataset)

    def matrices(self, grid: ScoreGrid) -> list[Floats]:
        """Return a matrix (questions x articles) for each feature."""
        raise NotImplementedError

    def collection(self) -> ArticleCollection:
        """Return the articles, read again once the local release has changed."""
        store = ir_datasets.load(self.dataset).docs_store()
        return self._cached((self.dataset, store), lambda: ArticleCollection.of(self.dataset))

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for an article that the collection does not have."""
        collection = self.collection()
        rows, qids = number_ids(results["qid"])
        columns = _columns(collection.docnos, results["docno"], self.dataset)
        matrices = self.matrices(ScoreGrid(results, qids.tolist(), rows, columns, collection))
        return np.column_stack([matrix[rows, columns] for matrix in matrices]).astype(np.float64)


class ScoreArticleFeatures(ArticleFeatures):
    """Base of the features that are computed from columns of scores.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.
    """

    def __init__(self, dataset: Dataset, scores: Any = ("score",)) -> None:
        super().__init__(dataset)
        self.scores = checked_columns(scores)

    def columns(self) -> list[str]:
        """Return the columns of scores."""
        return self.scores


def _columns(docnos: Any, ids: pd.Series[Any], dataset: str) -> Integers:
    columns = pd.Index(docnos, dtype=object).get_indexer(ids.to_numpy(object))
    if (unknown := columns < 0).any():
        raise ColieeError(
            f"{printable(str(ids.to_numpy(object)[unknown][0]))} is not an article of {dataset}.\n"
            "Pass results of this dataset, or the id of the dataset that they are from."
        )
    return np.asarray(columns, dtype=np.int64)
