"""Read run files, in the official form and in the other forms that participants use.

The official forms are lines of three columns (query, item, tag), lines of TREC's six columns, and for the pilot the
test file with its null values filled in. For every other task both kinds of columns are read, and JSON, with ids in
several spellings (`RunIds`).
"""

from __future__ import annotations

import codecs
import itertools
import math
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.datasets.resolution import Dataset, as_split
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

_MAX_FILE_SIZE = 2**30  # bytes: every document ranked for every query of the largest split takes less
_MAX_LINE_LENGTH = 2**20  # characters
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_OPENS_JSON = re.compile(rb"(?:%b)?\s*[{\[]" % codecs.BOM_UTF8)
_COLUMNS_BY_NUMBER = {len(columns): columns for columns in (SET_COLUMNS, RANKED_COLUMNS)}


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


@dataclass(frozen=True)
class RunFile:
    """A run file with its content, which is read once because a pipe cannot be read twice; ``str`` gives the path."""

    path: Path
    content: bytes = field(repr=False)

    def read_bytes(self) -> bytes:
        """Return the content."""
        return self.content

    @property
    def is_json(self) -> bool:
        """Whether the content is JSON; no line of columns begins with a bracket."""
        return _OPENS_JSON.match(self.content) is not None

    def __str__(self) -> str:
        return str(self.path)


def open_run(path: Path) -> RunFile:
    """Open and read a run file, or a pipe such as ``/dev/stdin``.

    Raises
    ------
    MalformedFileError
        If the file is missing, not readable or larger than 1 GiB.
    """
    expected = "the path of a readable run file"
    try:
        with open(path, "rb") as file:
            content = file.read(_MAX_FILE_SIZE + 1)
    except FileNotFoundError:
        raise MalformedFileError(path, None, "no such run file", "the path of a run file") from None
    except IsADirectoryError:
        raise MalformedFileError(path, None, "this is a folder", "the path of a run file") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        problem = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise MalformedFileError(path, None, problem, expected) from None
    if len(content) > _MAX_FILE_SIZE:
        raise MalformedFileError(path, None, f"the file has more than {_MAX_FILE_SIZE} bytes", expected)
    return RunFile(path, content)


def read_run(dataset: Dataset, run: Path) -> list[RunLine]:
    """Read the answers of a run file.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : Path
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
    return read_answers(as_split(dataset), open_run(run))


def read_answers(split: Split, run: RunFile) -> list[RunLine]:
    """Read the answers of an open run file, as `read_run` does."""
    answers = []
    for entry in parse_run(split, run):
        if isinstance(entry, MalformedFileError):
            raise entry
        answers.append(entry)
    return answers


def parse_run(split: Split, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
    """Parse a run file.

    Columns are separated by blanks or tabs, lines by LF, CR LF or CR; empty lines and comments from ``/*`` to ``*/``
    are skipped. The first line decides whether the file has three or six columns, whatever the edition requires. In
    a JSON object, the items of a query are a list, a string with commas, or an object from item to score, true or
    false. Ids are converted by `RunIds`.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    run : RunFile
        The open file.

    Yields
    ------
    RunLine or MalformedFileError
        The answers, and an error in place of each line that cannot be parsed.

    Raises
    ------
    MissingReleaseError
        If the local release of a split of task 1 or 2 is missing.
    """
    if run.content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return iter([MalformedFileError(run, None, "the file is encoded in UTF-16", "a text file in UTF-8")])
    if not split.submission.columns and (run.is_json or not run.content.strip()):
        return _parse_answered_instances(split, run)
    return _parse_json(split, run) if run.is_json else _parse_columns(split, run)


# --- columns -----------------------------------------------------------------------------------------


def _parse_columns(split: Split, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
    ids = RunIds(split)
    columns, is_known = split.submission.columns or RANKED_COLUMNS, False
    for number, line in _lines(run):
        if len(line) > _MAX_LINE_LENGTH:
            yield MalformedFileError(run, number, f"{len(line)} characters in one line", _expected(columns))
            continue
        fields = _fields(line)
        if not fields or (fields[0].startswith("/*") and fields[-1].endswith("*/")):
            continue
        if not is_known and len(fields) in _COLUMNS_BY_NUMBER:
            columns, is_known = _COLUMNS_BY_NUMBER[len(fields)], True
        yield _answer(run, number, columns, fields, ids)


def _lines(run: RunFile) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines one by one; a list of them would take several times the size of the file."""
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
    # not at every white space, some of which is a control character
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
        problem = f"a control character or an unusual blank in the column {hidden}"
        return MalformedFileError(run, number, problem, _expected(columns))
    score: float | None
    if columns == SET_COLUMNS:
        (query, item, tag), rank, score = fields, "", -float(number)
    else:
        query, _, item, rank, written_score, tag = fields
        score = _number(written_score)
        if score is None:
            problem = f"the score {printable(written_score)!r} is not a finite 32-bit number"
            return MalformedFileError(run, number, problem, _expected(columns))
    query, item, rank, tag = map(sys.intern, (query, item, rank, tag))  # few values on many lines
    query_id = ids.query(query)
    docno = ids.docno(query_id, item)
    return RunLine(number, query_id, docno, score, tag, rank, (query, item), columns == RANKED_COLUMNS)


def _number(written: str) -> float | None:
    """Parse a number without Python's extensions, such as underscores; None if it is not a finite 32-bit number."""
    if not _NUMBER.fullmatch(written) or abs(float(written)) > MAX_SCORE:
        return None
    return float(written)


# --- JSON, and the pilot's answer files --------------------------------------------------------------


def _parse_json(split: Split, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
    ids = RunIds(split)
    number = 0
    for entry in parse_json_run(run):
        if isinstance(entry, MalformedFileError):
            yield entry
            continue
        query_id = ids.query(entry.query)
        for item, score in entry.items:
            number += 1
            found = query_id, ids.docno(query_id, item)
            written = entry.query, item
            yield RunLine(
                entry.line, *found, -float(number) if score is None else score, "", "", written, score is not None
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
            yield RunLine(line, query_id, str(decision), 1.0, "", "", (query_id, str(decision)), has_score=False)


def _accepted_claims(run: RunFile, line: int, instance: torts.TortInstance) -> Iterator[RunLine | MalformedFileError]:
    for claim, accepted in zip(instance.claims, instance.accepted):
        if accepted is None:
            problem = f"is_accepted of claim {printable(claim.doc_id)} is null"
            yield MalformedFileError(run, line, problem, "true or false")
        elif accepted:
            ids = instance.query_id, claim.doc_id
            yield RunLine(line, *ids, 1.0, "", "", ids, has_score=False)


# --- frames ------------------------------------------------------------------------------------------


def as_frame(answers: list[RunLine]) -> pd.DataFrame:
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
    import pandas as pd

    from ir_coliee.frames import sort_results

    columns = zip(*((a.query_id, a.docno, a.score, _rank(a.rank)) for a in answers))
    names = ("qid", "docno", "score", "rank")
    return sort_results(pd.DataFrame(dict(zip(names, columns)), columns=names))


def queries_with_conflicting_ranks(answers: Iterable[RunLine]) -> list[str]:
    """Return the queries that have a rank on every answer and rank an answer before one with a higher score."""
    by_query: dict[str, list[RunLine]] = {}
    for answer in answers:
        by_query.setdefault(answer.query_id, []).append(answer)
    return [query_id for query_id, ranked in by_query.items() if _has_conflicting_ranks(ranked)]


def _has_conflicting_ranks(answers: list[RunLine]) -> bool:
    if not all(answer.rank.isascii() and answer.rank.isdecimal() and len(answer.rank) < 10 for answer in answers):
        return False
    by_rank = sorted(answers, key=lambda answer: int(answer.rank))
    return any(after.score > before.score for before, after in itertools.pairwise(by_rank))


def _rank(written: str) -> float:
    """Return a rank as a number; infinity if it is not a number, so that it sorts last."""
    rank = _number(written)
    return math.inf if rank is None else rank
