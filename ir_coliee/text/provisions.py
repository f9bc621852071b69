"""Paragraphs, items and subitems of an article, with their offsets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ir_coliee.text.statutes import Element, element_of

#: What a provision can be, the largest first.
PROVISION_LEVELS = ("paragraph", "item", "subitem")


class Provision(NamedTuple):
    """A paragraph, item or subitem of an article.

    Attributes
    ----------
    label : str
        Numbers from the paragraph down, in arabic digits: ``2.1`` for the first item of the second paragraph, a branch
        after a hyphen (``2.1-2`` for 一の二), 0 for a level that is skipped.
    level : int
        0 for a paragraph, 1 for an item, 2 for a subitem.
    start : int
        Offset after the mark.
    lead_end : int
        Offset before the first item or subitem; the end of the provision's own text.
    end : int
        Offset of the end.
    """

    label: str
    level: int
    start: int
    lead_end: int
    end: int


def provisions(text: str, language: str, level: str = "subitem") -> list[Provision]:
    r"""Provisions of an article, in order.

    Parameters
    ----------
    text : str
        The article without its heading, one line for each provision.
    language : {"en", "ja"}
        Language of the article.
    level : {"subitem", "item", "paragraph"}
        Smallest provisions to return; smaller ones belong to the text of the larger.

    Raises
    ------
    ValueError
        For another level.

    Notes
    -----
    Text before the first mark belongs to the first paragraph, whose mark Japanese laws omit. A mark whose number is not
    above the previous one of its level is text, like any line without a mark, so labels are unique. An article without
    marks, even an empty one, has one paragraph.

    Examples
    --------
    >>> article = "(1) A lamp:\n(i) is lit; or\n(ii) is not.\n(2) A gate."
    >>> [(one.label, article[one.start : one.end]) for one in provisions(article, "en")[1:]]
    [('1.1', 'is lit; or'), ('1.2', 'is not.'), ('2', 'A gate.')]
    >>> [one.label for one in provisions("灯は、次のとおりとする。\n一　夜の灯\n一の二　朝の灯\n２　門", "ja")]
    ['1', '1.1', '1.1-2', '2']
    """
    deepest = level_number(level)
    opened: list[tuple[Element, int, int]] = []  # what it is, where its line begins, where its words begin
    labels: list[str] = []
    last: list[tuple[int, ...]] = []  # the numbers of the provisions that are open, from the paragraph down
    for place, line in _lines(text):
        element = _going_on(element_of(line, language), language, last)
        if not opened and (element is None or element.level > 0):
            opened.append((Element(0, (1,), 0), place, place))
            last = [(1,)]
            labels.append("1")
        if element:
            depth, number, length = element
            last = [*last[:depth], *[(0,)] * (depth - len(last)), number]
            if depth <= deepest:
                opened.append((element, place, place + length))
                labels.append(".".join("-".join(map(str, one)) for one in last))
    return list(_closed(text, opened, labels))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Offset and text of each line; one empty line for an empty text."""
    place = 0
    for line in text.splitlines(keepends=True) or [""]:
        yield place, line
        place += len(line)


def _going_on(element: Element | None, language: str, last: list[tuple[int, ...]]) -> Element | None:
    """The element if it continues the numbering. In English ``(i)`` is an item, but a subitem after ``(h)``."""
    if element is None:
        return None
    level, number, _ = element
    before = last[level] if level < len(last) else (0,)
    if language == "en" and level == 1 and len(last) == 3 and number != (before[0] + 1,):
        letter = {1: 9, 5: 22, 10: 24}.get(number[0], 0)  # i, v, x
        if last[2] == (letter - 1,):
            return element._replace(level=2, number=(letter,))
    return element if number > before else None


def _closed(text: str, opened: list[tuple[Element, int, int]], labels: list[str]) -> Iterator[Provision]:
    following = [len(text)] * (len(PROVISION_LEVELS) + 1)  # where the next provision of a level or above begins
    ends: list[tuple[int, int]] = []
    for element, line_start, _ in reversed(opened):
        ends.append((following[-1], following[element.level]))
        following[element.level :] = [line_start] * (len(following) - element.level)
    for (element, _, start), label, (lead_end, end) in zip(opened, labels, reversed(ends)):
        yield Provision(label, element.level, start, _trimmed(text, start, lead_end), _trimmed(text, start, end))


def _trimmed(text: str, start: int, end: int) -> int:
    """End offset without the white space before it."""
    return start + len(text[start:end].rstrip())


def provision_texts(text: str, language: str, level: str = "paragraph") -> list[tuple[str, str]]:
    r"""Labels and texts of an article's provisions; each word of the article is in exactly one of them.

    Parameters
    ----------
    text : str
        The article without its heading.
    language : {"en", "ja"}
        Language of the article.
    level : {"paragraph", "item", "subitem"}
        ``"paragraph"`` gives whole paragraphs; ``"item"`` gives items, and of a paragraph with items the text before
        them; ``"subitem"`` likewise. Empty provisions are left out, except the first one of an empty article.

    Raises
    ------
    ValueError
        For another level.

    Examples
    --------
    >>> provision_texts("(1) A lamp:\n(i) is lit; or\n(ii) is not.\n(2) A gate.", "en", "item")
    [('1', 'A lamp:'), ('1.1', 'is lit; or'), ('1.2', 'is not.'), ('2', 'A gate.')]
    """
    words = [(one.label, text[one.start : one.lead_end]) for one in provisions(text, language, level)]
    return [pair for pair in words if pair[1]] or words[:1]


def level_number(level: str) -> int:
    """Position of a level in `PROVISION_LEVELS`.

    Raises
    ------
    ValueError
        For an unknown level.
    """
    if level not in PROVISION_LEVELS:
        raise ValueError(f"level={level!r} is none of {', '.join(PROVISION_LEVELS)}")
    return PROVISION_LEVELS.index(level)
