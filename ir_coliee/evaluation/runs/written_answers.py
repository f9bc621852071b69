"""Answers as a run file writes them, whatever the form of the file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ir_coliee.arrays import Floats
from ir_coliee.errors import MalformedFileError
from ir_coliee.evaluation.runs.format_rules import MAX_SCORE

#: What a table begins with, for messages.
HEADER_EXAMPLE = "a header such as qid,docno,score"

_OF_NUMBERS = re.compile(r"[0-9eE.+-]*")  # of these characters, Python reads the same numbers as other languages
_BATCH_SIZE = 2**16  # characters, so that what is made of them stays in the processor's cache


class WrittenAnswers(NamedTuple):
    """A group of answers as a run file writes them, a column for each field.

    Attributes
    ----------
    lines : sequence of int
        The line of each answer, counted from 1.
    queries, items : sequence of str
        Queries and items as written.
    scores : sequence of float or None
        The scores; None if the group has none.
    ranks, tags : sequence of str or None
        As written; None if missing.
    """

    lines: Sequence[int]
    queries: Sequence[str]
    items: Sequence[str]
    scores: Sequence[float] | Floats | None = None
    ranks: Sequence[str] | None = None
    tags: Sequence[str] | None = None


class UnreadableLines(NamedTuple):
    """A group of lines that cannot be parsed; millions of errors would take much time and memory.

    Attributes
    ----------
    num_lines : int
        The number of lines.
    errors : iterator of MalformedFileError
        The error of each line, which is made when it is asked for.
    """

    num_lines: int
    errors: Iterator[MalformedFileError]


#: What a parser yields: groups of answers, groups of lines that cannot be parsed, and errors.
Parsed = WrittenAnswers | UnreadableLines | MalformedFileError


def parse_numbers(written: Sequence[str]) -> Floats | None:
    """Parse numbers without Python's extensions, such as underscores; None if one is not a finite 32-bit number."""
    if not _OF_NUMBERS.fullmatch("".join(written)):
        return None
    try:
        numbers = np.fromiter(map(float, written), np.float64, len(written))
    except ValueError:
        return None
    return numbers if (np.abs(numbers) <= MAX_SCORE).all() else None


def parse_number(written: str) -> float | None:
    """Parse a number as `parse_numbers` does."""
    try:
        number = float(written) if _OF_NUMBERS.fullmatch(written) else math.inf
    except ValueError:
        return None
    return number if abs(number) <= MAX_SCORE else None


def line_batches(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield groups of lines with the number of their first line; all lines would take several times the text's size."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    start, number = 0, 1
    while start < len(text):
        end = text.find("\n", start + _BATCH_SIZE)
        end = len(text) if end < 0 else end
        lines = text[start:end].split("\n")
        yield number, lines
        start, number = end + 1, number + len(lines)


def split_at_blanks(line: str) -> list[str]:
    """Split a line at blanks and tabs, not at other white space, some of which is a control character."""
    if line.isprintable():
        return line.split()
    return [field for field in line.replace("\t", " ").split(" ") if field]


def is_comment(fields: list[str]) -> bool:
    """Return whether the fields of a line are a comment from ``/*`` to ``*/``, as in the organisers' samples."""
    return bool(fields) and fields[0].startswith("/*") and fields[-1].endswith("*/")
