"""Runs of any form as frames: files in all forms that participants use, frames and dicts; names of run files."""

from __future__ import annotations

import bz2
import codecs
import csv
import functools
import gzip
import io
import itertools
import json
import lzma
import math
import numbers
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import pandas as pd

from ir_coliee.editions import LINE_FORMATS, SPLITS, Dataset, Split, as_split
from ir_coliee.errors import ColieeError, MalformedFileError, MalformedRunError, printable, printable_list
from ir_coliee.evaluation.gold import TASK_EVALUATIONS, candidates, has_documents, query_ids
from ir_coliee.frames import Booleans, Floats, shown, sort_results
from ir_coliee.releases import statutes, torts
from ir_coliee.releases.cases import official_id
from ir_coliee.releases.files import read_text
from ir_coliee.releases.search import as_number
from ir_coliee.storage import RUN

#: The columns of an answer set and of a ranked list in TREC's format.
SET_COLUMNS = LINE_FORMATS["answer set"]
RANKED_COLUMNS = LINE_FORMATS["ranked list"]

#: The maximum number of articles per question in a list of task 3.
MAX_LIST_LENGTH = 100

#: The largest score: trec_eval stores scores in 32 bits.
MAX_SCORE = 3.4028234663852886e38

#: What a table begins with, for messages.
HEADER_EXAMPLE = "a header such as qid,docno,score"


def allows_rankings(split: Split) -> bool:
    """Return whether superfluous items do not lower the official measure, as in task 3 of 2026."""
    return split.measure == "GatedAccuracy"


def answers_split(split: Split) -> Split:
    """Return the split of task 4 with the same questions as a split of task 3.

    Raises
    ------
    ColieeError
        If the split belongs to another task.
    """
    if split.task != "task3":
        raise ColieeError(f"{split.id} has no file of answers Y and N; only runs of task 3 have one.")
    return SPLITS[split.id.replace("/task3/", "/task4/")]


# A run file with its content.


_OPENS_JSON = re.compile(rb"(?:%b)?\s*[{\[]" % codecs.BOM_UTF8)
#: The first bytes of a compressed file, the name of the format, and the function that decompresses it.
_COMPRESSIONS: tuple[tuple[bytes, str, Callable[[io.BytesIO], io.BufferedIOBase]], ...] = (
    (b"\x1f\x8b", "gzip", lambda file: gzip.GzipFile(fileobj=file)),
    (b"BZh", "bzip2", bz2.BZ2File),
    (b"\xfd7zXZ\0", "xz", lzma.LZMAFile),
)
#: What files begin with, after decompression, that are no text: what they are, and what is expected.
_NO_TEXT = (
    (re.compile(rb"\x80[\x02-\x05]"), "this is a pickle: load it in Python and pass the frame", "a text file"),
    (re.compile(rb"PK\x03\x04"), "this is a ZIP archive", "the run file itself: unpack the archive"),
    (
        re.compile(rb"\x1f\x8b|BZh[1-9]|\xfd7zXZ\0"),
        "the file is compressed twice",
        "a text file, compressed once at most",
    ),
)


@dataclass(frozen=True)
class RunFile:
    """A run file with its content, which is read once because a pipe cannot be read twice; ``str`` gives the path.

    Attributes
    ----------
    path : Path
        The file.
    content : bytes
        The content, decompressed.
    compression : str
        The format in which the file is compressed, or empty.
    """

    path: Path
    content: bytes = field(repr=False)
    compression: str = ""
    _parsed: dict[str, Answers] = field(default_factory=dict, repr=False, compare=False)

    def read_bytes(self) -> bytes:
        """Return the content."""
        return self.content

    @property
    def is_json(self) -> bool:
        """Whether the content is JSON; no line of columns begins with a bracket."""
        return _OPENS_JSON.match(self.content) is not None

    @cached_property
    def header(self) -> Header | None:
        """The header of a table, or None if the file has none."""
        return None if self.is_json else find_header(self.content)

    def answers(self, split: Split) -> Answers:
        """Return the answers of the file to the queries of a split, in the first of `FORMS` that the file has.

        Lines are separated by LF, CR LF or CR; empty lines and comments from ``/*`` to ``*/`` are skipped. Ids are
        converted by `RunIds`. A file is parsed once for a split.
        """
        if split.id not in self._parsed:
            form = next(form for form in FORMS if form.is_form_of(split, self))
            self._parsed[split.id] = _collect(self, form.rows(split, self), split)
        return self._parsed[split.id]

    def __str__(self) -> str:
        return str(self.path)


def open_run(path: Path | str) -> RunFile:
    """Open and read a run file, or a pipe such as ``/dev/stdin``; files of gzip, bzip2 and xz are decompressed.

    Raises
    ------
    MalformedFileError
        If the file is missing, not readable, damaged, or no text, or if it has more than 128 MB, after decompression.
    """
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode):  # a pipe states no size
                RUN.check(path, status.st_size)
            content = RUN.read(file, path)
    except FileNotFoundError:
        raise MalformedFileError(path, None, "no such run file", "the path of a run file") from None
    except IsADirectoryError:
        raise MalformedFileError(path, None, "this is a folder", "the path of a run file") from None
    except MalformedFileError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        problem = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise MalformedFileError(path, None, problem, "the path of a readable run file") from None
    compression = ""
    for start, name, decompressor in _COMPRESSIONS:
        if not compression and content.startswith(start):
            content, compression = _decompress(path, name, decompressor(io.BytesIO(content))), name
    for no_text, problem, expected in _NO_TEXT:
        if no_text.match(content):
            raise MalformedFileError(path, None, problem, expected)
    return RunFile(Path(path), content, compression)


def _decompress(path: Path | str, name: str, compressed: io.BufferedIOBase) -> bytes:
    """Return the content of a compressed file, of which no more is decompressed than the size of a run."""
    try:
        with compressed:
            return RUN.read(compressed, path)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        damage = "it ends too early" if isinstance(error, EOFError) else "its data are corrupt"
        raise MalformedFileError(path, None, f"the {name} file is damaged, {damage}", "a complete file") from None


# The forms of run files. Each form yields the answers as they are written, and an error for what it cannot parse.


_OF_NUMBERS = re.compile(r"[0-9eE.+-]*")  # of these characters, Python reads the same numbers as other languages


class Row(NamedTuple):
    """An answer as a run file writes it: its line, query and item; score, rank and tag may be missing."""

    line: int
    query: str
    item: str
    score: str | float | None = None
    rank: str = ""
    tag: str = ""


#: What a form yields.
Rows: TypeAlias = "Iterator[Row | MalformedFileError]"


def parse_number(written: str) -> float | None:
    """Parse a number without Python's extensions, such as underscores; None if it is not a finite 32-bit number."""
    try:
        number = float(written) if _OF_NUMBERS.fullmatch(written) else math.inf
    except ValueError:
        return None
    return number if abs(number) <= MAX_SCORE else None


# --- columns without a header: the official forms, TREC's, and lists of query and item -------------


_MAX_LINE_LENGTH = 2**20  # characters
_LIST_COLUMNS = ("query", "item")
_TAGGED_COLUMNS = {len(columns): columns for columns in (SET_COLUMNS, RANKED_COLUMNS)}


def _rows_of_columns(split: Split, file: RunFile) -> Rows:
    """Parse lines of three columns (query, item, tag) or six (TREC's), as the first of these decides; or only of two.

    Blanks or tabs separate the columns; of two columns also commas or semicolons. Numbers in place of the tag that are
    not all equal are refused: they are probably scores.
    """
    text = read_text(file)
    start, first, _ = next(_lines(text), (0, "", []))
    separator = _separator(first)
    if separator and first.count(separator) >= len(_LIST_COLUMNS):
        yield MalformedFileError(file, start, "commas or semicolons, but no header", HEADER_EXAMPLE)
        return
    columns = _LIST_COLUMNS if separator else _columns_of(text) or split.submission.columns or RANKED_COLUMNS
    if columns == SET_COLUMNS and _are_scores(text):
        problem = "the third column has scores or other numbers, but there is no header"
        yield MalformedFileError(file, start, problem, "the header qid docno score, or a run tag as third column")
        return
    expected = f"{len(columns)} columns: {' '.join(columns)}"
    for number, line, fields in _lines(text):
        if separator and fields:
            fields = [part.strip(" \t").strip('"') for part in line.split(separator)]
        if not fields:
            yield MalformedFileError(file, number, f"{len(line)} characters in one line", expected)
        elif len(fields) == 1 and ("," in line or ";" in line):
            yield MalformedFileError(file, number, "commas or semicolons, but no header", HEADER_EXAMPLE)
        elif len(fields) != len(columns):
            yield MalformedFileError(file, number, f"{len(fields)} columns", expected)
        elif not "".join(fields).isprintable():
            yield MalformedFileError(file, number, "a control character or an unusual blank", expected)
        else:
            cells = dict(zip(columns, fields))
            cells.pop("Q0", None)
            yield Row(number, **cells)


def _lines(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield number, text and fields of each line but empty ones and comments; a line that is too long has no fields.

    Fields are separated by blanks and tabs, not by other white space, some of which is a control character.
    """
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        line = line.removesuffix("\n")
        if len(line) > _MAX_LINE_LENGTH:
            yield number, line, []
        elif (fields := [part for part in line.replace("\t", " ").split(" ") if part]) and not _is_comment(fields):
            yield number, line, fields


def _is_comment(fields: list[str]) -> bool:
    """Return whether a line is a comment, as in the organisers' samples."""
    return fields[0].startswith("/*") and fields[-1].endswith("*/")


def _separator(line: str) -> str:
    """Return the semicolon or comma that separates the columns of a line; empty if these are separated by blanks."""
    for separator in (";", ","):
        parts = line.replace("\t", " ").split(separator)
        if len(parts) > 1 and all(part.strip(" ") and " " not in part.strip(" ") for part in parts):
            return separator
    return ""


def _columns_of(text: str) -> tuple[str, ...] | None:
    """Return the columns that the first line of three or six has; two if all lines have two; None if not known."""
    widths = set()
    for _, _, fields in _lines(text):
        if len(fields) in _TAGGED_COLUMNS:
            return _TAGGED_COLUMNS[len(fields)]
        widths.add(len(fields))
    return _LIST_COLUMNS if widths == {len(_LIST_COLUMNS)} else None


def _are_scores(text: str) -> bool:
    """Return whether all lines of three columns end in a number, and not in the same one, as a run tag is."""
    last = (fields[-1] for _, _, fields in _lines(text) if len(fields) == len(SET_COLUMNS))
    written: set[str] = set()
    for cell in last:
        if parse_number(cell) is None:
            return False
        written.add(cell)
    return len(written) > 1


# --- tables with a header, as `pandas.DataFrame.to_csv` and spreadsheets write them ------------------


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
    number, line, _ = next(_lines(content[:_LONGEST_START].decode("utf-8-sig", errors="replace")), (0, "", []))
    found = [Header(number, delimiter, *_table_columns(line, delimiter)) for delimiter in _DELIMITERS]
    header = max(found, key=lambda header: len(header.positions))
    return header if len(header.positions) >= 2 else None


def _table_columns(line: str, delimiter: str) -> tuple[list[str], dict[str, int]]:
    names = [name.strip().strip('"').lower() for name in line.split(delimiter)]
    found = {column: next((name for name in known if name in names), None) for column, known in _NAMES.items()}
    return names, {column: names.index(name) for column, name in found.items() if name is not None}


def _rows_of_table(_split: Split, file: RunFile) -> Rows:
    """Parse a table with a header; values may be quoted, and columns that a run does not need are skipped.

    Without scores, the best rank or else the first answer is the best. A table with items and a column ``label``,
    ``prediction`` or ``relevance`` is refused, because its rows may be judged to be no answers.
    """
    header = cast("Header", file.header)
    if wrong := _wrong_header(header):
        yield MalformedFileError(file, header.line, *wrong)
        return
    order = next((column for column in ("score", "rank") if column in header.positions), "")
    for line, cells in _table_lines(read_text(file), header):
        if isinstance(cells, csv.Error):
            expected = f"{len(header.names)} columns, as in the header"
            yield MalformedFileError(file, line, f"the row cannot be read ({cells})", expected)
        elif len(cells) != len(header.names):
            expected = f"{len(header.names)} columns, as in the header"
            yield MalformedFileError(file, line, f"{len(cells)} columns", expected)
        else:
            row = {column: cells[position].strip() for column, position in header.positions.items()}
            if order and header.delimiter == ";":  # spreadsheets write a decimal comma where semicolons separate
                row[order] = row[order].replace(",", ".", 1)
            if order == "rank" and parse_number(row["rank"]) is None:
                problem = f"the rank {printable(row['rank'], 30)!r} is not a finite 32-bit number"
                yield MalformedFileError(file, line, problem, "a number")
            else:
                yield Row(line, **row)


def _wrong_header(header: Header) -> tuple[str, str] | None:
    """Return what is wrong with a header, and what is expected; None if its table can be read."""
    for column in ("query", "item"):
        if column not in header.positions:
            return f"the header has no {column}, such as {_NAMES[column][0]}", HEADER_EXAMPLE
    item = header.names[header.positions["item"]]
    if item not in _JUDGEMENTS and (judgement := next((name for name in header.names if name in _JUDGEMENTS), "")):
        expected = f"a run: only the rows that are answers, without the column {judgement}"
        return f"a column {judgement} beside {item}: these look like labels", expected
    for column, position in header.positions.items():
        if header.names.count(name := header.names[position]) > 1:
            return f"the header has two columns named {name}", f"one column with the {column}"
    return None


def _table_lines(text: str, header: Header) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Yield the rows below the header that are not empty, with the line that each begins on; a csv.Error ends them."""

    def checked() -> Iterator[str]:
        for line in itertools.islice(io.StringIO(text, newline=None), header.line, None):
            if line.count(header.delimiter) > _MAX_DELIMITERS:
                raise csv.Error("too many columns")
            yield line

    reader = csv.reader(checked(), delimiter=header.delimiter, skipinitialspace=True, strict=True)
    while True:
        line = header.line + reader.line_num + 1
        limit = csv.field_size_limit(_MAX_FIELD_SIZE)  # of the whole process, so it is restored at once
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield line, error
            return
        finally:
            csv.field_size_limit(limit)
        if cells is None:
            return
        if any(map(str.strip, cells)):
            yield line, cells


# --- JSON, an object with the items of each query, which the organisers have accepted ----------------


_MAX_QUERIES = 200_000
_JSON_EXPECTED = 'an object such as {"900001": ["900002"]} or {"900001": {"900002": 0.8}}'
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)  # so that lists stay lists and a repeated key is seen

#: What comes before the first key of an object, before a value, and before another key; or the end of the object.
_OPENING = re.compile(r'[ \t\n\r]*\{[ \t\n\r]*(?:(?=")|(?P<end>\}[ \t\n\r]*\Z))')
_COLON = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_NEXT = re.compile(r'[ \t\n\r]*(?:,[ \t\n\r]*(?=")|(?P<end>\}[ \t\n\r]*\Z))')


def _rows_of_json(_split: Split, file: RunFile) -> Rows:
    """Parse a JSON object; each answer has the line of its query.

    The items of a query are a list of names, a string with commas, or an object from name to score, or to true for
    an answer and false for none; if all values in a file are 1 and 0, these mean the same. If a query occurs several
    times with different items, that is an error, and the last occurrence is used, as JSON parsers do.
    """
    text = read_text(file).replace("\r", "\n")
    try:
        members = _members(text)
    except json.JSONDecodeError as error:
        expected = _JSON_EXPECTED
        if text.lstrip().startswith("[") or error.msg == "Extra data":  # an array of records, or JSON Lines
            expected += "; save records as CSV, in pandas with frame.to_csv(path, index=False)"
        yield MalformedFileError(file, error.lineno, f"not a JSON object ({error.msg})", expected)
        return
    except (ValueError, RecursionError):  # a number too long, brackets too deep
        problem = "not a JSON object (a number or the nesting exceeds the parser's limits)"
        yield MalformedFileError(file, 1, problem, _JSON_EXPECTED)
        return
    if len(members) > _MAX_QUERIES:
        yield MalformedFileError(file, None, f"more than {_MAX_QUERIES:,} queries", _JSON_EXPECTED)
        return
    labels = [label for _, _, value in members if isinstance(value, tuple) for _, label in value]
    are_labels = all(type(label) is int and label in (0, 1) for label in labels) and 0 in labels
    read: dict[str, tuple[int, list[tuple[str, float | None]] | None]] = {}
    for line, query, value in members:
        items = _json_items(value, are_labels=are_labels)
        if query in read and read[query][1] != items:
            problem = f"query {printable(query, 30)} has different items on line {read[query][0]}"
            yield MalformedFileError(file, line, problem, "each query once")
        read[query] = line, items
    rows: list[Row] = []
    for query, (line, found) in read.items():
        if found is None:
            problem = f"query {printable(query, 30)} has neither names nor scores of items"
            yield MalformedFileError(file, line, problem, _JSON_EXPECTED)
        rows += [Row(line, query, name, score) for name, score in found or ()]
    yield from sorted(rows, key=lambda row: row.score is not None)  # queries without scores first


def _members(text: str) -> list[tuple[int, str, Any]]:
    """Return line, key and value of each member of a JSON object, up to one more than the limit.

    Raises `ValueError` if the text is something else.
    """
    members: list[tuple[int, str, Any]] = []
    line, counted = 1, 0
    found = _OPENING.match(text)
    while found and not found["end"] and len(members) <= _MAX_QUERIES:
        line += text.count("\n", counted, found.end())
        counted = found.end()
        key, end = _DECODER.raw_decode(text, counted)
        if found := _COLON.match(text, end):
            value, end = _DECODER.raw_decode(text, found.end())
            members.append((line, key, value))
            found = _NEXT.match(text, end)
    if not found:
        _DECODER.decode(text)  # raises the error that tells what is malformed
        raise json.JSONDecodeError("Expecting an object", text, 0)
    return members


def _json_items(value: Any, *, are_labels: bool) -> list[tuple[str, float | None]] | None:
    """Return the items of a query with their scores, which may be missing; None for an unsupported value."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list) and all(type(name) in (str, int) for name in value):
        return [(name, None) for each in value if (name := str(each).strip())]
    if isinstance(value, tuple):
        scored = [(name.strip(), bool(score) if are_labels else score) for name, score in value]
        kept = [(name, score) for name, score in scored if score is not False]
        if all(score is True for _, score in kept):
            return [(name, None) for name, _ in kept]
        if all(type(score) in (int, float) and abs(score) <= MAX_SCORE for _, score in kept):
            return [(name, float(score)) for name, score in kept]
    return None


# --- the pilot's test file with its null values filled in --------------------------------------------


def _rows_of_instances(split: Split, file: RunFile) -> Rows:
    try:
        instances = torts.parse_instances(file)
    except MalformedFileError as error:
        yield error
        return
    is_prediction = TASK_EVALUATIONS[split.task].single_answer
    for line, instance in enumerate(instances, start=1):
        accepted = [(claim.doc_id, accepted) for claim, accepted in zip(instance.claims, instance.accepted)]
        labels = [("", instance.court_decision)] if is_prediction else accepted
        for claim, label in labels:
            if label is None:
                place = f"court_decision of {instance.query_id}" if is_prediction else f"is_accepted of claim {claim}"
                yield MalformedFileError(file, line, f"{printable(place, 50)} is null", "true or false")
            elif is_prediction or label:
                yield Row(line, instance.query_id, str(label) if is_prediction else claim)


class Form(NamedTuple):
    """A form of run files.

    Attributes
    ----------
    name : str
        Its name.
    is_form_of : callable
        Function from the split and a file to whether the file has this form.
    rows : callable
        Function from the split and such a file to its `Rows`.
    """

    name: str
    is_form_of: Callable[[Split, RunFile], bool]
    rows: Callable[[Split, RunFile], Rows]


def _is_utf_16(_split: Split, file: RunFile) -> bool:
    return file.content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _rows_of_utf_16(_split: Split, file: RunFile) -> Rows:
    yield MalformedFileError(file, None, "the file is encoded in UTF-16", "a text file in UTF-8")


def _is_test_file(split: Split, file: RunFile) -> bool:
    return not split.submission.columns and (file.is_json or not file.content.strip())


#: The forms of run files; the content decides, whatever the edition requires. The first form that fits is used.
FORMS = (
    Form("UTF-16, which is refused", _is_utf_16, _rows_of_utf_16),
    Form("the pilot's test file, filled in", _is_test_file, _rows_of_instances),
    Form("JSON", lambda _, file: file.is_json, _rows_of_json),
    Form("a table with a header", lambda _, file: file.header is not None, _rows_of_table),
    Form("columns", lambda *_: True, _rows_of_columns),
)


# The ids in a run file, which participants spell in several ways.


_SPELLINGS = dict.fromkeys(("y", "yes", "true", "1"), True) | dict.fromkeys(("n", "no", "false", "0"), False)


class RunIds:
    """Converts the ids in a run to those of a split.

    In tasks 1 and 2, an id may have the suffix ``.txt``, or ``.0`` as pandas writes integers among missing values, or
    other leading zeros, a query id may have the prefix ``t1-`` or ``t2-`` of the early calls, and an item of a query's
    own folder may be given by its number or by its document id. The exact name has precedence; otherwise the number is
    used if exactly one document has it. An unknown id is returned unchanged. If the documents are not at hand, every
    id is converted to the official form, whether a label names it or not: a run would otherwise reveal the labels.

    Ids of the other tasks are names rather than numbers and are not converted, but for the answers yes and no.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    """

    def __init__(self, split: Split) -> None:
        self._split = split
        self._is_numbered = split.task in ("task1", "task2")
        self._has_documents = self._is_numbered and has_documents(split)
        if self._has_documents:
            self._find_query = _name_finder(query_ids(split))
            self._candidates = candidates(split)
        self._find_docno: dict[str, Callable[[str], str | None]] = {}

    def query(self, written: str) -> str:
        """Return the query id for an id in the file."""
        if not self._is_numbered:
            return written
        name = written.removeprefix(f"t{self._split.task[-1]}-")
        if not self._has_documents:
            return official_id(self._split, name)
        return self._find_query(written) or self._find_query(name) or written

    def docno(self, query_id: str, written: str) -> str:
        """Return the document id for an item in the file, among the candidates of the query."""
        if not self._is_numbered:
            return self._label(written)
        if self._split.item_folder and "_" in written:  # a document id, perhaps of another query
            query, _, item = written.partition("_")
            found = self._find(query_id, written) if self._has_documents else None
            return found or f"{self.query(query)}_{official_id(self._split, item)}"
        if self._has_documents:
            return self._find(query_id, written) or self._split.docno_of(query_id, written)
        return self._split.docno_of(query_id, official_id(self._split, written))

    def _find(self, query_id: str, written: str) -> str | None:
        pool = query_id if self._split.item_folder else ""
        if pool not in self._find_docno:
            self._find_docno[pool] = self._docno_finder(query_id)
        return self._find_docno[pool](written)

    def _label(self, written: str) -> str:
        """Return the document id of an answer yes or no in any spelling, where a question has one of two answers."""
        is_yes = _SPELLINGS.get(written.lower())
        if is_yes is None or not TASK_EVALUATIONS[self._split.task].single_answer:
            return written
        yes, no = torts.ANSWERS if self._split.task == "prediction" else statutes.ANSWERS
        return (yes if is_yes else no).doc_id

    def _docno_finder(self, query_id: str) -> Callable[[str], str | None]:
        docnos = self._candidates(query_id)
        by_id = _name_finder(docnos)
        if not self._split.item_folder:
            return by_id
        docno_by_item = {self._split.item_of(docno): docno for docno in docnos}
        by_item = _name_finder(docno_by_item)
        return lambda written: docno_by_item.get(by_item(written) or "") or by_id(written)

    def convert(self, queries: Sequence[str], items: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the ids of many answers, each of which is looked up once."""
        query_of, docno_of = functools.cache(self.query), functools.cache(self.docno)
        query_ids = [*map(query_of, queries)]
        return query_ids, [*map(docno_of, query_ids, items)]


def _name_finder(names: Iterable[str]) -> Callable[[str], str | None]:
    """Return a function that finds the name for a spelling: None if no name matches, or more than one."""
    known = set(names)
    by_number: dict[int | str, list[str]] = {}
    for name in known:
        by_number.setdefault(as_number(name), []).append(name)

    def find(written: str) -> str | None:
        stem = written.removesuffix(".txt").removesuffix(".0")
        if stem in known:
            return stem
        similar = by_number.get(as_number(stem), [])
        return similar[0] if len(similar) == 1 else None

    return find


# The answers of a run as a frame, and the rules that its rows obey.


_ERRORS_LISTED = 1000
_MAX_ANSWERS = 3_000_000  # the largest split has 2,001 queries, for which rankings have up to 1,000 items


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of a run.

    Attributes
    ----------
    table : pandas.DataFrame
        A row for each answer, in the order of the file: line (from 1); qid and docno, ids of the split; score; rank and
        tag as written, empty if missing; written_query and written_item; has_score. Without scores in the file,
        better ranks, or else earlier answers, have higher scores.
    errors : list of MalformedFileError
        The lines that cannot be parsed, at most 1,000: the lines after these are not read.
    """

    table: pd.DataFrame
    errors: list[MalformedFileError]

    @property
    def has_scores(self) -> bool:
        """Whether every answer has a score."""
        return bool(self.table["has_score"].all())

    @property
    def has_ranks(self) -> bool:
        """Whether an answer has a rank."""
        return bool((self.table["rank"] != "").any())

    @property
    def tag(self) -> str:
        """The tag of the first answer; empty if there is no answer."""
        return str(self.table["tag"].iat[0]) if len(self.table) else ""

    @cached_property
    def pairs(self) -> set[tuple[str, str]]:
        """The different pairs of query and item."""
        return set(zip(self.table["qid"], self.table["docno"]))

    def select(self, rows: Booleans) -> Answers:
        """Return the answers in some rows, with all errors."""
        return Answers(self.table[rows], self.errors)

    def as_frame(self) -> pd.DataFrame:
        """Return a result frame: qid, docno, score and rank from 0, sorted by score, ties by rank, then as given."""
        frame = self.table[["qid", "docno", "score"]].assign(rank=_numbers(self.table["rank"]))
        return sort_results(frame)

    def queries_with_conflicting_ranks(self) -> list[str]:
        """Return the queries that have a rank on every answer and rank an answer before one with a higher score."""
        table = self.table[["qid", "score"]].assign(rank=_numbers(self.table["rank"]))
        is_rank = self.table["rank"].map({rank: bool(_RANK.fullmatch(rank)) for rank in self.table["rank"].unique()})
        in_order = table.sort_values("rank", kind="stable")
        rises = in_order.groupby("qid", sort=False)["score"].diff() > 0
        conflicting = {*in_order.loc[rises, "qid"]} - {*table.loc[~is_rank.astype(bool), "qid"]}
        return [query for query in table["qid"].unique() if query in conflicting]


_RANK = re.compile("[0-9]{1,9}")


def _numbers(ranks: pd.Series[Any]) -> Floats:
    """Return written ranks as numbers; infinity where one is not a number, so that it sorts last."""
    parsed = {rank: parse_number(rank) for rank in ranks.unique()}
    finite = {rank: math.inf if number is None else number for rank, number in parsed.items()}
    return ranks.map(finite).to_numpy(dtype=np.float64)


def _collect(file: RunFile, rows: Rows, split: Split) -> Answers:
    """Collect the rows of a file as a frame, with an error for each row that breaks a rule of all forms."""
    found: list[tuple[Any, ...]] = []
    errors: list[MalformedFileError] = []
    for row in rows:
        checked = row if isinstance(row, MalformedFileError) else _checked(file, row)
        if isinstance(checked, MalformedFileError):
            errors.append(checked)
        else:
            found.append(checked)
        if len(found) > _MAX_ANSWERS:
            expected = "the answers of a run; rank at most 1,000 items for each query"
            errors.append(MalformedFileError(file, None, f"more than {_MAX_ANSWERS:,} answers", expected))
            return Answers(_table([], split), errors)
        if len(errors) == _ERRORS_LISTED:
            break
    return Answers(_table(found, split), errors)


def _table(rows: list[tuple[Any, ...]], split: Split) -> pd.DataFrame:
    columns = ["line", "written_query", "written_item", "score", "rank", "tag"]
    table = pd.DataFrame(dict(zip(columns, zip(*rows))), columns=columns, dtype=object)
    table = table.astype({"line": np.int64, "score": np.float64})
    table["has_score"] = table["score"].notna()
    table["score"] = table["score"].where(table["has_score"], _scores_by_order(table["rank"]))
    queries, docnos = RunIds(split).convert(table["written_query"].tolist(), table["written_item"].tolist())
    return table.assign(qid=pd.Series(queries, dtype=object), docno=pd.Series(docnos, dtype=object))


def _checked(file: RunFile, row: Row) -> tuple[Any, ...] | MalformedFileError:
    """Return a row with its score as a number, or what is wrong with the row."""
    line, query, item, score, rank, tag = row
    for column, cell in (("query", query), ("item", item)):
        if not cell or not cell.isprintable():
            problem = f"the {column} is empty, or has a control character or an unusual blank"
            return MalformedFileError(file, line, problem, f"the id of the {column}")
    number = score
    if isinstance(score, str) and (number := parse_number(score)) is None:
        problem = f"the score {printable(score, 30)!r} is not a finite 32-bit number"
        return MalformedFileError(file, line, problem, "a number with a decimal point" if "," in score else "a number")
    return line, query, item, number, rank, tag


def _scores_by_order(ranks: pd.Series[Any]) -> Floats:
    """Return scores for answers without one: the best rank is the best answer, or else the first one."""
    numbers = _numbers(ranks)
    return np.where(np.isfinite(numbers), -numbers, -np.arange(1.0, len(numbers) + 1))


def read_run(dataset: Dataset, run: Path | str) -> pd.DataFrame:
    """Read the answers of a run file as they are written.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : Path or str
        The run file, in one of `FORMS`.

    Returns
    -------
    pandas.DataFrame
        The ``table`` of `Answers`, in the order of the file.

    Raises
    ------
    MalformedFileError
        At the first line that cannot be parsed.
    """
    return read_answers(as_split(dataset), open_run(run)).table


def read_answers(split: Split, run: RunFile) -> Answers:
    """Read the answers of an open run file. Raises `MalformedFileError` at the first line that cannot be parsed."""
    answers = run.answers(split)
    if answers.errors:
        raise answers.errors[0]
    return answers


# Runs in memory: conversion to a frame, and checks of its columns, ids and scores.


#: A path, a frame with qid, docno and score, or a dict from query id to document id to score.
Run: TypeAlias = "pd.DataFrame | Mapping[str, Mapping[str, float]] | Path | str"

#: Several runs: a list, or a dict from name to run.
Runs: TypeAlias = "Mapping[str, Run] | Sequence[Run]"


def frame_of(run: Run) -> pd.DataFrame:
    """Return a run in memory as a frame with PyTerrier's column names.

    Parameters
    ----------
    run : pandas.DataFrame or dict
        A frame with qid, docno and score; a frame with ir_measures' names query_id and doc_id, which are left out where
        they only repeat qid and docno; or a dict from query id to document id to score. Anything else is returned
        unchanged, so that `check_run_frame` reports it.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    MalformedRunError
        If a value of the dict is not a dict from document id to score.
    """
    if isinstance(run, Mapping):
        for query_id, scores in run.items():
            if isinstance(scores, (pd.DataFrame, Path)):
                raise MalformedRunError(
                    f"One run is expected here, got a dict of {len(run)} runs.\n"
                    "score takes one run; compare takes several."
                )
            if not isinstance(scores, Mapping):
                raise MalformedRunError(
                    f"The answers to query {shown(query_id)} must be a dict from document id to score.\n"
                    f"Got a value of type {type(scores).__name__}."
                )
        rows = [(query_id, doc_id, score) for query_id, scores in run.items() for doc_id, score in scores.items()]
        columns = ["qid", "docno", "score"]
        try:
            return pd.DataFrame(rows, columns=columns)
        except OverflowError:  # of pandas 2, for an integer that no float represents; the checks of the run refuse it
            return pd.DataFrame(rows, columns=columns, dtype=object)
    if isinstance(run, pd.DataFrame):
        pairs = (("query_id", "qid"), ("doc_id", "docno"))
        unneeded = [theirs for theirs, ours in pairs if theirs in run.columns and ours in run.columns]
        run = run.drop(columns=unneeded) if unneeded else run
        return run if {"qid", "docno"} <= set(run.columns) else run.rename(columns=dict(pairs))
    return cast("pd.DataFrame", run)


def require_frame(run: Run) -> pd.DataFrame:
    """Return a run in memory as `frame_of` does, for functions that have no dataset to read a file for.

    Raises
    ------
    ColieeError
        If the run is a path.
    """
    if isinstance(run, (str, Path)):
        raise ColieeError(
            f"A run must be a data frame or a dict here, got the path {printable(str(run), 40)}.\n"
            "Read the file for its dataset: ir_coliee.evaluation.runs.load_run(dataset, path).frame."
        )
    return frame_of(run)


def named_runs(runs: Runs) -> dict[str, Run]:
    """Return runs by name; a run of a list is named by its path, or by its place if it is in memory.

    Parameters
    ----------
    runs : list of path, pandas.DataFrame or dict; or dict from name to such a run
        The runs.

    Returns
    -------
    dict of str to path, pandas.DataFrame or dict

    Raises
    ------
    TypeError
        If the argument is neither a list nor a dict.
    ColieeError
        If a file is given twice, or if two names are written alike, such as 1 and "1".

    Examples
    --------
    >>> list(named_runs(["a.run", {"R99-01-A": {"Y": 1.0}}]))
    ['a.run', 'run 2']
    """
    check_is_runs("runs", runs)
    if isinstance(runs, Mapping):
        named = [(path_name(str(name)), run) for name, run in runs.items()]
        if len(dict(named)) < len(named):
            names = [name for name, _ in named]
            repeated_name = next(name for name in names if names.count(name) > 1)
            raise ColieeError(f"Two runs have the name {printable(repeated_name, 40)}. Give each run its own name.")
    else:
        named = [(path_name(run) if isinstance(run, (str, Path)) else f"run {n}", run) for n, run in enumerate(runs, 1)]
    files = [_resolved_values(Path(run)) for _, run in named if isinstance(run, (str, Path))]
    if repeated := [file.name for file in files if files.count(file) > 1]:
        raise ColieeError(f"{printable(repeated[0])} was given twice. Give each run once.")
    return dict(named)


def check_is_runs(argument: str, runs: object) -> None:
    """Raise `TypeError` for a value that is neither a list of runs nor a dict from name to run, as a single run."""
    if not isinstance(runs, (Mapping, Sequence)) or isinstance(runs, (str, bytes)):
        expected = "a list of runs or a dict from name to run"
        raise TypeError(f"{argument} must be {expected}, got a value of type {type(runs).__name__}.")


def path_name(path: Path | str) -> str:
    r"""Return a path or name as text; what is not UTF-8 in it is escaped, because tables cannot hold it.

    Examples
    --------
    >>> path_name("a\udcff.run")
    'a\\udcff.run'
    """
    return str(path).encode(errors="backslashreplace").decode()


def _resolved_values(path: Path) -> Path:
    """Return the path without links; a path that no file can have is reported when it is opened."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # RuntimeError: links in a circle, before Python 3.13
        return path


def run_name(run: Run) -> str:
    """Return the name of a run in messages: its path, or "the run" for one in memory."""
    return str(run) if isinstance(run, (str, Path)) else "the run"


def check_run_frame(answers: object) -> None:
    """Check that a run is a frame with string ids and finite scores.

    An integer id never equals a zero-padded string, so such a run would silently score 0. Scores must be numbers that
    32 bits can represent, because trec_eval stores them so.

    Parameters
    ----------
    answers : object
        The run; it should be a frame with the columns qid, docno and score.

    Raises
    ------
    MalformedRunError
        If the run is not such a frame.
    """
    if not isinstance(answers, pd.DataFrame):
        raise _not_a_run(answers)
    if answers.columns.nlevels > 1:
        raise MalformedRunError("The columns of the run have several levels of names. Give each column one name.")
    if repeated := answers.columns[answers.columns.duplicated()].tolist():
        raise MalformedRunError(f"The run has two columns named {repeated[0]!r}. Give each column once.")
    if missing := [column for column in ("qid", "docno", "score") if column not in answers.columns]:
        raise MalformedRunError(f"The run has no column {missing[0]!r}. It needs qid, docno and score.")
    for column in ("qid", "docno"):
        values = answers[column].tolist()
        if not all(issubclass(kind, str) for kind in {*map(type, values)}):
            row = next(row for row, value in enumerate(values) if not isinstance(value, str))
            query_id = answers["qid"].tolist()[row]
            raise MalformedRunError(
                f"Query {shown(query_id, 25)}: the {column} {shown(values[row], 25)} is not a string.\n"
                "Read ids as strings, in pandas with dtype=str."
            )
    is_finite = _are_finite(answers["score"])
    if not is_finite.all():
        query_id, docno, score = answers[["qid", "docno", "score"]].astype(object).iloc[is_finite.argmin()]
        raise MalformedRunError(
            f"Query {shown(query_id, 20)}: the score of {shown(docno, 20)}, {shown(score, 15)}, is not a "
            "finite 32-bit number."
        )


def _not_a_run(value: object) -> MalformedRunError:
    kind = type(value).__name__
    hint = "A frame has the columns qid, docno and score; a dict maps query ids to document ids to scores."
    if hasattr(value, "transform_iter"):
        hint = f"{kind} is a transformer; pass its results: pipeline(topics)."
    return MalformedRunError(f"A run must be a path, a data frame or a dict, got a value of type {kind}.\n{hint}")


def _are_finite(scores: pd.Series[Any]) -> Booleans:
    """Return for each score whether it is a number that 32 bits can represent."""
    if isinstance(scores.dtype, np.dtype) and scores.dtype.kind in "iuf":
        return np.asarray(scores.abs() <= MAX_SCORE)
    return np.array([isinstance(score, numbers.Real) and abs(cast("float", score)) <= MAX_SCORE for score in scores])


# Load a run of any form: a file, a frame or a dict.


class LoadedRun(NamedTuple):
    """A run as a frame, with properties that only the file has.

    Attributes
    ----------
    frame : pandas.DataFrame
        The columns qid, docno, score and, if the run has it, rank; the ids are those of the split.
    path : Path or None
        The file the run was read from.
    has_scores : bool
        Whether the run has scores; if not, the scores in the frame only reproduce the order.
    tag : str
        The tag of the first line of the file; empty if it has none.
    notes : list of str
        Ranks that contradict the scores, ids that are names of files, and unofficial spellings.
    """

    frame: pd.DataFrame
    path: Path | None = None
    has_scores: bool = True
    tag: str = ""
    notes: list[str] = []


def load_run(dataset: Dataset, run: Run) -> LoadedRun:
    """Load a run of a split: read a file, convert a dict, select the columns of a frame.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        A run file in any of `ir_coliee.evaluation.runs.FORMS`, a frame with the columns qid, docno and score (or
        ir_measures' names query_id and doc_id), or a dict from query id to document id to score. Ids may be spelled as
        in a file, see `ir_coliee.evaluation.runs.RunIds`.

    Returns
    -------
    LoadedRun

    Raises
    ------
    MalformedFileError
        If the file cannot be read.
    MalformedRunError
        If the frame is malformed; see `ir_coliee.evaluation.runs.check_run_frame`.

    Examples
    --------
    >>> load_run("coliee/task4/sample/en/test", {"R99-01-A": {"Y": 1.0}}).frame.values.tolist()
    [['R99-01-A', 'Y', 1.0]]
    """
    split = as_split(dataset)
    if isinstance(run, (str, Path)):
        return load_run_file(split, open_run(Path(run)))
    frame = frame_of(run)
    check_run_frame(frame)
    columns = [column for column in ("qid", "docno", "score", "rank") if column in frame.columns]
    frame = frame[columns].astype({"qid": object, "docno": object})  # categories of two runs cannot be compared
    queries, docnos = RunIds(split).convert(frame["qid"].tolist(), frame["docno"].tolist())
    return LoadedRun(frame.assign(qid=queries, docno=docnos).astype({"qid": object, "docno": object}))


def load_run_file(split: Split, file: RunFile) -> LoadedRun:
    """Load a run file that has been opened."""
    answers = read_answers(split, file)
    return LoadedRun(answers.as_frame(), file.path, answers.has_scores, answers.tag, [*_notes(split, answers)])


def _notes(split: Split, answers: Answers) -> Iterator[str]:
    table = answers.table
    if queries := answers.queries_with_conflicting_ranks():
        named = printable_list(queries)
        yield f"ranks contradict scores in {len(queries)} queries ({named}); the scores are used"
    written = {*table["written_query"], *table["written_item"]}
    if number := sum(name.endswith(".txt") for name in written):
        yield f"ids that end in .txt, read without it: {number} (submit writes them right)"
    is_respelled = (table["tag"] != "") & (table["docno"] != table["written_item"])
    if TASK_EVALUATIONS[split.task].single_answer and (number := int(is_respelled.sum())):
        yield f"answers yes and no in an unofficial spelling: {number} (submit writes them right)"
    if number := sum(rank != "" and parse_number(rank) is None for rank in table["rank"].unique()):
        yield f"ranks that are not numbers: {number}; the scores are used, and then the order"


def answers_of(split: Split, run: Run) -> Answers:
    """Return the answers of a run of any form, with the errors of a file."""
    if isinstance(run, (str, Path)):
        return open_run(Path(run)).answers(split)
    frame = load_run(split, run).frame.reset_index(drop=True)
    ranks = [*map(str, frame["rank"])] if "rank" in frame else ""
    table = frame.assign(line=np.arange(1, len(frame) + 1), rank=ranks, tag="", has_score=True)
    table = table.assign(written_query=frame["qid"], written_item=frame["docno"])
    return Answers(table.astype({"score": np.float64}), [])


# Run tags, and the names of run files: which tag they contain, and which files belong together.


#: Text that a column may hold: ASCII without blanks.
COLUMN_TEXT = re.compile("[!-~]+")

#: The form of a run tag that the calls ask for.
TAG_ASKED_FOR = "the organisers ask for 1 to 12 letters or digits"

_OFFICIAL_TAG = re.compile("[A-Za-z0-9]{1,12}")
_SUFFIXES = {".gz", ".trec", ".run", ".res", ".long", ".txt", ".tsv", ".csv", ".json", ".jsonl"}
_MAX_TAG = 12


def check_tag(tag: str) -> None:
    """Raise `ColieeError` if a run file cannot carry a run tag."""
    if not COLUMN_TEXT.fullmatch(tag):
        problem = "is empty" if not tag else "has a blank or is not ASCII"
        raise ColieeError(
            f"The run tag {printable(tag, 30)!r} {problem}; a run file cannot carry it.\n{TAG_ASKED_FOR.capitalize()}."
        )


def remark_on_tag(tag: str) -> str:
    """Return what the calls ask for if a run tag is another one, else an empty string.

    The organisers have accepted other tags, so that this is a reason for a warning and not for an error.

    Examples
    --------
    >>> remark_on_tag("UA_run-1.txt"), remark_on_tag("mine")
    ("run tag 'UA_run-1.txt': the organisers ask for 1 to 12 letters or digits", '')
    """
    return "" if _OFFICIAL_TAG.fullmatch(tag) else f"run tag {printable(tag, 30)!r}: {TAG_ASKED_FOR}"


def stem(split: Split) -> str:
    """Return the beginning of the names of a split's files.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> stem(split("coliee/task1/sample/test"))
    'coliee-task1-sample-test'
    """
    return split.id.replace("/", "-")


def submission_folder(split: Split) -> str:
    """Return the folder that commands propose for a submission.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> submission_folder(split("coliee/task1/sample/test"))
    'submission/coliee-task1-sample-test'
    """
    return f"submission/{stem(split)}"


def tag_of_run(run: Path) -> str:
    """Return a run tag for a file: its last suffix that is not one of a format, or its name, in letters and digits.

    Examples
    --------
    >>> tag_of_run(Path("coliee-task1-2025-test.bm25.trec")), tag_of_run(Path("my run.txt"))
    ('bm25', 'myrun')
    """
    name = _without_formats(run).name
    return tag_in_letters(name.rpartition(".")[2])


def tag_in_letters(tag: str) -> str:
    """Return a run tag as the organisers ask for: 1 to 12 letters or digits.

    Examples
    --------
    >>> tag_in_letters("mine"), tag_in_letters("a/b_2")
    ('mine', 'ab2')
    """
    return re.sub("[^A-Za-z0-9]", "", tag)[:_MAX_TAG] or "run"


def run_of_other_split(run: Path, split: Split, other: Split) -> Path | None:
    """Return the run of another split by the same system, if a file with the corresponding name is in the same folder.

    Parameters
    ----------
    run : pathlib.Path
        A run of ``split``.
    split, other : Split
        The two splits.

    Returns
    -------
    pathlib.Path or None
        The file with the name of the other split in place of this one's, such as ``test.bm25.trec`` for
        ``train.bm25.trec``; None if there is no such file.
    """
    name = re.sub(rf"(?<![A-Za-z0-9]){re.escape(split.name)}(?![A-Za-z0-9])", other.name, run.name)
    path = run.with_name(name)
    return path if name != run.name and path.is_file() else None


def answers_of_run(run: Path) -> Path | None:
    """Return the file of answers Y and N that `baseline` wrote beside a run, or None if there is none."""
    base = _without_formats(run)
    path = base.parent / f"{base.name}.answers"
    return path if path.is_file() else None


def ranking_of_run(run: Path) -> Path | None:
    """Return the ranking that `baseline` wrote beside an answer set, or None if there is none."""
    return _with_suffix(run, ".trec")


def long_list_of_run(run: Path) -> Path | None:
    """Return the long list of task 3 that `baseline` wrote beside an answer set, or None if there is none."""
    return _with_suffix(run, ".long")


def _with_suffix(run: Path, suffix: str) -> Path | None:
    path = run.parent / (run.name + suffix)  # a path like "." has no name that could be replaced
    return path if path.is_file() else None


def _without_formats(run: Path) -> Path:
    while run.suffix in _SUFFIXES and run.stem:
        run = run.with_suffix("")
    return run


# Removal of each query's own case from a ranking of task 1, where the queries are documents of the collection.


def without_own_cases(split: Split, ranking: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Remove the query case from its own results, which would take a place of the cut-off and is always wrong.

    Parameters
    ----------
    split : Split
        The split that the ranking answers; only rankings of task 1 are changed.
    ranking : pandas.DataFrame
        The columns qid, docno and score.

    Returns
    -------
    ranking : pandas.DataFrame
        The other results.
    notes : list of str
        A note with the number of results that were removed; empty if there was none.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> run = pd.DataFrame({"qid": ["900001", "900001"], "docno": ["900001", "900002"], "score": [9.0, 3.0]})
    >>> ranking, notes = without_own_cases(split("coliee/task1/sample/test"), run)
    >>> ranking.docno.tolist(), notes
    (['900002'], ['dropped 1 answer that is the query itself'])
    """
    if split.task != "task1":
        return ranking, []
    from ir_coliee.transformers.candidates.filters import DropSelf

    kept: pd.DataFrame = DropSelf()(ranking)
    number = len(ranking) - len(kept)
    answers = "1 answer that is" if number == 1 else f"{number} answers that are"
    return kept, [f"dropped {answers} the query itself"] if number else []
