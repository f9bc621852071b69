"""An answer as a run file writes it, whatever the form of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ir_coliee.evaluation.runs.format_rules import MAX_SCORE

#: What a table begins with, for messages.
HEADER_EXAMPLE = "a header such as qid,docno,score"

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class WrittenAnswer(NamedTuple):
    """An answer as a run file writes it.

    Attributes
    ----------
    line : int
        The line, counted from 1.
    query, item : str
        Query and item as written.
    score : float or None
        The score; None if the file has none.
    rank, tag : str
        As written; empty if missing.
    """

    line: int
    query: str
    item: str
    score: float | None = None
    rank: str = ""
    tag: str = ""


def parse_number(written: str) -> float | None:
    """Parse a number without Python's extensions, such as underscores; None if it is not a finite 32-bit number."""
    if not _NUMBER.fullmatch(written) or abs(float(written)) > MAX_SCORE:
        return None
    return float(written)


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines one by one; a list of them would take several times the size of the text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    number = start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        number += 1
        yield number, text[start:end]
        start = end + 1


def split_at_blanks(line: str) -> list[str]:
    """Split a line at blanks and tabs, not at other white space, some of which is a control character."""
    if line.isprintable():
        return line.split()
    return [field for field in line.replace("\t", " ").split(" ") if field]


def is_comment(fields: list[str]) -> bool:
    """Return whether the fields of a line are a comment from ``/*`` to ``*/``, as in the organisers' samples."""
    return bool(fields) and fields[0].startswith("/*") and fields[-1].endswith("*/")
