"""The articles of a code with what the evidence needs of each: texts, passages, headings, places and references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.editions import Dataset
from ir_coliee.frames import Integers, one_of
from ir_coliee.releases.article_references import release_with_articles
from ir_coliee.releases.civil_code import Article, articles
from ir_coliee.text.provisions import provisions
from ir_coliee.text.references.graph import ReferenceGraph, reference_graph
from ir_coliee.text.statutes import LEVELS

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
