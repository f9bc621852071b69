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
import lzma
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.evaluation.runs.answer_collection import collect_answers
from ir_coliee.evaluation.runs.answers import Answers, RunLine
from ir_coliee.evaluation.runs.column_runs import parse_columns
from ir_coliee.evaluation.runs.format_rules import RANKED_COLUMNS
from ir_coliee.evaluation.runs.json_runs import parse_json_run
from ir_coliee.evaluation.runs.run_ids import RunIds
from ir_coliee.evaluation.runs.table_runs import Header, find_header, parse_table
from ir_coliee.evaluation.runs.written_answers import Parsed, WrittenAnswers
from ir_coliee.evaluation.task_evaluation import TASK_EVALUATIONS
from ir_coliee.releases import torts
from ir_coliee.size_limits import RUN

if TYPE_CHECKING:
    import pandas as pd

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
