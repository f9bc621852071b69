"""Reader for the civil code as a text file, in either language.

Such a file has one element per line, or is hard-wrapped (English, 2017). It has a title, headings of five levels,
captions in brackets above their article, article heads, and below each head its paragraphs, items and subitems. In
wrapped text a reference may begin a line and look like one of these. Two rules distinguish them: the numbers of
articles, and of the elements within one, only increase; and headings and captions are directly above the next head,
nowhere else.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ir_coliee.releases.folders import File
from ir_coliee.releases.reading import Warn, read_text, warnings_about
from ir_coliee.text.statutes import JAPANESE_LEVELS, LEVELS, Head, caption_of, deleted_range, element_of, head_of

#: The text in place of a deleted article.
DELETED = {"en": "Deleted", "ja": "削除"}

_HEADINGS = {
    "en": re.compile(r"(?P<level>Part|Chapter|Section|Subsection|Division)\s+(?:[IVXLC]+|\d+)(?:-\d+)?\s.*[^.,;:]"),
    "ja": re.compile(r"第[一二三四五六七八九十百]+(?P<level>[編章節款目])(?:の[一二三四五六七八九十]+)*\s.+"),
}
_LEVEL_OF = JAPANESE_LEVELS | {level.capitalize(): level for level in LEVELS}
_LONGEST_WRAPPED = 100  # characters; wrapped lines end at about 75
_NEAR = 50  # lines
_RESTORE = "Restore the file from the organisers' package."
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
    with warnings_about(file) as warn:
        return _articles(lines, language, warn)


def _articles(lines: list[str], language: str, warn: Warn) -> list[WrittenArticle]:
    heads = _heads(lines, language, warn)
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
        warn(lines.index(blocks[0][-1]) + 1, f"the text before the first article is ignored. {_RESTORE}")
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


def _heads(lines: list[str], language: str, warn: Warn) -> dict[int, Head]:
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
            problem = f"article {head.number} is out of order; its text is added to the previous article"
            warn(index + 1, f"{problem}. {_RESTORE}")
    return heads


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
        if not found and _ends(lines[-3] if len(lines) > 2 else above, language):  # a wrapped heading has two lines
            size, found = 2, _HEADINGS[language].fullmatch(" ".join(lines[-2:]))
        if not found:
            break
        headings.append((_LEVEL_OF[found["level"]], found[0]))
        del lines[-size:]
    return headings[::-1]


def _ends(line: str, language: str) -> bool:
    """Return whether a sentence or a heading ends with this line."""
    return not line or bool(_SENTENCE_END.search(line) or _HEADINGS[language].fullmatch(line))


def _unwrapped(lines: list[str]) -> list[str]:
    """Join the hard-wrapped lines of an English article, to one for each paragraph, item and subitem."""
    elements: list[list[str]] = []
    last: dict[int, tuple[int, ...]] = {0: (1,)}  # the first paragraph may have no number
    for line in lines:
        element = element_of(line, "en")
        if not elements:
            elements.append([line])
        elif element and element.number > last.get(element.level, (0,)) and not _ends_in_a_reference(elements[-1]):
            elements.append([line])
            last = {level: number for level, number in last.items() if level < element.level}
            last[element.level] = element.number
        else:
            elements[-1].append(line)
    return [" ".join(element) for element in elements]


def _ends_in_a_reference(lines: list[str]) -> bool:
    """Return whether wrapped lines end within a reference, which may begin on the line above the last one."""
    return bool(_IN_A_REFERENCE.search(" ".join(lines[-2:])[-_LONGEST_WRAPPED:]))
