"""A made-up civil code: its articles with their hierarchy, in words of one language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ir_coliee.synthetic import words
from ir_coliee.synthetic.release import Order
from ir_coliee.synthetic.words import Numbers
from ir_coliee.text import statutes
from ir_coliee.text.statutes import japanese_title

#: The levels of the hierarchy, highest first.
LEVELS = tuple(level.capitalize() for level in statutes.LEVELS)

_TOPIC_WORDS = 12
_LONGEST_SENTENCE, _SHORTEST_SENTENCE = 34, 10
_PARTICLES = ("は、", "の", "を", "に", "と", "が、")


class Heading(NamedTuple):
    """A heading: its place among `LEVELS`, its number below the next higher heading, its words."""

    level: int
    number: int
    title: str


class Item(NamedTuple):
    """An item of a paragraph."""

    text: str
    subitems: list[str]


class Paragraph(NamedTuple):
    """A paragraph of an article."""

    text: str
    items: list[Item]


class Article(NamedTuple):
    """An article; ``topic`` are the words that are typical of it. A deleted one has no paragraphs."""

    number: str
    caption: str
    paragraphs: list[Paragraph]
    topic: Numbers

    @property
    def deleted(self) -> bool:
        """Whether only its number is left."""
        return not self.paragraphs


class DeletedRange(NamedTuple):
    """Several deleted articles that share a line; ``word`` joins the numbers in English."""

    first: int
    last: int
    word: str


class _Outline(NamedTuple):
    """Which numbers a code has: up to ``last``, some deleted, and branches such as ``398-2``."""

    last: int
    branches: int
    deleted: tuple[int, ...]
    ranges: tuple[DeletedRange, ...]
    parts: tuple[int, ...]
    ends_in_branch: bool


_RANGES = (
    DeletedRange(38, 84, "to"),
    DeletedRange(155, 157, "through"),
    DeletedRange(170, 174, "through"),
    DeletedRange(516, 517, "and"),
    DeletedRange(534, 535, "and"),
    DeletedRange(638, 640, "to"),
)
_OUTLINES: Mapping[str, _Outline] = MappingProxyType(
    {
        "2017": _Outline(1044, 61, (208, 367, 368, 622, 757, 842, 888), (), (1, 175, 399, 725, 882), False),
        "2020": _Outline(724, 114, (208, 363, 365, 367, 368, 480, 571, 635), _RANGES, (1, 175, 399), True),
        "2026": _Outline(
            724,
            133,
            (208, 363, 365, 480, 571, 635),
            (*_RANGES[:3], DeletedRange(367, 368, "and"), *_RANGES[3:]),
            (1, 175, 399),
            True,
        ),
    }
)
_SHORTEST_CODE = 60
_DELETED_IN_SHORT = (35, 37)
_RANGES_IN_SHORT = (DeletedRange(10, 14, "to"), DeletedRange(20, 21, "and"), DeletedRange(30, 32, "through"))


@dataclass(frozen=True)
class Code:
    """A civil code; ``blocks`` are its headings, articles and deleted ranges in order."""

    language: str
    blocks: list[Heading | Article | DeletedRange]

    @property
    def live(self) -> list[Article]:
        """The articles that are in force."""
        return [block for block in self.blocks if isinstance(block, Article) and not block.deleted]


def make(edition: str, language: str, order: Order) -> Code:
    """The code of an edition."""
    outline = _scaled(_OUTLINES.get(edition, _OUTLINES["2020"]), order)
    return Code(language, list(_blocks(outline, Writer(language, order.random))))


def _scaled(full: _Outline, order: Order) -> _Outline:
    last = order.scaled(full.last, least=_SHORTEST_CODE)
    if last >= full.last:
        return full
    return full._replace(
        last=last,
        branches=max(3, full.branches * last // full.last),
        deleted=_DELETED_IN_SHORT,
        ranges=_RANGES_IN_SHORT if full.ranges else (),
        parts=tuple(1 + start * last // full.last for start in full.parts),
    )


def _branches(outline: _Outline) -> dict[int, int]:
    """How many branches follow an article: many in one place, elsewhere one."""
    gone = {*outline.deleted, *(n for r in outline.ranges for n in range(r.first, r.last + 1))}
    whole = [number for number in range(2, outline.last + outline.ends_in_branch) if number not in gone]
    crowded = whole[len(whole) // 2]
    single = outline.branches - outline.branches // 5
    every = np.linspace(0, len(whole) - 1, single + 1).round().astype(int)
    places = [whole[i] for i in every.tolist() if whole[i] != crowded][-single:]
    return dict.fromkeys(places, 1) | {crowded: outline.branches - len(places)}


def _blocks(outline: _Outline, writer: Writer) -> Iterator[Heading | Article | DeletedRange]:
    branches, ranges = _branches(outline), {found.first: found for found in outline.ranges}
    inside = {number for r in outline.ranges for number in range(r.first + 1, r.last + 1)}
    headings = _headings(outline, writer)
    for number in range(1, outline.last + 1):
        yield from headings.get(number, [])
        if number in ranges:
            yield ranges[number]
        elif number not in inside:
            yield writer.article(str(number), deleted=number in outline.deleted)
        for branch in range(2, 2 + branches.get(number, 0)):
            yield writer.article(f"{number}-{branch}", deleted=False)


def _headings(outline: _Outline, writer: Writer) -> dict[int, list[Heading]]:
    """The headings that stand above an article, by its number. Not every chapter has sections and so on."""
    chapter, section, subsection = max(12, outline.last // 22), max(5, outline.last // 60), 4
    found: dict[int, list[Heading]] = {}
    numbers = [0] * len(LEVELS)

    def open_level(level: int, article: int) -> None:
        numbers[level:] = [numbers[level] + 1, *[0] * (len(LEVELS) - level - 1)]
        found.setdefault(article, []).append(Heading(level, numbers[level], writer.title()))

    for article in range(1, outline.last + 1):
        if article in outline.parts:
            open_level(0, article)
        if article in outline.parts or article % chapter == 0:
            open_level(1, article)
        if numbers[1] > 1 and article % section == 0:
            open_level(2, article)
        if numbers[2] == 3 and article % subsection == 0:
            open_level(3, article)
            if numbers[3] == 1:
                open_level(4, article)
    return found


class Writer:
    """Writes the sentences of one language."""

    def __init__(self, language: str, random: np.random.Generator) -> None:
        self.language, self.random = language, random
        self._vocabulary = words.english() if language == "en" else words.japanese()
        self._size = min(len(self._vocabulary), 20_000)  # a statute has fewer words than a library of decisions
        self._earlier: list[str] = []

    def article(self, number: str, *, deleted: bool) -> Article:
        """An article, which may refer to earlier ones."""
        topic = self.random.integers(100, self._size, _TOPIC_WORDS)
        if deleted:
            return Article(number, "", [], topic)
        caption = self.title() if self.random.random() < 0.94 else ""
        n_paragraphs = 1 + int(self.random.random() < 0.42) + int(self.random.random() < 0.18)
        paragraphs = [Paragraph(self.sentence(topic, refer=True), self._items(topic)) for _ in range(n_paragraphs)]
        self._earlier.append(number)
        return Article(number, caption, paragraphs, topic)

    def _items(self, topic: Numbers) -> list[Item]:
        if self.random.random() > 0.08:
            return []
        items = [Item(self.sentence(topic), []) for _ in range(int(self.random.integers(2, 5)))]
        if self.language == "ja" and self.random.random() < 0.1:  # a table in words: columns with a blank between
            items = [Item(f"{self.title()}\u3000{item.text}", []) for item in items]
        if self.random.random() < 0.15:
            items[0].subitems.extend(self.sentence(topic) for _ in range(2))
        return items

    def title(self) -> str:
        """A few words, as in headings and captions."""
        chosen = self._vocabulary[self.random.integers(0, self._size, 3)].tolist()
        return " ".join(word.capitalize() for word in chosen) if self.language == "en" else f"{chosen[0]}の{chosen[1]}"

    def sentence(self, topic: Numbers, *, refer: bool = False) -> str:
        """A sentence in words that are typical of a topic, sometimes with a reference to an earlier article."""
        length = int(self.random.integers(_SHORTEST_SENTENCE, _LONGEST_SENTENCE))
        chosen = words.draw(self.random, length, self._size)
        special = self.random.random(length) < 0.6
        chosen[special] = self.random.choice(topic, int(special.sum()))
        spelled: list[str] = self._vocabulary[chosen].tolist()
        referred = ""
        if refer and self._earlier and self.random.random() < 0.2:
            referred = self._earlier[int(self.random.integers(len(self._earlier)))]
        return self._english(spelled, referred) if self.language == "en" else self._japanese(spelled, referred)

    def _english(self, spelled: list[str], referred: str) -> str:
        reference = f" under Article {referred}, paragraph (1)" if referred else ""
        return f"{spelled[0].capitalize()} {' '.join(spelled[1:])}{reference}."

    def _japanese(self, spelled: list[str], referred: str) -> str:
        shorter = spelled[: 3 * len(spelled) // 4]  # words of two characters fill a line sooner
        phrase = "".join(word + particle for word, particle in zip(shorter, cycle(_PARTICLES)))
        reference = f"{japanese_title(referred)}第一項の規定により" if referred else ""
        return f"{phrase}{reference}{spelled[-1]}する。"
