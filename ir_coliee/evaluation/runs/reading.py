"""Reading run files: the organisers' forms, and what participants send in their place.

Official are lines of three columns (query, item, tag) or of TREC's six, and for the pilot the test file itself with
its nulls filled in. Read are either columns for every task, with ids in other spellings (`RunIds`), and JSON.
"""

from __future__ import annotations

import codecs
import itertools
import math
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.editions import Split
from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.evaluation.runs.format_rules import MAX_SCORE, RANKED_COLUMNS, SET_COLUMNS
from ir_coliee.evaluation.runs.json_runs import parse_json_run
from ir_coliee.evaluation.runs.run_ids import RunIds
from ir_coliee.evaluation.task_evaluation import TASK_EVALUATIONS
from ir_coliee.releases import torts
from ir_coliee.releases.reading import read_text

if TYPE_CHECKING:
    import pandas as pd

_LARGEST_FILE = 2**30  # bytes: every document ranked for every query of the largest split takes less
_LONGEST_LINE = 2**20  # characters
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_OPENS_JSON = re.compile(rb"(?:%b)?\s*[{\[]" % codecs.BOM_UTF8)
_COLUMNS_BY_NUMBER = {len(columns): columns for columns in (SET_COLUMNS, RANKED_COLUMNS)}


class RunLine(NamedTuple):
    """One answer of a run and the line it stands on.

    ``query_id`` and ``docno`` are those of the split, ``written`` both as they stand in the file. Where the file has
    no scores (``has_score``), earlier answers have higher ones. ``tag`` and ``rank`` are empty where the file has none;
    the rank is as it is written, and decides between equal scores.
    """

    line: int
    query_id: str
    docno: str
    score: float
    tag: str
    rank: str
    written: tuple[str, str]
    has_score: bool = True


@dataclass(frozen=True)
class RunFile:
    """A run file with its content, read once: a pipe does not give it twice. ``str`` gives its place."""

    path: Path
    content: bytes

    def read_bytes(self) -> bytes:
        """The content as it was read."""
        return self.content

    @property
    def is_json(self) -> bool:
        """Whether the content is JSON, which no line of columns can begin like."""
        return _OPENS_JSON.match(self.content) is not None

    def __str__(self) -> str:
        return str(self.path)


def open_run(path: Path) -> RunFile:
    """Read a run file, or a pipe such as ``/dev/stdin``. Raises `MalformedFileError` where that cannot be done."""
    expected = "the path of a run file that you may read"
    try:
        with open(path, "rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except FileNotFoundError:
        raise MalformedFileError(path, None, "there is no such run file", "the path of a run") from None
    except IsADirectoryError:
        raise MalformedFileError(path, None, "this is a folder", "the path of a run file") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        problem = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise MalformedFileError(path, None, problem, expected) from None
    if len(content) > _LARGEST_FILE:
        raise MalformedFileError(path, None, f"more than {_LARGEST_FILE} bytes, which no run has", expected)
    return RunFile(path, content)


def read_run(split: Split, path: Path) -> list[RunLine]:
    """The answers of a run file. Raises `MalformedFileError` at the first line that cannot be read."""
    return read_answers(split, open_run(path))


def read_answers(split: Split, run: RunFile) -> list[RunLine]:
    """The answers of a run file that has been opened, as `read_run` gives them."""
    answers = []
    for entry in parse_run(split, run):
        if isinstance(entry, MalformedFileError):
            raise entry
        answers.append(entry)
    return answers


def parse_run(split: Split, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
    """The answers of a run file, and in place of a line that cannot be read the error that says why.

    Columns are split at blanks and tabs, lines at LF, CR LF and CR; empty lines and lines that are a comment, ``/*``
    to ``*/``, are passed over. A file may have three columns where six are due, and six where three are; its
    first line tells. In a JSON object, the items of a query are a list, a string with commas, or an object that gives
    each item a score, or true or false. The ids are those that `RunIds` finds. Raises `MissingReleaseError` for a
    split of task 1 or 2 whose copy is not there.
    """
    if run.content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return iter([MalformedFileError(run, None, "the file is UTF-16", "a text file in UTF-8; save it as that")])
    if not split.submission.columns:
        return _parse_answered_instances(split, run)
    return _parse_json(split, run) if run.is_json else _parse_columns(split, run)


# --- columns -----------------------------------------------------------------------------------------


def _parse_columns(split: Split, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
    ids = RunIds(split)
    columns, is_told = split.submission.columns, False
    for number, line in _lines(run):
        if len(line) > _LONGEST_LINE:
            yield MalformedFileError(run, number, f"{len(line)} characters in one line", _expected(columns))
            continue
        fields = _fields(line)
        if not fields or (fields[0].startswith("/*") and fields[-1].endswith("*/")):
            continue
        if not is_told and len(fields) in _COLUMNS_BY_NUMBER:
            columns, is_told = _COLUMNS_BY_NUMBER[len(fields)], True
        yield _answer(run, number, columns, fields, ids)


def _lines(run: RunFile) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, one after the other: all at once would take several times the file's size."""
    text = read_text(run).replace("\r", "\n")
    number = start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        number += 1
        yield number, text[start:end]
        start = end + 1


def _fields(line: str) -> list[str]:
    if line.isprintable():
        return line.split()
    # not at any white space: some of it is a control character
    return [field for field in line.replace("\t", " ").split(" ") if field]


def _expected(columns: tuple[str, ...]) -> str:
    return f"{len(columns)} columns: {' '.join(columns)}"


def _answer(
    run: RunFile, number: int, columns: tuple[str, ...], fields: list[str], ids: RunIds
) -> RunLine | MalformedFileError:
    if len(fields) != len(columns):
        return MalformedFileError(run, number, f"{len(fields)} columns", _expected(columns))
    if not "".join(fields).isprintable():
        hidden = next(column for column, field in zip(columns, fields) if not field.isprintable())
        problem = f"a control character or a strange blank in the column {hidden}"
        return MalformedFileError(run, number, problem, _expected(columns))
    score: float | None
    if columns == SET_COLUMNS:
        (query, item, tag), rank, score = fields, "", -float(number)
    else:
        query, _, item, rank, written_score, tag = fields
        score = _number(written_score)
        if score is None:
            problem = f"the score {printable(written_score)!r} is no finite 32-bit number"
            return MalformedFileError(run, number, problem, _expected(columns))
    query, item, rank, tag = map(sys.intern, (query, item, rank, tag))  # a few, on very many lines
    query_id = ids.query(query)
    docno = ids.docno(query_id, item)
    return RunLine(number, query_id, docno, score, tag, rank, (query, item), columns == RANKED_COLUMNS)


def _number(written: str) -> float | None:
    """The number, read as other languages read it: no underscores, ASCII digits; None where it is none."""
    if not _NUMBER.fullmatch(written) or abs(float(written)) > MAX_SCORE:
        return None
    return float(written)


# --- JSON, and the pilot's answer files --------------------------------------------------------------


def _parse_json(split: Split, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
    ids = RunIds(split)
    before = 0
    for entry in parse_json_run(run):
        if isinstance(entry, MalformedFileError):
            yield entry
            continue
        query_id = ids.query(entry.query)
        for item, score in entry.items:
            before += 1
            found = query_id, ids.docno(query_id, item)
            written = entry.query, item
            yield RunLine(
                entry.line, *found, -float(before) if score is None else score, "", "", written, score is not None
            )


def _parse_answered_instances(split: Split, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
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
            yield MalformedFileError(run, line, f"court_decision of {printable(query_id)} is null", "true or false")
        else:
            yield RunLine(line, query_id, str(decision), 1.0, "", "", (query_id, str(decision)))


def _accepted_claims(run: RunFile, line: int, instance: torts.TortInstance) -> Iterator[RunLine | MalformedFileError]:
    for claim, accepted in zip(instance.claims, instance.accepted):
        if accepted is None:
            problem = f"is_accepted of claim {printable(claim.doc_id)} is null"
            yield MalformedFileError(run, line, problem, "true or false")
        elif accepted:
            ids = instance.query_id, claim.doc_id
            yield RunLine(line, *ids, 1.0, "", "", ids)


# --- frames ------------------------------------------------------------------------------------------


def as_frame(answers: list[RunLine]) -> pd.DataFrame:
    """A run as a PyTerrier result frame: qid, docno, score and, best first, rank from 0.

    Ordered by score, equal scores by the rank in the file, lowest first, then as they stand in the file.
    """
    import pandas as pd

    from ir_coliee.frames import sort_results

    columns = zip(*((a.query_id, a.docno, a.score, _rank(a.rank)) for a in answers))
    names = ("qid", "docno", "score", "rank")
    return sort_results(pd.DataFrame(dict(zip(names, columns)), columns=names))


def queries_with_conflicting_ranks(answers: Iterable[RunLine]) -> list[str]:
    """The queries whose ranks, where all have one, put an answer of a lower score first: the score counts."""
    of_query: dict[str, list[RunLine]] = {}
    for answer in answers:
        of_query.setdefault(answer.query_id, []).append(answer)
    return [query_id for query_id, ranked in of_query.items() if _disagree(ranked)]


def _disagree(answers: list[RunLine]) -> bool:
    if not all(answer.rank.isascii() and answer.rank.isdecimal() and len(answer.rank) < 10 for answer in answers):
        return False
    by_rank = sorted(answers, key=lambda answer: int(answer.rank))
    return any(after.score > before.score for before, after in itertools.pairwise(by_rank))


def _rank(written: str) -> float:
    """The place that a rank gives; the last for what is no number."""
    place = _number(written)
    return math.inf if place is None else place
