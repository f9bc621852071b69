"""Checks a run file before it is mailed, and reports everything at once."""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from ir_coliee.editions import Split, SubmissionForm, readable_splits
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError, printable, printable_list
from ir_coliee.evaluation.gold import candidates, query_ids
from ir_coliee.evaluation.runs import RunFile, RunLine, open_run, parse_run, queries_with_conflicting_ranks
from ir_coliee.evaluation.runs.format_rules import MAX_LIST_LENGTH, OFFICIAL_TAG
from ir_coliee.evaluation.task_evaluation import TaskEvaluation, task_evaluation
from ir_coliee.releases import torts
from ir_coliee.releases.layouts import number
from ir_coliee.releases.local_release import LocalRelease

_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")

Level = Literal["error", "warning", "note"]


class Finding(NamedTuple):
    """Something about a run.

    ``line`` is None for the whole file. ``kind`` is the same for findings that differ only in ids and numbers,
    and empty where there is one at most.
    """

    level: Level
    line: int | None
    message: str
    kind: str = ""


@dataclass(frozen=True)
class _Run:
    """A run that has been read: its answers, and the errors in place of lines that could not be."""

    split: Split
    file: RunFile
    entries: list[RunLine | MalformedFileError]

    @cached_property
    def answers(self) -> list[RunLine]:
        return [entry for entry in self.entries if isinstance(entry, RunLine)]

    @cached_property
    def of_query(self) -> dict[str, list[RunLine]]:
        found: dict[str, list[RunLine]] = defaultdict(list)
        for answer in self.answers:
            found[answer.query_id].append(answer)
        return found

    @cached_property
    def form(self) -> SubmissionForm:
        return self.split.submission

    @cached_property
    def task(self) -> TaskEvaluation:
        return task_evaluation(self.split)

    @cached_property
    def queries(self) -> list[str]:
        return query_ids(self.split)

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(self.queries)

    @cached_property
    def may_answer(self) -> Callable[[str], Collection[str]]:
        return candidates(self.split)

    @property
    def is_lines(self) -> bool:
        """Whether the file has the columns of its form, or others, and not JSON."""
        return bool(self.form.columns) and not self.file.is_json

    def item(self, answer: RunLine) -> str:
        """The item of an answer as a run file writes it."""
        return self.split.item_of(answer.docno)


def validate(split: Split, run: Path | RunFile) -> list[Finding]:
    """All findings about a run file for a split, in the order of the lines.

    An error is something the organisers' scoring would trip over or count against the run by mistake,
    a warning something that is allowed and seldom meant, a note what else should be known. The long list of task 3
    is checked like its answer set, the answers of 2026 as a run of `format_rules.answers_split`. What shows only
    beside other files is found by `ir_coliee.evaluation.runs.submission_validation.validate_submission`. Raises `MalformedFileError`
    where the file cannot be read at all.
    """
    file = open_run(run) if isinstance(run, Path) else run
    read = _Run(split, file, list(parse_run(split, file)))
    return _found(read, (_unread, _laid_out, *_CONTENT, _spelled, _ranked, _tagged))


def content_findings(split: Split, entries: list[RunLine | MalformedFileError]) -> list[Finding]:
    """Those findings that no other way of writing the same answers would mend."""
    return _found(_Run(split, RunFile(Path(), b""), entries), (_unread, *_CONTENT))


def _found(run: _Run, checks: Iterable[Callable[[_Run], Iterator[Finding]]]) -> list[Finding]:
    findings = [finding for check in checks for finding in check(run)]
    return sorted(findings, key=lambda finding: (finding.line is not None, finding.line or 0))


def _unread(run: _Run) -> Iterator[Finding]:
    for entry in run.entries:
        if isinstance(entry, MalformedFileError):
            yield Finding("error", entry.line, f"{entry.problem}. Expected: {entry.expected}", entry.problem)
    if run.form.columns and not run.entries:
        yield Finding("error", None, "the file has no answer")


# --- the bytes ---------------------------------------------------------------------------------------


def _laid_out(run: _Run) -> Iterator[Finding]:
    """ASCII, single blanks, line feeds: what the organisers ask of a file with columns."""
    data = run.file.content
    if data.startswith(b"\xef\xbb\xbf"):
        yield Finding("warning", 1, "the file begins with a byte order mark")
        data = data[3:]
    if b"\r" in data:
        line = 1 + data[: data.index(b"\r")].count(b"\n")
        yield Finding("warning", line, "lines end in CR; line feeds alone are wanted")
    if run.is_lines:
        yield from _columns(run, data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))
    elif run.form.columns:
        yield Finding("warning", 1, f"JSON; lines of {len(run.form.columns)} columns are wanted: {_wanted(run.form)}")
    elif run.answers or not run.entries:
        yield from _altered(run.split, run.file)


def _wanted(form: SubmissionForm) -> str:
    return " ".join(form.columns)


def _columns(run: _Run, lines: list[bytes]) -> Iterator[Finding]:
    foreign, apart, comments = [], [], []
    of_width: dict[int, list[int]] = defaultdict(list)
    read = {answer.line for answer in run.answers}
    for line, content in enumerate(lines, start=1):
        if not content.isascii():
            foreign.append(line)
        elif content != b" ".join(content.split()):
            apart.append(line)
        if content.strip().startswith(b"/*") and line not in read:
            comments.append(line)
        elif line in read:
            of_width[len(content.split())].append(line)
    yield from _first("warning", foreign, "a character that is not ASCII")
    yield from _first("warning", apart, "columns are to be separated by one blank each")
    yield from _first("error", comments, "a comment; the sample of the organisers has some, a run must not")
    for width, wrong in of_width.items():
        if width != len(run.form.columns):
            due = f"{len(run.form.columns)} are due: {_wanted(run.form)}"
            yield from _first("error", wrong, f"{width} columns, where {due}")


def _first(level: Level, lines: list[int], message: str) -> Iterator[Finding]:
    """One finding for all lines of a kind, at the first."""
    if lines:
        count = f" ({len(lines)} lines, this is the first)" if len(lines) > 1 else ""
        yield Finding(level, lines[0], message + count)


def _altered(split: Split, run: RunFile) -> Iterator[Finding]:
    """The pilot's answer file must be the test file with nothing but labels changed."""
    test_file = LocalRelease.open(split).file("instances")
    torts.parse_instances(test_file)  # the user's copy may be damaged too
    given = [_unlabelled(record) for record in torts.read_json_lines(test_file)]
    answered = torts.read_json_lines(run)
    for line, record in enumerate(answered, start=1):
        expected = given[line - 1] if line <= len(given) else None
        if expected is None or record["tort_id"] != expected["tort_id"]:
            wanted = f"instance {expected['tort_id']}" if expected else f"the end, after {len(given)} instances"
            message = f"here the test file has {wanted}, not {record['tort_id']!r}"
            yield Finding("error", line, message, "another instance")
        elif _unlabelled(record) != expected:
            message = f"instance {record['tort_id']} differs from the test file in more than labels"
            yield Finding("error", line, message, "differs")
    if absent := [record["tort_id"] for record in given[len(answered) :]]:
        yield Finding("error", None, f"the file ends before the instances {printable_list(absent)}")


def _unlabelled(record: dict[str, Any]) -> dict[str, Any]:
    sides = {side: [claim | {"is_accepted": None} for claim in record[side]] for side in torts.SIDES}
    return {**record, **sides, "court_decision": None, "version": None}


# --- the answers -------------------------------------------------------------------------------------


def _unknown(run: _Run) -> Iterator[Finding]:
    dropped = set(run.split.excluded)
    if answers := [answer for answer in run.answers if answer.query_id in dropped]:
        asked = printable_list(sorted({answer.query_id for answer in answers}))
        message = f"{len(answers)} answers to questions that the organisers dropped, which are ignored: {asked}"
        yield Finding("note", None, message)
    asked_otherwise = [answer.query_id for answer in run.answers if answer.query_id not in run.known | dropped]
    if asked_otherwise and not any(answer.query_id in run.known for answer in run.answers):
        message = f"no query id of the run is known; in {run.split.id} they look like {min(run.queries)!r}"
        yield Finding("error", None, message + _where_known(run.split, asked_otherwise))
        return
    spelled = {_ZEROS.sub("", query_id).upper(): query_id for query_id in run.queries}
    pooled = "the query's pool" if run.split.has_pools else "the collection"
    for answer in run.answers:
        if answer.query_id in dropped:
            continue
        if answer.query_id not in run.known:
            there = spelled.get(_ZEROS.sub("", answer.query_id).upper())
            hint = f"; ids are compared letter by letter, {there!r} is known" if there else ""
            yield Finding("error", answer.line, f"unknown query {answer.query_id!r}{hint}", "unknown query")
        elif answer.docno not in run.may_answer(answer.query_id):
            message = f"{run.item(answer)!r} is not in {pooled} (query {answer.query_id})"
            yield Finding("error", answer.line, message, "unknown item")


def _where_known(split: Split, asked: list[str]) -> str:
    """A hint at the split that has these queries, if one is at hand."""
    wanted = set(asked)
    family = split.task, split.language
    others = [other for other in readable_splits() if (other.task, other.language) == family and other.id != split.id]
    for other in others:
        if other.name in ("train", "test") and wanted.intersection(_queries_at_hand(other)):
            return f". {other.id} has such ids"
    return ""


def _queries_at_hand(split: Split) -> list[str]:
    """The query ids of a split whose copy is here and can be read: for a hint, what is wrong with it is no matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)
        try:
            return query_ids(split) if len(LocalRelease.open(split).files) == len(split.files) else []
        except (ColieeError, OSError):
            return []


def _repeated(run: _Run) -> Iterator[Finding]:
    """An item returned twice counts once; two different answers to one question cannot be scored."""
    for query_id, answers in run.of_query.items():
        lines: dict[str, int] = {}
        for answer in answers:
            if answer.docno in lines:
                given = f"query {query_id} is answered with {run.item(answer)!r} on line {lines[answer.docno]} already"
                yield Finding("warning", answer.line, given, "repeated")
            elif lines and run.task.single_answer:
                other = f"query {query_id} has another answer on line {answers[0].line}"
                yield Finding("error", answer.line, other, "another answer")
            lines.setdefault(answer.docno, answer.line)


def _unanswered(run: _Run) -> Iterator[Finding]:
    missing = [query_id for query_id in run.queries if query_id not in run.of_query]
    if missing and run.task.unanswered != "answer":
        named = ", ".join(map(printable, missing[:5])) + (", …" if len(missing) > 5 else "")
        yield Finding(run.task.unanswered, None, f"{len(missing)} queries without an answer: {named}")


def _itself(run: _Run) -> Iterator[Finding]:
    for answer in run.answers:
        if answer.docno == answer.query_id:
            yield Finding("warning", answer.line, f"query {answer.query_id} is returned for itself", "itself")


def _too_long(run: _Run) -> Iterator[Finding]:
    """Task 3: at most 100 articles a question."""
    if run.form.has_scores:
        for query_id, answers in run.of_query.items():
            if len(answers) > MAX_LIST_LENGTH:
                message = f"query {query_id} has more than {MAX_LIST_LENGTH} articles"
                yield Finding("error", answers[MAX_LIST_LENGTH].line, message, "too long")


_CONTENT = (_unknown, _repeated, _unanswered, _itself, _too_long)


# --- how they are written ----------------------------------------------------------------------------


def _spelled(run: _Run) -> Iterator[Finding]:
    """Ids that the tolerant reader understood, and that are not as the edition wants them."""
    if not run.is_lines:
        return
    oddities: dict[str, list[tuple[RunLine, str, str]]] = defaultdict(list)
    for answer in run.answers:
        if answer.query_id in run.known and answer.docno in run.may_answer(answer.query_id):
            official = run.form.format_query(answer.query_id), run.form.format_item(run.item(answer))
            for written, wanted in zip(answer.written, official):
                if written != wanted:
                    oddities[_oddity(written, wanted)].append((answer, written, wanted))
    for oddity, found in oddities.items():
        answer, written, wanted = found[0]
        level: Level = "error" if oddity == _LOST_ZEROS else "warning"  # it is another id to who compares names
        also = f" ({len(found)} ids, this is the first)" if len(found) > 1 else ""
        yield Finding(level, answer.line, f"{written!r} {oddity}: it is to be {wanted!r}{also}")


_LOST_ZEROS = "has lost its zeros"


def _oddity(written: str, wanted: str) -> str:
    if written.endswith(".txt"):
        return "ends in .txt"
    if number(written) == number(wanted) and len(written) < len(wanted):
        return _LOST_ZEROS
    return "is written otherwise"


def _ranked(run: _Run) -> Iterator[Finding]:
    """Ranks from 1, scores that fall: else the organisers' tools may order otherwise than the run does."""
    if not run.form.has_scores:
        return
    tied = []
    for answers in run.of_query.values():
        ranked = [answer for answer in answers if answer.rank]
        highest = float("inf")
        for place, answer in enumerate(ranked, start=1):
            if answer.rank != str(place):
                message = f"the rank is {answer.rank!r}, where {place} is due"
                yield Finding("warning", answer.line, message, "rank")
            if answer.score > highest:
                message = f"the score rises from {highest} to {answer.score}"
                yield Finding("warning", answer.line, message, "score rises")
            highest = answer.score
        tied += _tied(ranked)
    if tied:
        message = f"{len(tied)} scores equal another of their question: trec_eval orders those by article, not by rank"
        yield Finding("warning", min(tied), f"{message} (this is the first)" if len(tied) > 1 else message)
    if torn := queries_with_conflicting_ranks(run.answers):
        message = f"rank and score disagree in {len(torn)} questions, and the score counts: {printable_list(torn)}"
        yield Finding("warning", run.of_query[torn[0]][0].line, message)


def _tied(answers: list[RunLine]) -> list[int]:
    """The lines whose score, with the 32 bits that trec_eval keeps, has come before."""
    seen: set[np.float32] = set()
    lines = []
    for answer in answers:
        score = np.float32(answer.score)
        if score in seen:
            lines.append(answer.line)
        seen.add(score)
    return lines


def _tagged(run: _Run) -> Iterator[Finding]:
    if not run.is_lines:
        return
    first: dict[str, int] = {}
    for answer in run.answers:
        first.setdefault(answer.tag, answer.line)
    for tag, line in first.items():
        # the call of 2019 puts -L behind the tag of a long list
        if not OFFICIAL_TAG.fullmatch(tag.removesuffix("-L") if run.form.long_file else tag):
            message = f"run tag {printable(tag)!r}: the organisers ask for 1 to 12 letters or digits"
            yield Finding("warning", line, message, "run tag")
    if len(first) > 1:
        yield Finding("error", None, f"{len(first)} different run tags: {printable_list(sorted(first))}")
