"""Runs of any form as frames: files in all forms that participants use, frames and dicts; names of run files."""

from __future__ import annotations

import csv
import functools
import gzip
import io
import itertools
import json
import math
import numbers
import os
import re
import zlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import pandas as pd

from ir_coliee.editions import SPLITS, Dataset, Split, as_split
from ir_coliee.editions.edition import LINE_FORMATS
from ir_coliee.errors import ColieeError, MalformedFileError, MalformedRunError, printable, printable_list
from ir_coliee.evaluation.gold import TASK_EVALUATIONS, candidates, has_documents, query_ids
from ir_coliee.frames import Floats, check_name_of_scores, shown, sort_results
from ir_coliee.releases import statutes, torts
from ir_coliee.releases.cases import official_id
from ir_coliee.releases.files import read_text
from ir_coliee.releases.search import name_finder
from ir_coliee.storage import RUN

#: The maximum number of articles per question in a list of task 3.
MAX_LIST_LENGTH = 100

#: The largest score: trec_eval stores scores in 32 bits.
MAX_SCORE = 3.4028234663852886e38


def allows_rankings(split: Split) -> bool:
    """Return whether superfluous items do not lower the official measure, as in task 3 of 2026."""
    return split.measure == "GatedAccuracy"


def answers_split(split: Split) -> Split:
    """Return the split of task 4 with the same questions as a split of task 3; a split of another task itself."""
    return SPLITS[split.id.replace("/task3/", "/task4/")]


# A run file with its content.


@dataclass(frozen=True)
class RunFile:
    """A run file with its content, which is read once because a pipe cannot be read twice; ``str`` gives the path.

    Attributes
    ----------
    path : Path
        The file.
    content : bytes
        The content, decompressed.
    is_compressed : bool
        Whether the file is compressed with gzip.
    """

    path: Path
    content: bytes = field(repr=False)
    is_compressed: bool = False

    def read_bytes(self) -> bytes:
        """Return the content."""
        return self.content

    def __str__(self) -> str:
        return str(self.path)


_START_OF_GZIP = b"\x1f\x8b"


def open_run(path: Path | str) -> RunFile:
    """Open and read a run file, or a pipe such as ``/dev/stdin``; files of gzip are decompressed.

    Raises
    ------
    MalformedFileError
        If the file is missing, not readable or damaged, or if it has more than 128 MB, after decompression.
    """
    try:
        with open(path, "rb") as file:
            content = RUN.read(file, path)
        if is_compressed := content.startswith(_START_OF_GZIP):
            with gzip.open(io.BytesIO(content)) as compressed:
                content = RUN.read(compressed, path)
    except MalformedFileError:
        raise
    except FileNotFoundError:
        raise MalformedFileError(path, None, "no such run file", "the path of a run file") from None
    except (OSError, ValueError, EOFError, zlib.error) as error:  # ValueError: NUL in the path
        problem = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise MalformedFileError(path, None, problem, "the path of a readable, complete run file") from None
    return RunFile(Path(path), content, is_compressed)


# The forms of run files. Each form yields the answers as they are written, and an error for what it cannot parse.


class Row(NamedTuple):
    """An answer as a run file writes it: its line, query and item; score, rank and tag may be missing."""

    line: int
    query: str
    item: str
    score: str | float | None = None
    rank: str | None = None
    tag: str = ""


#: What a form yields; it raises an error about the file as a whole.
Rows: TypeAlias = "Generator[Row | MalformedFileError, None, None]"

_OF_NUMBERS = re.compile(r"[0-9eE.+-]*")  # of these characters, Python reads the same numbers as other languages
_TABLE = "a table with a header such as qid,docno,score"
_UNPRINTABLE = "a column is empty, or has a control character or an unusual blank"


def _number(written: str) -> float | None:
    """Parse a number without Python's extensions, such as underscores; None if it is not a finite 32-bit number."""
    try:
        number = float(written) if _OF_NUMBERS.fullmatch(written) else math.inf
    except ValueError:
        return None
    return number if abs(number) <= MAX_SCORE else None


# --- columns without a header: the official forms, TREC's, and lists of query and item -------------


_LIST_COLUMNS = ("query", "item")
_SET_COLUMNS = LINE_FORMATS["answer set"]
_RANKED_COLUMNS = LINE_FORMATS["ranked list"]
_COLUMNS = {len(columns): columns for columns in (_SET_COLUMNS, _RANKED_COLUMNS)}


def _rows_of_columns(split: Split, file: RunFile, text: str) -> Rows:
    """Parse lines of three columns (query, item, tag) or six (TREC's), as the first of these decides; or only of two.

    Blanks or tabs separate the columns. Numbers in place of the tag that are not all equal are refused: they are
    probably scores.
    """
    columns = next((_COLUMNS[len(cells)] for _, cells in _cells(text) if len(cells) in _COLUMNS), None)
    if columns is None and {len(cells) for _, cells in _cells(text)} == {len(_LIST_COLUMNS)}:
        columns = _LIST_COLUMNS
    columns = columns or split.submission.columns or _RANKED_COLUMNS
    if columns == _SET_COLUMNS and _are_scores(cells[-1] for _, cells in _cells(text) if len(cells) == len(columns)):
        problem = "the third column has scores or other numbers, but there is no header"
        raise MalformedFileError(file, None, problem, f"a run tag as third column, or {_TABLE}")
    expected = f"{len(columns)} columns: {' '.join(columns)}; or {_TABLE}"
    for number, cells in _cells(text):
        if len(cells) != len(columns):
            yield MalformedFileError(file, number, f"{len(cells)} columns", expected)
        elif not "".join(cells).isprintable():
            yield MalformedFileError(file, number, _UNPRINTABLE, expected)
        else:
            yield Row(number, **{name: cell for name, cell in zip(columns, cells) if name != "Q0"})


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line but empty ones and comments, as in the organisers' samples."""
    for number, line in enumerate(io.StringIO(text), start=1):
        content = line.strip(" \t\n")
        if content and not (content.startswith("/*") and content.endswith("*/")):
            yield number, line.removesuffix("\n")


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of each line. Other white space remains: some of it is a control character."""
    for number, line in _lines(text):
        yield number, [part for part in line.replace("\t", " ").split(" ") if part]


def _are_scores(tags: Iterable[str]) -> bool:
    """Return whether all tags are numbers, and not the same one."""
    different = set()
    for tag in tags:
        if _number(tag) is None:
            return False
        different.add(tag)
    return len(different) > 1


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
_MAX_FIELD_SIZE = 2**30  # characters; a file may also have the text of each query, which Python limits to 2**17


class _Header(NamedTuple):
    """The header of a table: its line, what separates its names, and the position of each column of a run."""

    line: int
    delimiter: str
    names: list[str]
    positions: dict[str, int]


def _find_header(text: str) -> _Header | None:
    """Return the header of a file, or None if its first line does not have the names of two columns of a run."""
    found = []
    number, line = next(_lines(text), (0, ""))
    for delimiter in (",", "\t", ";", " "):
        names = [name.strip().strip('"').lower() for name in line.split(delimiter)]
        known = {column: next((name for name in spelled if name in names), "") for column, spelled in _NAMES.items()}
        positions = {column: names.index(name) for column, name in known.items() if name}
        found.append(_Header(number, delimiter, names, positions))
    header = max(found, key=lambda header: len(header.positions))
    return header if len(header.positions) >= 2 else None


def _rows_of_table(file: RunFile, text: str, header: _Header) -> Rows:
    """Parse a table with a header; values may be quoted, and columns that a run does not need are skipped.

    Without scores, the best rank or else the first answer is the best. A table with items and a column ``label``,
    ``prediction`` or ``relevance`` is refused, because its rows may be judged to be no answers.
    """
    _check_header(file, header)
    _, delimiter, names, positions = header
    order = next((column for column in ("score", "rank") if column in positions), "")
    expected = f"{len(names)} columns, as in the header"
    lines = itertools.islice(io.StringIO(text), header.line, None)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    limit = csv.field_size_limit(_MAX_FIELD_SIZE)  # of the whole process, so it is restored
    line = header.line + 1
    try:
        for cells in reader:
            if not any(map(str.strip, cells)):
                pass
            elif len(cells) == len(names):
                row = {column: cells[position].strip() for column, position in positions.items()}
                if order and delimiter == ";":  # spreadsheets write a decimal comma where semicolons separate
                    row[order] = row[order].replace(",", ".", 1)
                yield Row(line, **row)
            else:
                yield MalformedFileError(file, line, f"{len(cells)} columns", expected)
            line = header.line + reader.line_num + 1
    except csv.Error as error:
        raise MalformedFileError(file, line, f"the row cannot be read ({error})", expected) from None
    finally:
        csv.field_size_limit(limit)


def _check_header(file: RunFile, header: _Header) -> None:
    names, positions = header.names, header.positions
    for column in ("query", "item"):
        if column not in positions:
            problem = f"the header has no {column}, such as {_NAMES[column][0]}"
            raise MalformedFileError(file, header.line, problem, _TABLE)
    item = names[positions["item"]]
    if item not in _JUDGEMENTS and (judgement := next((name for name in names if name in _JUDGEMENTS), "")):
        expected = f"a run: only the rows that are answers, without the column {judgement}"
        problem = f"a column {judgement} beside {item}: these look like labels"
        raise MalformedFileError(file, header.line, problem, expected)
    for name in (names[position] for position in positions.values()):
        if names.count(name) > 1:
            raise MalformedFileError(file, header.line, f"the header has two columns named {name}", _TABLE)


# --- JSON, an object with the items of each query, which the organisers have accepted ----------------


_JSON_EXPECTED = 'an object such as {"900001": ["900002"]} or {"900001": {"900002": 0.8}}; save records as CSV'
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)  # so that lists stay lists and a repeated key is seen
_COLON = re.compile(r"\s*:\s*")


def _rows_of_json(file: RunFile, text: str) -> Rows:
    """Parse a JSON object; each answer has the line of its query.

    The items of a query are a list of names, a string with commas, or an object from name to score. Objects with 1 and
    0 alone are refused, because these may be labels.
    """
    try:
        if not isinstance(_DECODER.decode(text), tuple):
            raise json.JSONDecodeError("Expecting an object", text, 0)
    except (ValueError, RecursionError) as error:  # also a number too long, or brackets too deep
        problem = f"not a JSON object ({getattr(error, 'msg', 'beyond the limits of the parser')})"
        raise MalformedFileError(file, getattr(error, "lineno", 1), problem, _JSON_EXPECTED) from None
    members = [*_members(text)]
    scores = [score for _, _, value in members if isinstance(value, tuple) for _, score in value]
    if 0 in scores and all(isinstance(score, int) and score in (0, 1) for score in scores):
        raise MalformedFileError(file, 1, "0 and 1 in place of scores: these look like labels", _JSON_EXPECTED)
    read: dict[str, int] = {}
    for line, query, value in members:
        items = _json_items(value)
        if items is None:
            problem = f"query {printable(query, 30)} has neither names nor scores of items"
            yield MalformedFileError(file, line, problem, _JSON_EXPECTED)
        elif query in read:
            problem = f"query {printable(query, 30)} is on line {read[query]} as well"
            yield MalformedFileError(file, line, problem, "each query once")
        else:
            yield from (Row(line, query, name, score) for name, score in items)
            read[query] = line


def _members(text: str) -> Iterator[tuple[int, str, Any]]:
    """Yield line, key and value of each member of a JSON object."""
    line, end = 1, 0
    while (start := text.find('"', end)) >= 0:
        line += text.count("\n", end, start)
        key, colon = _DECODER.raw_decode(text, start)
        value, end = _DECODER.raw_decode(text, cast("re.Match[str]", _COLON.match(text, colon)).end())
        yield line, key, value
        line += text.count("\n", start, end)


def _json_items(value: Any) -> list[tuple[str, float | None]] | None:
    """Return the items of a query with their scores, which may be missing; None for an unsupported value."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list) and all(type(name) in (str, int) for name in value):
        return [(name, None) for each in value if (name := str(each).strip())]
    if isinstance(value, tuple) and all(type(score) in (int, float) and abs(score) <= MAX_SCORE for _, score in value):
        return [(name.strip(), float(score)) for name, score in value]
    return None


# --- the pilot's test file with its null values filled in --------------------------------------------


def _rows_of_instances(split: Split, file: RunFile) -> Rows:
    is_prediction = TASK_EVALUATIONS[split.task].single_answer
    for line, instance in enumerate(torts.parse_instances(file), start=1):
        accepted = [(claim.doc_id, accepted) for claim, accepted in zip(instance.claims, instance.accepted)]
        labels = [("", instance.court_decision)] if is_prediction else accepted
        for claim, label in labels:
            if label is None:
                place = f"court_decision of {instance.query_id}" if is_prediction else f"is_accepted of claim {claim}"
                yield MalformedFileError(file, line, f"{printable(place, 50)} is null", "true or false")
            elif is_prediction or label:
                yield Row(line, instance.query_id, str(label) if is_prediction else claim)


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
            self._find_query = _only_name(query_ids(split))
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
        if self._has_documents and (found := self._find(query_id, written)):
            return found
        if self._split.item_folder and "_" in written:  # a document id, perhaps of another query
            query, _, item = written.partition("_")
            return f"{self.query(query)}_{official_id(self._split, item)}"
        return self._split.docno_of(query_id, written if self._has_documents else official_id(self._split, written))

    def _find(self, query_id: str, written: str) -> str | None:
        pool = query_id if self._split.item_folder else ""
        if pool not in self._find_docno:
            docnos = self._candidates(query_id)
            self._find_docno[pool] = _only_name(docnos)
            if self._split.item_folder:
                self._find_docno[pool] = _item_finder({self._split.item_of(docno): docno for docno in docnos})
        return self._find_docno[pool](written)

    def _label(self, written: str) -> str:
        """Return the document id of an answer yes or no in any spelling, where a question has one of two answers."""
        is_yes = _SPELLINGS.get(written.lower())
        if is_yes is None or not TASK_EVALUATIONS[self._split.task].single_answer:
            return written
        yes, no = torts.ANSWERS if self._split.task == "prediction" else statutes.ANSWERS
        return (yes if is_yes else no).doc_id

    def convert(self, queries: Iterable[str], items: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return the ids of many answers, each of which is looked up once."""
        query_of, docno_of = functools.cache(self.query), functools.cache(self.docno)
        query_ids = [*map(query_of, queries)]
        return query_ids, [*map(docno_of, query_ids, items)]


def _item_finder(docno_by_item: Mapping[str, str]) -> Callable[[str], str | None]:
    """Return a function that finds the document of a pool for an item or a document id in any spelling."""
    by_item, by_id = _only_name(docno_by_item), _only_name(docno_by_item.values())
    return lambda written: docno_by_item.get(by_item(written) or "") or by_id(written)


def _only_name(names: Iterable[str]) -> Callable[[str], str | None]:
    """Return a function that finds the name for a spelling: None if no name matches, or more than one."""
    find = name_finder({*names})

    def found(written: str) -> str | None:
        similar = find(written.removesuffix(".txt").removesuffix(".0"))
        return similar[0] if len(similar) == 1 else None

    return found


# Runs of any form: a file, a frame or a dict.


#: A path; a frame with qid, docno and score; or a dict from query id to document id to score. Without scores, as
#: PyTerrier's ``|`` returns results, or with a list or set of document ids for each query, a run is a set in the order
#: of its ranks, or else of its rows.
Run: TypeAlias = "pd.DataFrame | Mapping[str, Mapping[str, float] | Collection[str]] | Path | str"

#: Several runs: a list, or a dict from name to run.
Runs: TypeAlias = "Mapping[str, Run] | Sequence[Run]"

MAX_ERRORS = 1000  # the lines after these are not read
_MAX_ANSWERS = 3_000_000  # the largest split has 2,001 queries, for which rankings have up to 1,000 items


@dataclass(frozen=True, eq=False)
class LoadedRun:
    """A run as a frame, with what only a file has.

    Attributes
    ----------
    split : Split
        The split that the run answers.
    table : pandas.DataFrame
        A row for each answer, in the order of the run: line (from 1); qid and docno, ids of the split; score; rank and
        tag as written, empty if missing; written_query and written_item; has_score. Without scores in the file,
        better ranks, or else earlier answers, have higher scores.
    frame : pandas.DataFrame
        The columns qid, docno, score and, if the run has it, rank; of a file sorted, with ranks from 0.
    errors : list of MalformedFileError
        The lines that cannot be parsed, at most 1,000: the lines after these are not read.
    file : RunFile or None
        The file that the run was read from.
    form : {"table", "JSON", "test file", "columns", ""}
        The form of the file: a table with a header, the pilot's test file, or columns without a header.
    """

    split: Split
    table: pd.DataFrame
    frame: pd.DataFrame
    errors: Sequence[MalformedFileError] = ()
    file: RunFile | None = None
    form: str = ""

    @property
    def path(self) -> Path | None:
        """The file that the run was read from."""
        return self.file.path if self.file else None

    @property
    def has_scores(self) -> bool:
        """Whether every answer has a score; if not, the scores in the frame only reproduce the order."""
        return bool(self.table["has_score"].all())

    @property
    def has_ranks(self) -> bool:
        """Whether an answer has a rank."""
        return bool((self.table["rank"] != "").any())

    @property
    def tag(self) -> str:
        """The tag of the first answer; empty if there is none."""
        return str(self.table["tag"].iat[0]) if len(self.table) else ""

    @property
    def notes(self) -> list[str]:
        """Ranks that contradict the scores."""
        table, notes = self.table, []
        if self.file is None:
            return []
        in_order = table.assign(rank=_numbers(table["rank"])).sort_values("rank", kind="stable")
        rises = {*in_order["qid"][in_order.groupby("qid", sort=False)["score"].diff() > 0]}
        conflicting = rises.difference(in_order["qid"][~np.isfinite(in_order["rank"])])
        if queries := [query for query in table["qid"].unique() if query in conflicting]:
            named = printable_list(queries)
            notes.append(f"ranks contradict scores in {len(queries)} queries ({named}); the scores are used")
        return notes


def load_run(dataset: Dataset, run: Run) -> LoadedRun:
    """Load a run of a split: read a file, convert a dict, select the columns of a frame.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        A run file in any form of the page on file forms; a frame with the columns qid, docno and score (or
        ir_measures' names query_id and doc_id); or a dict from query id to document id to score. A set has no scores:
        a frame without that column, which is in the order of its ranks or rows, or a dict from query id to a list or
        set of document ids. Ids may be spelled as in a file, see `ir_coliee.evaluation.runs.RunIds`.

    Returns
    -------
    LoadedRun

    Raises
    ------
    MalformedFileError
        If the file cannot be opened, or at the first line that cannot be parsed.
    MalformedRunError
        If the frame lacks a column, an id is no string, or a score is no finite 32-bit number.

    Examples
    --------
    >>> load_run("coliee/task4/sample/en/test", {"R99-01-A": {"Y": 1.0}}).frame.values.tolist()
    [['R99-01-A', 'Y', 1.0]]
    >>> load_run("coliee/task4/sample/en/test", {"R99-01-A": ["Y"]}).has_scores
    False
    """
    loaded = read_answers(as_split(dataset), run)
    if loaded.errors:
        raise loaded.errors[0]
    return loaded


def read_answers(split: Split, run: Run) -> LoadedRun:
    """Load a run as `load_run` does, with the lines that cannot be parsed in place of an error."""
    if isinstance(run, (str, Path)):
        return _read_file(split, open_run(Path(run)))
    frame = require_frame(run)
    _check_frame(frame)
    frame = frame[[column for column in ("qid", "docno", "score", "rank") if column in frame.columns]]
    scores = frame["score"] if "score" in frame else itertools.repeat(None)
    ranks = map(str, frame["rank"]) if "rank" in frame else itertools.repeat("")
    lines = range(1, len(frame) + 1)
    table = _table(split, zip(lines, frame["qid"], frame["docno"], scores, ranks, itertools.repeat("")))
    columns = {column: table[column].to_numpy() for column in ("qid", "docno", "score")}
    return LoadedRun(split, table, frame.assign(**columns).astype({"qid": object, "docno": object}))


def _read_file(split: Split, file: RunFile) -> LoadedRun:
    """Return the answers of a file in the first form that its content has, whatever the edition requires.

    Lines are separated by LF, CR LF or CR; empty lines and comments from ``/*`` to ``*/`` are skipped.
    """
    text = read_text(file).replace("\r", "\n")
    is_json = re.match(r"\s*[{\[]", text, re.ASCII) is not None  # no line of columns begins with a bracket
    if not split.submission.columns and (is_json or not text.strip()):
        form, rows = "test file", _rows_of_instances(split, file)
    elif is_json:
        form, rows = "JSON", _rows_of_json(file, text)
    elif header := _find_header(text):
        form, rows = "table", _rows_of_table(file, text, header)
    else:
        form, rows = "columns", _rows_of_columns(split, file, text)
    found: list[tuple[Any, ...]] = []
    errors: list[MalformedFileError] = []
    try:
        for row in rows:
            checked = row if isinstance(row, MalformedFileError) else _checked(file, row)
            if not isinstance(checked, MalformedFileError):
                found.append(checked)
            else:
                errors.append(checked)
            if len(errors) == MAX_ERRORS:
                break
            if len(found) > _MAX_ANSWERS:
                expected = "the answers of a run; rank at most 1,000 items for each query"
                raise MalformedFileError(file, None, f"more than {_MAX_ANSWERS:,} answers", expected)
    except MalformedFileError as error:
        errors.append(error)
    finally:
        rows.close()
    if not found and not errors and form != "test file":
        errors.append(MalformedFileError(file, None, "the file has no answer", "at least one answer"))
    table = _table(split, found)
    frame = sort_results(table[["qid", "docno", "score"]].assign(rank=_numbers(table["rank"])))
    return LoadedRun(split, table, frame, errors, file, form)


def _checked(file: RunFile, row: Row) -> tuple[Any, ...] | MalformedFileError:
    """Return a row with its score as a number, or what is wrong with the row."""
    line, query, item, score, rank, tag = row
    if not query or not item or not f"{query}{item}".isprintable():
        return MalformedFileError(file, line, _UNPRINTABLE, "the ids of a query and of an item")
    name, order = ("score", score) if score is not None else ("rank", rank)
    number = _number(order) if isinstance(order, str) else order
    if order is not None and number is None:
        problem = f"the {name} {printable(str(order), 30)!r} is not a finite 32-bit number"
        return MalformedFileError(file, line, problem, "a number with a decimal point")
    return line, query, item, None if score is None else number, rank or "", tag


def _table(split: Split, rows: Iterable[tuple[Any, ...]]) -> pd.DataFrame:
    columns = ["line", "written_query", "written_item", "score", "rank", "tag"]
    table = pd.DataFrame(dict(zip(columns, zip(*rows))), columns=columns, dtype=object)
    table = table.astype({"line": np.int64, "score": np.float64})
    table["has_score"] = table["score"].notna()
    ranks = _numbers(table["rank"])  # the best rank is the best answer, or else the first one
    by_order = np.where(np.isfinite(ranks), -ranks, -np.arange(1.0, len(ranks) + 1))
    table["score"] = table["score"].where(table["has_score"], by_order)
    queries, docnos = RunIds(split).convert(table["written_query"].tolist(), table["written_item"].tolist())
    return table.assign(qid=pd.Series(queries, dtype=object), docno=pd.Series(docnos, dtype=object))


def _numbers(ranks: pd.Series[Any]) -> Floats:
    """Return written ranks as numbers; infinity where one is not a number, so that it sorts last."""
    parsed = {rank: _number(rank) for rank in ranks.unique()}
    finite = {rank: math.inf if number is None else number for rank, number in parsed.items()}
    return ranks.map(finite).to_numpy(dtype=np.float64)


# Runs in memory: conversion to a frame, and checks of its columns, ids and scores.


def require_frame(run: Run) -> pd.DataFrame:
    """Return a run in memory as a frame with PyTerrier's column names.

    Parameters
    ----------
    run : pandas.DataFrame or dict
        A run as `load_run` takes it. The columns query_id and doc_id are left out where they only repeat qid and docno.
        Anything else is returned unchanged.

    Returns
    -------
    pandas.DataFrame
        The columns qid, docno and, unless the run is a set, score.

    Raises
    ------
    ColieeError
        If the run is a path, which cannot be read without a dataset.
    MalformedRunError
        If a value of the dict is neither a dict from document id to score nor a list or set of document ids.
    """
    if isinstance(run, (str, Path)):
        problem = f"A run must be a data frame or a dict here, got the path {printable(str(run), 40)}"
        raise ColieeError(f"{problem}.\nRead it: ir_coliee.evaluation.runs.load_run(dataset, path).frame.")
    if isinstance(run, Mapping):
        rows = [(query_id, *item) for query_id, items in run.items() for item in _items(query_id, items)]
        frame = pd.DataFrame(rows, columns=["qid", "docno", "score"], dtype=object).infer_objects()
        is_ranking = not rows or any(isinstance(items, Mapping) for items in run.values())
        return frame if is_ranking else frame.drop(columns="score")
    if isinstance(run, pd.DataFrame):
        pairs = (("query_id", "qid"), ("doc_id", "docno"))
        unneeded = [theirs for theirs, ours in pairs if theirs in run.columns and ours in run.columns]
        run = run.drop(columns=unneeded)
        return run if {"qid", "docno"} <= set(run.columns) else run.rename(columns=dict(pairs))
    return cast("pd.DataFrame", run)


def _items(query_id: str, items: object) -> Iterable[tuple[Any, Any]]:
    """Return the document ids of a query with their scores; None for each of a list, or of a set in order of ids."""
    if isinstance(items, Mapping):
        return items.items()
    if not isinstance(items, (Sequence, Set)) or isinstance(items, (str, bytes)):
        raise MalformedRunError(
            f"The answers to query {shown(query_id)} must be a list of document ids, or a dict from them to scores.\n"
            f"Got a value of type {type(items).__name__}. Only functions that compare runs take several."
        )
    return [(doc_id, None) for doc_id in (sorted(items, key=str) if isinstance(items, Set) else items)]


def _check_frame(run: object) -> None:
    """Check that a run is a frame with string ids and, if it has scores, finite ones.

    An integer id never equals a zero-padded string, so such a run would silently score 0. Scores must be numbers that
    32 bits can represent, because trec_eval stores them so.
    """
    if not isinstance(run, pd.DataFrame):
        raise MalformedRunError(
            f"A run must be a path, a data frame or a dict, got a value of type {type(run).__name__}.\nA frame has the "
            "columns qid, docno and score; a dict maps query ids to document ids to scores. Of a transformer, pass the "
            "results: pipeline(topics)."
        )
    names = [*run.columns]
    for column in ("qid", "docno", "score"):
        if names.count(column) not in ((0, 1) if column == "score" else (1,)):
            number = names.count(column) or "no"
            raise MalformedRunError(f"The run has {number} columns {column!r}. It needs qid, docno and usually score.")
    check_name_of_scores(run)
    for column in ("qid", "docno"):
        if wrong := [value for value in run[column].tolist() if not isinstance(value, str)]:
            raise MalformedRunError(
                f"The {column} {shown(wrong[0], 25)} is not a string.\nRead ids as strings, in pandas with dtype=str."
            )
    for query_id, docno, score in zip(run["qid"], run["docno"], run.get("score", pd.Series()).tolist()):
        if not isinstance(score, numbers.Real) or not abs(cast("float", score)) <= MAX_SCORE:
            answer = f"Query {shown(query_id, 20)}: the score of {shown(docno, 20)}, {shown(score, 15)}"
            raise MalformedRunError(f"{answer}, is not a finite 32-bit number.")


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
            names = printable_list([name for name, _ in named])
            raise ColieeError(f"Two runs have the same name. Give each run its own name.\nNames: {names}.")
    else:
        named = [(path_name(run) if isinstance(run, (str, Path)) else f"run {n}", run) for n, run in enumerate(runs, 1)]
    files = [os.path.realpath(run) for _, run in named if isinstance(run, (str, Path)) and os.path.exists(run)]
    if repeated := [os.path.basename(file) for file in files if files.count(file) > 1]:
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


def run_name(run: Run) -> str:
    """Return the name of a run in messages: its path, or "the run" for one in memory."""
    return str(run) if isinstance(run, (str, Path)) else "the run"


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


def tag_in_letters(tag: str) -> str:
    """Return a run tag as the organisers ask for: 1 to 12 letters or digits.

    Examples
    --------
    >>> tag_in_letters("mine"), tag_in_letters("a/b_2")
    ('mine', 'ab2')
    """
    return re.sub("[^A-Za-z0-9]", "", tag)[:_MAX_TAG] or "run"


def file_beside(run: Path, suffix: str) -> Path | None:
    """Return the file that `baseline` wrote beside an answer set, or None if there is none.

    Parameters
    ----------
    run : pathlib.Path
        The answer set; for the answers also its ranking.
    suffix : {".trec", ".long", ".answers"}
        The ranking, the long list of task 3, or its answers Y and N.
    """
    base = _without_formats(run) if suffix == ".answers" else run
    path = base.parent / (base.name + suffix)  # a path like "." has no name that could be replaced
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
