"""The rules that the answers of a run obey, for `score`, `validate` and `submit`, and the rules of official files."""

from __future__ import annotations

import codecs
import functools
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.editions import Dataset, Split, as_split, readable_splits
from ir_coliee.errors import (
    ColieeError,
    ColieeWarning,
    MalformedFileError,
    MalformedRunError,
    printable,
    printable_list,
)
from ir_coliee.evaluation.gold import are_candidates, candidates, has_documents, query_ids, task_evaluation
from ir_coliee.evaluation.runs import (
    MAX_LIST_LENGTH,
    Answers,
    LoadedRun,
    Run,
    RunFile,
    allows_rankings,
    answers_of,
    load_run,
    load_run_file,
    open_run,
    remark_on_tag,
)
from ir_coliee.frames import Booleans, Integers, shown
from ir_coliee.releases import torts
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.search import as_number

Level = Literal["error", "warning", "note"]

_FINDINGS_LISTED = 1000  # of a kind
_QUERIES_NAMED = 5
_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


class Finding(NamedTuple):
    """A finding about a run.

    Attributes
    ----------
    level : {"error", "warning", "note"}
        An error breaks the organisers' scoring or counts against the run by mistake; a warning is allowed but
        seldom intended; a note is information.
    line : int or None
        The line, counted from 1; None for the whole file.
    message : str
        The finding, without a full stop.
    kind : str
        The kind of finding: equal for findings that differ only in ids and numbers. Empty if a file has at most one
        such finding.
    num_lines : int
        The number of lines: 1, but of more than a thousand findings of a kind the last one stands for all others.
    """

    level: Level
    line: int | None
    message: str
    kind: str = ""
    num_lines: int = 1


def _normalise(query_id: str) -> str:
    return _LEADING_ZEROS.sub("", query_id).upper()


class RunChecker:
    """The queries and candidates of a split, which are read only once, and the checks of its runs before scoring.

    Parameters
    ----------
    split : Split
        The split that the runs answer.
    """

    def __init__(self, split: Split) -> None:
        self.split = split
        self.evaluation = task_evaluation(split)

    @cached_property
    def query_ids(self) -> list[str]:
        """The query ids of the split."""
        return query_ids(self.split)

    @cached_property
    def has_documents(self) -> bool:
        """Whether the documents of the split are at hand, so that the items of a run can be checked."""
        return has_documents(self.split)

    @cached_property
    def candidates(self) -> Callable[[str], Collection[str]]:
        """Function from a query id to the items that may answer it; the documents must be at hand."""
        return candidates(self.split)

    @cached_property
    def _spellings(self) -> dict[str, str]:
        return {_normalise(query_id): query_id for query_id in self.query_ids}

    def similar(self, query_id: str) -> str | None:
        """Return the query id that differs from an id only in leading zeros and capital letters."""
        return self._spellings.get(_normalise(query_id))

    def load(self, run: Run) -> tuple[LoadedRun, list[str]]:
        """Load a run of any form and check it.

        Returns
        -------
        loaded : LoadedRun
            The run.
        notes : list of str
            Notes on answers that are ignored or counted as wrong.

        Raises
        ------
        MalformedFileError
            If the run is a file that cannot be read. The pilot's own file must have each instance of the test file.
        MalformedRunError
            As raised by `check`.
        """
        if not isinstance(run, (str, Path)):
            loaded = load_run(self.split, run)
            return loaded, self.check(loaded.frame)
        file = open_run(Path(run))
        loaded = load_run_file(self.split, file)
        if not self.split.submission.columns and file.is_json:
            for finding in validate(self.split, file):
                if finding.level == "error":
                    expected = "the test file with its null values filled in"
                    raise MalformedFileError(file, finding.line, finding.message, expected)
        try:
            return loaded, self.check(loaded.frame) + loaded.notes
        except MalformedRunError as error:
            raise MalformedRunError(f"{run}: {error}") from None

    def check(self, run: pd.DataFrame) -> list[str]:
        """Check a run that has been loaded, by `RULES`, and return notes on answers that are ignored or wrong.

        Parameters
        ----------
        run : pandas.DataFrame
            The columns qid, docno and score.

        Raises
        ------
        MalformedRunError
            If fewer than half of its query ids are known, if a label is not valid, or if a question with a single
            answer has two different ones.
        """
        checked = CheckedRun(self, run)
        self._check_query_ids(checked)
        numbers = {}
        for rule in RULES:
            rows = np.flatnonzero(rule.is_broken(checked))
            if len(rows) and self.evaluation.single_answer and rule.kind in ("unknown item", "another answer"):
                problem = rule.message(checked, int(rows[0]))
                raise MalformedRunError(f"{problem}.\nGive one valid answer to each question.")
            numbers[rule.in_score] = len(rows)
        return [f"{description}: {number}" for description, number in numbers.items() if description and number]

    def _check_query_ids(self, run: CheckedRun) -> None:
        unknown = run.table["qid"][run.is_unknown]
        if 2 * unknown.nunique() > run.table["qid"].nunique():
            share = "None" if unknown.nunique() == run.table["qid"].nunique() else "Fewer than half"
            raise MalformedRunError(
                f"{share} of the run's query ids are known.\nIds of {self.split.id} look like "
                f"{min(self.query_ids)!r}, those of the run like {shown(unknown.iloc[0])}"
                f"{hint_at_split(self.split, unknown)}."
            )


@dataclass(frozen=True, eq=False)
class CheckedRun:
    """A run and its split, of which the rules need these properties.

    Attributes
    ----------
    checker : RunChecker
        The split.
    table : pandas.DataFrame
        A row for each answer, with at least the columns qid and docno; those of `Answers` for the rules of a file.
    """

    checker: RunChecker
    table: pd.DataFrame
    _first_lines: dict[tuple[str, ...], Integers] = field(default_factory=dict, repr=False)

    @property
    def split(self) -> Split:
        """The split that the run answers."""
        return self.checker.split

    @cached_property
    def is_excluded(self) -> Booleans:
        """Whether each answer is to a question that the organisers excluded."""
        return self.table["qid"].isin(self.split.excluded).to_numpy()

    @cached_property
    def is_known(self) -> Booleans:
        """Whether the split has the query of each answer."""
        return self.table["qid"].isin(self.checker.query_ids).to_numpy()

    @cached_property
    def is_unknown(self) -> Booleans:
        """Whether the split neither has nor had the query of each answer."""
        unknown: Booleans = ~self.is_excluded & ~self.is_known
        return unknown

    @cached_property
    def is_candidate(self) -> Booleans:
        """Whether each answer may answer its query; without the documents, nothing else can be said of any answer."""
        if not self.checker.has_documents:
            return np.ones(len(self.table), dtype=np.bool_)
        return are_candidates(self.checker.candidates, self.table["qid"], self.table["docno"])

    @cached_property
    def is_repeated(self) -> Booleans:
        """Whether an earlier answer is the same."""
        return self.table.duplicated(["qid", "docno"]).to_numpy()

    @cached_property
    def queries(self) -> list[str]:
        """The query of each answer."""
        return self.table["qid"].tolist()

    def item(self, row: int) -> str:
        """Return the item of an answer as a run file writes it."""
        return self.split.item_of(str(self.table["docno"].iat[row]))

    def place_of_first(self, row: int, *columns: str) -> str:
        """Return the line of the first answer that has the same values in these columns, if the run has lines."""
        if "line" not in self.table:
            return ""
        if columns not in self._first_lines:
            self._first_lines[columns] = self.table.groupby([*columns])["line"].transform("first").to_numpy()
        return f" on line {self._first_lines[columns][row]}"

    @cached_property
    def lines(self) -> list[int]:
        """The line of each answer."""
        return self.table["line"].tolist()

    def findings(self, level: Level, kind: str, rows: Integers, message: Callable[[int], str]) -> Iterator[Finding]:
        """Yield a finding for each of these answers, of more than a thousand for the first thousand and one."""
        for place, row in enumerate(rows[: _FINDINGS_LISTED + 1].tolist()):
            count = len(rows) - _FINDINGS_LISTED if place == _FINDINGS_LISTED else 1
            yield Finding(level, self.lines[row], message(row), kind, count)


# The rules of the answers, independent of how they are written: they hold for `score`, `validate` and `submit`.


class Rule(NamedTuple):
    """A rule that the answers of a run obey.

    Attributes
    ----------
    kind : str
        The kind of the findings about answers that break it.
    level : {"error", "warning", "note"}
        How serious that is in a submission; a note is one finding for all answers.
    is_broken : callable
        Function from a `CheckedRun` to whether each answer breaks the rule.
    message : callable
        Function from a `CheckedRun` and the row of an answer that breaks the rule to what is wrong.
    in_score : str
        What is said of these answers, with their number, when the run is scored; empty if nothing is.
    """

    kind: str
    level: Level
    is_broken: Callable[[CheckedRun], Booleans]
    message: Callable[[CheckedRun, int], str]
    in_score: str = ""


def _unknown_query(run: CheckedRun, row: int) -> str:
    query_id = run.queries[row]
    hint = f"; ids must match exactly, {similar!r} is known" if (similar := run.checker.similar(query_id)) else ""
    return f"unknown query {query_id!r}{hint}"


def _unknown_item(run: CheckedRun, row: int) -> str:
    if run.checker.evaluation.single_answer:
        expected = " or ".join(sorted(run.checker.candidates(run.queries[row])))
        return f"{shown(run.item(row), 30)} is not a valid answer to question {run.queries[row]}, expected {expected}"
    pool = "the query's pool" if run.split.has_pools else "the collection"
    return f"{run.item(row)!r} is not in {pool} (query {run.queries[row]})"


def _is_second(run: CheckedRun) -> Booleans:
    is_second: Booleans = ~run.is_repeated & run.table.duplicated("qid").to_numpy()
    return is_second & run.checker.evaluation.single_answer


def _is_too_long(run: CheckedRun) -> Booleans:
    is_next = (run.table.groupby("qid", observed=True).cumcount() == MAX_LIST_LENGTH).to_numpy(dtype=np.bool_)
    return is_next & run.split.submission.has_scores


#: The rules of the answers of a run.
RULES = (
    Rule(
        "excluded",
        "note",
        lambda run: run.is_excluded,
        lambda run, row: f"question {run.queries[row]}",
        "answers to questions that the organisers excluded, ignored",
    ),
    Rule("unknown query", "error", lambda run: run.is_unknown, _unknown_query, "answers to unknown queries, ignored"),
    Rule(
        "unknown item",
        "error",
        lambda run: run.is_known & ~run.is_candidate & ~run.is_repeated,
        _unknown_item,
        "answers that are not candidates of their query, counted as wrong",
    ),
    Rule(
        "repeated",
        "warning",
        lambda run: run.is_repeated,
        lambda run, row: (
            f"query {run.queries[row]} already has the answer {run.item(row)!r}"
            f"{run.place_of_first(row, 'qid', 'docno')}"
        ),
        "repeated answers, counted once",
    ),
    Rule(
        "another answer",
        "error",
        _is_second,
        lambda run, row: f"query {run.queries[row]} has another answer{run.place_of_first(row, 'qid')}",
    ),
    Rule(
        "itself",
        "warning",
        lambda run: (run.table["qid"] == run.table["docno"]).to_numpy(),
        lambda run, row: f"query {run.queries[row]} is returned for itself",
    ),
    Rule(
        "too long",
        "error",
        _is_too_long,
        lambda run, row: f"query {run.queries[row]} has more than {MAX_LIST_LENGTH} articles",
    ),
)


def _content_findings(run: CheckedRun, errors: Sequence[MalformedFileError]) -> Iterator[Finding]:
    """Yield what is wrong with the answers of a run, however they are written."""
    checker = run.checker
    if run.split.submission.columns and not len(run.table) and not errors:
        yield Finding("error", None, "the file has no answer")
    for error in errors:
        yield Finding("error", error.line, f"{error.problem}. Expected: {error.expected}", error.problem)
    is_foreign = run.is_unknown.any() and not run.is_known.any()
    if is_foreign:
        example = f"ids of {run.split.id} look like {min(checker.query_ids)!r}"
        hint = hint_at_split(run.split, run.table["qid"][run.is_unknown])
        yield Finding("error", None, f"no query id of the run is known; {example}{hint}")
    elif not checker.has_documents and len(run.table):
        yield Finding("note", None, "the documents are not at hand, so unknown items were not looked for")
    for rule in RULES:
        rows = np.flatnonzero(rule.is_broken(run))
        if len(rows) and rule.level == "note":
            named = printable_list(sorted({run.queries[row] for row in rows.tolist()}))
            yield Finding("note", None, f"{len(rows)} {rule.in_score}: {named}")
        elif not is_foreign or rule.kind != "unknown query":
            yield from run.findings(rule.level, rule.kind, rows, functools.partial(rule.message, run))
    answered = {*run.queries}
    missing = [query_id for query_id in checker.query_ids if query_id not in answered]
    if missing and checker.evaluation.unanswered != "answer":
        named = ", ".join(map(printable, missing[:_QUERIES_NAMED])) + (", …" if len(missing) > _QUERIES_NAMED else "")
        yield Finding(checker.evaluation.unanswered, None, f"{len(missing)} queries without an answer: {named}")


def hint_at_split(split: Split, query_ids_of_run: Iterable[str]) -> str:
    """Return a hint at another split of the task that has these queries, if its local release can be read."""
    unknown = set(query_ids_of_run)
    family = split.task, split.language
    for other in sorted(readable_splits(), key=lambda other: other.edition != split.edition):
        is_candidate = (other.task, other.language) == family and other.id != split.id
        if is_candidate and other.name in ("train", "test") and unknown.intersection(_local_query_ids(other)):
            return f". {other.id} has such ids"
    return ""


def _local_query_ids(split: Split) -> list[str]:
    """Return the query ids of a split, or nothing if its local release is missing or damaged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)
        try:
            return query_ids(split)
        except (ColieeError, OSError):
            return []


# The rules of an official file: bytes, columns, spelling of ids, ranks and scores, run tags.


def _file_findings(run: CheckedRun, file: RunFile, answers: Answers) -> Iterator[Finding]:
    """Yield deviations from the form that the organisers require of the file."""
    form = run.split.submission
    columns = f"lines of {len(form.columns)} columns: {' '.join(form.columns)}"
    expected = columns if form.columns else "the filled-in test file"
    yield from _byte_findings(file)
    yield from _rank_findings(run, answers) if form.has_scores else ()
    if file.header is not None:
        yield Finding("error", file.header.line, f"the file is a table with a header; expected {expected}")
    elif file.is_json and form.columns:
        yield Finding("warning", 1, f"the file is JSON; expected {expected}")
    elif form.columns:
        yield from (*_column_findings(run, file), *_spelling_findings(run), *_tag_findings(run))
    elif file.content.strip() and not file.is_json:
        yield Finding("error", 1, f"the file has columns; expected {expected}")
    elif not answers.errors:
        yield from _compare_with_test_file(run.split, file)


def _byte_findings(file: RunFile) -> Iterator[Finding]:
    if file.content.startswith(codecs.BOM_UTF8):
        yield Finding("warning", 1, "the file begins with a byte order mark")
    if b"\r" in file.content:
        line = 1 + file.content[: file.content.index(b"\r")].count(b"\n")
        yield Finding("warning", line, "lines end in CR; use line feeds only")
    if file.compression:
        yield Finding("error", None, f"the file is compressed ({file.compression}); expected a text file")


def _column_findings(run: CheckedRun, file: RunFile) -> Iterator[Finding]:
    """Yield lines that do not have the columns of the form, separated by single blanks and in ASCII."""
    columns = run.split.submission.columns
    lines = file.content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    is_right = re.compile(rb"(?!/\*)[!-~]+(?: [!-~]+){%d}" % (len(columns) - 1)).fullmatch
    found: dict[tuple[Level, str], list[int]] = defaultdict(list)
    are_answers = {*run.table["line"].tolist()}
    for number, line in enumerate(lines, start=1):
        if is_right(line):
            continue
        width, is_answer = len(line.split()), number in are_answers
        if not line.isascii():
            found["warning", "a character that is not ASCII"].append(number)
        elif line != b" ".join(line.split()):
            found["warning", "columns must be separated by single blanks"].append(number)
        if line.strip().startswith(b"/*") and not is_answer:
            comment = "a comment; the organisers' sample has comments, but a run must not"
            found["error", comment].append(number)
        if is_answer and width != len(columns):
            found["error", f"{width} columns, expected {len(columns)}: {' '.join(columns)}"].append(number)
    for (level, message), numbers in found.items():
        more = f" ({len(numbers)} lines, this is the first)" if len(numbers) > 1 else ""
        yield Finding(level, numbers[0], message + more)


def _compare_with_test_file(split: Split, run: RunFile) -> Iterator[Finding]:
    """Yield differences, other than labels, between an answer file of the pilot and the test file."""
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
_SPELLED = ("line", "written_query", "qid", "written_item", "docno")


def _spelling_findings(run: CheckedRun) -> Iterator[Finding]:
    """Yield ids that were recognised, but are not written as the edition requires, one finding for each deviation."""
    form, known = run.split.submission, run.table[run.is_known & run.is_candidate]
    found: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    format_query = functools.cache(form.format_query)
    format_item = functools.cache(lambda docno: form.format_item(run.split.item_of(docno)))
    for line, query, qid, item, docno in zip(*(known[column].tolist() for column in _SPELLED)):
        for written, expected in ((query, format_query(qid)), (item, format_item(docno))):
            if written != expected:
                found[_deviation(written, expected)].append((line, written, expected))
    for deviation, spelled in sorted(found.items(), key=lambda item: item[1][0][0]):
        # programs that compare names do not match
        is_error = deviation in (_LOST_ZEROS, _HAS_SUFFIX) or run.checker.evaluation.single_answer
        line, written, expected = spelled[0]
        more = f" ({len(spelled)} ids, this is the first)" if len(spelled) > 1 else ""
        yield Finding("error" if is_error else "warning", line, f"{written!r} {deviation}; write {expected!r}{more}")


def _deviation(written: str, expected: str) -> str:
    if written.endswith(".txt"):
        return _HAS_SUFFIX
    if as_number(written) == as_number(expected) and len(written) < len(expected):
        return _LOST_ZEROS
    return "is spelled differently"


def _rank_findings(run: CheckedRun, answers: Answers) -> Iterator[Finding]:
    """Yield ranks that do not count from 1, and scores that rise, tie or contradict the ranks."""
    table = run.table.assign(row=np.arange(len(run.table)))[run.table["rank"] != ""]
    of_query = table.groupby("qid", sort=False)
    expected = of_query.cumcount() + 1
    previous = of_query["score"].shift()

    def wrong_rank(row: int) -> str:
        return f"the rank is {run.table['rank'].iat[row]!r}, expected {expected[row]}"

    def rises(row: int) -> str:
        return f"the score rises from {previous[row]} to {run.table['score'].iat[row]}"

    is_wrong = table["rank"] != expected.astype(str)
    yield from run.findings("warning", "rank", table["row"][is_wrong].to_numpy(), wrong_rank)
    yield from run.findings("warning", "score rises", table["row"][table["score"] > previous].to_numpy(), rises)
    is_tied = pd.DataFrame({"qid": table["qid"], "score": table["score"].astype(np.float32)}).duplicated()
    if number := int(is_tied.sum()):  # the 32 bits of trec_eval
        message = f"{number} tied scores; trec_eval orders tied articles by id, not by rank"
        first = " (this is the first)" if number > 1 else ""
        yield Finding("warning", int(table["line"][is_tied].min()), message + first)
    if conflicting := answers.queries_with_conflicting_ranks():
        named = printable_list(conflicting)
        message = f"ranks contradict scores in {len(conflicting)} questions ({named}); the scores are used"
        yield Finding("warning", run.lines[run.queries.index(conflicting[0])], message)


def _tag_findings(run: CheckedRun) -> Iterator[Finding]:
    """Yield unofficial run tags, and that a file has more than one."""
    first = run.table.drop_duplicates("tag")
    tags = first["tag"].tolist()
    for tag, line in zip(tags, first["line"].tolist()):
        # the call of 2019 appends -L to the tag of a long list
        if remark := remark_on_tag(tag.removesuffix("-L") if run.split.submission.long_file else tag):
            yield Finding("warning", line, remark, "run tag")
    if len(tags) > 1:
        yield Finding("error", None, f"{len(tags)} different run tags: {printable_list(sorted(tags))}")


# Validate a run file before it is submitted, and report all findings at once.


def validate(dataset: Dataset, run: Run | RunFile) -> list[Finding]:
    """Validate a run file, or the answers of a run in memory.

    Findings that concern several files of a submission come from
    `ir_coliee.evaluation.submission.validate_submission`.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers. The long list of task 3 is validated like its answer set, the answers Y and N
        of 2026 as a run of `ir_coliee.evaluation.runs.answers_split`.
    run : path, RunFile, pandas.DataFrame or dict
        The run file. A run in memory has no form, so only its answers are validated.

    Returns
    -------
    list of Finding
        In the order of the lines, findings about the whole file first.

    Raises
    ------
    MalformedFileError
        If the file cannot be opened.
    """
    split = as_split(dataset)
    if not isinstance(run, (str, Path, RunFile)):
        return content_findings(split, answers_of(split, run))
    file = run if isinstance(run, RunFile) else open_run(Path(run))
    answers = file.answers(split)
    checked = CheckedRun(RunChecker(split), answers.table)
    return _sorted([*_content_findings(checked, answers.errors), *_file_findings(checked, file, answers)])


def content_findings(split: Split, answers: Answers) -> list[Finding]:
    """Return the findings about answers that remain if the answers are written in the official form."""
    return _sorted(_content_findings(CheckedRun(RunChecker(split), answers.table), answers.errors))


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (finding.line is not None, finding.line or 0))


# Warnings about a run that are shown before its figures: what is incomplete or probably not meant to be scored.


_MANY_TIMES = 3  # a file with scores and this many times the items of the gold may be a ranking
_RANKING_SIZE = 20  # items per query from which a run looks like a ranking; real answer sets have up to five


def remark_on_size(split: Split, items: int, queries: int) -> str:
    """Return why a run that looks like a ranking is no good answer set; an empty string for any other run.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    items, queries : int
        The numbers of answers and of answered queries.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> remark_on_size(split("coliee/task1/sample/test"), 100, 5)
    '20 items per query look like a ranking: every item counts as an answer, so cut it first (ir_coliee cut)'
    >>> remark_on_size(split("coliee/task1/sample/test"), 99, 5)
    ''
    """
    if items < _RANKING_SIZE * queries or not queries:
        return ""
    reason = "every item counts as an answer, so cut it first (ir_coliee cut)"
    if allows_rankings(split):
        reason = "accuracy does not penalise superfluous articles, but F2 does, which breaks ties"
    return f"{items / queries:.0f} items per query look like a ranking: {reason}"


def warnings_on_run(checker: RunChecker, answers: pd.DataFrame, gold: pd.DataFrame) -> list[str]:
    """Return a warning for each sign that a run is incomplete or was not meant as an answer set.

    Parameters
    ----------
    checker : RunChecker
        The query ids and candidates of the split.
    answers : pandas.DataFrame
        The answer set: qid and docno.
    gold : pandas.DataFrame
        The gold labels, from `ir_coliee.evaluation.gold.scored_gold`.

    Returns
    -------
    list of str
        One line each, with what to do.
    """
    pairs = answers.loc[answers["qid"].isin(gold["query_id"]), ["qid", "docno"]].drop_duplicates().astype(str)
    run = CheckedRun(checker, pairs)
    found = warnings_on_unanswered(checker, pairs, gold["query_id"])
    if len(pairs) and not run.is_candidate.any():
        query_id, docno = pairs.iloc[0]
        items = f"items of query {query_id} look like {min(checker.candidates(query_id), default='')!r}"
        found.append(f"no item of the run is known: {items}, not {printable(docno)!r}")
    if number := int((pairs["qid"] == pairs["docno"]).sum()):
        found.append(
            f"{number} of {pairs['qid'].nunique()} answered queries are returned for themselves, which is always "
            "wrong: cut the ranking with ir_coliee cut, which drops them (in Python: DropSelf)"
        )
    size = remark_on_size(checker.split, len(pairs), pairs["qid"].nunique())
    return [*found, *([size] if size else [])]


def warnings_on_ranks(run: LoadedRun, gold: pd.DataFrame, split: Split) -> list[str]:
    """Return a warning if a file has scores, which the official form of an answer set has not, and many items.

    Parameters
    ----------
    run : LoadedRun
        The run.
    gold : pandas.DataFrame
        The gold labels, from `ir_coliee.evaluation.gold.scored_gold`.
    split : Split
        The split that the run answers.

    Returns
    -------
    list of str
        One line, if the run has more than three times as many items per query as the gold. A run that
        `remark_on_size` warns about already has none.
    """
    items, queries = len(run.frame), run.frame["qid"].nunique()
    if run.path is None or not run.has_scores or split.submission.has_scores or not queries:
        return []
    relevant = (gold["relevance"] > 0).sum() / gold["query_id"].nunique()
    is_long = items > _MANY_TIMES * relevant * queries and run.frame["score"].nunique() > 1
    if not is_long or task_evaluation(split).single_answer or remark_on_size(split, items, queries):
        return []
    return [
        f"the file has scores and {items / queries:.1f} items per query, the gold {relevant:.1f}: if it is a ranking, "
        "cut it first (ir_coliee cut)"
    ]


def warnings_on_unanswered(checker: RunChecker, answers: pd.DataFrame, query_ids: Iterable[str]) -> list[str]:
    """Return a warning if queries have no answer, unless returning nothing is a valid answer."""
    queries = set(query_ids)
    missing = queries.difference(answers["qid"])
    if not missing or checker.evaluation.unanswered == "answer":
        return []
    return [
        f"{len(missing)} of {len(queries)} queries have no answer, for example {printable(min(missing))}, and each "
        "counts as wrong: check that the run is complete"
    ]
