"""The articles of a code, and the questions about them: texts, headings, places, references, exams and labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.editions import Dataset
from ir_coliee.frames import Booleans, Integers
from ir_coliee.releases.article_references import release_with_articles
from ir_coliee.releases.civil_code import Article, articles
from ir_coliee.text.references.graph import reference_graph
from ir_coliee.text.statutes import LEVELS, exam_id, provisions


@dataclass(frozen=True, eq=False)
class ArticleCollection:
    """Articles in the order of the code.

    Attributes
    ----------
    articles : sequence of Article
        The articles; a deleted one is left out.
    language : str
        ``en`` or ``ja``.

    Examples
    --------
    >>> collection = ArticleCollection.of("coliee/task3/sample/en")
    >>> len(collection.docnos), collection.units["finest"][:3].tolist()
    (105, [0, 0, 0])
    """

    articles: Sequence[Article]
    language: str

    @classmethod
    def of(cls, dataset: Dataset) -> ArticleCollection:
        """Articles of a dataset of task 3, 4 or 5, or of a collection of articles.

        Raises
        ------
        UnknownIdError
            If there is no such dataset id.
        ColieeError
            If it has no articles.
        MissingReleaseError
            If the civil code is not in the data folder.
        """
        release = release_with_articles(dataset)
        return cls(articles(release), release.split.language)

    @cached_property
    def docnos(self) -> npt.NDArray[np.object_]:
        """Numbers of the articles."""
        return np.array([article.doc_id for article in self.articles], dtype=object)

    def texts(self) -> list[str]:
        """Caption and text of each article."""
        return [article.default_text() for article in self.articles]

    def full_texts(self) -> list[str]:
        """Headings, caption and text of each article."""
        return ["\n".join([*filter(None, _headings(article)), article.default_text()]) for article in self.articles]

    def passages(self) -> tuple[list[str], Integers]:
        """Paragraphs and items of all articles, each with the article's caption.

        Returns
        -------
        texts : list of str
            Caption and words of each passage. A paragraph with items is one passage for each item, which begins with
            the words before the first item.
        articles : int64 array
            Row of the article of each passage, ascending.
        """
        texts: list[str] = []
        rows: list[int] = []
        for row, article in enumerate(self.articles):
            found = [
                f"{article.effective_caption}\n{words}".strip() for words in _passages(article.text, self.language)
            ]
            texts += found
            rows += [row] * len(found)
        return texts, np.array(rows, dtype=np.int64)

    @cached_property
    def units(self) -> dict[str, Integers]:
        """Number of the unit of each article, by level: those of headings, and ``finest``, for all of them.

        Articles are in the same unit if all their headings down to the level are the same.
        """
        return {level: self._units(depth) for depth, level in enumerate((*LEVELS, "finest"), 1)}

    def _units(self, depth: int) -> Integers:
        places = [_headings(article)[:depth] for article in self.articles]
        number_of = {place: number for number, place in enumerate(dict.fromkeys(places))}
        return _integers([number_of[place] for place in places])

    def links(self, *, mutatis_mutandis: bool = False) -> sparse.csr_matrix:
        """References of each article (row) to others (columns), each a 1; or only those that apply mutatis mutandis."""
        row_of = {docno: row for row, docno in enumerate(self.docnos)}
        edges = {
            (row_of[edge.source], row_of[edge.target])
            for edge in reference_graph(self.articles, self.language).references
            if edge.mutatis_mutandis or not mutatis_mutandis
        }
        rows, columns = np.array(sorted(edges), dtype=np.int64).reshape(-1, 2).T
        size = len(self.articles)
        return sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(size, size))


def _headings(article: Article) -> tuple[str, ...]:
    return tuple(getattr(article, level) for level in LEVELS)


def _passages(text: str, language: str) -> Iterator[str]:
    """Yield paragraphs without items, and items with the words before the first one."""
    lead = ""
    for provision in provisions(text, language, "item"):
        if provision.level == 1:
            yield f"{lead}\n{text[provision.start : provision.end]}".strip()
            continue
        lead = text[provision.start : provision.lead_end]
        if provision.lead_end == provision.end:  # no item follows
            yield lead


# Exam years, numbers and groups of questions, from their ids.


_ERAS = {"H": 1988, "R": 2018}  # the year before the first of the era


class ExamQuestions(NamedTuple):
    """Questions with what their ids tell of the exam.

    Attributes
    ----------
    years : int64 array
        Calendar year of the exam; 0 for an id that has none.
    numbers : int64 array
        Number of the question in the exam; 0 for an id that has none.
    groups : int64 array
        Questions with the same exam year and number have the same group. A question without a number is a group of
        its own.
    """

    years: Integers
    numbers: Integers
    groups: Integers

    @classmethod
    def of(cls, qids: Sequence[str]) -> ExamQuestions:
        """Questions with these ids.

        Examples
        --------
        >>> ExamQuestions.of(["R98-04-E", "R98-04-I", "R98-05-A", "keys"])
        ExamQuestions(years=array([2116, 2116, 2116,    0]), numbers=array([4, 4, 5, 0]), groups=array([0, 0, 1, 2]))
        """
        found = [exam_id(qid) for qid in qids]
        years = [_ERAS[one.year[0]] + int(one.year[1:]) if one.year else 0 for one in found]
        numbers = [int(one.question_no or 0) for one in found]
        keys = [(one.year, one.question_no) if one.year else qid for qid, one in zip(qids, found)]
        group_of = {key: group for group, key in enumerate(dict.fromkeys(keys))}
        return cls(*map(_integers, (years, numbers, [group_of[key] for key in keys])))

    def folds(self, number: int) -> dict[int, int]:
        """Deal the exam years (0 for ids without one) into folds, in their order.

        Examples
        --------
        >>> ExamQuestions.of(["R99-04-E", "R97-04-I", "R98-05-A"]).folds(2)
        {2115: 0, 2116: 1, 2117: 0}
        """
        return {int(year): place % number for place, year in enumerate(np.unique(self.years))}


def _integers(values: Sequence[int]) -> Integers:
    return np.array(values, dtype=np.int64)


# Labelled questions and questions to score, over the articles of one code.


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
