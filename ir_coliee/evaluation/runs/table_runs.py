"""Parse runs in tables with a header, as `pandas.DataFrame.to_csv` and spreadsheets write them."""

from __future__ import annotations

import csv
import itertools
import operator
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ir_coliee.errors import MalformedFileError, printable
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

#: The names of each column, as PyTerrier, ir_measures and others write them; the first one in a header counts.
_NAMES = {
    "query": ("qid", "query_id", "q_id", "query"),
    "item": ("docno", "doc_id", "document", "item", "qanswer", "answer", "prediction", "label"),
    "score": ("score",),
    "rank": ("rank",),
    "tag": ("tag", "run_name", "name"),
}
_JUDGEMENTS = ("label", "prediction", "relevance")  # beside an item, these say whether it is an answer
_LONGEST_START = 2**16  # bytes in which the header is searched for
_DELIMITERS = (",", "\t", ";", " ")
_BATCH_SIZE = 2**11  # rows
_MAX_DELIMITERS = 2**20  # in a line, which may also have texts with many commas
_MAX_FIELD_SIZE = 2**30  # characters; a file may also have the text of each query, which Python limits to 2**17


class Header(NamedTuple):
    """The header of a table.

    Attributes
    ----------
    line : int
        Its line, counted from 1.
    delimiter : str
        What separates the columns.
    names : list of str
        The names of all columns.
    positions : dict of str to int
        The position of each column that a run has: ``query``, ``item``, ``score``, ``rank`` and ``tag``.
    """

    line: int
    delimiter: str
    names: list[str]
    positions: dict[str, int]


def find_header(content: bytes) -> Header | None:
    """Return the header of a file, or None if its first line does not have the names of two columns of a run."""
    _, lines = next(line_batches(content[:_LONGEST_START].decode("utf-8-sig", errors="replace")), (1, []))
    for number, line in enumerate(lines, start=1):
        fields = split_at_blanks(line)
        if fields and not is_comment(fields):
            found = [Header(number, each, *_columns(line, each)) for each in _DELIMITERS]
            header = max(found, key=lambda header: len(header.positions))
            return header if len(header.positions) >= 2 else None
    return None


def _columns(line: str, delimiter: str) -> tuple[list[str], dict[str, int]]:
    names = [name.strip().strip('"').lower() for name in line.split(delimiter)]
    found = {column: next((name for name in known if name in names), None) for column, known in _NAMES.items()}
    return names, {column: names.index(name) for column, name in found.items() if name is not None}


def parse_table(file: Readable, header: Header) -> Iterator[Parsed]:
    """Parse a table with a header; values may be quoted, and columns that a run does not need are skipped.

    Without scores, the best rank or else the first answer is the best. A table with items and a column ``label``,
    ``prediction`` or ``relevance`` is refused, because its rows may be judged to be no answers.

    Parameters
    ----------
    file : Readable
        The file.
    header : Header
        Its header.

    Yields
    ------
    WrittenAnswers, UnreadableLines or MalformedFileError
        The answers, and the rows that cannot be parsed.
    """
    for column in ("query", "item"):
        if column not in header.positions:
            problem = f"the header has no {column}, such as {_NAMES[column][0]}"
            yield MalformedFileError(file, header.line, problem, HEADER_EXAMPLE)
            return
    item = header.names[header.positions["item"]]
    if item not in _JUDGEMENTS and (judgement := next((name for name in header.names if name in _JUDGEMENTS), "")):
        problem = f"a column {judgement} beside {item}: these look like labels"
        expected = f"a run: only the rows that are answers, without the column {judgement}"
        yield MalformedFileError(file, header.line, problem, expected)
        return
    for column, position in header.positions.items():
        if header.names.count(header.names[position]) > 1:
            problem = f"the header has two columns named {header.names[position]}"
            yield MalformedFileError(file, header.line, problem, f"one column with the {column}")
            return
    for lines, rows, error in _batches(read_text(file), header):
        answers = _answers(lines, rows, header)
        if answers is None:
            filled = [(line, row) for line, row in zip(lines, rows) if any(map(str.strip, row))]
            are_answers = [_is_answer(row, header) for _, row in filled]
            right = [*itertools.compress(filled, are_answers)]
            answers = _answers([line for line, _ in right], [row for _, row in right], header)
            others = [*itertools.compress(filled, map(operator.not_, are_answers))]
            yield UnreadableLines(len(others), (_error(file, *row, header) for row in others))
        if answers is not None:
            yield answers
        if error is not None:
            line = lines[-1]
            yield MalformedFileError(file, line, f"the row cannot be read ({error})", _expected(header))


def _batches(text: str, header: Header) -> Iterator[tuple[list[int], list[list[str]], csv.Error | None]]:
    """Yield groups of the rows below the header: the line that each begins on, the rows, and what ends the reading.

    A row that cannot be read has a line in the last group.
    """
    written = (_with_end(line, header.delimiter) for _, batch in line_batches(text) for line in batch)
    below = itertools.islice(written, header.line, None)
    reader = csv.reader(below, delimiter=header.delimiter, skipinitialspace=True, strict=True)
    is_open = True
    while is_open:
        lines: list[int] = []
        rows: list[list[str]] = []
        failed = None
        limit = csv.field_size_limit(_MAX_FIELD_SIZE)  # of the whole process, so it is restored at once
        try:
            while len(rows) < _BATCH_SIZE:
                start = header.line + reader.line_num + 1
                rows.append(next(reader))
                lines.append(start)
        except StopIteration:
            is_open = False
        except csv.Error as error:
            is_open, failed = False, error
            lines.append(start)
        finally:
            csv.field_size_limit(limit)
        yield lines, rows, failed


def _with_end(line: str, delimiter: str) -> str:
    if line.count(delimiter) > _MAX_DELIMITERS:
        raise csv.Error("too many columns")
    return f"{line}\n"


def _expected(header: Header) -> str:
    return f"{len(header.names)} columns, as in the header"


def _answers(lines: Sequence[int], rows: Sequence[Sequence[str]], header: Header) -> WrittenAnswers | None:
    """Return the answers of rows; None if one of them is empty or cannot be parsed."""
    if {*map(len, rows)} != {len(header.names)}:
        return None
    values = {name: [row[place].strip() for row in rows] for name, place in header.positions.items()}
    ids = values["query"] + values["item"]
    if not all(ids) or not "".join(ids).isprintable():
        return None
    answers = WrittenAnswers(
        lines[: len(rows)], values["query"], values["item"], ranks=values.get("rank"), tags=values.get("tag")
    )
    if (order := _order(header)) is None:
        return answers
    numbers = parse_numbers([_number(value, header) for value in values[order]])
    if numbers is None:
        return None
    return answers._replace(scores=numbers) if order == "score" else answers


def _is_answer(row: Sequence[str], header: Header) -> bool:
    """Return whether a row can be parsed."""
    if len(row) != len(header.names):
        return False
    ids = [row[header.positions[column]].strip() for column in ("query", "item")]
    order = _order(header)
    return (
        all(ids)
        and "".join(ids).isprintable()
        and (order is None or parse_number(_number(row[header.positions[order]].strip(), header)) is not None)
    )


def _order(header: Header) -> str | None:
    """Return the column that decides the order of the answers."""
    return next((column for column in ("score", "rank") if column in header.positions), None)


def _number(value: str, header: Header) -> str:
    """Return a number as other languages write it; spreadsheets write a decimal comma where semicolons separate."""
    return value.replace(",", ".", 1) if header.delimiter == ";" else value


def _error(file: Readable, line: int, row: Sequence[str], header: Header) -> MalformedFileError:
    """Return what is wrong with a row."""
    if len(row) != len(header.names):
        return MalformedFileError(file, line, f"{len(row)} columns", _expected(header))
    for column in ("query", "item"):
        position = header.positions[column]
        if not (value := row[position].strip()) or not value.isprintable():
            problem = f"the column {header.names[position]} has no id, or one with a control character"
            return MalformedFileError(file, line, problem, f"the id of the {column}")
    order = str(_order(header))
    value = _number(row[header.positions[order]].strip(), header)
    problem = f"the {order} {printable(value, 30)!r} is not a finite 32-bit number"
    return MalformedFileError(file, line, problem, "a number with a decimal point" if "," in value else "a number")
