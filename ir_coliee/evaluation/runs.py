"""Run files: reading all forms that participants use, writing the official form, validation and submission."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io
import itertools
import json
import lzma
import math
import numbers
import operator
import os
import re
import stat
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.editions import LINE_FORMATS, SPLITS, Dataset, Split, SubmissionForm, as_split
from ir_coliee.errors import ColieeError, MalformedFileError, MalformedRunError, printable, printable_list
from ir_coliee.evaluation.gold import (
    TASK_EVALUATIONS,
    TaskEvaluation,
    are_candidates,
    candidates,
    has_documents,
    query_ids,
    task_evaluation,
)
from ir_coliee.frames import Booleans, Floats, Integers, Numbers, shown, sort_results
from ir_coliee.releases import statutes, torts
from ir_coliee.releases.files import Readable, read_text
from ir_coliee.releases.search import as_number
from ir_coliee.storage import RUN, require_writable, require_writable_folder

# Limits and patterns of official run files, and the answers that belong to a run of task 3.


#: The columns of an answer set and of a ranked list in TREC's format.
SET_COLUMNS = LINE_FORMATS["answer set"]
RANKED_COLUMNS = LINE_FORMATS["ranked list"]

#: The maximum number of articles per question in a list of task 3.
MAX_LIST_LENGTH = 100

_RANKING_SIZE = 20  # items per query from which a run looks like a ranking; real answer sets have up to five

#: The largest score: trec_eval stores scores in 32 bits.
MAX_SCORE = 3.4028234663852886e38

#: Text that a column may hold: ASCII without blanks.
COLUMN_TEXT = re.compile("[!-~]+")

_OFFICIAL_TAG = re.compile("[A-Za-z0-9]{1,12}")

#: The form of a run tag that the calls ask for.
TAG_ASKED_FOR = "the organisers ask for 1 to 12 letters or digits"


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


def remark_on_size(split: Split, items: int, queries: int) -> str:
    """Return why a run that looks like a ranking is no good answer set; an empty string for any other run.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    items, queries : int
        The numbers of answers and of answered queries.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> remark_on_size(split("coliee/task1/sample/test"), 100, 5)
    '20 items per query look like a ranking: every item counts as an answer, so cut it first (ir_coliee cut)'
    >>> remark_on_size(split("coliee/task1/sample/test"), 99, 5)
    ''
    """
    if items < _RANKING_SIZE * queries or not queries:
        return ""
    reason = "every item counts as an answer, so cut it first (ir_coliee cut)"
    if allows_rankings(split):
        reason = "accuracy does not penalise superfluous articles, but F2 does, which breaks ties"
    return f"{items / queries:.0f} items per query look like a ranking: {reason}"


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


# Answers as a run file writes them, whatever the form of the file.


#: What a table begins with, for messages.
HEADER_EXAMPLE = "a header such as qid,docno,score"

_OF_NUMBERS = re.compile(r"[0-9eE.+-]*")  # of these characters, Python reads the same numbers as other languages
_ANSWER_BATCH = 2**16  # characters, so that what is made of them stays in the processor's cache


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
        end = text.find("\n", start + _ANSWER_BATCH)
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


# The answers of a run as columns: an object for each answer would take ten times as much time and memory.


_COLUMNS = ("line", "query_id", "docno", "score", "tag", "rank", "written_query", "written_item", "has_score")
_TEXTS = ("query_id", "docno", "tag", "rank", "written_query", "written_item")


class RunLine(NamedTuple):
    """An answer of a run file.

    Attributes
    ----------
    line : int
        The line, counted from 1.
    query_id, docno : str
        Ids of the split.
    score : float
        The score; if the file has none, earlier answers have higher scores.
    tag, rank : str
        As written in the file; empty if missing. The rank breaks ties between equal scores.
    written : tuple of str
        Query and item as written in the file.
    has_score : bool
        Whether the file has scores.
    """

    line: int
    query_id: str
    docno: str
    score: float
    tag: str
    rank: str
    written: tuple[str, str]
    has_score: bool = True


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of a run. Iterating gives a `RunLine` for each answer, and the errors, in the order of the lines.

    Attributes
    ----------
    table : pandas.DataFrame
        A row for each answer, in the order of the file, with the fields of `RunLine` as columns; ``written`` is two
        columns, written_query and written_item. Texts are categories.
    errors : list of MalformedFileError
        The lines that cannot be parsed. If there are more than a thousand, the last error states how many more.
    num_unlisted : int, default 0
        The number of further lines that the last error stands for.
    """

    table: pd.DataFrame
    errors: list[MalformedFileError]
    num_unlisted: int = 0

    @classmethod
    def of(cls, lines: Iterable[RunLine]) -> Answers:
        """Return lines as columns."""
        rows = [(*line[:6], *line.written, line.has_score) for line in lines]
        table = pd.DataFrame(rows, columns=[*_COLUMNS]).astype({"line": np.int64, "score": float, "has_score": bool})
        return cls(table.assign(**{name: encoded(table[name]) for name in _TEXTS}), [])

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[RunLine | MalformedFileError]:
        errors = sorted(self.errors, key=lambda error: error.line or 0)  # a thousand at most
        for answer in self.lines(np.arange(len(self))):
            while errors and (errors[0].line or 0) <= answer.line:
                yield errors.pop(0)
            yield answer
        yield from errors

    def lines(self, rows: Integers) -> Iterator[RunLine]:
        """Yield the answers in these rows."""
        selected = self.table.iloc[rows]
        for *fields, query, item, has_score in zip(*(selected[name].tolist() for name in _COLUMNS)):
            yield RunLine._make([*fields, (query, item), has_score])

    def column(self, name: str) -> tuple[Integers, list[str]]:
        """Return a column of texts as a number for each row, and the text of each number."""
        texts = self.table[name].cat
        numbers: Integers = texts.codes.to_numpy().astype(np.int64)
        return numbers, texts.categories.tolist()

    def first_rows(self, *columns: str) -> Integers:
        """Return for each row the first row that has the same texts in these columns."""
        keys = np.zeros(len(self), dtype=np.int64)
        for column in columns:
            numbers, texts = self.column(column)
            keys = keys * len(texts) + numbers
        _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        return first[places.reshape(-1)]

    @property
    def num_pairs(self) -> int:
        """The number of different pairs of query and item."""
        return len(np.unique(self.first_rows("query_id", "docno")))

    def pairs_outside(self, other: Answers) -> int:
        """Return the number of different pairs of query and item that other answers do not have."""
        pairs, others = np.zeros(len(self), dtype=np.int64), np.zeros(len(other), dtype=np.int64)
        for column in ("query_id", "docno"):
            numbers, names = self.column(column)
            other_numbers, other_names = other.column(column)
            shared = {name: number for number, name in enumerate(other_names)}
            of_names = [shared.setdefault(name, len(shared)) for name in names]
            pairs = pairs * len(shared) + np.array(of_names, dtype=np.int64)[numbers]
            others = others * len(shared) + other_numbers
        return len(np.setdiff1d(pairs, others))

    def select(self, rows: Booleans) -> Answers:
        """Return the answers in some rows, with all errors."""
        table = self.table[rows]
        used = {name: table[name].cat.remove_unused_categories() for name in _TEXTS}
        return replace(self, table=table.assign(**used))

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
        return str(self.table["tag"].iat[0]) if len(self) else ""

    def as_frame(self) -> pd.DataFrame:
        """Return a result frame: qid, docno, score and rank from 0, sorted by score, ties by rank, then as given."""
        ranks, written = self.column("rank")
        columns = {"qid": self.table["query_id"], "docno": self.table["docno"], "score": self.table["score"]}
        results = sort_results(pd.DataFrame({**columns, "rank": numbers_of(written)[ranks]}))
        return results.astype({"qid": object, "docno": object})

    def queries_with_conflicting_ranks(self) -> list[str]:
        """Return the queries that have a rank on every answer and rank an answer before one with a higher score."""
        queries, names = self.column("query_id")
        codes, written = self.column("rank")
        is_rank = np.array([rank.isascii() and rank.isdecimal() and len(rank) < 10 for rank in written], dtype=np.bool_)
        order = np.lexsort((numbers_of(written)[codes], queries))
        in_order, scores = queries[order], self.table["score"].to_numpy()[order]
        conflicting = np.zeros(len(names), dtype=np.bool_)
        conflicting[in_order[1:][(in_order[1:] == in_order[:-1]) & (scores[1:] > scores[:-1])]] = True
        conflicting[queries[~is_rank[codes]]] = False
        return [names[query] for query in pd.unique(queries).tolist() if conflicting[query]]


def numbers_of(ranks: list[str]) -> Floats:
    """Return written ranks as numbers; infinity where one is not a number, so that it sorts last."""
    if (parsed := parse_numbers(ranks)) is not None:  # all at once is much faster than one by one
        return parsed
    numbers = map(parse_number, ranks)
    return np.array([math.inf if number is None else number for number in numbers], dtype=np.float64)


def encoded(texts: Any) -> pd.Categorical:
    """Return texts as categories, in the order in which they first appear."""
    numbers, names = pd.factorize(np.asarray(texts, dtype=object))
    return categories(numbers, names)


def categories(numbers: npt.NDArray[np.integer[Any]], names: Any) -> pd.Categorical:
    """Return the text of each number as a category."""
    return pd.Categorical.from_codes(numbers, categories=pd.Index(names, dtype=object))


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


# Conversion of the ids in a run file, which participants spell in several ways, to the ids of the split.


_SPELLINGS = dict.fromkeys(("y", "yes", "true", "1"), True) | dict.fromkeys(("n", "no", "false", "0"), False)


class RunIds:
    """Converts the ids in a run file to those of a split.

    In tasks 1 and 2, an id may have the suffix ``.txt``, or ``.0`` as pandas writes integers among missing values, or
    other leading zeros, a query id may have the prefix ``t1-`` or ``t2-`` of the early calls, and an item of a query's
    own folder may be given by its number or by its document id. The exact name has precedence; otherwise the number is
    used if exactly one name has it. Ids of the other tasks are names rather than numbers and are not converted. An
    unknown id is returned unchanged.

    Parameters
    ----------
    split : Split
        The split that the run answers.

    Raises
    ------
    MissingReleaseError
        If the local release of a split of task 1 or 2 is missing.
    """

    def __init__(self, split: Split) -> None:
        self._split = split
        self._is_verbatim = split.task not in ("task1", "task2")
        if self._is_verbatim:
            return
        self._find_query = _name_finder(query_ids(split))
        self._prefix = f"t{split.task[-1]}-"
        self._candidates = candidates(split)
        self._find_docno: dict[str, Callable[[str], str | None]] = {}

    @property
    def depend_on_query(self) -> bool:
        """Whether an item means another document for another query."""
        return not self._is_verbatim and bool(self._split.item_folder)

    def query(self, written: str) -> str:
        """Return the query id for an id in the file."""
        if self._is_verbatim:
            return written
        return self._find_query(written) or self._find_query(written.removeprefix(self._prefix)) or written

    def docno(self, query_id: str, written: str) -> str:
        """Return the document id for an item in the file, among the candidates of the query."""
        if self._is_verbatim:
            return written
        pool = query_id if self._split.item_folder else ""
        if pool not in self._find_docno:
            self._find_docno[pool] = self._docno_finder(query_id)
        return self._find_docno[pool](written) or self._split.docno_of(query_id, written)

    def label(self, written: str) -> str:
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


# Collect the answers of a file as columns, with the ids of the split.


_ERRORS_LISTED = 1000
_MAX_ANSWERS = 3_000_000  # the largest split has 2,001 queries, for which rankings have up to 1,000 items
_MAX_DIFFERENT = 200_000  # the releases have at most 10,000 queries and 60,000 documents


class _Texts:
    """A column of texts, of which equal ones are stored once."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._columns = [np.zeros(0, dtype=np.int32)]

    def __len__(self) -> int:
        return len(self._numbers)

    def extend(self, texts: Iterable[str], count: int) -> None:
        """Add texts."""
        self._columns.append(np.fromiter(map(self._numbers.__getitem__, texts), np.int32, count))

    @property
    def numbers(self) -> Numbers:
        """The number of each text."""
        return np.concatenate(self._columns)

    @property
    def names(self) -> list[str]:
        """The text of each number."""
        return list(self._numbers)


def collect_answers(file: object, entries: Iterable[Parsed], ids: RunIds) -> Answers:
    """Collect the answers of a file.

    Parameters
    ----------
    file : object
        The file; its ``str`` is its path.
    entries : iterable of WrittenAnswers, UnreadableLines or MalformedFileError
        Groups of answers, groups of lines that cannot be parsed, and errors.
    ids : RunIds
        The ids of the split.

    Returns
    -------
    Answers
        None, but an error, if the file has more than 3,000,000 answers, or more than 200,000 different queries, items,
        ranks or tags.
    """
    texts = {name: _Texts() for name in ("queries", "items", "ranks", "tags")}
    lines, scores, has_score = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], [np.zeros(0, dtype=np.bool_)]
    errors: list[MalformedFileError] = []
    num_errors = num_answers = 0
    for entry in entries:
        if isinstance(entry, MalformedFileError):
            entry = UnreadableLines(1, iter([entry]))
        if isinstance(entry, UnreadableLines):
            num_errors += entry.num_lines
            errors += itertools.islice(entry.errors, _ERRORS_LISTED - len(errors))
            continue
        count = len(entry.queries)
        num_answers += count
        for name, column in texts.items():
            column.extend(getattr(entry, name) or [""] * count, count)
        if error := _too_many(file, num_answers, texts):
            return Answers(Answers.of([]).table, [*errors, error])
        lines.append(np.asarray(entry.lines, dtype=np.int64))
        scores.append(np.zeros(count) if entry.scores is None else np.asarray(entry.scores, dtype=np.float64))
        has_score.append(np.full(count, entry.scores is not None))
    num_more = max(0, num_errors - _ERRORS_LISTED)
    if num_more:
        last = errors[-1]
        problem = f"{num_more} lines after this one cannot be read either"
        errors.append(MalformedFileError(last.path, last.line, problem, last.expected))
    scored = np.concatenate(has_score)
    columns = {
        "line": np.concatenate(lines),
        "score": np.where(scored, np.concatenate(scores), _scores_by_order(texts["ranks"])),
        "has_score": scored,
        **_resolved_collection(texts["queries"], texts["items"], ids),
        "rank": categories(texts["ranks"].numbers, texts["ranks"].names),
        "tag": categories(texts["tags"].numbers, texts["tags"].names),
    }
    return Answers(pd.DataFrame(columns), errors, max(0, num_more - 1))


def _too_many(file: object, num_answers: int, texts: Mapping[str, _Texts]) -> MalformedFileError | None:
    if num_answers > _MAX_ANSWERS:
        expected = "the answers of a run; rank at most 1,000 items for each query"
        return MalformedFileError(file, None, f"more than {_MAX_ANSWERS:,} answers", expected)
    for name, column in texts.items():
        if len(column) > _MAX_DIFFERENT:
            problem = f"more than {_MAX_DIFFERENT:,} different {name}"
            return MalformedFileError(file, None, problem, "queries, items, ranks and tags of a run")
    return None


def _resolved_collection(queries: _Texts, items: _Texts, ids: RunIds) -> dict[str, pd.Categorical]:
    """Return queries and items as written, and the ids of the split, each of which is looked up once."""
    query_ids = encoded([ids.query(written) for written in queries.names])
    written = queries.numbers.astype(np.int64), items.numbers.astype(np.int64)
    labels = [ids.label(item) for item in items.names]
    if ids.depend_on_query:
        pairs, places = np.unique(written[0] * len(labels) + written[1], return_inverse=True)
        rows: Integers = places.reshape(-1)
        of_pairs = ((query_ids[pair // len(labels)], labels[pair % len(labels)]) for pair in pairs.tolist())
    else:
        rows = written[1]
        of_pairs = ((query_ids[0], label) for label in labels)
    docnos = encoded([ids.docno(query_id, label) for query_id, label in of_pairs])
    return {
        "query_id": query_ids.take(written[0]),
        "docno": docnos.take(rows),
        "written_query": categories(queries.numbers, queries.names),
        "written_item": categories(items.numbers, items.names),
    }


def _scores_by_order(ranks: _Texts) -> Floats:
    """Return scores for answers without one: the best rank is the best answer, or else the first one."""
    numbers = numbers_of(ranks.names)[ranks.numbers]
    return np.where(np.isfinite(numbers), -numbers, -np.arange(1.0, len(numbers) + 1))


# Parse runs in columns without a header: the official forms, TREC's, and lists of query and item.


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
    columns = _LIST_COLUMNS if separator else _named_columns(_rows(text), columns)
    if columns == SET_COLUMNS and _are_scores(_rows(text)):
        problem = "the third column has scores or other numbers, but there is no header"
        yield MalformedFileError(run, start, problem, "the header qid docno score, or a run tag as third column")
        return
    for rows in _rows(text):
        if separator:
            rows = rows._replace(fields=[fields and _split(line, separator) for _, line, fields in zip(*rows)])
        answers = _row_answers(rows, columns)
        if answers is None:
            are_answers = [_is_answer_row(fields, columns) for fields in rows.fields]
            answers = _row_answers(rows.select(are_answers), columns)
            others = rows.select(map(operator.not_, are_answers))
            yield UnreadableLines(len(others.numbers), (_row_error(run, *row, columns) for row in zip(*others)))
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


def _named_columns(batches: Iterable[_Rows], expected: tuple[str, ...]) -> tuple[str, ...]:
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


def _expected_columns(columns: tuple[str, ...]) -> str:
    return f"{len(columns)} columns: {' '.join(columns)}"


def _row_answers(rows: _Rows, columns: tuple[str, ...]) -> WrittenAnswers | None:
    """Return the answers of rows; None if one of them cannot be parsed."""
    if {*map(len, rows.fields)} != {len(columns)} or not "".join(itertools.chain(*rows.fields)).isprintable():
        return None
    values = dict(zip(columns, zip(*rows.fields)))
    answers = WrittenAnswers(rows.numbers, values["query"], values["item"], tags=values.get("tag"))
    if columns != RANKED_COLUMNS:
        return answers
    scores = parse_numbers(values["score"])
    return None if scores is None else answers._replace(scores=scores, ranks=values["rank"])


def _is_answer_row(fields: list[str], columns: tuple[str, ...]) -> bool:
    """Return whether a row can be parsed."""
    if len(fields) != len(columns) or not "".join(fields).isprintable():
        return False
    return columns != RANKED_COLUMNS or parse_number(fields[columns.index("score")]) is not None


def _row_error(
    run: Readable, number: int, line: str, fields: list[str], columns: tuple[str, ...]
) -> MalformedFileError:
    """Return what is wrong with a row."""
    if not fields:
        return MalformedFileError(run, number, f"{len(line)} characters in one line", _expected_columns(columns))
    if len(fields) != len(columns):
        if len(fields) == 1 and ("," in fields[0] or ";" in fields[0]):
            return MalformedFileError(run, number, "commas or semicolons, but no header", HEADER_EXAMPLE)
        return MalformedFileError(run, number, f"{len(fields)} columns", _expected_columns(columns))
    for column, cell in zip(columns, fields):
        if not cell.isprintable():
            problem = f"a control character or an unusual blank in the column {column}"
            return MalformedFileError(run, number, problem, _expected_columns(columns))
    problem = f"the score {printable(fields[columns.index('score')], 30)!r} is not a finite 32-bit number"
    return MalformedFileError(run, number, problem, _expected_columns(columns))


# Parse runs in JSON, an object with the items of each query, which the organisers have accepted.


_MAX_QUERIES = 200_000
_EXPECTED = 'an object such as {"900001": ["900002"]} or {"900001": {"900002": 0.8}}'
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)  # so that lists stay lists and a repeated key is seen

#: What comes before the first key of an object, before a value, and before another key; or the end of the object.
_OPENING = re.compile(r'[ \t\n\r]*\{[ \t\n\r]*(?:(?=")|(?P<end>\}[ \t\n\r]*\Z))')
_COLON = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_NEXT = re.compile(r'[ \t\n\r]*(?:,[ \t\n\r]*(?=")|(?P<end>\}[ \t\n\r]*\Z))')


class _Items(NamedTuple):
    """The items of a query, and their scores if they have any."""

    names: list[str]
    scores: list[float] | None = None


def parse_json_run(run: Readable) -> Iterator[Parsed]:
    """Parse a run in JSON.

    The items of a query are a list of names, a string with commas, or an object from name to score, or to true for
    an answer and false for none; if all values in a file are 1 and 0, these mean the same. If a query occurs several
    times with different items, an error is yielded and the last occurrence is used, as JSON parsers do.

    Parameters
    ----------
    run : Readable
        The file.

    Yields
    ------
    WrittenAnswers, UnreadableLines or MalformedFileError
        The answers, each with the line of its query, and the queries that cannot be parsed.
    """
    text = read_text(run).replace("\r", "\n")
    try:
        members = _members(text)
    except json.JSONDecodeError as error:
        problem, expected = f"not a JSON object ({error.msg})", _EXPECTED
        if text.lstrip().startswith("[") or error.msg == "Extra data":  # an array of records, or JSON Lines
            expected += "; save records as CSV, in pandas with frame.to_csv(path, index=False)"
        yield MalformedFileError(run, error.lineno, problem, expected)
        return
    except (ValueError, RecursionError):  # a number too long, brackets too deep
        yield MalformedFileError(
            run, 1, "not a JSON object (a number or the nesting exceeds the parser's limits)", _EXPECTED
        )
        return
    if len(members) > _MAX_QUERIES:
        yield MalformedFileError(run, None, f"more than {_MAX_QUERIES:,} queries", _EXPECTED)
        return
    are_labels = _are_labels([value for _, _, value in members])
    read: dict[str, tuple[int, _Items | None]] = {}
    repeated: list[tuple[int, str, int]] = []
    for line, query, value in members:
        items = _items(_as_truth(value) if are_labels else value)
        if query in read and read[query][1] != items:
            repeated.append((line, query, read[query][0]))
        read[query] = line, items
    yield UnreadableLines(len(repeated), (_repetition(run, *each) for each in repeated))
    wrong = {query: found for query, found in read.items() if not _are_names(query, found[1])}
    yield UnreadableLines(len(wrong), (_json_error(run, query, *found) for query, found in wrong.items()))
    for has_scores in (False, True):
        group = [
            (line, query, items)
            for query, (line, items) in read.items()
            if query not in wrong and items is not None and (items.scores is not None) == has_scores
        ]
        yield WrittenAnswers(
            [line for line, _, items in group for _ in items.names],
            [query for _, query, items in group for _ in items.names],
            [name for _, _, items in group for name in items.names],
            [score for _, _, items in group for score in items.scores or ()] if has_scores else None,
        )


def _are_names(query: str, items: _Items | None) -> bool:
    return items is not None and query.isprintable() and "".join(items.names).isprintable()


def _repetition(run: Readable, line: int, query: str, former: int) -> MalformedFileError:
    problem = f"query {printable(query, 30)} has different items on line {former}"
    return MalformedFileError(run, line, problem, "each query once")


def _json_error(run: Readable, query: str, line: int, items: _Items | None) -> MalformedFileError:
    if items is None:
        problem = f"query {printable(query, 30)} has neither names nor scores of items"
    else:
        problem = f"a control character or an unusual blank in query {printable(query, 20)} or its items"
    return MalformedFileError(run, line, problem, _EXPECTED)


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


def _are_labels(values: list[Any]) -> bool:
    """Return whether the items of all queries have the integer 1 or 0, and at least one item has 0."""
    labels = [label for value in values if isinstance(value, tuple) for _, label in value]
    return all(type(label) is int and label in (0, 1) for label in labels) and 0 in labels


def _as_truth(value: Any) -> Any:
    return tuple((name, bool(label)) for name, label in value) if isinstance(value, tuple) else value


def _items(value: Any) -> _Items | None:
    """Return the items of a query with their scores; None for an unsupported value."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list) and all(type(name) in (str, int) for name in value):
        return _Items([name for each in value if (name := str(each).strip())])
    if isinstance(value, tuple):
        scored = [(name.strip(), score) for name, score in value if score is not False]
        names, scores = [name for name, _ in scored], [score for _, score in scored]
        if all(score is True for score in scores):
            return _Items(names)
        if all(score is not True and _is_score(score) for score in scores):
            return _Items(names, [*map(float, scores)])
    return None


def _is_score(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) <= MAX_SCORE


# Parse runs in tables with a header, as `pandas.DataFrame.to_csv` and spreadsheets write them.


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
_TABLE_BATCH = 2**11  # rows
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
            found = [Header(number, each, *_table_columns(line, each)) for each in _DELIMITERS]
            header = max(found, key=lambda header: len(header.positions))
            return header if len(header.positions) >= 2 else None
    return None


def _table_columns(line: str, delimiter: str) -> tuple[list[str], dict[str, int]]:
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
        answers = _table_answers(lines, rows, header)
        if answers is None:
            filled = [(line, row) for line, row in zip(lines, rows) if any(map(str.strip, row))]
            are_answers = [_is_answer_cell(row, header) for _, row in filled]
            right = [*itertools.compress(filled, are_answers)]
            answers = _table_answers([line for line, _ in right], [row for _, row in right], header)
            others = [*itertools.compress(filled, map(operator.not_, are_answers))]
            yield UnreadableLines(len(others), (_table_error(file, *row, header) for row in others))
        if answers is not None:
            yield answers
        if error is not None:
            line = lines[-1]
            yield MalformedFileError(file, line, f"the row cannot be read ({error})", _expected_header(header))


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
            while len(rows) < _TABLE_BATCH:
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


def _expected_header(header: Header) -> str:
    return f"{len(header.names)} columns, as in the header"


def _table_answers(lines: Sequence[int], rows: Sequence[Sequence[str]], header: Header) -> WrittenAnswers | None:
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


def _is_answer_cell(row: Sequence[str], header: Header) -> bool:
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


def _table_error(file: Readable, line: int, row: Sequence[str], header: Header) -> MalformedFileError:
    """Return what is wrong with a row."""
    if len(row) != len(header.names):
        return MalformedFileError(file, line, f"{len(row)} columns", _expected_header(header))
    for column in ("query", "item"):
        position = header.positions[column]
        if not (value := row[position].strip()) or not value.isprintable():
            problem = f"the column {header.names[position]} has no id, or one with a control character"
            return MalformedFileError(file, line, problem, f"the id of the {column}")
    order = str(_order(header))
    value = _number(row[header.positions[order]].strip(), header)
    problem = f"the {order} {printable(value, 30)!r} is not a finite 32-bit number"
    return MalformedFileError(file, line, problem, "a number with a decimal point" if "," in value else "a number")


# Read run files, in the official form and in the other forms that participants use.


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
        """Return the answers of the file, which is parsed once for a split."""
        if split.id not in self._parsed:
            self._parsed[split.id] = parse_run(split, self)
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
    expected = "the path of a readable run file"
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
        raise MalformedFileError(path, None, problem, expected) from None
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


def read_run(dataset: Dataset, run: Path | str) -> list[RunLine]:
    """Read the answers of a run file.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : Path or str
        The run file.

    Returns
    -------
    list of RunLine
        The answers, in the order of the file.

    Raises
    ------
    MalformedFileError
        At the first line that cannot be parsed.
    """
    answers = read_answers(as_split(dataset), open_run(run))
    return [*answers.lines(np.arange(len(answers)))]


def read_answers(split: Split, run: RunFile) -> Answers:
    """Read the answers of an open run file. Raises `MalformedFileError` at the first line that cannot be parsed."""
    answers = run.answers(split)
    if answers.errors:
        raise answers.errors[0]
    return answers


def parse_run(split: Split, run: RunFile) -> Answers:
    """Parse a run file.

    The content decides the form, whatever the edition requires:

    * JSON, if the first character is a bracket. The items of a query are a list, a string with commas, or an object
      from item to score, to true or false, or in the whole file to 1 or 0, which mean the same. In the pilot it is the
      test file with its null values filled in.
    * A table, if the first line has the names of two columns, such as ``qid,docno,score``: CSV or TSV, as
      `pandas.DataFrame.to_csv` writes it. Other columns are skipped.
    * Otherwise lines of three columns (query, item, tag) or six (query, Q0, item, rank, score, tag), separated by
      blanks or tabs, as the first of these decides; or only lines of two (query, item), which may be separated by
      commas or semicolons. Numbers in place of the tag that are not all equal are refused: they are probably scores.

    Lines are separated by LF, CR LF or CR; empty lines and comments from ``/*`` to ``*/`` are skipped. Ids are
    converted by `RunIds`. Answers yes and no may be spelled y, yes, true, 1, n, no, false or 0.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    run : RunFile
        The open file.

    Returns
    -------
    Answers
        The answers, and an error for each line that cannot be parsed.

    Raises
    ------
    MissingReleaseError
        If the local release of a split of task 1 or 2 is missing.
    """
    return collect_answers(run, _written_answers(split, run), RunIds(split))


def _written_answers(split: Split, run: RunFile) -> Iterator[Parsed]:
    if run.content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return iter([MalformedFileError(run, None, "the file is encoded in UTF-16", "a text file in UTF-8")])
    if not split.submission.columns and (run.is_json or not run.content.strip()):
        return _parse_answered_instances(split, run)
    if run.is_json:
        return parse_json_run(run)
    if run.header is not None:
        return parse_table(run, run.header)
    return parse_columns(run, split.submission.columns or RANKED_COLUMNS)


def _parse_answered_instances(split: Split, run: RunFile) -> Iterator[Parsed]:
    try:
        instances = torts.parse_instances(run)
    except MalformedFileError as error:
        yield error
        return
    for line, instance in enumerate(instances, start=1):
        query_id, decision = instance.query_id, instance.court_decision
        if not TASK_EVALUATIONS[split.task].single_answer:
            yield from _accepted_claims(run, line, instance)
        elif decision is None:
            yield MalformedFileError(run, line, f"court_decision of {printable(query_id, 30)} is null", "true or false")
        else:
            yield WrittenAnswers([line], [query_id], [str(decision)])


def _accepted_claims(run: RunFile, line: int, instance: torts.TortInstance) -> Iterator[Parsed]:
    for claim, accepted in zip(instance.claims, instance.accepted):
        if accepted is None:
            problem = f"is_accepted of claim {printable(claim.doc_id, 30)} is null"
            yield MalformedFileError(run, line, problem, "true or false")
        elif accepted:
            yield WrittenAnswers([line], [instance.query_id], [claim.doc_id])


def as_frame(answers: Iterable[RunLine]) -> pd.DataFrame:
    """Convert answers to a PyTerrier result frame.

    Parameters
    ----------
    answers : list of RunLine
        The answers, in the order of the file.

    Returns
    -------
    pandas.DataFrame
        The columns qid, docno, score and rank (from 0), sorted by score; ties by the rank in the file, then by the
        order of the file.
    """
    return Answers.of(answers).as_frame()


# Load a run of any form: a file, a frame or a dict.


class LoadedRun(NamedTuple):
    """A run as a frame, with properties that only the file has.

    Attributes
    ----------
    frame : pandas.DataFrame
        The columns qid, docno, score and, if the run has it, rank; the ids of a file are those of the split.
    path : Path or None
        The file the run was read from.
    has_scores : bool
        Whether the run has scores; if not, the scores in the frame only reproduce the order.
    tag : str
        The tag of the first line of the file; empty if it has none.
    conflicting_queries : list of str
        Query ids whose ranks in the file contradict their scores.
    num_file_names : int
        The number of ids that the file writes as names of text files, with ``.txt``.
    num_respelled : int
        The number of answers yes and no that the file does not spell as the official form does.
    num_unranked : int
        The number of different ranks that the file does not write as numbers.
    """

    frame: pd.DataFrame
    path: Path | None = None
    has_scores: bool = True
    tag: str = ""
    conflicting_queries: list[str] = []
    num_file_names: int = 0
    num_respelled: int = 0
    num_unranked: int = 0

    @property
    def notes(self) -> list[str]:
        """Notes on ranks that contradict the scores, on ids that are names of files, and on unofficial spellings."""
        notes = []
        if queries := self.conflicting_queries:
            named = printable_list(queries)
            notes.append(f"ranks contradict scores in {len(queries)} queries ({named}); the scores are used")
        if self.num_file_names:
            notes.append(f"ids that end in .txt, read without it: {self.num_file_names} (submit writes them right)")
        if self.num_respelled:
            notes.append(
                f"answers yes and no in an unofficial spelling: {self.num_respelled} (submit writes them right)"
            )
        if self.num_unranked:
            notes.append(f"ranks that are not numbers: {self.num_unranked}; the scores are used, and then the order")
        return notes


def load_run(dataset: Dataset, run: Run) -> LoadedRun:
    """Load a run of a split: read a file, convert a dict, select the columns of a frame.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        A run file in any form that `ir_coliee.evaluation.runs.parse_run` reads, a frame with the columns
        qid, docno and score (or ir_measures' names query_id and doc_id), or a dict from query id to document id to
        score.

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
    if task_evaluation(split).single_answer:
        frame = frame.assign(docno=[*map(RunIds(split).label, frame["docno"])])
    return LoadedRun(frame)


def load_run_file(split: Split, file: RunFile) -> LoadedRun:
    """Load a run file that has been opened."""
    answers = read_answers(split, file)
    written = {name for column in ("written_query", "written_item") for name in answers.column(column)[1]}
    num_file_names = sum(name.endswith(".txt") for name in written)
    num_respelled = 0
    if task_evaluation(split).single_answer:
        table = answers.table.astype({"docno": object, "written_item": object})
        num_respelled = int(((table["tag"] != "") & (table["docno"] != table["written_item"])).sum())
    return LoadedRun(
        answers.as_frame(),
        file.path,
        answers.has_scores,
        answers.tag,
        answers.queries_with_conflicting_ranks(),
        num_file_names,
        num_respelled,
        sum(rank != "" and parse_number(rank) is None for rank in answers.column("rank")[1]),
    )


def answers_of(split: Split, run: Run) -> Answers:
    """Return the answers of a run of any form, with the errors of a file."""
    if isinstance(run, (str, Path)):
        return open_run(Path(run)).answers(split)
    frame = load_run(split, run).frame
    ids = {"query_id": encoded(frame["qid"]), "docno": encoded(frame["docno"])}
    ranks = encoded([*map(str, frame.get("rank", [""] * len(frame)))])
    table = pd.DataFrame(
        {
            "line": np.arange(1, len(frame) + 1),
            **ids,
            "score": frame["score"].to_numpy(np.float64),
            "tag": encoded([""] * len(frame)),
            "rank": ranks,
            "written_query": ids["query_id"],
            "written_item": ids["docno"],
            "has_score": True,
        }
    )
    return Answers(table, [])


# Run files: reading all forms that participants use, writing the official form, validation and submission.


__all__ = [
    "RunFile",
    "RunLine",
    "as_frame",
    "load_run",
    "open_run",
    "parse_run",
    "read_answers",
    "read_run",
    "require_writable",
    "require_writable_folder",
]


# A parsed run file, and findings about it: the input and output of the checks of a run.


Level = Literal["error", "warning", "note"]

_FINDINGS_LISTED = 1000  # of a kind


class Finding(NamedTuple):
    """A finding about a run.

    Attributes
    ----------
    level : {"error", "warning", "note"}
        An error breaks the organisers' scoring or counts against the run by mistake; a warning is allowed but
        seldom intended; a note is information.
    line : int or None
        The line, counted from 1; None for the whole file.
    message : str
        The finding, without a full stop.
    kind : str
        The kind of finding: equal for findings that differ only in ids and numbers. Empty if a file has at most one
        such finding.
    num_lines : int
        The number of lines: 1, but of more than a thousand findings of a kind the last one stands for all others.
    """

    level: Level
    line: int | None
    message: str
    kind: str = ""
    num_lines: int = 1


@dataclass(frozen=True)
class ParsedRun:
    """A run file that has been parsed, with the properties of its split that the checks need.

    Attributes
    ----------
    split : Split
        The split that the run answers.
    file : RunFile
        The file with its content.
    answers : Answers
        The answers.
    """

    split: Split
    file: RunFile
    answers: Answers

    def findings(
        self, rows: Integers, level: Level, kind: str, message: Callable[[RunLine, int], str]
    ) -> Iterator[Finding]:
        """Yield a finding for each of these rows, of more than a thousand for the first thousand and one."""
        listed = rows[: _FINDINGS_LISTED + 1]
        for place, (row, answer) in enumerate(zip(listed.tolist(), self.answers.lines(listed))):
            count = len(rows) - _FINDINGS_LISTED if place == _FINDINGS_LISTED else 1
            yield Finding(level, answer.line, message(answer, row), kind, count)

    @cached_property
    def is_known(self) -> Booleans:
        """Whether the split has the query of each answer."""
        queries, names = self.answers.column("query_id")
        return of_texts(names, self.known_queries.__contains__)[queries]

    @cached_property
    def is_candidate(self) -> Booleans:
        """Whether each answer is a candidate of its query."""
        return are_candidates(self.candidates, self.answers.table["query_id"], self.answers.table["docno"])

    @cached_property
    def evaluation(self) -> TaskEvaluation:
        """How the split is evaluated."""
        return task_evaluation(self.split)

    @cached_property
    def query_ids(self) -> list[str]:
        """The query ids of the split."""
        return query_ids(self.split)

    @cached_property
    def known_queries(self) -> frozenset[str]:
        """The query ids of the split as a set."""
        return frozenset(self.query_ids)

    @cached_property
    def has_documents(self) -> bool:
        """Whether the documents of the split are at hand, so that the items can be checked."""
        return has_documents(self.split)

    @cached_property
    def candidates(self) -> Callable[[str], Collection[str]]:
        """Function from a query id to the items that may answer it."""
        return candidates(self.split)

    @property
    def is_empty(self) -> bool:
        """Whether the file has nothing but blanks and comments."""
        return not len(self.answers) and not self.answers.errors

    @property
    def form(self) -> SubmissionForm:
        """The official form of a run of the split."""
        return self.split.submission

    @property
    def has_columns(self) -> bool:
        """Whether the file consists of lines of columns without a header, as most official forms do."""
        return bool(self.form.columns) and not self.file.is_json and self.file.header is None

    def item(self, answer: RunLine) -> str:
        """Return the item of an answer as a run file writes it."""
        return self.split.item_of(answer.docno)


def of_texts(texts: list[str], is_so: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    """Return for each text whether something holds."""
    return np.fromiter(map(is_so, texts), np.bool_, len(texts))


# The names of run files: which tag they contain, and which files belong together.


_SUFFIXES = {".gz", ".trec", ".run", ".res", ".long", ".txt", ".tsv", ".csv", ".json", ".jsonl"}
_MAX_TAG = 12


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
