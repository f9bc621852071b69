"""Parse runs in columns without a header: the official forms, TREC's, and lists of query and item."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.evaluation.runs.format_rules import RANKED_COLUMNS, SET_COLUMNS
from ir_coliee.evaluation.runs.written_answers import (
    HEADER_EXAMPLE,
    WrittenAnswer,
    is_comment,
    numbered_lines,
    parse_number,
    split_at_blanks,
)
from ir_coliee.releases.reading import Readable, read_text

_MAX_LINE_LENGTH = 2**20  # characters
_LIST_COLUMNS = ("query", "item")
_COLUMNS_BY_NUMBER = {len(columns): columns for columns in (_LIST_COLUMNS, SET_COLUMNS, RANKED_COLUMNS)}


def parse_columns(run: Readable, columns: tuple[str, ...]) -> Iterator[WrittenAnswer | MalformedFileError]:
    """Parse lines of two, three or six columns, separated by blanks or tabs.

    Empty lines and comments are skipped. The first line decides how many columns the file has.

    Parameters
    ----------
    run : Readable
        The file.
    columns : tuple of str
        The columns that the first line is expected to have, for the message if it has another number.

    Yields
    ------
    WrittenAnswer or MalformedFileError
        The answers, and an error in place of each line that cannot be parsed.
    """
    is_known = False
    for number, line in numbered_lines(read_text(run)):
        if len(line) > _MAX_LINE_LENGTH:
            yield MalformedFileError(run, number, f"{len(line)} characters in one line", _expected(columns))
            continue
        fields = split_at_blanks(line)
        if not fields or is_comment(fields):
            continue
        if not is_known and len(fields) in _COLUMNS_BY_NUMBER:
            columns, is_known = _COLUMNS_BY_NUMBER[len(fields)], True
        yield _answer(run, number, columns, fields)


def _expected(columns: tuple[str, ...]) -> str:
    return f"{len(columns)} columns: {' '.join(columns)}"


def _answer(
    run: Readable, number: int, columns: tuple[str, ...], fields: list[str]
) -> WrittenAnswer | MalformedFileError:
    if len(fields) != len(columns):
        if len(fields) == 1 and ("," in fields[0] or ";" in fields[0]):
            return MalformedFileError(run, number, "commas or semicolons, but no header", HEADER_EXAMPLE)
        return MalformedFileError(run, number, f"{len(fields)} columns", _expected(columns))
    if not "".join(fields).isprintable():
        hidden = next(column for column, field in zip(columns, fields) if not field.isprintable())
        problem = f"a control character or an unusual blank in the column {hidden}"
        return MalformedFileError(run, number, problem, _expected(columns))
    if columns == _LIST_COLUMNS:
        query, item = fields
        return WrittenAnswer(number, query, item, is_label=True)
    if columns == SET_COLUMNS:
        query, item, tag = fields
        return WrittenAnswer(number, query, item, tag=tag)
    query, _, item, rank, written_score, tag = fields
    score = parse_number(written_score)
    if score is None:
        problem = f"the score {printable(written_score)!r} is not a finite 32-bit number"
        return MalformedFileError(run, number, problem, _expected(columns))
    return WrittenAnswer(number, query, item, score, rank, tag)
