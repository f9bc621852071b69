"""Read run files, in the official form and in the other forms that participants use.

The official forms are lines of three columns (query, item, tag), lines of TREC's six columns, and for the pilot the
test file with its null values filled in. For every task all kinds of columns are read, with or without a header, and
JSON, with ids in several spellings (`RunIds`), compressed or not. The content of a file decides which form it has; its
name has no meaning.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import itertools
import lzma
import math
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.evaluation.runs.column_runs import parse_columns
from ir_coliee.evaluation.runs.format_rules import RANKED_COLUMNS
from ir_coliee.evaluation.runs.json_runs import parse_json_run
from ir_coliee.evaluation.runs.run_ids import RunIds
from ir_coliee.evaluation.runs.table_runs import Header, find_header, parse_table
from ir_coliee.evaluation.runs.written_answers import WrittenAnswer, parse_number
from ir_coliee.evaluation.task_evaluation import TASK_EVALUATIONS
from ir_coliee.releases import torts

if TYPE_CHECKING:
    import pandas as pd

_MAX_FILE_SIZE = 2**30  # bytes: every document ranked for every query of the largest split takes less
_OPENS_JSON = re.compile(rb"(?:%b)?\s*[{\[]" % codecs.BOM_UTF8)
_OPENS_PICKLE = re.compile(rb"\x80[\x02-\x05]")  # no text in UTF-8 begins with this byte
#: The first bytes of a compressed file, the name of the format, and the function that decompresses it.
_COMPRESSIONS: tuple[tuple[bytes, str, Callable[[io.BytesIO], io.BufferedIOBase]], ...] = (
    (b"\x1f\x8b", "gzip", lambda file: gzip.GzipFile(fileobj=file)),
    (b"BZh", "bzip2", bz2.BZ2File),
    (b"\xfd7zXZ\0", "xz", lzma.LZMAFile),
)


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

    def __str__(self) -> str:
        return str(self.path)


def open_run(path: Path | str) -> RunFile:
    """Open and read a run file, or a pipe such as ``/dev/stdin``; files of gzip, bzip2 and xz are decompressed.

    Raises
    ------
    MalformedFileError
        If the file is missing, not readable, damaged, (decompressed) larger than 1 GiB, or a pickle.
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
    compression = ""
    for start, name, decompressor in _COMPRESSIONS:
        if not compression and content.startswith(start):
            content, compression = _decompress(path, name, decompressor(io.BytesIO(content))), name
    if len(content) > _MAX_FILE_SIZE:
        raise MalformedFileError(path, None, f"the file has more than {_MAX_FILE_SIZE} bytes", expected)
    if _OPENS_PICKLE.match(content):
        raise MalformedFileError(path, None, "this is a pickle: load it in Python and pass the frame", "a text file")
    return RunFile(Path(path), content, compression)


def _decompress(path: Path | str, name: str, compressed: io.BufferedIOBase) -> bytes:
    """Return the content of a compressed file, or the first bytes of one that is too large."""
    try:
        with compressed:
            return compressed.read(_MAX_FILE_SIZE + 1)
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
    return _with_ids_of(split, _parse_written(split, run))


def _parse_written(split: Split, run: RunFile) -> Iterator[WrittenAnswer | MalformedFileError]:
    if run.is_json:
        return parse_json_run(run)
    if run.header is not None:
        return parse_table(run, run.header)
    return parse_columns(run, split.submission.columns or RANKED_COLUMNS)


def _with_ids_of(
    split: Split, entries: Iterator[WrittenAnswer | MalformedFileError]
) -> Iterator[RunLine | MalformedFileError]:
    ids = RunIds(split)
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, MalformedFileError):
            yield entry
            continue
        query, item, rank, tag = map(sys.intern, (entry.query, entry.item, entry.rank, entry.tag))  # few values
        query_id = ids.query(query)
        docno = ids.docno(query_id, ids.label(item))
        score = _score_by_order(rank, number) if entry.score is None else entry.score
        yield RunLine(entry.line, query_id, docno, score, tag, rank, (query, item), entry.score is not None)


def _score_by_order(rank: str, number: int) -> float:
    """Return a score for an answer without one: the best rank is the best answer, or else the first one."""
    by_rank = parse_number(rank)
    return -float(number) if by_rank is None else -by_rank


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
    rank = parse_number(written)
    return math.inf if rank is None else rank
