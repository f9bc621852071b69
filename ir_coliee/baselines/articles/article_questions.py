"""The labelled questions of task 3 and those to answer, over the articles of one code."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.arrays import Booleans, Integers
from ir_coliee.datasets.folds import by_group
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
        cls, collection: ArticleCollection, train: pd.DataFrame, gold: pd.DataFrame, asked: pd.DataFrame | None = None
    ) -> ArticleQuestions:
        """Combine labelled questions and questions to answer.

        Parameters
        ----------
        collection : ArticleCollection
            The articles in the order of the code.
        train : pandas.DataFrame
            The labelled questions: ``qid`` and ``query``.
        gold : pandas.DataFrame
            The relevant articles of the labelled questions: ``qid`` and ``docno``. Articles that the code lacks are
            left out.
        asked : pandas.DataFrame, optional
            The questions to answer: ``qid`` and ``query``.

        Returns
        -------
        ArticleQuestions

        Raises
        ------
        InsufficientTrainingDataError
            If all labelled questions are of one exam year, so that none can be held out.
        """
        questions = pd.concat([train[["qid", "query"]], *([] if asked is None else [asked[["qid", "query"]]])])
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

    @property
    def num_folds(self) -> int:
        """The number of folds."""
        return int(self.folds.max()) + 1

    @property
    def asked(self) -> Integers:
        """The rows of the questions to answer."""
        return np.flatnonzero(~self.labelled)

    @property
    def labelled(self) -> Booleans:
        """Whether each question is labelled."""
        return self.folds >= 0

    def visible(self, hidden: Collection[int] = ()) -> Booleans:
        """Return the labelled questions without those of some folds."""
        return self.labelled & ~np.isin(self.folds, [*hidden])

    def seen(self, visible: Booleans, rows: Integers) -> Booleans:
        """Return which questions (columns) some questions (rows) learn from.

        Parameters
        ----------
        visible : bool array
            The questions whose labels are used.
        rows : int64 array
            The numbers of the questions that learn.

        Returns
        -------
        bool array, rows x questions
            A visible question learns from the visible ones of other exam years, any other question from all of them.
        """
        years = self.exams.years
        own_year = visible[rows, None] & (years[rows, None] == years)
        return np.asarray(visible & ~own_year, dtype=np.bool_)


def _folds(years: Sequence[int]) -> list[int]:
    """Return the fold of each question; the questions of an exam year are in one fold."""
    number = min(_FOLDS, len(set(years)))
    if number < 2:
        raise InsufficientTrainingDataError("the train split has only one exam year, so none can be held out")
    return [*by_group({f"{row:09}": year for row, year in enumerate(years)}, number).values()]
