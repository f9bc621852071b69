"""The labelled questions of task 3 and those to answer, over the articles of one code."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.arrays import Booleans, Integers
from ir_coliee.baselines.training_data import TrainingData, shares_labels, topics
from ir_coliee.datasets.folds import by_group
from ir_coliee.editions import Split
from ir_coliee.engine.articles.article_collection import ArticleCollection
from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.errors import InsufficientTrainingDataError

_FOLDS = 5  # of whole exam years


@dataclass(frozen=True, eq=False)
class ArticleQuestions:
    """Labelled questions, followed by questions to answer, and the articles of their code.

    Attributes
    ----------
    collection : ArticleCollection
        The articles in the order of the code.
    qids : object array
        The ids of the questions.
    texts : list of str
        Their statements.
    exams : ExamQuestions
        Their exam years, numbers and groups.
    relevant : csr_matrix, questions x articles
        1 for a relevant article of a labelled question, else 0.
    folds : int64 array
        The fold of whole exam years of each labelled question; -1 for the questions to answer.
    """

    collection: ArticleCollection
    qids: npt.NDArray[np.object_]
    texts: list[str]
    exams: ExamQuestions
    relevant: sparse.csr_matrix
    folds: Integers

    @classmethod
    def of(
        cls, collection: ArticleCollection, train: pd.DataFrame, gold: pd.DataFrame, asked: pd.DataFrame
    ) -> ArticleQuestions:
        """Combine labelled questions and questions to answer.

        Parameters
        ----------
        collection : ArticleCollection
            The articles in the order of the code.
        train, asked : pandas.DataFrame
            The labelled questions and those to answer: ``qid`` and ``query``.
        gold : pandas.DataFrame
            The relevant articles of the labelled questions: ``qid`` and ``docno``. Articles that the code lacks are
            left out.

        Returns
        -------
        ArticleQuestions

        Raises
        ------
        InsufficientTrainingDataError
            If all labelled questions are of one exam year, so that none can be held out.
        """
        questions = pd.concat([train[["qid", "query"]], asked[["qid", "query"]]], ignore_index=True)
        qids = questions["qid"].to_numpy(object)
        exams = ExamQuestions.of(qids.tolist())
        rows = pd.Index(train["qid"], dtype=object).get_indexer(pd.Index(gold["qid"], dtype=object))
        docnos = pd.Index(collection.docnos, dtype=object)
        columns = docnos.get_indexer(pd.Index(gold["docno"], dtype=object))
        known = (rows >= 0) & (columns >= 0)
        pairs = np.unique(np.column_stack([rows, columns])[known], axis=0)
        shape = len(qids), len(docnos)
        relevant = sparse.csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=shape)
        folds = np.full(len(qids), -1, dtype=np.int64)
        folds[: len(train)] = _folds(exams.years[: len(train)].tolist())
        return cls(collection, qids, questions["query"].tolist(), exams, relevant, folds)

    @classmethod
    def read(cls, split: Split, training: TrainingData) -> ArticleQuestions:
        """Read the training data and the questions of a split; a split that is scored with these labels adds none.

        Raises
        ------
        InsufficientTrainingDataError
            If the training data are of one exam year.
        """
        train = training.topics()
        asked = train.iloc[:0] if shares_labels(training.split, split) else topics(split)
        return cls.of(ArticleCollection.of(split.id), train, training.qrels(), asked)

    @property
    def labelled(self) -> Booleans:
        """Whether each question is labelled."""
        return self.folds >= 0

    def visible(self, hidden: Collection[int] = ()) -> Booleans:
        """Return the labelled questions without those of some folds."""
        return self.labelled & ~np.isin(self.folds, [*hidden])

    def seen(self, visible: Booleans) -> Booleans:
        """Return which questions (columns) each question (row) learns from.

        Parameters
        ----------
        visible : bool array
            The questions whose labels are used.

        Returns
        -------
        bool array, questions x questions
            A visible question learns from the visible ones of other exam years, any other question from all of them.
        """
        years = self.exams.years
        return np.asarray(visible & ~(visible[:, None] & (years[:, None] == years)), dtype=np.bool_)


def _folds(years: Sequence[int]) -> list[int]:
    """Return the fold of each question; the questions of an exam year are in one fold."""
    number = min(_FOLDS, len(set(years)))
    if number < 2:
        raise InsufficientTrainingDataError("the train split has only one exam year, so none can be held out")
    return [*by_group({f"{row:09}": year for row, year in enumerate(years)}, number).values()]
