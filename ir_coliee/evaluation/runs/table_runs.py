"""Parse runs in tables with a header, as `pandas.DataFrame.to_csv` and spreadsheets write them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import NamedTuple

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.evaluation.runs.written_answers import (
    HEADER_EXAMPLE,
    WrittenAnswer,
    is_comment,
    numbered_lines,
    parse_number,
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
    for number, line in numbered_lines(content[:_LONGEST_START].decode("utf-8-sig", errors="replace")):
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


def parse_table(file: Readable, header: Header) -> Iterator[WrittenAnswer | MalformedFileError]:
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
    WrittenAnswer or MalformedFileError
        The answers, and an error in place of each row that cannot be parsed.
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
    for line, row in _rows(file, header):
        if isinstance(row, MalformedFileError):
            yield row
        elif any(row):
            yield _answer(file, line, row, header)


def _rows(file: Readable, header: Header) -> Iterator[tuple[int, list[str] | MalformedFileError]]:
    """Yield each row below the header with the line that it begins on."""
    lines = (f"{line}\n" for number, line in numbered_lines(read_text(file)) if number > header.line)
    reader = csv.reader(lines, delimiter=header.delimiter, skipinitialspace=True, strict=True)
    while True:
        start = header.line + reader.line_num + 1
        limit = csv.field_size_limit(_MAX_FIELD_SIZE)  # of the whole process, so it is restored at once
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield start, MalformedFileError(file, start, f"the row cannot be read ({error})", _expected(header))
            return
        finally:
            csv.field_size_limit(limit)
        yield start, [value.strip() for value in row]


def _expected(header: Header) -> str:
    return f"{len(header.names)} columns, as in the header"


def _answer(file: Readable, line: int, row: list[str], header: Header) -> WrittenAnswer | MalformedFileError:
    if len(row) != len(header.names):
        return MalformedFileError(file, line, f"{len(row)} columns", _expected(header))
    values = {column: row[position] for column, position in header.positions.items()}
    query, item, rank, tag = (values.get(column, "") for column in ("query", "item", "rank", "tag"))
    for column in ("query", "item"):
        if not values[column] or not values[column].isprintable():
            problem = f"the column {header.names[header.positions[column]]} has no id, or one with a control character"
            return MalformedFileError(file, line, problem, f"the id of the {column}")
    if header.delimiter == ";" and "score" in values:  # as spreadsheets write numbers with a decimal comma
        values["score"] = values["score"].replace(",", ".", 1)
    order = next((column for column in ("score", "rank") if column in values), None)
    if order and parse_number(values[order]) is None:
        problem = f"the {order} {printable(values[order])!r} is not a finite 32-bit number"
        expected = "a number with a decimal point" if "," in values[order] else "a number"
        return MalformedFileError(file, line, problem, expected)
    score = parse_number(values["score"]) if order == "score" else None
    return WrittenAnswer(line, query, item, score, rank, tag)
