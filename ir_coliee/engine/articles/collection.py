"""The articles of a code, and the questions about them: texts, headings, places, references, exams and labels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.editions import Dataset
from ir_coliee.engine.pools import ratio_to_best
from ir_coliee.frames import Booleans, Floats, Integers
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
        places = [*map(_headings, self.articles)]
        levels = enumerate((*LEVELS, "finest"), 1)
        return {level: _numbered([place[:depth] for place in places]) for depth, level in levels}

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
        return cls(_integers(years), _integers(numbers), _numbered(keys))


def _integers(values: Sequence[int]) -> Integers:
    return np.array(values, dtype=np.int64)


def _numbered(keys: Sequence[object]) -> Integers:
    """Number distinct keys in the order in which they first occur."""
    numbers: dict[object, int] = {}
    return _integers([numbers.setdefault(key, len(numbers)) for key in keys])


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
        train_years = np.unique(exams.years[: len(train)]).tolist()
        fold_of = {year: place % _FOLDS for place, year in enumerate(train_years)}
        folds = _integers([fold_of.get(year, -1) for year in exams.years.tolist()])
        return cls(collection, qids, questions["query"].tolist(), exams, relevant, folds, len(train))

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


# Features of scores of articles: their forms, and the scores of sibling questions, of units and of linked articles.


#: Suffixes of the names of the four forms, as `ScoreFeatures` has them.
FORMS = ("", "_ratio", "_rank", "_gap")
#: Levels of the units that the features of siblings and of structure use.
UNITS = ("section", "chapter", "finest")


def best_ratios(scores: Floats) -> Floats:
    """Ratio of each score to the question's best score, at least -1; 0 if the best is 0, see `ratio_to_best`.

    Without the bound, a best score that is 0 but for rounding would give ratios of any size.

    Examples
    --------
    >>> best_ratios(np.array([[4.0, 1.0], [0.0, 0.0], [1e-30, -1.0]])).tolist()
    [[1.0, 0.25], [0.0, 0.0], [1.0, -1.0]]
    """
    return np.maximum(ratio_to_best(scores, scores.max(axis=1, keepdims=True)), -1.0)


def evidence(scores: Floats, power: float = 2.0) -> Floats:
    """Power of each score's ratio to the question's best; 0 for negative scores.

    Examples
    --------
    >>> evidence(np.array([[4.0, 1.0, -1.0]])).tolist()
    [[1.0, 0.0625, 0.0]]
    """
    return best_ratios(np.maximum(scores, 0.0)) ** power


def fourfold(scores: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Value, ratio to the question's best, rank, and gap to the question's second-best score.

    The rank is the number of the question's higher scores; the gap is the score minus the second best, or minus the
    best of a single article.

    Examples
    --------
    >>> value, ratio, rank, gap = fourfold(np.array([[1.0, 4.0, 2.0]]))
    >>> ratio.tolist(), rank.tolist(), gap.tolist()
    ([[0.25, 1.0, 0.5]], [[2.0, 0.0, 1.0]], [[-1.0, 2.0, 0.0]])
    """
    rising, size = np.sort(scores, axis=1), scores.shape[1]
    not_higher = [np.searchsorted(row, of_question, side="right") for row, of_question in zip(rising, scores)]
    ranks = size - np.array(not_higher, dtype=np.float64).reshape(scores.shape)
    return scores, best_ratios(scores), ranks, scores - rising[:, [max(size - 2, 0)]]


# Sibling questions: those of the same exam and number, which ask about one subject.


#: Names of the features that `sibling_features` computes.
SIBLING_FEATURES = (*(f"mean{form}" for form in FORMS), *(f"mean_{level}" for level in UNITS), "best", "near")


def sibling_means(values: Floats, groups: Integers) -> Floats:
    """Mean of the siblings' values, the question itself left out; 0 for a question without siblings.

    ``groups`` are those of `ExamQuestions`.

    Examples
    --------
    >>> sibling_means(np.array([[1.0, 0.0], [0.0, 4.0], [0.0, 2.0]]), np.array([7, 7, 7])).tolist()
    [[0.0, 3.0], [0.5, 1.0], [0.5, 2.0]]
    """
    return _of_siblings(values, groups, np.mean)


def group_sizes(groups: Integers) -> Integers:
    """Number of questions of each question's group, itself included.

    Examples
    --------
    >>> group_sizes(np.array([7, 7, 8])).tolist()
    [2, 2, 1]
    """
    return np.unique(groups, return_counts=True)[1][np.unique(groups, return_inverse=True)[1]]


def _of_siblings(values: Floats, groups: Integers, aggregate: Callable[..., Floats]) -> Floats:
    found = np.zeros_like(values)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        for question in members[: len(members) if len(members) > 1 else 0]:
            found[question] = aggregate(values[members[members != question]], axis=0)
    return found


def sibling_features(
    values: Floats, groups: Integers, units: Mapping[str, Integers], kinds: Sequence[str] = SIBLING_FEATURES
) -> dict[str, Floats]:
    """Features of the siblings' `evidence`, which must be computed without labels of these questions.

    Parameters
    ----------
    values : float64 array, questions x articles
        The evidence of all questions.
    groups : int64 array
        Group of each question, see `ExamQuestions`.
    units : mapping from str to int64 array
        `ArticleCollection.units`.
    kinds : sequence of str
        Some of `SIBLING_FEATURES`.

    Returns
    -------
    dict from str to float64 array, questions x articles
        The siblings' mean in its four forms (``mean``, ``mean_ratio``, ``mean_rank``, ``mean_gap``); the mean summed
        over each unit, as a ratio to the question's best (``mean_section``, …); the largest evidence of a sibling
        (``best``); the mean summed over the article and two places around it (``near``). All are 0 for a question
        without siblings.
    """
    means = sibling_means(values, groups)
    found = {
        **{f"mean{form}": of_form for form, of_form in zip(FORMS, fourfold(means))},
        **{f"mean_{level}": best_ratios(unit_values(means, units[level], np.add)) for level in UNITS},
        "best": _of_siblings(values, groups, np.max),
        "near": neighbour_sums(means, 2),
    }
    return {kind: found[kind] for kind in kinds}


# The structure of the code: units of articles below the same headings, and neighbours.


#: Names of the features that `structure_features` computes.
STRUCTURE_FEATURES = (*(f"best_{level}" for level in UNITS), "near_1", "near_2", *(f"sum_{level}" for level in UNITS))


def structure_features(
    scores: Floats, units: Mapping[str, Integers], kinds: Sequence[str] = STRUCTURE_FEATURES
) -> dict[str, Floats]:
    """Features of the scores around an article.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    units : mapping from str to int64 array
        `ArticleCollection.units`.
    kinds : sequence of str
        Names as in `STRUCTURE_FEATURES`, of any level of units and any number of places.

    Returns
    -------
    dict from str to float64 array, questions x articles
        The best score in each unit (``best_section``, …), at most one and two places away (``near_1``, ``near_2``), and
        the squared ratios to the question's best score summed over each unit (``sum_section``, …).
    """
    squares = evidence(scores, 2.0)

    def feature(kind: str) -> Floats:
        form, _, place = kind.partition("_")
        if form == "near":
            return neighbour_maxima(scores, int(place))
        values, combine = (scores, np.maximum) if form == "best" else (squares, np.add)
        return unit_values(values, units[place], combine)

    return {kind: feature(kind) for kind in kinds}


def unit_values(scores: Floats, units: Integers, combine: np.ufunc) -> Floats:
    """Combine the scores of the articles of the same unit, the article itself included.

    Examples
    --------
    >>> unit_values(np.array([[1.0, 3.0, 2.0]]), np.array([0, 0, 1]), np.maximum).tolist()
    [[3.0, 3.0, 2.0]]
    """
    order = np.argsort(units, kind="stable")
    in_order = units[order]
    starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1])[: len(units)])
    found = scores.copy()
    if len(starts):
        of_units = combine.reduceat(scores[:, order], starts, axis=1)
        found[:, order] = of_units.repeat(np.diff(starts, append=len(units)), axis=1)
    return found


def neighbour_maxima(scores: Floats, distance: int) -> Floats:
    """Best score of the articles at most so many places before or behind; 0 where there is no other article.

    Examples
    --------
    >>> neighbour_maxima(np.array([[1.0, 3.0, 2.0]]), 1).tolist()
    [[3.0, 2.0, 3.0]]
    """
    best = _with_neighbours(np.full(scores.shape, -np.inf), scores, distance, np.maximum)
    return np.where(best == -np.inf, 0.0, best)


def neighbour_sums(scores: Floats, distance: int) -> Floats:
    """Sum of the scores of the article itself and of those at most so many places before or behind.

    Examples
    --------
    >>> neighbour_sums(np.array([[1.0, 3.0, 2.0]]), 1).tolist()
    [[4.0, 6.0, 5.0]]
    """
    return _with_neighbours(scores.copy(), scores, distance, np.add)


def _with_neighbours(found: Floats, scores: Floats, distance: int, combine: np.ufunc) -> Floats:
    """Combine values of articles with the scores of their neighbours, the nearest first."""
    articles = scores.shape[1]
    for shift in range(1, min(distance, articles - 1) + 1):
        before, behind = slice(0, articles - shift), slice(shift, articles)
        for here, there in ((behind, before), (before, behind)):
            combine(found[:, here], scores[:, there], out=found[:, here])
    return found


# References between articles.


#: Names of the features that `reference_features` computes.
REFERENCE_FEATURES = ("incoming", "outgoing", "incoming_mutatis_mutandis", "outgoing_mutatis_mutandis")


def reference_features(scores: Floats, collection: ArticleCollection) -> dict[str, Floats]:
    """Features of the scores of the articles that are linked by references.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    collection : ArticleCollection
        The articles.

    Returns
    -------
    dict from str to float64 array, questions x articles
        The best score, as a ratio to the question's best, among the articles that refer to the article (``incoming``)
        and those that it refers to (``outgoing``); each also of references that apply an article mutatis mutandis
        (``incoming_mutatis_mutandis``, ``outgoing_mutatis_mutandis``).
    """
    ratios, links = best_ratios(scores), [collection.links(mutatis_mutandis=alone) for alone in (False, True)]
    directions = [each for outgoing in links for each in (outgoing.T.tocsr(), outgoing)]
    return {name: linked_maxima(ratios, each) for name, each in zip(REFERENCE_FEATURES, directions)}


def linked_maxima(scores: Floats, links: sparse.csr_matrix) -> Floats:
    """Best score of the articles that an article (row of the links) is linked with; 0 for one without links.

    Examples
    --------
    >>> links = sparse.csr_matrix(np.array([[0, 1, 1], [0, 0, 0], [1, 0, 0]]))
    >>> linked_maxima(np.array([[0.5, 0.2, 0.3]]), links).tolist()
    [[0.3, 0.0, 0.5]]
    """
    found = np.zeros_like(scores)
    for article in np.flatnonzero(np.diff(links.indptr)):
        linked = links.indices[links.indptr[article] : links.indptr[article + 1]]
        found[:, article] = scores[:, linked].max(axis=1)
    return found
