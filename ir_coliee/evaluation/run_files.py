"""Run files in the organisers' form: reading, and writing without overwriting.

Tasks 1 and 2 have three columns (query, item, tag), task 3 the six of TREC, task 4 question, Y or N, and
tag. The pilot's answer file is the test file itself with its nulls filled in.
"""

from __future__ import annotations

import json
import numbers
import os
import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.datasets import copies, torts
from ir_coliee.datasets.layouts import ITEMS
from ir_coliee.datasets.reading import read_text
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import ColieeError, ExistingFileError, MalformedFileError, MalformedRunError
from ir_coliee.evaluation.forms import run_form
from ir_coliee.evaluation.tasks import FORMS

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[!-~]+")  # ASCII without blanks: what a column may hold
_ELSEWHERE = "Choose another place (on the command line --out), or make room or permission there."
_LARGEST_SCORE = 3.4028234663852886e38  # of 32 bits, in which trec_eval keeps scores


class RunLine(NamedTuple):
    """One answer of a run and the line it stands on."""

    line: int
    query_id: str
    docno: str
    score: float
    tag: str
    rank: str = ""  # as it is written; not used for the order


@dataclass(frozen=True)
class RunFile:
    """A run file with its content, read once: a pipe does not give it twice. ``str`` gives its place."""

    path: Path
    content: bytes

    def read_bytes(self) -> bytes:
        """The content as it was read."""
        return self.content

    def __str__(self) -> str:
        return str(self.path)


def open_run(path: Path) -> RunFile:
    """Read a run file, or a pipe such as ``/dev/stdin``. Raises `MalformedFileError` where that cannot be done."""
    try:
        return RunFile(path, path.read_bytes())
    except FileNotFoundError:
        raise MalformedFileError(path, None, "there is no such run file", "the path of a run") from None
    except IsADirectoryError:
        raise MalformedFileError(path, None, "this is a folder", "the path of a run file") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        problem = f"cannot be read ({_reason(error)})"
        raise MalformedFileError(path, None, problem, "the path of a run file that you may read") from None


def _reason(error: Exception) -> str:
    """An error of the system without the path, which the message has already."""
    return getattr(error, "strerror", None) or str(error)


def read_run(part: Part, path: Path) -> list[RunLine]:
    """The answers of a run file. Raises `MalformedFileError` at the first line that cannot be read."""
    answers = []
    for entry in parse_run(part, open_run(path)):
        if isinstance(entry, MalformedFileError):
            raise entry
        answers.append(entry)
    return answers


def parse_run(part: Part, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
    """The answers of a run file, and in place of a line that cannot be read the error that says why.

    Columns are split at blanks and tabs; a ``.txt`` behind an id is taken off; empty lines are passed
    over. Where the form has no score, earlier lines count as better.
    """
    return _parse_columns(part, run) if run_form(part).columns else _parse_answered_instances(part, run)


def _parse_columns(part: Part, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
    columns = run_form(part).columns
    expected = f"{len(columns)} columns: {' '.join(columns)}"
    for number, line in enumerate(read_text(run).replace("\r", "\n").split("\n"), start=1):
        fields = line.replace("\t", " ").split(" ")  # not at any white space: some of it is a control character
        fields = [field for field in fields if field]
        if not fields:
            continue
        if len(fields) != len(columns):
            yield MalformedFileError(run, number, f"{len(fields)} columns", expected)
            continue
        values = dict(zip(columns, fields))
        if hidden := [column for column, field in values.items() if not field.isprintable()]:
            problem = f"a control character or a strange blank in the column {hidden[0]}"
            yield MalformedFileError(run, number, problem, expected)
            continue
        score = _number(values.get("score", str(-number)))
        if score is None:
            yield MalformedFileError(run, number, f"the score {values['score']!r} is no finite 32-bit number", expected)
            continue
        query_id = values["query"].removesuffix(".txt")
        docno = docno_of(part, query_id, values["item"].removesuffix(".txt"))
        yield RunLine(number, query_id, docno, score, values["tag"], values.get("rank", ""))


def _number(written: str) -> float | None:
    """The number, read as other languages read it: no underscores, ASCII digits; None where it is none."""
    if not _NUMBER.fullmatch(written) or abs(float(written)) > _LARGEST_SCORE:
        return None
    return float(written)


def docno_of(part: Part, query_id: str, item: str) -> str:
    """The document id of an item as a run file writes it: items of a query's own folder by their number alone."""
    return f"{query_id}_{item}" if part.layout in ITEMS else item


def item_of(part: Part, docno: str) -> str:
    """A document id as a run file writes it, the reverse of `docno_of`."""
    return docno.partition("_")[2] if part.layout in ITEMS else docno


def _parse_answered_instances(part: Part, run: RunFile) -> Iterator[RunLine | MalformedFileError]:
    try:
        instances = torts.parse_instances(run)
    except MalformedFileError as error:
        yield error
        return
    for line, instance in enumerate(instances, start=1):
        if FORMS[part.task].one_answer:
            if instance.court_decision is None:
                yield MalformedFileError(run, line, f"court_decision of {instance.query_id} is null", "true or false")
            else:
                yield RunLine(line, instance.query_id, str(instance.court_decision), 1.0, "")
            continue
        for claim, accepted in zip(instance.claims, instance.accepted):
            if accepted is None:
                yield MalformedFileError(run, line, f"is_accepted of claim {claim.doc_id} is null", "true or false")
            elif accepted:
                yield RunLine(line, instance.query_id, claim.doc_id, 1.0, "")


def as_frame(answers: list[RunLine]) -> pd.DataFrame:
    """A run as a PyTerrier result frame: qid, docno, score and, best first, rank."""
    import pandas as pd

    frame = pd.DataFrame([(a.query_id, a.docno, a.score) for a in answers], columns=["qid", "docno", "score"])
    return _in_order(frame)


def _in_order(answers: pd.DataFrame) -> pd.DataFrame:
    from ir_coliee.transformers.base import in_order  # brings PyTerrier, which reading and checking do without

    return in_order(answers)


def refuse_malformed(answers: pd.DataFrame) -> None:
    """Raise `MalformedRunError` for a frame without qid, docno and score, or with an id that is no string.

    A number as an id equals no zero-padded string: the run would score 0 without a word.
    """
    if missing := [column for column in ("qid", "docno", "score") if column not in answers.columns]:
        raise MalformedRunError(f"The run has no column {missing[0]!r}. It needs qid, docno and score.")
    for query_id, docno in zip(answers["qid"], answers["docno"]):
        for column, value in (("qid", query_id), ("docno", docno)):
            if not isinstance(value, str):
                raise MalformedRunError(
                    f"Query {query_id!r}: the {column} {value!r} is no string. Read ids as strings, "
                    "in pandas with dtype=str."
                )


def write_run(part: Part, answers: pd.DataFrame, path: Path, tag: str, *, overwrite: bool = False) -> None:
    """Write an answer set in the organisers' form, whole or not at all.

    ``answers`` has the columns qid, docno and score, and may have rank, in any order of rows. For tasks 4
    and prediction the first answer of each query counts. A file that is there already is left alone if it
    says the same; if not, `ExistingFileError` is raised unless ``overwrite``. Raises `MalformedRunError` for
    an id or a score that the form cannot hold, `ColieeError` where the file cannot be written.
    """
    if not _WORD.fullmatch(tag):
        raise ColieeError(f"run tag {tag!r}: 1 to 12 letters or digits are wanted, and no blank")
    refuse_malformed(answers)
    for query_id, score in zip(answers["qid"], answers["score"]):
        _refuse_unwritable_score(query_id, score)
    answers = _in_order(answers)
    text = _columns_text(part, answers, tag) if run_form(part).columns else _instances_text(part, answers)
    try:
        _write(path, text.encode(), overwrite=overwrite)
    except ExistingFileError:
        raise
    except OSError as error:
        raise ColieeError(f"{path} cannot be written ({_reason(error)}). {_ELSEWHERE}") from None


def refuse_taken(path: Path, *, overwrite: bool = False) -> None:
    """Say before a long computation what `write_run` would say after it, as far as it can be known.

    Raises `ExistingFileError` where there is something at ``path`` and it may not be overwritten, and
    `ColieeError` where no file can be made there. Nothing is written.
    """
    if os.path.lexists(path) and not overwrite:
        raise _existing(path, "is there already")
    if path.is_dir():
        raise ColieeError(f"{path} cannot be written (it is a folder). {_ELSEWHERE}")
    above = next(folder for folder in path.absolute().parents if os.path.lexists(folder))
    if not above.is_dir():
        raise ColieeError(f"{path} cannot be written ({above} is no folder). {_ELSEWHERE}")
    if not os.access(above, os.W_OK | os.X_OK):
        raise ColieeError(f"{path} cannot be written (no permission to write into {above}). {_ELSEWHERE}")


def _existing(path: Path, problem: str) -> ExistingFileError:
    return ExistingFileError(
        f"{path} {problem}. Move it away, or overwrite it (overwrite=True, on the command line --force)."
    )


def _write(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write beside the place, then take the name in one step, which without ``overwrite`` must be free."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.parent / f".{uuid.uuid4().hex}"
    try:
        _create(unfinished, data)
        if overwrite:
            unfinished.replace(path)
        else:
            _take_free_name(unfinished, path, data)
    except FileExistsError:
        if not path.is_file() or path.read_bytes() != data:
            raise _existing(path, "is there already and differs") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _take_free_name(unfinished: Path, path: Path, data: bytes) -> None:
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        _create(path, data)


def _create(path: Path, data: bytes) -> None:
    """Write a new file, whole or not at all. Raises `FileExistsError` where there is one."""
    try:
        with open(path, "xb") as file:
            file.write(data)
    except FileExistsError:
        raise
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _columns_text(part: Part, answers: pd.DataFrame, tag: str) -> str:
    form = run_form(part)
    if FORMS[part.task].one_answer:
        answers = answers[answers["rank"] == 0]
    lines = []
    scores = falling(answers["qid"], answers["score"])
    for query_id, docno, score, rank in zip(answers["qid"], answers["docno"], scores, answers["rank"]):
        values = {"query": query_id, "Q0": "Q0", "item": item_of(part, docno), "tag": tag}
        values |= {"rank": str(rank + 1), "score": str(score)}
        if not _WORD.fullmatch(query_id) or not _WORD.fullmatch(values["item"]):
            raise MalformedRunError(
                f"Query {query_id!r}: the item {docno!r} cannot be written. Ids in a run are ASCII, without blanks."
            )
        if docno_of(part, query_id, values["item"]) != docno:
            raise MalformedRunError(
                f"Query {query_id!r}: {docno!r} is no item of this query, and would be read as one."
            )
        lines.append(" ".join(values[column] for column in form.columns) + "\n")
    return "".join(lines)


def _refuse_unwritable_score(query_id: str, score: object) -> None:
    if not isinstance(score, numbers.Real) or not abs(float(score)) <= _LARGEST_SCORE:
        raise MalformedRunError(
            f"Query {query_id!r}: the score {score} cannot be written, it is no finite 32-bit number."
        )


def falling(query_ids: Iterable[str], scores: Iterable[float]) -> Iterator[np.float32]:
    """The scores, lowered where needed so that they fall strictly within each query, best first.

    They fall as 32-bit numbers, in which trec_eval compares them; equal ones it would order by document
    id. Raises `MalformedRunError` for a score that is not finite, also once it is lowered.

    >>> [str(score) for score in falling(["1", "1", "2"], [0.5, 0.5, 0.5])]
    ['0.5', '0.49999997', '0.5']
    """
    import numpy as np

    query, last = None, np.float32(np.inf)
    for query_id, score in zip(query_ids, scores):
        _refuse_unwritable_score(query_id, score)
        lowest = np.float32(np.inf) if query_id != query else last
        with np.errstate(over="ignore"):  # what is too low is refused below
            query, last = query_id, min(np.float32(score), np.nextafter(lowest, np.float32(-np.inf)))
        _refuse_unwritable_score(query_id, float(last))
        yield last


def _instances_text(part: Part, answers: pd.DataFrame) -> str:
    """The part's own file with the answers in it and null in every label that is not asked for."""
    one_answer = FORMS[part.task].one_answer
    answered = set(zip(answers["qid"], answers["docno"]))
    decisions = dict(zip(answers["qid"][answers["rank"] == 0], answers["docno"][answers["rank"] == 0]))
    lines = []
    for record in torts.read_json_lines(copies.find_file(part, "instances")):
        tort_id = record["tort_id"]
        if one_answer and tort_id not in decisions:
            raise MalformedRunError(f"instance {tort_id} has no answer; the organisers want one for each")
        record["court_decision"] = decisions[tort_id] == "True" if one_answer else None
        for key, side in torts.SIDES.items():
            for claim in record[key]:
                chosen = (tort_id, f"{tort_id}_{side}{claim['id']}") in answered
                claim["is_accepted"] = None if one_answer else chosen
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)
