"""Parse runs in columns without a header: the official forms, TREC's, and lists of query and item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
_TAGGED_COLUMNS = {len(columns): columns for columns in (SET_COLUMNS, RANKED_COLUMNS)}

_Row = tuple[int, str, list[str]]  # a line with its number and its fields; a line that is too long has none


def parse_columns(run: Readable, columns: tuple[str, ...]) -> Iterator[WrittenAnswer | MalformedFileError]:
    """Parse lines of two, three or six columns, separated by blanks or tabs. Two may have a comma or semicolon between.

    Empty lines and comments are skipped. The first line of three or six columns decides how many columns the file has;
    it has two if all of its lines have two.

    Parameters
    ----------
    run : Readable
        The file.
    columns : tuple of str
        The columns that the file is expected to have if no line has a known number, for the messages.

    Yields
    ------
    WrittenAnswer or MalformedFileError
        The answers, and an error in place of each line that cannot be parsed. There is only one error if the meaning of
        the columns is not known.
    """
    text = read_text(run)
    start, first, _ = next(_rows(text), (0, "", []))
    separator = _separator(first)
    if separator and first.count(separator) >= len(_LIST_COLUMNS):
        yield MalformedFileError(run, start, "commas or semicolons, but no header", HEADER_EXAMPLE)
        return
    columns = _LIST_COLUMNS if separator else _columns(_rows(text), columns)
    if columns == SET_COLUMNS and _are_scores(_rows(text)):
        problem = "the third column has scores or other numbers, but there is no header"
        yield MalformedFileError(run, start, problem, "the header qid docno score, or a run tag as third column")
        return
    for number, line, fields in _rows(text):
        if not fields:
            yield MalformedFileError(run, number, f"{len(line)} characters in one line", _expected(columns))
        else:
            yield _answer(run, number, columns, _split(line, separator) if separator else fields)


def _rows(text: str) -> Iterator[_Row]:
    """Yield the lines that are neither empty nor comments, with their fields separated by blanks."""
    for number, line in numbered_lines(text):
        is_too_long = len(line) > _MAX_LINE_LENGTH
        fields = [] if is_too_long else split_at_blanks(line)
        if is_too_long or (fields and not is_comment(fields)):
            yield number, line, fields


def _separator(line: str) -> str:
    """Return the semicolon or comma that separates the columns of a line; empty if these are separated by blanks."""
    for separator in (";", ","):
        parts = line.split(separator)
        if len(parts) > 1 and all(len(split_at_blanks(part)) == 1 for part in parts):
            return separator
    return ""


def _split(line: str, separator: str) -> list[str]:
    return [part.strip(" \t").strip('"') for part in line.split(separator)]


def _columns(rows: Iterable[_Row], expected: tuple[str, ...]) -> tuple[str, ...]:
    widths = set()
    for _, _, fields in rows:
        if len(fields) in _TAGGED_COLUMNS:
            return _TAGGED_COLUMNS[len(fields)]
        widths.add(len(fields))
    return _LIST_COLUMNS if widths == {len(_LIST_COLUMNS)} else expected


def _are_scores(rows: Iterable[_Row]) -> bool:
    """Return whether all lines of three columns end in a number, and not in the same one, as a run tag is."""
    written = set()
    for _, _, fields in rows:
        if len(fields) == len(SET_COLUMNS):
            if parse_number(fields[-1]) is None:
                return False
            written.add(fields[-1])
    return len(written) > 1


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
        return WrittenAnswer(number, query, item)
    if columns == SET_COLUMNS:
        query, item, tag = fields
        return WrittenAnswer(number, query, item, tag=tag)
    query, _, item, rank, written_score, tag = fields
    score = parse_number(written_score)
    if score is None:
        problem = f"the score {printable(written_score)!r} is not a finite 32-bit number"
        return MalformedFileError(run, number, problem, _expected(columns))
    return WrittenAnswer(number, query, item, score, rank, tag)
