"""Checks of how a run is written: bytes, columns, spelling of ids, ranks and scores, run tags."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.editions import Split
from ir_coliee.errors import printable, printable_list
from ir_coliee.evaluation.runs.answers import RunLine
from ir_coliee.evaluation.runs.format_rules import remark_on_tag
from ir_coliee.evaluation.runs.parsed_run import Finding, Level, ParsedRun, of_texts
from ir_coliee.evaluation.runs.reading import RunFile
from ir_coliee.releases import torts
from ir_coliee.releases.layouts import number
from ir_coliee.releases.local_release import LocalRelease

_RANK = re.compile("[1-9][0-9]{0,8}")


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
        yield from _check_columns(run, data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    elif run.file.header is not None:
        yield Finding("error", run.file.header.line, f"the file is a table with a header; expected {expected}")
    elif columns:
        yield Finding("warning", 1, f"the file is JSON; expected {expected}")
    elif data.strip() and not run.file.is_json:
        yield Finding("error", 1, f"the file has columns; expected {expected}")
    elif len(run.answers) or run.is_empty:
        yield from _compare_with_test_file(run.split, run.file)


def _check_columns(run: ParsedRun, data: bytes) -> Iterator[Finding]:
    columns = run.form.columns
    not_ascii, wrong_blanks, comments = [], [], []
    widths: dict[int, int] = {}
    is_right = re.compile(rb"(?!/\*)[!-~]+(?: [!-~]+){%d}\n?" % (len(columns) - 1)).fullmatch
    for line, content in enumerate(io.BytesIO(data), start=1):
        if is_right(content):
            continue
        content = content.removesuffix(b"\n")
        if not content.isascii():
            not_ascii.append(line)
        elif content != b" ".join(content.split()):
            wrong_blanks.append(line)
        if content.strip().startswith(b"/*"):
            comments.append(line)
        widths[line] = len(content.split())
    parsed = np.isin([*widths], run.answers.table["line"]).tolist()
    yield from _summarise("warning", not_ascii, "a character that is not ASCII")
    yield from _summarise("warning", wrong_blanks, "columns must be separated by single blanks")
    are_answers = dict(zip(widths, parsed))
    comments = [line for line in comments if not are_answers[line]]
    yield from _summarise("error", comments, "a comment; the organisers' sample has comments, but a run must not")
    lines_by_width: dict[int, list[int]] = defaultdict(list)
    for line, width in widths.items():
        if are_answers[line]:
            lines_by_width[width].append(line)
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
            message = f"the test file has {instance} here, got {printable(repr(record['tort_id']), 30)}"
            yield Finding("error", line, message, "another instance")
        elif _without_labels(record) != expected:
            message = f"instance {record['tort_id']} differs from the test file in more than its labels"
            yield Finding("error", line, message, "differs")
    if missing := [record["tort_id"] for record in expected_records[len(records) :]]:
        message = f"{len(missing)} instances are missing at the end of the file, from {printable(missing[0], 20)} on"
        yield Finding("error", None, message)


def _without_labels(record: dict[str, Any]) -> dict[str, Any]:
    sides = {side: [claim | {"is_accepted": None} for claim in record[side]] for side in torts.SIDES}
    return {**record, **sides, "court_decision": None, "version": None}


_LOST_ZEROS = "has lost its leading zeros"
_HAS_SUFFIX = "ends in .txt"
_WRITTEN = ("written_query", "written_item")


class _Deviation(NamedTuple):
    """A spelling of an id: the first row that has it, as query (0) or item (1), and the number of rows."""

    row: int
    place: int
    num_rows: int
    written: str
    expected: str


def check_spelling(run: ParsedRun) -> Iterator[Finding]:
    """Report ids that were recognised, but are not written as the edition requires."""
    if not run.has_columns:
        return
    rows = np.flatnonzero(run.is_known & run.is_candidate)

    def format_item(docno: str) -> str:
        return run.form.format_item(run.split.item_of(docno))

    found: dict[str, list[_Deviation]] = defaultdict(list)
    for place, (column, of_file, format_id) in enumerate(
        zip(("query_id", "docno"), _WRITTEN, (run.form.format_query, format_item))
    ):
        ids, names = run.answers.column(column)
        written, spellings = run.answers.column(of_file)
        pairs, first, counts = np.unique(
            ids[rows] * len(spellings) + written[rows], return_index=True, return_counts=True
        )
        for pair, row, count in zip(pairs.tolist(), rows[first].tolist(), counts.tolist()):
            expected, spelling = format_id(names[pair // len(spellings)]), spellings[pair % len(spellings)]
            if spelling != expected:
                kind = _describe_deviation(spelling, expected)
                found[kind].append(_Deviation(row, place, count, spelling, expected))
    for deviation, spelled in sorted(found.items(), key=lambda item: min(item[1])):
        # programs that compare names do not match
        is_error = deviation in (_LOST_ZEROS, _HAS_SUFFIX) or run.evaluation.single_answer
        level: Level = "error" if is_error else "warning"
        first_one, number_of_ids = min(spelled), sum(each.num_rows for each in spelled)
        more = f" ({number_of_ids} ids, this is the first)" if number_of_ids > 1 else ""
        line = int(run.answers.table["line"].to_numpy()[first_one.row])
        yield Finding(level, line, f"{first_one.written!r} {deviation}; write {first_one.expected!r}{more}")


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
    queries, _ = run.answers.column("query_id")
    ranks, written = run.answers.column("rank")
    order = np.argsort(queries, kind="stable")
    order = order[(run.answers.table["rank"] != "").to_numpy()[order]]  # the rows with a rank, by query
    scores = run.answers.table["score"].to_numpy()[order]
    follows = np.append(False, queries[order][1:] == queries[order][:-1])[: len(order)]
    expected = np.zeros(len(queries), dtype=np.int64)
    places = np.arange(len(order))
    expected[order] = places - np.maximum.accumulate(np.where(follows, 0, places)) + 1
    previous = np.zeros(len(queries))
    previous[order[1:]] = scores[:-1]
    numbers = np.array([_rank(rank) for rank in written], dtype=np.int64)[ranks]
    wrong = np.sort(order[numbers[order] != expected[order]])

    def wrong_rank(answer: RunLine, row: int) -> str:
        return f"the rank is {answer.rank!r}, expected {expected[row]}"

    def rises(answer: RunLine, row: int) -> str:
        return f"the score rises from {float(previous[row])} to {answer.score}"

    yield from run.findings(wrong, "warning", "rank", wrong_rank)
    rising = np.sort(order[follows & (scores > previous[order])])
    yield from run.findings(rising, "warning", "score rises", rises)
    pairs = pd.DataFrame({"query": queries[order], "score": scores.astype(np.float32)})  # the 32 bits of trec_eval
    tied = run.answers.table["line"].to_numpy()[order[pairs.duplicated().to_numpy()]]
    if len(tied):
        message = f"{len(tied)} tied scores; trec_eval orders tied articles by id, not by rank"
        yield Finding("warning", int(tied.min()), f"{message} (this is the first)" if len(tied) > 1 else message)
    if conflicting := run.answers.queries_with_conflicting_ranks():
        named = printable_list(conflicting)
        message = f"ranks contradict scores in {len(conflicting)} questions ({named}); the scores are used"
        is_first = (run.answers.table["query_id"] == conflicting[0]).to_numpy()
        yield Finding("warning", int(run.answers.table["line"].to_numpy()[is_first.argmax()]), message)


def _rank(written: str) -> int:
    """Return a rank that is written as this package would write it as a number, and -1 for any other."""
    return int(written) if _RANK.fullmatch(written) else -1


def check_tags(run: ParsedRun) -> Iterator[Finding]:
    """Report unofficial run tags, and files with more than one."""
    if not run.has_columns:
        return
    numbers, tags = run.answers.column("tag")
    first = np.sort(np.unique(run.answers.first_rows("tag")))
    # the call of 2019 appends -L to the tag of a long list
    remarks = [remark_on_tag(tag.removesuffix("-L") if run.form.long_file else tag) for tag in tags]
    is_remarkable = of_texts(remarks, bool)
    rows = first[is_remarkable[numbers[first]]]
    yield from run.findings(rows, "warning", "run tag", lambda _answer, row: remarks[numbers[row]])
    if len(tags) > 1:
        yield Finding("error", None, f"{len(tags)} different run tags: {printable_list(sorted(tags))}")


#: The checks of how the answers are written.
FORMAT_CHECKS = (check_spelling, check_ranks_and_scores, check_tags)
