"""Checks a run file before it is mailed, and reports everything at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import ir_datasets

from ir_coliee.datasets import copies, torts
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import MalformedFileError
from ir_coliee.evaluation.forms import run_form
from ir_coliee.evaluation.judgments import candidates, query_ids
from ir_coliee.evaluation.run_files import RunFile, RunLine, item_of, open_run, parse_run
from ir_coliee.evaluation.tasks import FORMS

_TAG = re.compile(r"[A-Za-z0-9]{1,12}")
_MOST_ARTICLES = 100


class Finding(NamedTuple):
    """Something about a run. ``level`` is ``error`` or ``warning``; ``line`` is None for the whole file."""

    level: str
    line: int | None
    message: str


def validate(part: Part, path: Path) -> list[Finding]:
    """All findings about a run file for a part, in the order of the lines.

    An error is something the organisers' scoring would trip over or count against the run by mistake,
    a warning something that is allowed and seldom meant. Raises `MalformedFileError` where the file
    cannot be read at all.
    """
    run = open_run(path)
    entries = list(parse_run(part, run))
    answers = [entry for entry in entries if isinstance(entry, RunLine)]
    findings = [
        Finding("error", entry.line, f"{entry.problem}. Expected: {entry.expected}")
        for entry in entries
        if isinstance(entry, MalformedFileError)
    ]
    if run_form(part).columns:
        findings.extend(_form(run.content))
        if not entries:
            findings.append(Finding("error", None, "the file has no answer"))
    elif len(findings) < len(entries) or not entries:
        findings.extend(_altered(part, run))
    for check in (_unknown, _repeated, _unanswered, _itself, _long_lists, _tags):
        findings.extend(check(part, answers))
    return sorted(findings, key=lambda finding: (finding.line is not None, finding.line or 0))


def _form(data: bytes) -> Iterator[Finding]:
    """ASCII, single blanks, line feeds: what the organisers ask of a file with columns."""
    if data.startswith(b"\xef\xbb\xbf"):
        yield Finding("warning", 1, "the file begins with a byte order mark")
        data = data[3:]
    if b"\r" in data:
        yield Finding(
            "warning", 1 + data[: data.index(b"\r")].count(b"\n"), "lines end in CR; line feeds alone are wanted"
        )
    for number, line in enumerate(data.replace(b"\r\n", b"\n").split(b"\n"), start=1):
        if not line.isascii():
            yield Finding("warning", number, "a character that is not ASCII")
        elif line != b" ".join(line.split()):
            yield Finding("warning", number, "columns are to be separated by one blank each")


def _altered(part: Part, run: RunFile) -> Iterator[Finding]:
    """The pilot's answer file must be the test file with nothing but labels changed."""
    test_file = copies.find_file(part, "instances")
    torts.parse_instances(test_file)  # the user's copy may be damaged too
    given = [_unlabelled(record) for record in torts.read_json_lines(test_file)]
    answered = torts.read_json_lines(run)
    for line, record in enumerate(answered, start=1):
        expected = given[line - 1] if line <= len(given) else None
        if expected is None or record["tort_id"] != expected["tort_id"]:
            wanted = f"instance {expected['tort_id']}" if expected else f"the end, after {len(given)} instances"
            yield Finding("error", line, f"here the test file has {wanted}, not {record['tort_id']!r}")
        elif _unlabelled(record) != expected:
            yield Finding("error", line, f"instance {record['tort_id']} differs from the test file in more than labels")
    if absent := [record["tort_id"] for record in given[len(answered) :]]:
        yield Finding("error", None, f"the file ends before the instances {', '.join(absent)}")


def _unlabelled(record: dict[str, Any]) -> dict[str, Any]:
    sides = {side: [claim | {"is_accepted": None} for claim in record[side]] for side in torts.SIDES}
    return {**record, **sides, "court_decision": None, "version": None}


def _unknown(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    known = set(query_ids(part))
    if answers and not any(answer.query_id in known for answer in answers):
        example = min(known)
        yield Finding("error", None, f"no query id of the run is known; in {part.id} they look like {example!r}")
        return
    may_answer = candidates(part)
    where = "the query's pool" if ir_datasets.load(part.id).has_scoreddocs() else "the collection"
    for answer in answers:
        if answer.query_id not in known:
            yield Finding("error", answer.line, f"unknown query {answer.query_id!r}")
        elif answer.docno not in may_answer(answer.query_id):
            item = item_of(part, answer.docno)
            yield Finding("error", answer.line, f"{item!r} is not in {where} (query {answer.query_id})")


def _repeated(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    """An item returned twice counts once; two different answers to one question cannot be scored."""
    first: dict[str, RunLine] = {}
    lines: dict[tuple[str, str], int] = {}
    for answer in answers:
        earlier = first.setdefault(answer.query_id, answer)
        if FORMS[part.task].one_answer and answer.docno != earlier.docno:
            yield Finding("error", answer.line, f"query {answer.query_id} has another answer on line {earlier.line}")
        elif (answer.query_id, answer.docno) in lines:
            line, item = lines[answer.query_id, answer.docno], item_of(part, answer.docno)
            yield Finding(
                "warning", answer.line, f"query {answer.query_id} is answered with {item!r} on line {line} already"
            )
        lines.setdefault((answer.query_id, answer.docno), answer.line)


def _unanswered(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    level = FORMS[part.task].unanswered
    answered = {answer.query_id for answer in answers}
    missing = [query_id for query_id in query_ids(part) if query_id not in answered]
    if missing and level != "answer":
        shown = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
        yield Finding(level, None, f"{len(missing)} queries without an answer: {shown}")


def _itself(_part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    for answer in answers:
        if answer.docno == answer.query_id:
            yield Finding("warning", answer.line, f"query {answer.query_id} is returned for itself")


def _long_lists(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    """Task 3: at most 100 articles a question, ranks from 1, scores that do not rise."""
    if "rank" not in run_form(part).columns:
        return
    last: dict[str, tuple[int, float]] = {}
    for answer in answers:
        place, score = last.get(answer.query_id, (0, float("inf")))
        last[answer.query_id] = place + 1, answer.score
        if place == _MOST_ARTICLES:
            yield Finding("error", answer.line, f"query {answer.query_id} has more than {_MOST_ARTICLES} articles")
        if answer.rank != str(place + 1):
            yield Finding("warning", answer.line, f"the rank is {answer.rank!r}, where {place + 1} is due")
        if answer.score > score:
            yield Finding("warning", answer.line, f"the score rises from {score} to {answer.score}")


def _tags(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    if not run_form(part).columns:
        return
    first: dict[str, int] = {}
    for answer in answers:
        first.setdefault(answer.tag, answer.line)
    for tag, line in first.items():
        if not _TAG.fullmatch(tag):
            yield Finding("warning", line, f"run tag {tag!r}: the organisers ask for 1 to 12 letters or digits")
    if len(first) > 1:
        yield Finding("error", None, f"{len(first)} different run tags: {', '.join(sorted(first))}")
