"""Split court decisions at their paragraph marks.

A mark ``[12]`` begins a line. It is alone on the line, possibly with blanks around it, or text follows on the same
line. At the very beginning of a text, as in the paragraph files of task 2, it may lack its opening bracket. Numbers
repeat (quoted decisions, French translations) and are skipped, so a paragraph is identified by its position.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ir_coliee.text.editorial_lines import BLANKS
from ir_coliee.text.spans import Span

#: The pattern of a mark at the beginning of a line. One of four digits stands alone: before text it is a report's year.
MARK = rf"{BLANKS}\[(?:\d{{1,3}}\]|\d{{4}}\](?={BLANKS}\r?(?:\n|\Z)))"
# Opens with a literal, so that the search leaps from line to line: a corpus has hundreds of megabytes.
_MARK = re.compile(rf"\n(?:{MARK}|(?<![\s\S]\n)\s*\d{{1,3}}\])")
_LINE_MARK = re.compile(MARK)
_NUMBER = re.compile(r"\d+")
_FIRST_MARK = re.compile(rf"\n{BLANKS}\[1\]")


class Paragraph(NamedTuple):
    """A paragraph of a decision, by offsets.

    Attributes
    ----------
    number : int or None
        Number of the mark; None for the text before the first mark.
    mark : Span
        The mark with the blanks before it; empty before the first mark.
    text : Span
        The text, without white space at its ends.
    """

    number: int | None
    mark: Span
    text: Span


def paragraph_spans(text: str) -> list[Paragraph]:
    r"""Paragraphs of a decision: the text before the first mark, then the text after each mark, in order.

    Examples
    --------
    >>> [(it.number, it.text) for it in paragraph_spans("(FC)\n[1]\nA lamp.")]
    [(None, Span(start=0, end=4)), (1, Span(start=9, end=16))]
    """
    # the line feed that is given in front is the character -1
    marks = [Span(mark.start(), mark.end() - 1) for mark in _MARK.finditer("\n" + text)]
    ends = [*(mark.start for mark in marks), len(text)]
    return [
        Paragraph(_number(mark.of(text)), mark, Span(mark.end, end).stripped(text))
        for mark, end in zip([Span(0, 0), *marks], ends)
    ]


def _number(mark: str) -> int | None:
    number = _NUMBER.search(mark)
    return int(number[0]) if number else None


def paragraphs(text: str) -> list[str]:
    r"""Texts of `paragraph_spans`: the text before the first mark, then the text after each mark, in order.

    The position in the list identifies a paragraph, because the numbers of marks repeat and are skipped. White space at
    both ends is removed; a paragraph may be empty.

    Examples
    --------
    >>> paragraphs("Summary: a lamp.\n[1]\nA lamp was lent.\n [1] \n\n[7] It was lost.")
    ['Summary: a lamp.', 'A lamp was lent.', '', 'It was lost.']
    """
    return [paragraph.strip() for paragraph in _MARK.split("\n" + text)]


def remove_marks(text: str) -> str:
    r"""Remove the paragraph marks; line feeds stay.

    Examples
    --------
    >>> remove_marks("(FC)\n[1]\nA lamp.")
    '(FC)\n\nA lamp.'
    """
    return _MARK.sub("\n", "\n" + text)[1:]


def first_mark(text: str) -> int | None:
    r"""Offset of the line with the mark ``[1]``, otherwise with the first mark; None without any mark.

    Examples
    --------
    >>> first_mark("(FC)\n[1]\nA lamp.")
    5
    """
    mark = _FIRST_MARK.search("\n" + text) or _MARK.search("\n" + text)
    return mark.start() if mark else None


def opens_paragraph(line: str) -> bool:
    """Whether a line within a text begins with a paragraph mark.

    Examples
    --------
    >>> opens_paragraph("[12] A lamp."), opens_paragraph("[2098] 3 X.C. 9"), opens_paragraph("12] A lamp.")
    (True, False, False)
    """
    return _LINE_MARK.match(line) is not None
