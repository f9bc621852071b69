"""A synthetic civil code: its articles with their hierarchy, in one language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ir_coliee.synthetic.release import Settings
from ir_coliee.synthetic.sentences import SentenceWriter
from ir_coliee.synthetic.styles import CodeOutline
from ir_coliee.synthetic.vocabulary import WordNumbers
from ir_coliee.text import statutes

#: The levels of the hierarchy, highest first.
LEVELS = tuple(level.capitalize() for level in statutes.LEVELS)

_TOPIC_WORDS = 12


class Heading(NamedTuple):
    """A heading of the hierarchy.

    Attributes
    ----------
    level : int
        Its position in `LEVELS`.
    number : int
        Its number below the next higher heading.
    title : str
        Its text.
    """

    level: int
    number: int
    title: str


class Item(NamedTuple):
    """An item of a paragraph with its subitems."""

    text: str
    subitems: list[str]


class Paragraph(NamedTuple):
    """A paragraph of an article with its items."""

    text: str
    items: list[Item]


class Article(NamedTuple):
    """An article.

    Attributes
    ----------
    number : str
        Number, such as ``398-2``.
    caption : str
        Caption; empty if there is none.
    paragraphs : list of Paragraph
        Paragraphs; a deleted article has none.
    topic : numpy.ndarray
        Numbers of its characteristic words.
    """

    number: str
    caption: str
    paragraphs: list[Paragraph]
    topic: WordNumbers

    @property
    def is_deleted(self) -> bool:
        """Whether only the article's number remains."""
        return not self.paragraphs


class DeletedRange(NamedTuple):
    """Several deleted articles that share a line; ``joint`` is the word between their numbers in English."""

    first: int
    joint: str
    last: int


_SHORTEST_CODE = 60
_DELETED_IN_SHORT_CODE = (35, 37)
_RANGES_IN_SHORT_CODE = ((10, "to", 14), (20, "and", 21), (30, "through", 32))


@dataclass(frozen=True)
class Code:
    """A civil code.

    Attributes
    ----------
    language : str
        ``en`` or ``ja``.
    blocks : list
        Headings, articles and deleted ranges in order.
    """

    language: str
    blocks: list[Heading | Article | DeletedRange]

    @property
    def articles_in_force(self) -> list[Article]:
        """The articles that are not deleted."""
        return [block for block in self.blocks if isinstance(block, Article) and not block.is_deleted]


def write_code(outline: CodeOutline, language: str, settings: Settings) -> Code:
    """Write a civil code.

    Parameters
    ----------
    outline : CodeOutline
        Articles and headings of the code at full size.
    language : str
        ``en`` or ``ja``.
    settings : Settings
        Scale and random number generator.

    Returns
    -------
    Code
        The code.
    """
    writer = SentenceWriter(language, settings.random)
    return Code(language, list(_blocks(_scaled(outline, settings), writer)))


def _scaled(full: CodeOutline, settings: Settings) -> CodeOutline:
    last = settings.scaled(full.last_article, minimum=_SHORTEST_CODE)
    if last >= full.last_article:
        return full
    return replace(
        full,
        last_article=last,
        branches=max(3, full.branches * last // full.last_article),
        deleted=_DELETED_IN_SHORT_CODE,
        deleted_ranges=_RANGES_IN_SHORT_CODE if full.deleted_ranges else (),
        parts=tuple(1 + start * last // full.last_article for start in full.parts),
    )


def _branches(outline: CodeOutline) -> dict[int, int]:
    """Return how many branches follow an article: many after one article, one after others."""
    deleted = {*outline.deleted, *(n for first, _, last in outline.deleted_ranges for n in range(first, last + 1))}
    possible = [number for number in range(2, outline.last_article + outline.ends_in_branch) if number not in deleted]
    crowded = possible[len(possible) // 2]
    n_single = outline.branches - outline.branches // 5
    positions = np.linspace(0, len(possible) - 1, n_single + 1).round().astype(int)
    places = [possible[i] for i in positions.tolist() if possible[i] != crowded][-n_single:]
    return dict.fromkeys(places, 1) | {crowded: outline.branches - len(places)}


def _blocks(outline: CodeOutline, writer: SentenceWriter) -> Iterator[Heading | Article | DeletedRange]:
    branches = _branches(outline)
    ranges = {first: DeletedRange(first, joint, last) for first, joint, last in outline.deleted_ranges}
    inside = {number for found in ranges.values() for number in range(found.first + 1, found.last + 1)}
    headings = _headings(outline, writer)
    numbers: list[str] = []
    for number in range(1, outline.last_article + 1):
        yield from headings.get(number, [])
        if number in ranges:
            yield ranges[number]
        elif number not in inside:
            yield _article(str(number), writer, numbers, is_deleted=number in outline.deleted)
        for branch in range(2, 2 + branches.get(number, 0)):
            yield _article(f"{number}-{branch}", writer, numbers, is_deleted=False)


def _headings(outline: CodeOutline, writer: SentenceWriter) -> dict[int, list[Heading]]:
    """Return the headings above an article, by its number. Not every chapter has sections, and so on."""
    chapter, section, subsection = max(12, outline.last_article // 22), max(5, outline.last_article // 60), 4
    headings: dict[int, list[Heading]] = {}
    numbers = [0] * len(LEVELS)

    def open_level(level: int, article: int) -> None:
        numbers[level:] = [numbers[level] + 1, *[0] * (len(LEVELS) - level - 1)]
        headings.setdefault(article, []).append(Heading(level, numbers[level], writer.title()))

    for article in range(1, outline.last_article + 1):
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
    return headings


def _article(number: str, writer: SentenceWriter, earlier: list[str], *, is_deleted: bool) -> Article:
    """Write an article, which may refer to earlier ones; its number is appended to these."""
    random = writer.random
    topic = writer.draw_topic(_TOPIC_WORDS)
    if is_deleted:
        return Article(number, "", [], topic)
    caption = writer.title() if random.random() < 0.94 else ""
    n_paragraphs = 1 + int(random.random() < 0.42) + int(random.random() < 0.18)
    paragraphs = [Paragraph(writer.sentence(topic, earlier), _items(topic, writer)) for _ in range(n_paragraphs)]
    earlier.append(number)
    return Article(number, caption, paragraphs, topic)


def _items(topic: WordNumbers, writer: SentenceWriter) -> list[Item]:
    random = writer.random
    if random.random() > 0.08:
        return []
    items = [Item(writer.sentence(topic), []) for _ in range(int(random.integers(2, 5)))]
    if writer.language == "ja" and random.random() < 0.1:  # a table: columns with a wide blank between
        items = [Item(f"{writer.title()}\u3000{item.text}", []) for item in items]
    if random.random() < 0.15:
        items[0].subitems.extend(writer.sentence(topic) for _ in range(2))
    return items
