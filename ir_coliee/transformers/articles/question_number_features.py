"""Features of the number of a question in its exam."""

from __future__ import annotations

import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset
from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.engine.articles.question_numbers import NUMBER_FEATURES, question_number_features
from ir_coliee.frames import Floats, integer_at_least
from ir_coliee.transformers.articles.base import ArticleFeatures, ScoreGrid, labelled_questions
from ir_coliee.transformers.estimators import BaseEstimator


class QuestionNumberFeatures(ArticleFeatures, BaseEstimator):
    """Compute features of the number of a question and the place of an article: R to R.

    Exams go through the code in order, so the number of a question tells where its articles are. Features are the
    ``number`` of the question in its exam, the ``place`` of the article in the code (counted from 0), and the
    ``density`` of the relevant articles of other exam years around both, as value, ratio to the question's best, rank
    and gap to the second best.

    No label of a question's own exam year is used for it. The features of a question whose id has no number are 0,
    except the place.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    nearest : int
        The number of exam years to use, those nearest to the question's, >= 1.

    Notes
    -----
    A relevant article at place p of a question with number m adds exp(-(n - m)² / 2) exp(-(a - p)² / (2 · 8²)) to the
    density of the article at place a for a question with number n.

    Examples
    --------
    >>> dataset = pt.get_dataset("irds:coliee/task3/sample/en/train")
    >>> features = QuestionNumberFeatures("coliee/task3/sample/en")
    >>> features = features.fit(dataset.get_topics(), dataset.get_qrels())
    >>> run = pd.DataFrame({"qid": "R99-01-A", "docno": ["3", "4"], "score": [2.0, 8.0]})
    >>> features(run).features.str[1].tolist()
    [2.0, 3.0]
    """

    LABEL = "Question numbers"

    def __init__(self, dataset: Dataset, nearest: int = 6) -> None:
        super().__init__(dataset)
        BaseEstimator.__init__(self)
        self.nearest = integer_at_least("nearest", nearest, 1)

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> QuestionNumberFeatures:
        """Store where the relevant articles of the questions of each exam are.

        Parameters
        ----------
        topics : pandas.DataFrame
            The labelled questions, with the column qid.
        qrels : pandas.DataFrame
            The columns qid, docno and label.

        Returns
        -------
        QuestionNumberFeatures
            This object, fitted.

        Raises
        ------
        InsufficientTrainingDataError
            If no question has a relevant article.
        """
        pt.validate.columns(topics, includes=["qid"], context=self)
        self._fitted_model = labelled_questions(topics[["qid"]], qrels, self.collection(), self)
        return self

    @property
    def feature_names(self) -> list[str]:
        """``number``, ``place``, ``density``, ``density_ratio``, ``density_rank`` and ``density_gap``."""
        return list(NUMBER_FEATURES)

    def matrices(self, grid: ScoreGrid) -> list[Floats]:
        """Compute the features as matrices."""
        model = self.fitted_model()
        features = question_number_features(
            ExamQuestions.of(grid.qids), model.exams, model.relevant, nearest=self.nearest
        )
        return [features[name] for name in NUMBER_FEATURES]
