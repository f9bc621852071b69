"""Checks of how a run is written: bytes, columns, spelling of ids, ranks and scores, run tags."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from ir_coliee.editions import Split
from ir_coliee.errors import printable_list
from ir_coliee.evaluation.runs.format_rules import remark_on_tag
from ir_coliee.evaluation.runs.parsed_run import Finding, Level, ParsedRun
from ir_coliee.evaluation.runs.reading import RunFile, RunLine, queries_with_conflicting_ranks
from ir_coliee.releases import torts
from ir_coliee.releases.layouts import number
from ir_coliee.releases.local_release import LocalRelease


def check_file(run: ParsedRun) -> Iterator[Finding]:
    """Report deviations from what the organisers require of the file: ASCII, single blanks, line feeds."""
    data = run.file.content
    if data.startswith(b"\xef\xbb\xbf"):
        yield Finding("warning", 1, "the file begins with a byte order mark")
        data = data[3:]
    if b"\r" in data:
        line = 1 + data[: data.index(b"\r")].count(b"\n")
        yield Finding("warning", line, "lines end in CR; use line feeds only")
    if run.file.compression:
        yield Finding("error", None, f"the file is compressed ({run.file.compression}); expected a text file")
    columns = run.form.columns
    expected = f"lines of {len(columns)} columns: {' '.join(columns)}" if columns else "the filled-in test file"
    if run.has_columns:
        yield from _check_columns(run, data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))
    elif run.file.header is not None:
        yield Finding("error", run.file.header.line, f"the file is a table with a header; expected {expected}")
    elif columns:
        yield Finding("warning", 1, f"the file is JSON; expected {expected}")
    elif data.strip() and not run.file.is_json:
        yield Finding("error", 1, f"the file has columns; expected {expected}")
    elif run.answers or not run.entries:
        yield from _compare_with_test_file(run.split, run.file)


def _check_columns(run: ParsedRun, lines: list[bytes]) -> Iterator[Finding]:
    columns = run.form.columns
    not_ascii, wrong_blanks, comments = [], [], []
    lines_by_width: dict[int, list[int]] = defaultdict(list)
    parsed = {answer.line for answer in run.answers}
    for line, content in enumerate(lines, start=1):
        if not content.isascii():
            not_ascii.append(line)
        elif content != b" ".join(content.split()):
            wrong_blanks.append(line)
        if content.strip().startswith(b"/*") and line not in parsed:
            comments.append(line)
        elif line in parsed:
            lines_by_width[len(content.split())].append(line)
    yield from _summarise("warning", not_ascii, "a character that is not ASCII")
    yield from _summarise("warning", wrong_blanks, "columns must be separated by single blanks")
    yield from _summarise("error", comments, "a comment; the organisers' sample has comments, but a run must not")
    for width, wrong in lines_by_width.items():
        if width != len(columns):
            message = f"{width} columns, expected {len(columns)}: {' '.join(columns)}"
            yield from _summarise("error", wrong, message)


def _summarise(level: Level, lines: list[int], message: str) -> Iterator[Finding]:
    """Yield one finding for all lines with the same problem, at the first of them."""
    if lines:
        count = f" ({len(lines)} lines, this is the first)" if len(lines) > 1 else ""
        yield Finding(level, lines[0], message + count)


def _compare_with_test_file(split: Split, run: RunFile) -> Iterator[Finding]:
    """Report differences, other than labels, between an answer file of the pilot and the test file."""
    test_file = LocalRelease.open(split).file("instances")
    torts.parse_instances(test_file)  # reports a damaged local release
    expected_records = [_without_labels(record) for record in torts.read_json_lines(test_file)]
    records = torts.read_json_lines(run)
    for line, record in enumerate(records, start=1):
        expected = expected_records[line - 1] if line <= len(expected_records) else None
        if expected is None or record["tort_id"] != expected["tort_id"]:
            instance = f"instance {expected['tort_id']}" if expected else f"no more than {len(expected_records)} lines"
            message = f"the test file has {instance} here, got {record['tort_id']!r}"
            yield Finding("error", line, message, "another instance")
        elif _without_labels(record) != expected:
            message = f"instance {record['tort_id']} differs from the test file in more than its labels"
            yield Finding("error", line, message, "differs")
    if missing := [record["tort_id"] for record in expected_records[len(records) :]]:
        yield Finding("error", None, f"instances are missing at the end of the file: {printable_list(missing)}")


def _without_labels(record: dict[str, Any]) -> dict[str, Any]:
    sides = {side: [claim | {"is_accepted": None} for claim in record[side]] for side in torts.SIDES}
    return {**record, **sides, "court_decision": None, "version": None}


_LOST_ZEROS = "has lost its leading zeros"
_HAS_SUFFIX = "ends in .txt"


def check_spelling(run: ParsedRun) -> Iterator[Finding]:
    """Report ids that were recognised, but are not written as the edition requires."""
    if not run.has_columns:
        return
    deviations: dict[str, list[tuple[RunLine, str, str]]] = defaultdict(list)
    for answer in run.answers:
        if answer.query_id in run.known_queries and answer.docno in run.candidates(answer.query_id):
            official = run.form.format_query(answer.query_id), run.form.format_item(run.item(answer))
            for written, expected in zip(answer.written, official):
                if written != expected:
                    deviations[_describe_deviation(written, expected)].append((answer, written, expected))
    for deviation, found in deviations.items():
        answer, written, expected = found[0]
        # programs that compare names do not match
        is_error = deviation in (_LOST_ZEROS, _HAS_SUFFIX) or run.evaluation.single_answer
        level: Level = "error" if is_error else "warning"
        count = f" ({len(found)} ids, this is the first)" if len(found) > 1 else ""
        yield Finding(level, answer.line, f"{written!r} {deviation}; write {expected!r}{count}")


def _describe_deviation(written: str, expected: str) -> str:
    if written.endswith(".txt"):
        return _HAS_SUFFIX
    if number(written) == number(expected) and len(written) < len(expected):
        return _LOST_ZEROS
    return "is spelled differently"


def check_ranks_and_scores(run: ParsedRun) -> Iterator[Finding]:
    """Report ranks that do not count from 1, and scores that rise, tie or contradict the ranks."""
    if not run.form.has_scores:
        return
    tied = []
    for answers in run.answers_by_query.values():
        ranked = [answer for answer in answers if answer.rank]
        previous = float("inf")
        for rank, answer in enumerate(ranked, start=1):
            if answer.rank != str(rank):
                yield Finding("warning", answer.line, f"the rank is {answer.rank!r}, expected {rank}", "rank")
            if answer.score > previous:
                message = f"the score rises from {previous} to {answer.score}"
                yield Finding("warning", answer.line, message, "score rises")
            previous = answer.score
        tied += _lines_with_tied_scores(ranked)
    if tied:
        message = f"{len(tied)} tied scores; trec_eval orders tied articles by id, not by rank"
        yield Finding("warning", min(tied), f"{message} (this is the first)" if len(tied) > 1 else message)
    if queries := queries_with_conflicting_ranks(run.answers):
        message = (
            f"ranks contradict scores in {len(queries)} questions ({printable_list(queries)}); the scores are used"
        )
        yield Finding("warning", run.answers_by_query[queries[0]][0].line, message)


def _lines_with_tied_scores(answers: list[RunLine]) -> list[int]:
    """Return the lines whose score, in the 32 bits of trec_eval, has occurred before."""
    seen: set[np.float32] = set()
    lines = []
    for answer in answers:
        score = np.float32(answer.score)
        if score in seen:
            lines.append(answer.line)
        seen.add(score)
    return lines


def check_tags(run: ParsedRun) -> Iterator[Finding]:
    """Report unofficial run tags, and files with more than one."""
    if not run.has_columns:
        return
    first_lines: dict[str, int] = {}
    for answer in run.answers:
        first_lines.setdefault(answer.tag, answer.line)
    for tag, line in first_lines.items():
        # the call of 2019 appends -L to the tag of a long list
        if remark := remark_on_tag(tag.removesuffix("-L") if run.form.long_file else tag):
            yield Finding("warning", line, remark, "run tag")
    if len(first_lines) > 1:
        yield Finding("error", None, f"{len(first_lines)} different run tags: {printable_list(sorted(first_lines))}")


#: The checks of how the answers are written.
FORMAT_CHECKS = (check_spelling, check_ranks_and_scores, check_tags)
