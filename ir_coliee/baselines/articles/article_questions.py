"""The train questions of task 3 and those to answer, over the articles of one code."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.engine.articles.article_collection import ArticleCollection
from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.frames import Booleans, Integers

_FOLDS = 5  # of whole exam years


@dataclass(frozen=True, eq=False)
class ArticleQuestions:
    """Train questions, followed by questions to answer, and the articles of their code.

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
        1 for a relevant article of a train question, else 0.
    folds : int64 array
        The fold of the exam year of each question; -1 for an exam year without train questions.
    num_train : int
        The number of train questions.
    """

    collection: ArticleCollection
    qids: npt.NDArray[np.object_]
    texts: list[str]
    exams: ExamQuestions
    relevant: sparse.csr_matrix
    folds: Integers
    num_train: int

    @classmethod
    def of(
        cls,
        collection: ArticleCollection,
        train: pd.DataFrame,
        gold: pd.DataFrame,
        to_answer: pd.DataFrame | None = None,
    ) -> ArticleQuestions:
        """Combine train questions and questions to answer.

        Parameters
        ----------
        collection : ArticleCollection
            The articles in the order of the code.
        train : pandas.DataFrame
            The train questions: ``qid`` and ``query``.
        gold : pandas.DataFrame
            The relevant articles of the train questions: ``qid`` and ``docno``. Articles that the code lacks are
            left out.
        to_answer : pandas.DataFrame, optional
            The questions to answer: ``qid`` and ``query``.

        Returns
        -------
        ArticleQuestions

        Raises
        ------
        InsufficientTrainingDataError
            If all train questions are of one exam year, so that none can be held out.
        """
        questions = pd.concat([train[["qid", "query"]], *([] if to_answer is None else [to_answer[["qid", "query"]]])])
        qids = questions["qid"].to_numpy(object)
        exams = ExamQuestions.of(qids.tolist())
        rows = pd.Index(train["qid"], dtype=object).get_indexer(pd.Index(gold["qid"], dtype=object))
        docnos = pd.Index(collection.docnos, dtype=object)
        columns = docnos.get_indexer(pd.Index(gold["docno"], dtype=object))
        known = (rows >= 0) & (columns >= 0)
        pairs = np.unique(np.column_stack([rows, columns])[known], axis=0)
        shape = len(qids), len(docnos)
        relevant = sparse.csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=shape)
        fold_of = ExamQuestions.of(qids[: len(train)].tolist()).folds(_FOLDS)
        if len(fold_of) < 2:
            raise InsufficientTrainingDataError("the train split has only one exam year, so none can be held out")
        folds = np.array([fold_of.get(year, -1) for year in exams.years.tolist()], dtype=np.int64)
        return cls(collection, qids, questions["query"].tolist(), exams, relevant, folds, len(train))

    @property
    def num_folds(self) -> int:
        """The number of folds."""
        return int(self.folds.max()) + 1

    @property
    def train(self) -> Integers:
        """The rows of the train questions."""
        return np.arange(self.num_train)

    @property
    def to_answer(self) -> Integers:
        """The rows of the questions to answer."""
        return np.arange(self.num_train, len(self.qids))

    @property
    def labelled(self) -> Booleans:
        """Whether each question has a relevant article in the code that is known."""
        return np.diff(self.relevant.indptr) > 0

    def visible(self, hidden: Collection[int] = ()) -> Booleans:
        """Return the labelled questions without those of some folds."""
        return self.labelled & ~np.isin(self.folds, [*hidden])

    def seen(self, visible: Booleans, rows: Integers) -> Booleans:
        """Return which questions (columns) some questions (rows) learn from: the visible ones of other exam years.

        Parameters
        ----------
        visible : bool array
            The questions whose labels are used.
        rows : int64 array
            The numbers of the questions that learn.

        Returns
        -------
        bool array, rows x questions
        """
        years = self.exams.years
        return np.asarray(visible & (years[rows, None] != years), dtype=np.bool_)
