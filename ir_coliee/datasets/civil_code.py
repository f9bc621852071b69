"""Reader for the civil code as a text file of one element a line, the document collection of task 3.

Both languages have the same grammar: a title, headings of five levels, captions in brackets above
their article, article heads, and under each head its paragraphs, items and subitems.
"""

# Without postponed annotations: PyTerrier's text loader looks for record fields annotated with str itself.

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ir_coliee.datasets import copies
from ir_coliee.datasets.reading import read_text
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import MalformedFileError
from ir_coliee.text.statutes import caption_of, deleted_range, head_of

_LEVELS = ("part", "chapter", "section", "subsection", "division")
_HEADINGS = {
    "en": re.compile(r"(Part|Chapter|Section|Subsection|Division) (?:[IVXLC]+|\d+)(?:-\d+)? .+"),
    "ja": re.compile(r"第[一二三四五六七八九十百]+([編章節款目])(?:の[一二三四五六七八九十]+)*[\s].+"),
}
_LEVEL_OF = dict(zip(("Part", "Chapter", "Section", "Subsection", "Division"), _LEVELS)) | dict(
    zip("編章節款目", _LEVELS)
)
_DELETED = {"en": "Deleted", "ja": "削除"}
_PARAGRAPH = {"en": re.compile(r"\(\d+\)\s"), "ja": re.compile(r"[０-９]+\s")}
_SUBITEM = {"en": re.compile(r"\((?![ivx]+\))[a-z]\)\s"), "ja": re.compile(r"[イロハニホヘト]\s")}


class Article(NamedTuple):
    """An article of the civil code, a document of task 3.

    ``doc_id`` is the number in arabic digits (``398-2``), ``38:84`` for a deleted range. ``text`` has
    a line for each paragraph, item and subitem, without head and caption; ``paragraphs`` and
    ``items`` are its pieces. Levels of the hierarchy that do not apply are empty.
    """

    doc_id: str
    caption: str
    text: str
    part: str
    chapter: str
    section: str
    subsection: str
    division: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...]
    deleted: bool

    def default_text(self) -> str:
        """Caption and text."""
        return f"{self.caption}\n{self.text}" if self.caption else self.text


def articles(part: Part) -> list[Article]:
    """The live articles of a part's civil code."""
    path = copies.find(part, "articles")
    return _live(path, path.stat().st_mtime_ns, part.language)


def all_articles(part: Part) -> list[Article]:
    """The articles of a part's civil code, deleted ones and deleted ranges included."""
    path = copies.find(part, "articles")
    return _read(path, path.stat().st_mtime_ns, part.language)


@lru_cache(maxsize=8)
def _live(path: Path, changed: int, language: str) -> list[Article]:
    return [article for article in _read(path, changed, language) if not article.deleted]


@lru_cache(maxsize=8)
def _read(path: Path, _changed: int, language: str) -> list[Article]:
    return read_civil_code(path, language)


class _Draft(NamedTuple):
    """An article while its lines are being gathered."""

    number: str
    caption: str
    place: dict[str, str]
    lines: list[str]


def read_civil_code(path: Path, language: str) -> list[Article]:
    """All articles of a civil code file, in order.

    Raises `MalformedFileError` where text stands before the first article, or where a number comes twice.
    """
    place = dict.fromkeys(_LEVELS, "")
    drafts: dict[str, _Draft] = {}
    current: _Draft | None = None
    caption = ""
    for line_number, line in enumerate(map(str.strip, read_text(path).splitlines()), start=1):
        if not line:
            continue
        if heading := _HEADINGS[language].fullmatch(line):
            level = _LEVELS.index(_LEVEL_OF[heading[1]])
            place = place | {_LEVELS[level]: line} | dict.fromkeys(_LEVELS[level + 1 :], "")
        elif (own_caption := caption_of(line, language)) is not None:
            caption = own_caption
        elif opening := _opening(line, language):
            number, body = opening
            if number in drafts:
                raise MalformedFileError(
                    path, line_number, f"article {number} for the second time", "each article once"
                )
            current = drafts[number] = _Draft(number, caption, place, [body])
            caption = ""
        elif current:
            current.lines.append(line)
        elif line_number > 1:  # the first line is the title
            expected = "a heading, a caption or an article head"
            raise MalformedFileError(path, line_number, "text before the first article", expected)
    return [_article(draft, language) for draft in drafts.values()]


def _opening(line: str, language: str) -> tuple[str, str] | None:
    """Number and first line of the article, or of the deleted range, that a line opens."""
    if span := deleted_range(line, language):
        return f"{span[0]}:{span[1]}", _DELETED[language]
    head = head_of(line, language)
    return (head.number, head.body) if head else None


def _article(draft: _Draft, language: str) -> Article:
    paragraphs: list[str] = []
    items: list[str] = []
    for line in draft.lines:
        if not paragraphs or _PARAGRAPH[language].match(line):
            paragraphs.append(line)
            continue
        paragraphs[-1] += f"\n{line}"
        if _SUBITEM[language].match(line) and items:
            items[-1] += f"\n{line}"
        else:
            items.append(line)
    return Article(
        doc_id=draft.number,
        caption=draft.caption,
        text="\n".join(draft.lines),
        paragraphs=tuple(paragraphs),
        items=tuple(items),
        deleted=draft.lines == [_DELETED[language]],
        **draft.place,
    )
