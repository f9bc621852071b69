"""Checks a run file before it is mailed, and reports everything at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import ir_datasets

from ir_coliee.datasets.releases import Part
from ir_coliee.errors import MalformedFileError
from ir_coliee.evaluation.run_files import COLUMNS, RunLine, item_of, parse_run

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
    a warning something that is allowed and seldom meant.
    """
    entries = list(parse_run(part, path))
    answers = [entry for entry in entries if isinstance(entry, RunLine)]
    findings = [
        Finding("error", entry.line, f"{entry.problem}. Expected: {entry.expected}")
        for entry in entries
        if isinstance(entry, MalformedFileError)
    ]
    for check in (_unknown, _repeated, _unanswered, _itself, _too_many, _tags):
        findings.extend(check(part, answers))
    return sorted(findings, key=lambda finding: (finding.line is not None, finding.line or 0))


def _query_ids(part: Part) -> list[str]:
    return [query.query_id for query in ir_datasets.load(part.id).queries_iter()]


def _candidates(part: Part) -> Callable[[str], set[str]]:
    """For a query id the items that may answer it."""
    dataset = ir_datasets.load(part.id)
    if not dataset.has_scoreddocs():
        everything = set(dataset.docs_store().ids())
        return lambda query_id: everything
    pools: dict[str, set[str]] = {}
    for pair in dataset.scoreddocs_iter():
        pools.setdefault(pair.query_id, set()).add(pair.doc_id)
    return lambda query_id: pools.get(query_id, set())


def _unknown(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    known = set(_query_ids(part))
    if answers and not any(answer.query_id in known for answer in answers):
        example = min(known)
        yield Finding("error", None, f"no query id of the run is known; in {part.id} they look like {example!r}")
        return
    candidates = _candidates(part)
    where = "the query's pool" if part.task not in ("task1", "task3") else "the collection"
    for answer in answers:
        if answer.query_id not in known:
            yield Finding("error", answer.line, f"unknown query {answer.query_id!r}")
        elif answer.docno not in candidates(answer.query_id):
            item = item_of(part, answer.docno)
            yield Finding("error", answer.line, f"{item!r} is not in {where} (query {answer.query_id})")


def _repeated(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    one_answer = part.task in ("task4", "prediction")
    first: dict[tuple[str, str], int] = {}
    for answer in answers:
        key = (answer.query_id, "" if one_answer else answer.docno)
        if key in first:
            what = "answered" if one_answer else f"answered with {item_of(part, answer.docno)!r}"
            level = "error" if one_answer else "warning"
            yield Finding(level, answer.line, f"query {answer.query_id} is {what} on line {first[key]} already")
        first.setdefault(key, answer.line)


def _unanswered(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    answered = {answer.query_id for answer in answers}
    missing = [query_id for query_id in _query_ids(part) if query_id not in answered]
    if missing and part.task != "rationale":  # there, no accepted claim is an answer too
        shown = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
        yield Finding("warning", None, f"{len(missing)} queries without an answer: {shown}")


def _itself(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    if part.task == "task1":
        for answer in answers:
            if answer.docno == answer.query_id:
                yield Finding("warning", answer.line, f"query {answer.query_id} is returned for itself")


def _too_many(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    if part.task != "task3":
        return
    seen: dict[str, int] = {}
    for answer in answers:
        seen[answer.query_id] = seen.get(answer.query_id, 0) + 1
        if seen[answer.query_id] == _MOST_ARTICLES + 1:
            yield Finding("error", answer.line, f"query {answer.query_id} has more than {_MOST_ARTICLES} articles")


def _tags(part: Part, answers: list[RunLine]) -> Iterator[Finding]:
    if part.task not in COLUMNS:
        return
    first: dict[str, int] = {}
    for answer in answers:
        first.setdefault(answer.tag, answer.line)
    for tag, line in first.items():
        if not _TAG.fullmatch(tag):
            yield Finding("warning", line, f"run tag {tag!r}: the organisers ask for 1 to 12 letters or digits")
    if len(first) > 1:
        yield Finding("error", None, f"{len(first)} different run tags: {', '.join(sorted(first))}")
