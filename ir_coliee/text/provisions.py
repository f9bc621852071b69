"""The paragraphs, items and subitems of an article, with their places in its text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ir_coliee.text.statutes import Element, Opening, opening_of

#: What a provision can be, the largest first.
PROVISION_LEVELS = ("paragraph", "item", "subitem")


class Provision(NamedTuple):
    """A paragraph (level 0), an item (1) or a subitem (2) of an article.

    ``label``: the numbers from the paragraph down in arabic digits, ``2.1`` for the first item of the second paragraph,
    a branch behind a hyphen (``2.1-2`` for 一の二), 0 for a level that is passed over. The text from ``start``, behind
    the mark, to ``end`` is all of it; up to ``lead_end`` are its own words, before its first item or subitem.
    """

    label: str
    level: int
    start: int
    lead_end: int
    end: int


def provisions(text: str, language: str, level: str = "subitem") -> list[Provision]:
    """The provisions of an article's text (without its head), a line each, in order; ``language`` is ``en`` or ``ja``.

    ``level``: those down to it; what is smaller is text of theirs. Raises `ValueError` for another level.

    What stands before the first mark is in the first paragraph, whose mark Japanese laws leave out. A mark that does
    not go on counting, with a number not above the one before it at its level, opens nothing: it is text, as is any
    line without a mark. So labels are unique. An article without any mark, even an empty one, has one paragraph.

    >>> article = "(1) A lamp:\\n(i) is lit; or\\n(ii) is not.\\n(2) A gate."
    >>> [(one.label, article[one.start : one.end]) for one in provisions(article, "en")[1:]]
    [('1.1', 'is lit; or'), ('1.2', 'is not.'), ('2', 'A gate.')]
    >>> [one.label for one in provisions("灯は、次のとおりとする。\\n一　夜の灯\\n一の二　朝の灯\\n２　門", "ja")]
    ['1', '1.1', '1.1-2', '2']
    """
    deepest = level_number(level)
    opened: list[tuple[Element, int, int]] = []  # what it is, where its line begins, where its words begin
    labels: list[str] = []
    last: list[tuple[int, ...]] = []  # the numbers of the provisions that are open, from the paragraph down
    for place, line in _lines(text):
        opening = _going_on(opening_of(line, language), language, last)
        if not opened and (opening is None or opening.element.level > 0):
            opened.append((Element(0, (1,)), place, place))
            last = [(1,)]
            labels.append("1")
        if opening:
            depth, number = opening.element
            last = [*last[:depth], *[(0,)] * (depth - len(last)), number]
            if depth <= deepest:
                opened.append((opening.element, place, place + opening.length))
                labels.append(".".join("-".join(map(str, one)) for one in last))
    return list(_closed(text, opened, labels))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Place and text of each line; one that is empty for a text without any."""
    place = 0
    for line in text.splitlines(keepends=True) or [""]:
        yield place, line
        place += len(line)


def _going_on(opening: Opening | None, language: str, last: list[tuple[int, ...]]) -> Opening | None:
    """The opening, if it goes on counting. In English ``(i)`` is an item, but a subitem behind ``(h)``."""
    if opening is None:
        return None
    level, number = opening.element
    before = last[level] if level < len(last) else (0,)
    if language == "en" and level == 1 and len(last) == 3 and number != (before[0] + 1,):
        letter = {1: 9, 5: 22, 10: 24}.get(number[0], 0)  # i, v, x
        if last[2] == (letter - 1,):
            return opening._replace(element=Element(2, (letter,)))
    return opening if number > before else None


def _closed(text: str, opened: list[tuple[Element, int, int]], labels: list[str]) -> Iterator[Provision]:
    following = [len(text)] * (len(PROVISION_LEVELS) + 1)  # where the next provision of a level or above begins
    ends: list[tuple[int, int]] = []
    for element, line_start, _ in reversed(opened):
        ends.append((following[-1], following[element.level]))
        following[element.level :] = [line_start] * (len(following) - element.level)
    for (element, _, start), label, (lead_end, end) in zip(opened, labels, reversed(ends)):
        yield Provision(label, element.level, start, _trimmed(text, start, lead_end), _trimmed(text, start, end))


def _trimmed(text: str, start: int, end: int) -> int:
    """The end without the blanks before it."""
    return start + len(text[start:end].rstrip())


def provision_texts(text: str, language: str, level: str = "paragraph") -> list[tuple[str, str]]:
    """The label and the words of an article's provisions down to a level, each word of the article in one of them.

    ``level``: ``paragraph`` for whole paragraphs; ``item`` for items, and of a paragraph with items the words before;
    ``subitem`` likewise. Provisions without words are left out, but of an article without any words the first.
    Raises `ValueError` for another level.

    >>> provision_texts("(1) A lamp:\\n(i) is lit; or\\n(ii) is not.\\n(2) A gate.", "en", "item")
    [('1', 'A lamp:'), ('1.1', 'is lit; or'), ('1.2', 'is not.'), ('2', 'A gate.')]
    """
    words = [(one.label, text[one.start : one.lead_end]) for one in provisions(text, language, level)]
    return [pair for pair in words if pair[1]] or words[:1]


def level_number(level: str) -> int:
    """The place of a level. Raises `ValueError` for one that there is not."""
    if level not in PROVISION_LEVELS:
        raise ValueError(f"level={level!r} is none of {', '.join(PROVISION_LEVELS)}")
    return PROVISION_LEVELS.index(level)
