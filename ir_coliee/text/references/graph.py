"""The graph of references between the articles of a code."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from ir_coliee.text.references.finding import Mention, mentions, unit_number
from ir_coliee.text.references.grammar import Name, Number, Range, Relative, Step, Unit
from ir_coliee.text.statutes import LEVELS

Kind = Literal["number", "range", "relative", "structural"]


class Reference(NamedTuple):
    """An edge of the graph: one article refers to another.

    Attributes
    ----------
    source, target : str
        The numbers of the articles.
    kind : {"number", "relative", "range", "structural"}
        How the source names the target. ``number``: by its number; ``relative``: by its position (前条); ``range``: as
        an article between the two named ends of a range; ``structural``: as part of a unit (この節).
    mutatis_mutandis : bool
        Whether the source applies the target mutatis mutandis (準用).
    paragraph : int
        The first paragraph of the source, counted from 1, that names the target in this way.
    """

    source: str
    target: str
    kind: Kind
    mutatis_mutandis: bool
    paragraph: int


@dataclass(frozen=True, repr=False)
class ReferenceGraph:
    """References between articles in both directions.

    Attributes
    ----------
    references : tuple of Reference
        The edges.
    outside : tuple of Reference
        The references whose target is not in the collection, such as deleted articles. Their ``target`` is a number
        (``876-9``) or, for a position or a unit, the text itself (第四編). Both are in the order of the sources, and
        within a source in the order of its text.

    Examples
    --------
    >>> graph = ReferenceGraph((Reference("267", "210", "structural", True, 1),), ())
    >>> [edge.source for edge in graph.incoming("210")]
    ['267']
    """

    references: tuple[Reference, ...]
    outside: tuple[Reference, ...]

    def __repr__(self) -> str:
        return f"<ReferenceGraph: {len(self.references)} references, {len(self.outside)} outside>"

    def outgoing(self, number: str) -> tuple[Reference, ...]:
        """Return the references of an article; none for an unknown one."""
        return tuple(self._by_end["source", number])

    def incoming(self, number: str) -> tuple[Reference, ...]:
        """Return the references to an article; none for an unknown one."""
        return tuple(self._by_end["target", number])

    @cached_property
    def _by_end(self) -> dict[tuple[str, str], list[Reference]]:
        edges = defaultdict[tuple[str, str], list[Reference]](list)
        for reference in self.references:
            edges["source", reference.source].append(reference)
            edges["target", reference.target].append(reference)
        return edges


def reference_graph(articles: Iterable[Any], language: str) -> ReferenceGraph:
    """Find the references between the articles of a code.

    Parameters
    ----------
    articles : iterable of Article
        The articles in the order of the code, see `ir_coliee.releases.civil_code.Article`. Deleted ones are ignored:
        they have no edges, and 前条 is the previous article that is not deleted.
    language : {"en", "ja"}

    Returns
    -------
    ReferenceGraph
        The graph has one edge for each source, target and kind; an edge is mutatis mutandis if any mention of the
        target is. No article refers to itself. Units are looked up in the hierarchy of the articles; in a file without
        hierarchy, all references to units are in ``outside``. Articles that are excluded from a unit or a range get no
        edge.
    """
    code = _Code([article for article in articles if not article.deleted])
    edges: dict[tuple[str, str, Kind], Reference] = {}
    for position, article in enumerate(code.articles):
        known_mentions: set[Mention] = set()
        for paragraph, text in enumerate(article.paragraphs, start=1):
            for mention in mentions(text, language):
                anywhere = mention._replace(start=0)
                if anywhere in known_mentions:  # a unit or range of many articles, named again
                    continue
                known_mentions.add(anywhere)
                for target, kind in code.targets(mention, position):
                    edge = Reference(article.doc_id, target, kind, mention.mutatis_mutandis, paragraph)
                    known = edges.setdefault(edge[:3], edge)
                    if edge.mutatis_mutandis:
                        edges[edge[:3]] = known._replace(mutatis_mutandis=True)
    return ReferenceGraph(
        tuple(edge for edge in edges.values() if edge.target in code.positions),
        tuple(edge for edge in edges.values() if edge.target not in code.positions),
    )


class _Code:
    """The articles in order, and the articles that a mention refers to."""

    def __init__(self, articles: Sequence[Any]) -> None:
        self.articles = articles
        self.positions = {article.doc_id: position for position, article in enumerate(articles)}
        self._keys = [_key(article.doc_id) for article in articles]
        self._places = [tuple(getattr(article, level) for level in LEVELS) for article in articles]
        # each unit by its headings from the part down, with the positions of its articles
        self._units: dict[tuple[str, ...], list[int]] = {}
        for position, place in enumerate(self._places):
            for depth, heading in enumerate(place, start=1):
                if heading:
                    self._units.setdefault(place[:depth], []).append(position)
        # the units inside a unit, by level
        self._inside: dict[tuple[tuple[str, ...], int], list[tuple[str, ...]]] = {}
        for unit in self._units:
            self._inside.setdefault((unit[:-1], len(unit)), []).append(unit)

    def targets(self, mention: Mention, position: int) -> Iterator[tuple[str, Kind]]:
        """Yield number and kind of each article that a mention refers to, or the mention's text if there is none."""
        source = self.articles[position].doc_id
        excepted = {target for name in mention.exceptions for target, _ in self._named(name, position, mention.words)}
        for target, kind in self._named(mention.name, position, mention.words):
            if target != source and target not in excepted:
                yield target, kind

    def _named(self, name: Name, position: int, words: str) -> Iterator[tuple[str, Kind]]:
        if isinstance(name, Number):
            yield name.number, "number"
        elif isinstance(name, Range):
            yield from self._between(name, position, words)
        else:
            kind: Kind = "relative" if isinstance(name, Relative) else "structural"
            numbers = [self.articles[at].doc_id for at in self._positions(name, position)]
            yield from ((number, kind) for number in numbers or [words])

    def _between(self, name: Range, position: int, words: str) -> Iterator[tuple[str, Kind]]:
        first = list(self._named(name.first, position, words))
        last = list(self._named(name.last, position, words))
        low, high = _key(first[0][0]), _key(last[-1][0])
        kind: Kind = "structural" if isinstance(name.first, Unit) else "range"
        yield from first
        if low and high:  # text that refers to no article has no key
            inner = (article.doc_id for article, key in zip(self.articles, self._keys) if low < key < high)
            yield from ((number, kind) for number in inner)
        yield from last

    def _positions(self, name: Relative | Unit, position: int) -> list[int]:
        if isinstance(name, Relative):
            near = range(min(position, position + name.offset), max(position, position + name.offset) + 1)
            inside = near[0] >= 0 and near[-1] < len(self.articles)
            return [at for at in near if at != position] if inside else []
        place = self._places[position]
        units = [place[: LEVELS.index(name.steps[0].level)]]
        for step in name.steps:
            units = [inner for unit in units for inner in self._step(unit, step, place)]
        return [at for unit in units for at in self._units[unit]]

    def _step(self, unit: tuple[str, ...], step: Step, place: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the units of a step inside a unit, seen from an article's place in the hierarchy."""
        depth = LEVELS.index(step.level) + 1
        parent = unit + ("",) * (depth - 1 - len(unit))
        inside = self._inside.get((parent, depth), [])
        if step.number:
            return [inner for inner in inside if unit_number(inner[-1]) == step.number]
        if place[:depth] not in inside:
            return []
        current = inside.index(place[:depth])
        first, last = sorted((current, current + step.offset))
        if first < 0 or last >= len(inside):
            return []
        return [inside[at] for at in range(first, last + 1) if at != current or not step.offset]


def _key(number: str) -> tuple[int, ...]:
    """Return the sort key of an article number; empty for text that is not a number."""
    return tuple(map(int, number.split("-"))) if re.fullmatch(r"\d+(?:-\d+)*", number) else ()
