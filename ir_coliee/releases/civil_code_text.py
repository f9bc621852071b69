"""Reader for the civil code as a text file, in either language.

Such a file has one element per line, or is hard-wrapped (English, 2017). It has a title, headings of five levels,
captions in brackets above their article, article heads, and below each head its paragraphs, items and subitems. In
wrapped text a reference may begin a line and look like one of these. Two rules distinguish them: the numbers of
articles, and of the elements within one, only increase; and headings and captions are directly above the next head,
nowhere else.
"""

from __future__ import annotations

import re
import warnings
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ir_coliee.errors import ColieeWarning
from ir_coliee.releases.folders import File
from ir_coliee.releases.reading import read_text
from ir_coliee.text.statutes import JAPANESE_LEVELS, LEVELS, Head, caption_of, deleted_range, element_of, head_of

#: The text in place of a deleted article.
DELETED = {"en": "Deleted", "ja": "削除"}

_HEADINGS = {
    "en": re.compile(r"(?P<level>Part|Chapter|Section|Subsection|Division)\s+(?:[IVXLC]+|\d+)(?:-\d+)?\s+.*[^.,;:]"),
    "ja": re.compile(r"第[一二三四五六七八九十百]+(?P<level>[編章節款目])(?:の[一二三四五六七八九十]+)*\s.+"),
}
_LEVEL_OF = JAPANESE_LEVELS | {level.capitalize(): level for level in LEVELS}
_LONGEST_WRAPPED = 100  # characters; wrapped lines end at about 75
_NEAR = 50  # lines
_SENTENCE_END = re.compile(r"(?:[.。]|\b[Dd]eleted|削除)$")
_IN_A_REFERENCE = re.compile(
    r"(?:\b(?:paragraphs?|items?|subitems?|Articles?\s+[\d-]+),?|\((?:\d+|[ivx]+|[a-z])\)(?:,|,?\s+(?:and|or|to|through)))$"
)


class WrittenArticle(NamedTuple):
    """An article as written in a file: number, own caption, headings above it by level, lines without the head."""

    number: str
    caption: str
    place: dict[str, str]
    lines: list[str]


def is_deleted(lines: list[str]) -> bool:
    """Return whether the lines of an article only say that it was deleted."""
    return len(lines) == 1 and lines[0].capitalize() in DELETED.values()


def opening(line: str, language: str) -> Head | None:
    """Return the head of the article, or of the deleted range (``38:84``), with which a line begins, or None."""
    if span := deleted_range(line, language):
        return Head(f"{span[0]}:{span[1]}", DELETED[language], "")
    return head_of(line, language)


def read_text_code(file: File | Path, language: str) -> list[WrittenArticle]:
    """Read the articles of a text file, in order.

    A `ColieeWarning` with the line reports articles out of order, whose text is added to the previous article, and
    text between the first heading and the first article, which is ignored.
    """
    lines = [line.strip() for line in read_text(file).splitlines()]
    heads = _heads(file, lines, language)
    edges = [-1, *heads, len(lines)]
    blocks = [[line for line in lines[above + 1 : below] if line] for above, below in pairwise(edges)]
    place = dict.fromkeys(LEVELS, "")
    openings = []
    last_body = ""
    for head, above in zip(heads.values(), blocks):
        caption = head.caption or _take_caption(above, language)
        for level, heading in _take_headings(above, last_body, language):
            deeper = LEVELS[LEVELS.index(level) + 1 :]
            place = place | {level: heading} | dict.fromkeys(deeper, "")
        openings.append((head, caption, place))
        last_body = head.body
    if heads and any(_HEADINGS[language].fullmatch(line) for line in blocks[0]):
        line = lines.index(blocks[0][-1]) + 1
        _warn(file, f"line {line}: the text before the first article is ignored")
    _take_headings(blocks[-1], last_body, language)
    wrapped = _wrapped_lines(lines) if language == "en" else 0
    articles = []
    for at, (head, caption, place), body in zip(heads, openings, blocks[1:]):
        written = [head.body, *body] if head.body else body
        articles.append(WrittenArticle(head.number, caption, place, _unwrapped(written) if at < wrapped else written))
    return articles


def _wrapped_lines(lines: list[str]) -> int:
    """Return the number of lines from the top that are hard-wrapped: those up to article 724 in 2017, otherwise none.

    A text with one element per line soon has several lines that are longer than any wrapped line.
    """
    long = [index for index, line in enumerate(lines) if len(line) > _LONGEST_WRAPPED]
    runs = (first for first, third in zip(long, long[2:]) if third - first < _NEAR)
    return next(runs, len(lines))


def _heads(file: File | Path, lines: list[str], language: str) -> dict[int, Head]:
    """Return the article heads of a text by their index among its lines."""
    heads: dict[int, Head] = {}
    last: tuple[int, ...] = (0,)
    for index, line in enumerate(lines):
        head = opening(line, language)
        if head is None:
            continue
        number = tuple(map(int, head.number.rpartition(":")[2].split("-")))
        if number > last:
            heads[index] = head
            last = number
        elif not lines[index - 1] or _SENTENCE_END.search(lines[index - 1]):  # otherwise wrapped
            _warn(
                file,
                f"line {index + 1}: article {head.number} is out of order; its text is added to the previous article",
            )
    return heads


def _warn(file: File | Path, problem: str) -> None:
    warnings.warn(f"{file}, {problem}. Restore the file from the organisers' package.", ColieeWarning, stacklevel=4)


def _take_caption(lines: list[str], language: str) -> str:
    """Remove the caption from the end of the lines above a head, and return it; a wrapped one has two lines."""
    for size in (1, 2) if language == "en" else (1,):
        caption = caption_of(" ".join(lines[-size:]), language)
        if caption is not None:
            del lines[-size:]
            return caption
    return ""


def _take_headings(lines: list[str], above: str, language: str) -> list[tuple[str, str]]:
    """Remove the headings from the end of the lines above a head; return level and text of each, outermost first.

    ``above`` is the line above the lines, empty at the start of the file.
    """
    headings: list[tuple[str, str]] = []
    while lines:
        size, found = 1, _HEADINGS[language].fullmatch(lines[-1])
        if not found and _ends([above, *lines[:-2]][-1], language):  # a wrapped heading has two lines
            size, found = 2, _HEADINGS[language].fullmatch(" ".join(lines[-2:]))
        if not found:
            break
        headings.insert(0, (_LEVEL_OF[found["level"]], found[0]))
        del lines[-size:]
    return headings


def _ends(line: str, language: str) -> bool:
    """Return whether a sentence or a heading ends with this line."""
    return not line or bool(_SENTENCE_END.search(line) or _HEADINGS[language].fullmatch(line))


def _unwrapped(lines: list[str]) -> list[str]:
    """Join the hard-wrapped lines of an English article, to one for each paragraph, item and subitem."""
    elements: list[str] = []
    last: dict[int, tuple[int, ...]] = {0: (1,)}  # the first paragraph may have no number
    for line in lines:
        element = element_of(line, "en")
        if not elements:
            elements.append(line)
        elif element and element.number > last.get(element.level, (0,)) and not _IN_A_REFERENCE.search(elements[-1]):
            elements.append(line)
            last = {level: number for level, number in last.items() if level < element.level}
            last[element.level] = element.number
        else:
            elements[-1] += f" {line}"
    return elements
