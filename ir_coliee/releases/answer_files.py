"""Readers for separate files of answers, which the organisers hand out after a test: articles, or Y and N."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.releases.reading import Readable, read_text, warnings_about

_GOLD = "a line such as `R98-1-A 0 7 1`, the article in the third column"
_LABEL = "a line such as `R98-1-A<tab>Y`"


def read_gold_file(file: Readable) -> dict[str, tuple[str, ...]]:
    """Read the relevant articles of each question from a file with lines like those of a run or of qrels.

    The question id is in the first column, the article in the third.

    Raises
    ------
    MalformedFileError
        If a line has fewer than three columns.
    """
    gold: dict[str, dict[str, None]] = {}  # a dict keeps the order of the articles
    for line, columns in _rows(file):
        if len(columns) < 3:
            raise MalformedFileError(file, line, f"the line has {len(columns)} columns", _GOLD)
        gold.setdefault(columns[0], {})[columns[2]] = None
    return {query_id: tuple(articles) for query_id, articles in gold.items()}


def read_answer_file(file: Readable) -> dict[str, str]:
    """Read the answer Y or N of each question.

    If a question has both answers, the first is used and a `ColieeWarning` is issued.

    Raises
    ------
    MalformedFileError
        If a line is not a question id followed by Y or N.
    """
    answers: dict[str, str] = {}
    with warnings_about(file) as warn:
        for line, columns in _rows(file):
            if len(columns) < 2 or columns[1] not in ("Y", "N"):
                raise MalformedFileError(file, line, "the line is not a question id followed by Y or N", _LABEL)
            if answers.setdefault(columns[0], columns[1]) != columns[1]:
                warn(line, f"question {printable(columns[0])} has both answers; the first is used")
    return answers


def _rows(file: Readable) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(read_text(file).split("\n"), start=1):
        if columns := text.split():
            yield line, columns
