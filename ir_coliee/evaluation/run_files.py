"""Run files in the organisers' form: reading, and writing without overwriting.

Tasks 1 and 2 have three columns (query, item, tag), task 3 the six of TREC, task 4 question, Y or N, and
tag. The pilot's answer file is the test file itself with its nulls filled in.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.datasets import copies, torts
from ir_coliee.datasets.reading import read_text
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import ColieeError, ExistingFileError, MalformedFileError, MalformedRunError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_THREE_COLUMNS = ("query", "item", "tag")
#: The columns of a run file, by task. The pilot's tasks have no columns: their runs are JSON Lines.
COLUMNS = {
    "task1": _THREE_COLUMNS,
    "task2": _THREE_COLUMNS,
    "task3": ("query", "Q0", "item", "rank", "score", "tag"),
    "task4": _THREE_COLUMNS,
}


class RunLine(NamedTuple):
    """One answer of a run and the line it stands on."""

    line: int
    query_id: str
    docno: str
    score: float
    tag: str
    rank: str = ""  # as it is written; not used for the order


def read_run(part: Part, path: Path) -> list[RunLine]:
    """The answers of a run file. Raises `MalformedFileError` at the first line that cannot be read."""
    answers = []
    for entry in parse_run(part, path):
        if isinstance(entry, MalformedFileError):
            raise entry
        answers.append(entry)
    return answers


def parse_run(part: Part, path: Path) -> Iterator[RunLine | MalformedFileError]:
    """The answers of a run file, and in place of a line that cannot be read the error that says why.

    Columns are split at any white space; a ``.txt`` behind an id is taken off; empty lines are passed
    over. Where the form has no score, earlier lines count as better.
    """
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise MalformedFileError(path, None, "there is no such run file", "the path of a run") from None
    except IsADirectoryError:
        raise MalformedFileError(path, None, "this is a folder", "the path of a run file") from None
    if part.task in COLUMNS:
        return _parse_columns(part, path, text)
    return _parse_answered_instances(part, path)


def _parse_columns(part: Part, path: Path, text: str) -> Iterator[RunLine | MalformedFileError]:
    columns = COLUMNS[part.task]
    expected = f"{len(columns)} columns: {' '.join(columns)}"
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != len(columns):
            yield MalformedFileError(path, number, f"{len(fields)} columns", expected)
            continue
        values = dict(zip(columns, fields))
        score = _number(values.get("score", str(-number)))
        if score is None:
            yield MalformedFileError(path, number, f"the score {values['score']!r} is no number", expected)
            continue
        query_id = values["query"].removesuffix(".txt")
        docno = docno_of(part, query_id, values["item"].removesuffix(".txt"))
        yield RunLine(number, query_id, docno, score, values["tag"], values.get("rank", ""))


def _number(written: str) -> float | None:
    try:
        number = float(written)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def docno_of(part: Part, query_id: str, item: str) -> str:
    """The document id of an item as a run file writes it."""
    return f"{query_id}_{item}" if part.task == "task2" else item


def item_of(part: Part, docno: str) -> str:
    """A document id as a run file writes it: of a paragraph the number alone."""
    return docno.partition("_")[2] if part.task == "task2" else docno


def _parse_answered_instances(part: Part, path: Path) -> Iterator[RunLine | MalformedFileError]:
    try:
        instances = torts.parse_instances(path)
    except MalformedFileError as error:
        yield error
        return
    for line, instance in enumerate(instances, start=1):
        if part.task == "prediction":
            if instance.court_decision is None:
                yield MalformedFileError(path, line, f"court_decision of {instance.query_id} is null", "true or false")
            else:
                yield RunLine(line, instance.query_id, str(instance.court_decision), 1.0, "")
            continue
        for claim, accepted in zip(instance.claims, instance.accepted):
            if accepted is None:
                yield MalformedFileError(path, line, f"is_accepted of claim {claim.doc_id} is null", "true or false")
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


def write_run(part: Part, answers: pd.DataFrame, path: Path, tag: str, *, overwrite: bool = False) -> None:
    """Write an answer set in the organisers' form, whole or not at all.

    ``answers`` has the columns qid, docno and score, and may have rank, in any order of rows. For tasks 4
    and prediction the first answer of each query counts. A file that is there already is left alone if it
    says the same; if not, `ExistingFileError` is raised unless ``overwrite``.
    """
    if not tag or tag.split() != [tag]:
        raise ColieeError(f"run tag {tag!r}: 1 to 12 letters or digits are wanted, and no blank")
    answers = _in_order(answers)
    text = _columns_text(part, answers, tag) if part.task in COLUMNS else _instances_text(part, answers)
    if os.path.lexists(path) and not overwrite:
        if path.is_file() and path.read_bytes() == text.encode():
            return
        raise ExistingFileError(
            f"{path} is there already and differs. "
            "Move it away, or overwrite it (overwrite=True, on the command line --force)."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _columns_text(part: Part, answers: pd.DataFrame, tag: str) -> str:
    if part.task == "task4":
        answers = answers[answers["rank"] == 0]
    lines = []
    scores = falling(answers["qid"], answers["score"])
    for query_id, docno, score, rank in zip(answers["qid"], answers["docno"], scores, answers["rank"]):
        values = {"query": query_id, "Q0": "Q0", "item": item_of(part, docno), "tag": tag}
        values |= {"rank": str(rank + 1), "score": str(score)}
        lines.append(" ".join(values[column] for column in COLUMNS[part.task]) + "\n")
    return "".join(lines)


def falling(query_ids: Iterable[str], scores: Iterable[float]) -> Iterator[np.float32]:
    """The scores, lowered where needed so that they fall strictly within each query, best first.

    They fall as 32-bit numbers, in which trec_eval compares them; equal ones it would order by document
    id. Raises `MalformedRunError` for a score that is not finite.

    >>> [str(score) for score in falling(["1", "1", "2"], [0.5, 0.5, 0.5])]
    ['0.5', '0.49999997', '0.5']
    """
    import numpy as np

    query, last = None, np.float32(np.inf)
    for query_id, score in zip(query_ids, scores):
        if not math.isfinite(score):
            raise MalformedRunError(f"query {query_id} has the score {score}, which cannot be written")
        lowest = np.float32(np.inf) if query_id != query else last
        query, last = query_id, min(np.float32(score), np.nextafter(lowest, np.float32(-np.inf)))
        yield last


def _instances_text(part: Part, answers: pd.DataFrame) -> str:
    """The part's own file with the answers in it and null in every label that is not asked for."""
    answered = set(zip(answers["qid"], answers["docno"]))
    decisions = dict(zip(answers["qid"][answers["rank"] == 0], answers["docno"][answers["rank"] == 0]))
    lines = []
    for record in torts.read_json_lines(copies.find(part, "instances")):
        tort_id = record["tort_id"]
        if part.task == "prediction" and tort_id not in decisions:
            raise MalformedRunError(f"instance {tort_id} has no answer; the organisers want one for each")
        record["court_decision"] = decisions[tort_id] == "True" if part.task == "prediction" else None
        for key, side in torts.SIDES.items():
            for claim in record[key]:
                chosen = (tort_id, f"{tort_id}_{side}{claim['id']}") in answered
                claim["is_accepted"] = chosen if part.task == "rationale" else None
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)
