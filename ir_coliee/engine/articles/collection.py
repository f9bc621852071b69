"""The articles of a code with what the evidence needs of each: texts, passages, headings, places and references."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.editions import Dataset
from ir_coliee.engine.statistics import ratio_to_best
from ir_coliee.frames import Booleans, Floats, Integers, one_of
from ir_coliee.releases.article_references import release_with_articles
from ir_coliee.releases.civil_code import Article, articles
from ir_coliee.text.provisions import provisions
from ir_coliee.text.references.graph import ReferenceGraph, reference_graph
from ir_coliee.text.statutes import LEVELS, exam_id

#: Level of a unit: a level of headings, or ``finest`` for the articles that have all headings in common.
UnitLevel = Literal["part", "chapter", "section", "subsection", "division", "finest"]
Direction = Literal["incoming", "outgoing"]
#: Levels of the units that the features of siblings and of structure use.
UNITS: tuple[UnitLevel, ...] = ("section", "chapter", "finest")


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
    >>> len(collection.docnos), collection.units("finest")[:3].tolist()
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

    @cached_property
    def references(self) -> ReferenceGraph:
        """References between the articles."""
        return reference_graph(self.articles, self.language)

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

    def units(self, level: UnitLevel) -> Integers:
        """Number of the unit of each article at a level of headings.

        Articles are in the same unit if all their headings down to this level are the same.

        Raises
        ------
        ValueError
            For an unknown level.
        """
        one_of("level", level, get_args(UnitLevel))
        depth = len(LEVELS) if level == "finest" else LEVELS.index(level) + 1
        places = [_headings(article)[:depth] for article in self.articles]
        number_of = {place: number for number, place in enumerate(dict.fromkeys(places))}
        return np.array([number_of[place] for place in places], dtype=np.int64)

    def all_units(self) -> dict[str, Integers]:
        """Units of the articles at all levels."""
        return {level: self.units(level) for level in get_args(UnitLevel)}

    def links(self, direction: Direction, *, mutatis_mutandis: bool = False) -> sparse.csr_matrix:
        """References of each article (row) as links with other articles (columns).

        Parameters
        ----------
        direction : {"incoming", "outgoing"}
            Link an article with those that refer to it, or with those that it refers to.
        mutatis_mutandis : bool
            Only references that apply an article mutatis mutandis.

        Returns
        -------
        csr_matrix, articles x articles
            1 for each link.
        """
        one_of("direction", direction, get_args(Direction))
        row_of = {docno: row for row, docno in enumerate(self.docnos)}
        edges = {
            (row_of[edge.source], row_of[edge.target])
            for edge in self.references.references
            if edge.mutatis_mutandis or not mutatis_mutandis
        }
        ends = np.array(sorted(edges), dtype=np.int64).reshape(-1, 2)
        rows, columns = ends.T if direction == "outgoing" else ends.T[::-1]
        size = len(self.articles)
        return sparse.csr_matrix((np.ones(len(ends)), (rows, columns)), shape=(size, size))


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
        return cls(_integers(years), _integers(numbers), _integers([group_of[key] for key in keys]))

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


# Each score of an article for a question in four forms: value, ratio, rank and gap.


#: Suffixes of the names of the four forms, as `ScoreFeatures` has them.
FORMS = ("", "_ratio", "_rank", "_gap")


def best_ratios(scores: Floats) -> Floats:
    """Ratio of each score to the question's best score, at least -1; 0 if the best is 0, see `ratio_to_best`.

    Without the bound, a best score that is 0 but for rounding would give ratios of any size.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.

    Returns
    -------
    float64 array, questions x articles

    Examples
    --------
    >>> best_ratios(np.array([[4.0, 1.0], [0.0, 0.0], [1e-30, -1.0]])).tolist()
    [[1.0, 0.25], [0.0, 0.0], [1.0, -1.0]]
    """
    return np.maximum(ratio_to_best(scores, scores.max(axis=1, keepdims=True)), -1.0)


def evidence(scores: Floats, power: float = 2.0) -> Floats:
    """Power of each score's ratio to the question's best; 0 for negative scores.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    power : float
        The power: the higher, the less the articles below the best count.

    Examples
    --------
    >>> evidence(np.array([[4.0, 1.0, -1.0]])).tolist()
    [[1.0, 0.0625, 0.0]]
    """
    return best_ratios(np.maximum(scores, 0.0)) ** power


def fourfold(scores: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Value, ratio to the question's best, rank, and gap to the question's second-best score.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores, of at least one article.

    Returns
    -------
    tuple of four float64 arrays, questions x articles
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


# Evidence from the references between articles.


_DIRECTIONS: tuple[Direction, ...] = ("incoming", "outgoing")
_KINDS = {"": False, "_mutatis_mutandis": True}

#: Names of the features that `reference_features` computes.
REFERENCE_FEATURES = tuple(f"{direction}{kind}" for kind in _KINDS for direction in _DIRECTIONS)


def linked_maxima(scores: Floats, links: sparse.csr_matrix) -> Floats:
    """Best score of the articles that an article is linked with.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    links : csr_matrix, articles x articles
        Row i has a 1 for each article that article i is linked with.

    Returns
    -------
    float64 array, questions x articles
        0 for an article without links.

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
    ratios = best_ratios(scores)
    return {
        f"{direction}{kind}": linked_maxima(ratios, collection.links(direction, mutatis_mutandis=alone))
        for kind, alone in _KINDS.items()
        for direction in _DIRECTIONS
    }


# Scores of the articles around an article: of its section, its chapter, its neighbours in the code.


#: Names of the features that `structure_features` computes.
STRUCTURE_FEATURES = (*(f"best_{level}" for level in UNITS), "near_1", "near_2", *(f"sum_{level}" for level in UNITS))


def unit_maxima(scores: Floats, units: Integers) -> Floats:
    """Best score of the articles of the same unit, the article itself included.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    units : int64 array
        Number of the section, chapter or other unit of each article.

    Returns
    -------
    float64 array, questions x articles

    Examples
    --------
    >>> unit_maxima(np.array([[1.0, 3.0, 2.0]]), np.array([0, 0, 1])).tolist()
    [[3.0, 3.0, 2.0]]
    """
    return _by_unit(scores, units, np.maximum.reduceat)


def unit_sums(scores: Floats, units: Integers) -> Floats:
    """Sum of the scores of the articles of the same unit, the article itself included.

    The parameters are those of `unit_maxima`.

    Examples
    --------
    >>> unit_sums(np.array([[1.0, 3.0, 2.0]]), np.array([0, 0, 1])).tolist()
    [[4.0, 4.0, 2.0]]
    """
    return _by_unit(scores, units, np.add.reduceat)


def _by_unit(scores: Floats, units: Integers, reduce: Callable[..., Floats]) -> Floats:
    order = np.argsort(units, kind="stable")
    in_order = units[order]
    starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1])[: len(units)])
    if not len(starts):
        return scores.copy()
    found = np.empty_like(scores)
    found[:, order] = reduce(scores[:, order], starts, axis=1).repeat(np.diff(starts, append=len(units)), axis=1)
    return found


def neighbour_maxima(scores: Floats, distance: int) -> Floats:
    """Best score of the articles at most so many places before or behind, without the article itself.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores, with the articles in the order of the code.
    distance : int
        Number of places, at least 1.

    Returns
    -------
    float64 array, questions x articles
        0 where there is no other article.

    Examples
    --------
    >>> neighbour_maxima(np.array([[1.0, 3.0, 2.0]]), 1).tolist()
    [[3.0, 2.0, 3.0]]
    """
    best = np.full(scores.shape, -np.inf)
    for here, there in _shifts(scores.shape[1], distance):
        np.maximum(best[:, here], scores[:, there], out=best[:, here])
    return np.where(best == -np.inf, 0.0, best)


def neighbour_sums(scores: Floats, distance: int) -> Floats:
    """Sum of the scores of the article itself and of those at most so many places before or behind.

    The parameters are those of `neighbour_maxima`.

    Examples
    --------
    >>> neighbour_sums(np.array([[1.0, 3.0, 2.0]]), 1).tolist()
    [[4.0, 6.0, 5.0]]
    """
    sums = scores.copy()
    for here, there in _shifts(scores.shape[1], distance):
        sums[:, here] += scores[:, there]
    return sums


def _shifts(articles: int, distance: int) -> Iterator[tuple[slice, slice]]:
    """Yield the articles that have a neighbour at each distance, and these neighbours."""
    for shift in range(1, min(distance, articles - 1) + 1):
        before, behind = slice(0, articles - shift), slice(shift, articles)
        yield behind, before
        yield before, behind


def structure_features(
    scores: Floats, units: Mapping[str, Integers], kinds: Sequence[str] = STRUCTURE_FEATURES
) -> dict[str, Floats]:
    """Features of the scores around an article.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores, with the articles in the order of the code.
    units : mapping from str to int64 array
        Units of the articles by level, see `ArticleCollection.all_units`.
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
        return unit_maxima(scores, units[place]) if form == "best" else unit_sums(squares, units[place])

    return {kind: feature(kind) for kind in kinds}
