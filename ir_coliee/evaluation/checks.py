"""Checks of the answers in a run: unknown ids, repeated and missing answers, lists that are too long."""

from __future__ import annotations

import functools
import io
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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
    Finding,
    Level,
    LoadedRun,
    ParsedRun,
    Run,
    RunFile,
    RunLine,
    answers_of,
    load_run,
    load_run_file,
    of_texts,
    open_run,
    remark_on_size,
    remark_on_tag,
)
from ir_coliee.frames import shown
from ir_coliee.releases import torts
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.search import as_number

# Checks of the answers in a run: unknown ids, repeated and missing answers, lists that are too long.


_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
_QUERIES_NAMED = 5


def check_parsing(run: ParsedRun) -> Iterator[Finding]:
    """Report lines that cannot be parsed, and files without answers."""
    for error in run.answers.errors:
        count = 1 + (run.answers.num_unlisted if error is run.answers.errors[-1] else 0)
        yield Finding("error", error.line, f"{error.problem}. Expected: {error.expected}", error.problem, count)
    if run.form.columns and run.is_empty:
        yield Finding("error", None, "the file has no answer")


def check_ids(run: ParsedRun) -> Iterator[Finding]:
    """Report queries and items that the split does not have, and answers to excluded questions."""
    excluded = set(run.split.excluded)
    queries, names = run.answers.column("query_id")
    is_excluded = of_texts(names, excluded.__contains__)[queries]
    if is_excluded.any():
        questions = printable_list(sorted(excluded.intersection(names)))
        message = (
            f"{is_excluded.sum()} answers to questions that the organisers excluded, which are ignored: {questions}"
        )
        yield Finding("note", None, message)
    is_unknown = ~is_excluded & ~run.is_known
    if is_unknown.any() and not run.is_known.any():
        message = f"no query id of the run is known; ids of {run.split.id} look like {min(run.query_ids)!r}"
        yield Finding("error", None, message + hint_at_split(run.split, set(names) - excluded))
        return
    spellings = {_normalise(query_id): query_id for query_id in run.query_ids}
    pool = "the query's pool" if run.split.has_pools else "the collection"

    def unknown_query(answer: RunLine, _row: int) -> str:
        similar = spellings.get(_normalise(answer.query_id))
        hint = f"; ids must match exactly, {similar!r} is known" if similar else ""
        return f"unknown query {answer.query_id!r}{hint}"

    def unknown_item(answer: RunLine, _row: int) -> str:
        return f"{run.item(answer)!r} is not in {pool} (query {answer.query_id})"

    yield from run.findings(np.flatnonzero(is_unknown), "error", "unknown query", unknown_query)
    if run.has_documents:
        is_wrong = ~is_excluded & run.is_known & ~run.is_candidate
        yield from run.findings(np.flatnonzero(is_wrong), "error", "unknown item", unknown_item)
    elif len(run.answers):
        yield Finding("note", None, "the documents are not at hand, so unknown items were not looked for")


def _normalise(query_id: str) -> str:
    return _LEADING_ZEROS.sub("", query_id).upper()


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


def check_repetitions(run: ParsedRun) -> Iterator[Finding]:
    """Report repeated answers, and second answers to questions that have a single answer."""
    every_row, lines = np.arange(len(run.answers)), run.answers.table["line"].to_numpy()
    first = run.answers.first_rows("query_id", "docno")
    is_repeated = first != every_row

    def repeated(answer: RunLine, row: int) -> str:
        return f"query {answer.query_id} already has the answer {run.item(answer)!r} on line {lines[first[row]]}"

    yield from run.findings(np.flatnonzero(is_repeated), "warning", "repeated", repeated)
    if run.evaluation.single_answer:
        first_of_query = run.answers.first_rows("query_id")
        is_second = ~is_repeated & (first_of_query != every_row)

        def another(answer: RunLine, row: int) -> str:
            return f"query {answer.query_id} has another answer on line {lines[first_of_query[row]]}"

        yield from run.findings(np.flatnonzero(is_second), "error", "another answer", another)


def check_unanswered_queries(run: ParsedRun) -> Iterator[Finding]:
    """Report queries without an answer, unless returning nothing is a valid answer."""
    answered = set(run.answers.column("query_id")[1])
    missing = [query_id for query_id in run.query_ids if query_id not in answered]
    if missing and run.evaluation.unanswered != "answer":
        named = ", ".join(map(printable, missing[:_QUERIES_NAMED])) + (", …" if len(missing) > _QUERIES_NAMED else "")
        yield Finding(run.evaluation.unanswered, None, f"{len(missing)} queries without an answer: {named}")


def check_self_retrieval(run: ParsedRun) -> Iterator[Finding]:
    """Report queries that are returned for themselves."""
    is_itself = run.answers.table["docno"].astype(object) == run.answers.table["query_id"].astype(object)

    def itself(answer: RunLine, _row: int) -> str:
        return f"query {answer.query_id} is returned for itself"

    yield from run.findings(np.flatnonzero(is_itself), "warning", "itself", itself)


def check_list_lengths(run: ParsedRun) -> Iterator[Finding]:
    """Report questions of task 3 with more than 100 articles."""
    if run.form.has_scores:
        places = run.answers.table.groupby("query_id", observed=True).cumcount().to_numpy()

        def too_long(answer: RunLine, _row: int) -> str:
            return f"query {answer.query_id} has more than {MAX_LIST_LENGTH} articles"

        yield from run.findings(np.flatnonzero(places == MAX_LIST_LENGTH), "error", "too long", too_long)


#: The checks of the answers, independent of how they are written.
CONTENT_CHECKS = (
    check_ids,
    check_repetitions,
    check_unanswered_queries,
    check_self_retrieval,
    check_list_lengths,
)


# Checks of how a run is written: bytes, columns, spelling of ids, ranks and scores, run tags.


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
    if as_number(written) == as_number(expected) and len(written) < len(expected):
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
    parsed = ParsedRun(split, file, file.answers(split))
    return _run_checks(parsed, (check_parsing, check_file, *CONTENT_CHECKS, *FORMAT_CHECKS))


def content_findings(split: Split, answers: Answers) -> list[Finding]:
    """Return the findings about answers that remain if the answers are written in the official form.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    answers : Answers
        The answers, from `ir_coliee.evaluation.runs.parse_run`.
    """
    return _run_checks(ParsedRun(split, RunFile(Path(), b""), answers), (check_parsing, *CONTENT_CHECKS))


class Rewriting(NamedTuple):
    """What `ir_coliee.evaluation.submission.submit` needs to write a run of another form in the official one.

    Attributes
    ----------
    tag : str
        The run tag of the file; empty if it has none that the organisers ask for.
    is_ranking : bool
        Whether the run is a ranking, which needs a cut-off.
    """

    tag: str
    is_ranking: bool


def rewriting(split: Split, file: RunFile) -> Rewriting | None:
    """Return how to rewrite a run in the official form; None if its answers are wrong, or in the pilot."""
    answers = file.answers(split)
    if not split.submission.columns or any(finding.level == "error" for finding in content_findings(split, answers)):
        return None
    tag = answers.tag
    is_ranking = not split.submission.has_scores and not task_evaluation(split).single_answer
    return Rewriting("" if remark_on_tag(tag) else tag, is_ranking and answers.has_ranks)


def _run_checks(run: ParsedRun, checks: Iterable[Callable[[ParsedRun], Iterator[Finding]]]) -> list[Finding]:
    findings = [finding for check in checks for finding in check(run)]
    return sorted(findings, key=lambda finding: (finding.line is not None, finding.line or 0))


# Checks of a run before it is scored. Mistakes that would lead to a score of 0 are errors; all else is noted.


class RunChecker:
    """Check runs of a split against its query ids and candidates, which are read only once.

    Parameters
    ----------
    split : Split
        The split that the runs answer.
    """

    def __init__(self, split: Split) -> None:
        self.split = split
        self.evaluation = task_evaluation(split)

    @functools.cached_property
    def query_ids(self) -> list[str]:
        """The query ids of the split."""
        return query_ids(self.split)

    @functools.cached_property
    def has_documents(self) -> bool:
        """Whether the documents of the split are at hand, so that the items of a run can be checked."""
        return has_documents(self.split)

    @functools.cached_property
    def candidates(self) -> Callable[[str], Collection[str]]:
        """Function from a query id to the items that may answer it."""
        return candidates(self.split)

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
            If the run is a file that cannot be read.
        MalformedRunError
            As raised by `check`.
        """
        if not isinstance(run, (str, Path)):
            loaded = load_run(self.split, run)
            return loaded, self.check(loaded.frame)
        loaded = self._read(open_run(Path(run)))
        try:
            notes = self.check(loaded.frame)
        except MalformedRunError as error:
            raise MalformedRunError(f"{run}: {error}") from None
        return loaded, notes + loaded.notes

    def _read(self, file: RunFile) -> LoadedRun:
        """Read a run file. The pilot's own file must contain each instance of the test file once."""
        loaded = load_run_file(self.split, file)
        if not self.split.submission.columns and file.is_json:
            for finding in validate(self.split, file):
                if finding.level == "error":
                    expected = "the test file with its null values filled in"
                    raise MalformedFileError(file, finding.line, finding.message, expected)
        return loaded

    def check(self, run: pd.DataFrame) -> list[str]:
        """Check a run that has been loaded and return notes on it.

        Parameters
        ----------
        run : pandas.DataFrame
            The columns qid, docno and score.

        Returns
        -------
        list of str
            Notes on answers that are ignored or counted as wrong.

        Raises
        ------
        MalformedRunError
            If fewer than half of its query ids are known, if a label is not valid, or if a question with a single
            answer has two different ones.
        """
        if run.empty:
            return []
        excluded = run["qid"].isin(self.split.excluded)
        unknown = run.loc[~excluded & ~run["qid"].isin(self.query_ids), "qid"]
        self._check_query_ids(run, unknown)
        distinct = run.drop_duplicates(["qid", "docno"])
        known = distinct[distinct["qid"].isin(self.query_ids)]
        if self.has_documents:
            invalid = known[~are_candidates(self.candidates, known["qid"], known["docno"])]
        else:
            invalid = known[:0]
        if self.evaluation.single_answer:
            self._check_single_answers(distinct, invalid)
        numbers = {
            "answers to questions that the organisers excluded, ignored": int(excluded.sum()),
            "answers to unknown queries, ignored": len(unknown),
            "answers that are not candidates of their query, counted as wrong": len(invalid),
            "repeated answers, counted once": len(run) - len(distinct),
        }
        return [f"{description}: {number}" for description, number in numbers.items() if number]

    def _check_query_ids(self, run: pd.DataFrame, unknown: pd.Series[str]) -> None:
        if 2 * unknown.nunique() > run["qid"].nunique():
            share = "None" if unknown.nunique() == run["qid"].nunique() else "Fewer than half"
            raise MalformedRunError(
                f"{share} of the run's query ids are known.\nIds of {self.split.id} look like "
                f"{min(self.query_ids)!r}, those of the run like {shown(unknown.iloc[0])}"
                f"{hint_at_split(self.split, unknown)}."
            )

    def _check_single_answers(self, distinct: pd.DataFrame, invalid: pd.DataFrame) -> None:
        if not invalid.empty:
            query_id, docno = invalid[["qid", "docno"]].iloc[0]
            expected = " or ".join(sorted(self.candidates(query_id)))
            raise MalformedRunError(
                f"{shown(docno, 30)} is not a valid answer to question {query_id}.\nExpected: {expected}."
            )
        repeated = distinct.loc[distinct["qid"].duplicated(), "qid"]
        if not repeated.empty:
            raise MalformedRunError(
                f"Question {repeated.iloc[0]} has two different answers.\nGive one answer per question."
            )


# Warnings about a run that are shown before its figures: what is incomplete or probably not meant to be scored.


_MANY_TIMES = 3  # a file with scores and this many times the items of the gold may be a ranking


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
    size = remark_on_size(checker.split, len(pairs), pairs["qid"].nunique())
    return [
        *warnings_on_unanswered(checker, pairs, gold["query_id"]),
        *_unknown_items(checker, pairs),
        *_self_retrieval(pairs),
        *([size] if size else []),
    ]


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


def _unknown_items(checker: RunChecker, pairs: pd.DataFrame) -> list[str]:
    known = (docno in checker.candidates(query_id) for query_id, docno in zip(pairs["qid"], pairs["docno"]))
    if pairs.empty or not checker.has_documents or any(known):
        return []
    query_id, docno = pairs.iloc[0]
    example = min(checker.candidates(query_id), default="")
    return [f"no item of the run is known: items of query {query_id} look like {example!r}, not {printable(docno)!r}"]


def _self_retrieval(pairs: pd.DataFrame) -> list[str]:
    number = int((pairs["qid"] == pairs["docno"]).sum())
    if not number:
        return []
    return [
        f"{number} of {pairs['qid'].nunique()} answered queries are returned for themselves, which is always wrong: "
        "cut the ranking with ir_coliee cut, which drops them (in Python: DropSelf)"
    ]
