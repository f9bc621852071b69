"""Parse runs in columns without a header: the official forms, TREC's, and lists of query and item."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.evaluation.runs.format_rules import RANKED_COLUMNS, SET_COLUMNS
from ir_coliee.evaluation.runs.written_answers import (
    HEADER_EXAMPLE,
    Parsed,
    UnreadableLines,
    WrittenAnswers,
    is_comment,
    line_batches,
    parse_number,
    parse_numbers,
    split_at_blanks,
)
from ir_coliee.releases.reading import Readable, read_text

_MAX_LINE_LENGTH = 2**20  # characters
_LIST_COLUMNS = ("query", "item")
_TAGGED_COLUMNS = {len(columns): columns for columns in (SET_COLUMNS, RANKED_COLUMNS)}


class _Rows(NamedTuple):
    """Lines that are neither empty nor comments: their numbers, the lines, and their fields separated by blanks.

    A line that is too long has no fields.
    """

    numbers: Sequence[int]
    lines: Sequence[str]
    fields: Sequence[list[str]]

    def select(self, is_selected: Iterable[bool]) -> _Rows:
        """Return some of the rows."""
        kept = [*itertools.compress(zip(*self), is_selected)]
        return _Rows(*zip(*kept)) if kept else _Rows([], [], [])


def parse_columns(run: Readable, columns: tuple[str, ...]) -> Iterator[Parsed]:
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
    WrittenAnswers, UnreadableLines or MalformedFileError
        The answers, and the lines that cannot be parsed; one error if the meaning of the columns is not known.
    """
    text = read_text(run)
    (start, *_), (first, *_), _ = next(_rows(text), _Rows([0], [""], [[]]))
    separator = _separator(first)
    if separator and first.count(separator) >= len(_LIST_COLUMNS):
        yield MalformedFileError(run, start, "commas or semicolons, but no header", HEADER_EXAMPLE)
        return
    columns = _LIST_COLUMNS if separator else _columns(_rows(text), columns)
    if columns == SET_COLUMNS and _are_scores(_rows(text)):
        problem = "the third column has scores or other numbers, but there is no header"
        yield MalformedFileError(run, start, problem, "the header qid docno score, or a run tag as third column")
        return
    for rows in _rows(text):
        if separator:
            rows = rows._replace(fields=[fields and _split(line, separator) for _, line, fields in zip(*rows)])
        answers = _answers(rows, columns)
        if answers is None:
            are_answers = [_is_answer(fields, columns) for fields in rows.fields]
            answers = _answers(rows.select(are_answers), columns)
            others = rows.select(map(operator.not_, are_answers))
            yield UnreadableLines(len(others.numbers), (_error(run, *row, columns) for row in zip(*others)))
        if answers is not None:
            yield answers


def _rows(text: str) -> Iterator[_Rows]:
    for start, lines in line_batches(text):
        if "".join(lines).isprintable() and max(map(len, lines)) <= _MAX_LINE_LENGTH:
            fields = [line.split() for line in lines]
        else:
            fields = [[] if len(line) > _MAX_LINE_LENGTH else split_at_blanks(line) for line in lines]
        rows = _Rows(range(start, start + len(lines)), lines, fields)
        if not all(fields) or any("/*" in line for line in lines):
            rows = rows.select(
                len(line) > _MAX_LINE_LENGTH or (bool(of_line) and not is_comment(of_line))
                for line, of_line in zip(lines, fields)
            )
        if rows.numbers:
            yield rows


def _separator(line: str) -> str:
    """Return the semicolon or comma that separates the columns of a line; empty if these are separated by blanks."""
    for separator in (";", ","):
        parts = line.split(separator)
        if len(parts) > 1 and all(len(split_at_blanks(part)) == 1 for part in parts):
            return separator
    return ""


def _split(line: str, separator: str) -> list[str]:
    return [part.strip(" \t").strip('"') for part in line.split(separator)]


def _columns(batches: Iterable[_Rows], expected: tuple[str, ...]) -> tuple[str, ...]:
    widths = set()
    for rows in batches:
        for fields in rows.fields:
            if len(fields) in _TAGGED_COLUMNS:
                return _TAGGED_COLUMNS[len(fields)]
            widths.add(len(fields))
    return _LIST_COLUMNS if widths == {len(_LIST_COLUMNS)} else expected


def _are_scores(batches: Iterable[_Rows]) -> bool:
    """Return whether all lines of three columns end in a number, and not in the same one, as a run tag is."""
    written: set[str] = set()
    for rows in batches:
        last = [fields[-1] for fields in rows.fields if len(fields) == len(SET_COLUMNS)]
        if parse_numbers(last) is None:
            return False
        written.update(last if len(written) < 2 else ())
    return len(written) > 1


def _expected(columns: tuple[str, ...]) -> str:
    return f"{len(columns)} columns: {' '.join(columns)}"


def _answers(rows: _Rows, columns: tuple[str, ...]) -> WrittenAnswers | None:
    """Return the answers of rows; None if one of them cannot be parsed."""
    if {*map(len, rows.fields)} != {len(columns)} or not "".join(itertools.chain(*rows.fields)).isprintable():
        return None
    values = dict(zip(columns, zip(*rows.fields)))
    answers = WrittenAnswers(rows.numbers, values["query"], values["item"], tags=values.get("tag"))
    if columns != RANKED_COLUMNS:
        return answers
    scores = parse_numbers(values["score"])
    return None if scores is None else answers._replace(scores=scores, ranks=values["rank"])


def _is_answer(fields: list[str], columns: tuple[str, ...]) -> bool:
    """Return whether a row can be parsed."""
    if len(fields) != len(columns) or not "".join(fields).isprintable():
        return False
    return columns != RANKED_COLUMNS or parse_number(fields[columns.index("score")]) is not None


def _error(run: Readable, number: int, line: str, fields: list[str], columns: tuple[str, ...]) -> MalformedFileError:
    """Return what is wrong with a row."""
    if not fields:
        return MalformedFileError(run, number, f"{len(line)} characters in one line", _expected(columns))
    if len(fields) != len(columns):
        if len(fields) == 1 and ("," in fields[0] or ";" in fields[0]):
            return MalformedFileError(run, number, "commas or semicolons, but no header", HEADER_EXAMPLE)
        return MalformedFileError(run, number, f"{len(fields)} columns", _expected(columns))
    for column, field in zip(columns, fields):
        if not field.isprintable():
            problem = f"a control character or an unusual blank in the column {column}"
            return MalformedFileError(run, number, problem, _expected(columns))
    problem = f"the score {printable(fields[columns.index('score')], 30)!r} is not a finite 32-bit number"
    return MalformedFileError(run, number, problem, _expected(columns))
