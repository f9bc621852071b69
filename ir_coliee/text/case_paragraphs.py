"""Court decisions taken apart at their paragraph marks.

A mark ``[12]`` opens a line: it stands alone on it, with or without blanks around it, or text follows on the line. At
the very beginning of a text, as paragraphs of task 2 are files, it may have lost its bracket.
Numbers repeat (quoted decisions, French doubles) and skip, so that a paragraph's place is its number.
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
    """A paragraph by its offsets: the number of its mark, the mark with the blanks before it, and its text.

    What stands before the first mark has no number and an empty mark. The text has no blanks at its ends.
    """

    number: int | None
    mark: Span
    text: Span


def paragraph_spans(text: str) -> list[Paragraph]:
    """Where a decision's paragraphs stand: what is before the first mark, then what is behind each, in order.

    >>> [(it.number, it.text) for it in paragraph_spans("(FC)\\n[1]\\nA lamp.")]
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
    """The texts of `paragraph_spans`: what stands before the first mark, then what is behind each, in order.

    The place in the list is a paragraph's number, not what its mark says: numbers repeat and skip. Blanks at both ends
    are dropped; a paragraph may be empty.

    >>> paragraphs("Summary: a lamp.\\n[1]\\nA lamp was lent.\\n [1] \\n\\n[7] It was lost.")
    ['Summary: a lamp.', 'A lamp was lent.', '', 'It was lost.']
    """
    return [paragraph.strip() for paragraph in _MARK.split("\n" + text)]


def remove_marks(text: str) -> str:
    """The text without its paragraph marks; lines stay lines.

    >>> remove_marks("(FC)\\n[1]\\nA lamp.")
    '(FC)\\n\\nA lamp.'
    """
    return _MARK.sub("\n", "\n" + text)[1:]


def first_mark(text: str) -> int | None:
    """Where the line of the first mark ``[1]`` begins, else that of the first mark; None without any.

    >>> first_mark("(FC)\\n[1]\\nA lamp.")
    5
    """
    mark = _FIRST_MARK.search("\n" + text) or _MARK.search("\n" + text)
    return mark.start() if mark else None


def opens_paragraph(line: str) -> bool:
    """Whether a line within a text begins with a paragraph mark.

    >>> opens_paragraph("[12] A lamp."), opens_paragraph("[2098] 3 X.C. 9"), opens_paragraph("12] A lamp.")
    (True, False, False)
    """
    return _LINE_MARK.match(line) is not None
