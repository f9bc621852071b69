"""The rules that the answers of a run obey, for `score`, `validate` and `submit`, and the rules of official files."""

from __future__ import annotations

import codecs
import functools
import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import MalformedFileError, MalformedRunError, printable, printable_list
from ir_coliee.evaluation import runs
from ir_coliee.evaluation.gold import TASK_EVALUATIONS, are_candidates, candidates, has_documents, query_ids
from ir_coliee.evaluation.runs import MAX_LIST_LENGTH, LoadedRun, Run, RunFile
from ir_coliee.frames import Booleans, shown
from ir_coliee.releases import torts
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.search import as_number

Level = Literal["error", "warning", "note"]


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
        The finding, without a full stop. Several of a kind are one finding, with the first line and their number.
    """

    level: Level
    line: int | None
    message: str


class RunChecker:
    """The queries and candidates of a split, which are read only once, and the checks of its runs before scoring.

    Parameters
    ----------
    split : Split
        The split that the runs answer.
    """

    def __init__(self, split: Split) -> None:
        self.split = split
        self.evaluation = TASK_EVALUATIONS[split.task]

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
        loaded = runs.load_run(self.split, run)
        if loaded.form == "test file":
            for finding in validate(self.split, loaded):
                if finding.level == "error":
                    expected = "the test file with its null values filled in"
                    raise MalformedFileError(loaded.file, finding.line, finding.message, expected)
        try:
            return loaded, self.check(loaded.frame) + loaded.notes
        except MalformedRunError as error:
            raise MalformedRunError(f"{run}: {error}" if loaded.file else str(error)) from None

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
        if foreign := checked.foreign_queries():
            raise MalformedRunError(f"{foreign}.")
        notes = []
        for rule in RULES:
            rows = np.flatnonzero(rule.is_broken(checked))
            if not len(rows):
                continue
            first = rule.message(checked, int(rows[0]))
            if self.evaluation.single_answer and rule.kind in ("unknown item", "another answer"):
                raise MalformedRunError(f"{first[0].upper()}{first[1:]}.\nGive one valid answer to each question.")
            if rule.in_score:
                notes.append(f"{rule.in_score}: {len(rows)} (first: {first})")
        return notes


@dataclass(frozen=True, eq=False)
class CheckedRun:
    """A run and its split, of which the rules need these properties.

    Attributes
    ----------
    checker : RunChecker
        The split.
    table : pandas.DataFrame
        A row for each answer, with at least the columns qid and docno; those of `LoadedRun` for the rules of a file.
    """

    checker: RunChecker
    table: pd.DataFrame

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
        return ~self.is_excluded & ~self.is_known

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

    def foreign_queries(self) -> str:
        """Return what is wrong if fewer than half of the query ids are known, else an empty string."""
        unknown, total = self.table["qid"][self.is_unknown], self.table["qid"].nunique()
        if 2 * unknown.nunique() <= total:
            return ""
        share = "None" if unknown.nunique() == total else "Fewer than half"
        ids = f"Ids of {self.split.id} look like {min(self.checker.query_ids)!r}, those of the run like"
        return f"{share} of the run's query ids are known.\n{ids} {shown(unknown.iloc[0])}"

    def item(self, row: int) -> str:
        """Return the item of an answer as a run file writes it."""
        return self.split.item_of(str(self.table["docno"].iat[row]))


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
    Rule(
        "unknown query",
        "error",
        lambda run: run.is_unknown,
        lambda run, row: f"unknown query {shown(run.queries[row])}; ids must match exactly",
        "answers to unknown queries, ignored",
    ),
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
        lambda run, row: f"query {run.queries[row]} already has the answer {run.item(row)!r}",
        "repeated answers, counted once",
    ),
    Rule(
        "another answer",
        "error",
        _is_second,
        lambda run, row: f"query {run.queries[row]} has another answer",
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


def content_findings(run: CheckedRun, errors: Iterable[MalformedFileError] = ()) -> Iterator[Finding]:
    """Yield what is wrong with the answers of a run, however they are written."""
    checker, errors = run.checker, [*errors]
    yield from _reading_findings(errors)
    if foreign := run.foreign_queries():
        yield Finding("error", None, foreign.replace("\n", " "))
    elif not checker.has_documents and len(run.table):
        yield Finding("note", None, "the documents are not at hand, so unknown items were not looked for")
    for rule in RULES:
        rows = np.flatnonzero(rule.is_broken(run)).tolist()
        if not rows or (foreign and rule.kind == "unknown query"):
            continue
        if rule.level == "note":
            named = printable_list(sorted({run.queries[row] for row in rows}))
            yield Finding("note", None, f"{len(rows)} {rule.in_score}: {named}")
        else:
            line = run.table["line"].tolist()[rows[0]]
            yield Finding(rule.level, line, rule.message(run, rows[0]) + _times(len(rows)))
    if len(errors) < runs.MAX_ERRORS:  # else not the whole file was read
        for message in warnings_on_unanswered(checker, run.table, checker.query_ids):
            yield Finding("error" if checker.evaluation.unanswered == "error" else "warning", None, message)


def _reading_findings(errors: list[MalformedFileError]) -> Iterator[Finding]:
    yield from _first_of_each(
        ("error", error.problem, error.line or 0, f"{error.problem}. Expected: {error.expected}") for error in errors
    )
    if len(errors) == runs.MAX_ERRORS:
        yield Finding("error", None, f"{runs.MAX_ERRORS:,} lines cannot be read; later lines were not checked")


# The rules of an official file: bytes, columns, spelling of ids, ranks and scores, run tags.


def _file_findings(run: CheckedRun, loaded: LoadedRun, file: RunFile) -> Iterator[Finding]:
    """Yield deviations from the form that the organisers require of the file."""
    form = run.split.submission
    columns = f"lines of {len(form.columns)} columns: {' '.join(form.columns)}"
    expected = columns if form.columns else "the filled-in test file"
    yield from _byte_findings(file)
    yield from _first_of_each(_rank_deviations(run)) if form.has_scores else ()
    if loaded.form == "columns" and form.columns:
        yield from _first_of_each((*_line_deviations(run, file), *_spelling_deviations(run), *_tag_deviations(run)))
    elif loaded.form == "JSON":
        yield Finding("warning", 1, f"the file is JSON; expected {expected}")
    elif loaded.form != "test file":
        yield Finding("error", 1, f"the file has another form ({loaded.form}); expected {expected}")
    elif not loaded.errors:
        yield from _first_of_each(_compare_with_test_file(run.split, file))


def _byte_findings(file: RunFile) -> Iterator[Finding]:
    if file.content.startswith(codecs.BOM_UTF8):
        yield Finding("warning", 1, "the file begins with a byte order mark")
    if b"\r" in file.content:
        line = 1 + file.content[: file.content.index(b"\r")].count(b"\n")
        yield Finding("warning", line, "lines end in CR; use line feeds only")
    if file.is_compressed:
        yield Finding("error", None, "the file is compressed (gzip); expected a text file")


def _first_of_each(deviations: Iterable[tuple[Level, str, int, str]]) -> Iterator[Finding]:
    """Yield a finding for each level and kind: the first line and its message, and the number of lines."""
    found: dict[tuple[Level, str], list[tuple[int, str]]] = defaultdict(list)
    for level, kind, line, message in deviations:
        found[level, kind].append((line, message))
    for (level, _), of_kind in found.items():
        line, message = min(of_kind, key=lambda deviation: deviation[0])
        yield Finding(level, line or None, message + _times(len(of_kind)))


def _times(number: int) -> str:
    return f" ({number:,} times, this is the first)" if number > 1 else ""


def _line_deviations(run: CheckedRun, file: RunFile) -> Iterator[tuple[Level, str, int, str]]:
    """Yield lines that do not have the columns of the form, separated by single blanks and in ASCII."""
    columns = run.split.submission.columns
    lines = file.content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    is_right = re.compile(rb"(?!/\*)[!-~]+(?: [!-~]+){%d}" % (len(columns) - 1)).fullmatch
    are_answers = {*run.table["line"].tolist()}
    for number, line in enumerate(lines, start=1):
        if is_right(line):
            continue
        cells = line.split()
        if line != b" ".join(cells):
            yield "warning", "blanks", number, "columns must be separated by single blanks"
        if number not in are_answers and line.strip().startswith(b"/*"):
            yield "error", "comment", number, "a comment; the organisers' sample has comments, but a run must not"
        if number in are_answers and len(cells) != len(columns):
            yield "error", "columns", number, f"{len(cells)} columns, expected {len(columns)}: {' '.join(columns)}"


def _compare_with_test_file(split: Split, run: RunFile) -> Iterator[tuple[Level, str, int, str]]:
    """Yield differences, other than labels, between an answer file of the pilot and the test file."""
    test_file = LocalRelease.open(split).file("instances")
    torts.parse_instances(test_file)  # reports a damaged local release
    expected = [_without_labels(record) for record in torts.read_json_lines(test_file)]
    records = [_without_labels(record) for record in torts.read_json_lines(run)]
    for line, (record, right) in enumerate(itertools.zip_longest(records, expected), start=1):
        if record != right:
            got, wanted = (printable(str(each["tort_id"]), 30) if each else "nothing" for each in (record, right))
            yield "error", "another instance", line, f"{got} differs from the test file, which has {wanted} here"


def _without_labels(record: dict[str, Any]) -> dict[str, Any]:
    sides = {side: [claim | {"is_accepted": None} for claim in record[side]] for side in torts.SIDES}
    return {**record, **sides, "court_decision": None, "version": None}


_SPELLED = ("line", "written_query", "qid", "written_item", "docno")


def _spelling_deviations(run: CheckedRun) -> Iterator[tuple[Level, str, int, str]]:
    """Yield ids that were recognised, but are not written as the edition requires."""
    form, known = run.split.submission, run.table[run.is_known & run.is_candidate]
    format_query = functools.cache(form.format_query)
    format_item = functools.cache(lambda docno: form.format_item(run.split.item_of(docno)))
    for line, query, qid, item, docno in zip(*(known[column].tolist() for column in _SPELLED)):
        for written, expected in ((query, format_query(qid)), (item, format_item(docno))):
            if written != expected:
                level: Level = "error" if run.checker.evaluation.single_answer else "warning"
                deviation = "is spelled differently"
                if written.endswith(".txt"):  # programs that compare names do not match
                    deviation, level = "ends in .txt", "error"
                elif as_number(written) == as_number(expected) and len(written) < len(expected):
                    deviation, level = "has lost its leading zeros", "error"
                yield level, deviation, line, f"{written!r} {deviation}; write {expected!r}"


def _rank_deviations(run: CheckedRun) -> Iterator[tuple[Level, str, int, str]]:
    """Yield ranks that do not count from 1, and scores that rise or tie."""
    table = run.table[run.table["rank"] != ""]
    of_query = table.groupby("qid", sort=False)
    ranks, previous = (of_query.cumcount() + 1).tolist(), of_query["score"].shift().tolist()
    is_tied = pd.DataFrame({"qid": table["qid"], "score": table["score"].astype(np.float32)}).duplicated().tolist()
    for row, (line, rank, score) in enumerate(zip(*(table[column].tolist() for column in ("line", "rank", "score")))):
        if rank != str(ranks[row]):
            yield "warning", "rank", line, f"the rank is {rank!r}, expected {ranks[row]}"
        if score > previous[row]:
            yield "warning", "score rises", line, f"the score rises from {previous[row]} to {score}"
        if is_tied[row]:  # in the 32 bits of trec_eval
            yield "warning", "tied", line, "a tied score; trec_eval orders tied articles by id, not by rank"


def _tag_deviations(run: CheckedRun) -> Iterator[tuple[Level, str, int, str]]:
    """Yield unofficial run tags, and that a file has more than one."""
    first = run.table.drop_duplicates("tag")
    tags, lines = first["tag"].tolist(), first["line"].tolist()
    for tag, line in zip(tags, lines):
        # the call of 2019 appends -L to the tag of a long list
        if remark := runs.remark_on_tag(tag.removesuffix("-L") if run.split.submission.long_file else tag):
            yield "warning", "run tag", line, remark
    if len(tags) > 1:
        yield "error", "run tags", lines[1], f"{len(tags)} different run tags: {printable_list(sorted(tags))}"


# Validate a run file before it is submitted, and report all findings at once.


def validate(dataset: Dataset, run: Run | LoadedRun) -> list[Finding]:
    """Validate a run file, or the answers of a run in memory.

    Findings that concern several files of a submission come from
    `ir_coliee.evaluation.submission.validate_submission`.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers. The long list of task 3 is validated like its answer set, the answers Y and N
        of 2026 as a run of `ir_coliee.evaluation.runs.answers_split`.
    run : path, pandas.DataFrame, dict or LoadedRun
        The run file, or what `ir_coliee.evaluation.runs.read_answers` has read. A run in memory has no form, so only
        its answers are validated.

    Returns
    -------
    list of Finding
        In the order of the lines, findings about the whole file first.

    Raises
    ------
    MalformedFileError
        If the file cannot be opened.
    """
    loaded = run if isinstance(run, LoadedRun) else runs.read_answers(as_split(dataset), run)
    checked = CheckedRun(RunChecker(as_split(dataset)), loaded.table)
    of_file = _file_findings(checked, loaded, loaded.file) if loaded.file else ()
    findings = [*content_findings(checked, loaded.errors), *of_file]
    return sorted(findings, key=lambda finding: (finding.line is not None, finding.line or 0))


# Warnings about a run that are shown before its figures: what is incomplete or probably not meant to be scored.


_RANKING_SIZE = 20  # items per query from which a run looks like a ranking; real answer sets have up to five


def remark_on_size(split: Split, answers: pd.DataFrame) -> str:
    """Return why a run that looks like a ranking is no good answer set; an empty string for any other run."""
    items, queries = len(answers.drop_duplicates(["qid", "docno"])), answers["qid"].nunique()
    if items < _RANKING_SIZE * queries or not queries:
        return ""
    reason = "every item counts as an answer, so cut it first (ir_coliee cut)"
    if runs.allows_rankings(split):
        reason = "accuracy does not penalise superfluous articles, but F2 does, which breaks ties"
    return f"{items / queries:.0f} items per query look like a ranking: {reason}"


def warnings_on_run(checker: RunChecker, frame: pd.DataFrame, query_ids: Iterable[str]) -> list[str]:
    """Return a warning for each sign that a run is incomplete or was not meant as an answer set.

    Parameters
    ----------
    checker : RunChecker
        The split that the run answers.
    frame : pandas.DataFrame
        The run.
    query_ids : iterable of str
        The queries that are scored.

    Returns
    -------
    list of str
        One line each, with what to do: queries without an answer, queries that are returned for themselves, and a run
        that `remark_on_size` warns about.
    """
    found = warnings_on_unanswered(checker, frame, query_ids)
    if number := int((frame["qid"] == frame["docno"]).sum()):
        found.append(f"{number} answers are the query itself, which is always wrong: ir_coliee cut drops them")
    size = remark_on_size(checker.split, frame[frame["qid"].isin(query_ids)])
    return [*found, size] if size else found


def warnings_on_unanswered(checker: RunChecker, answers: pd.DataFrame, query_ids: Iterable[str]) -> list[str]:
    """Return a warning if queries have no answer, unless returning nothing is a valid answer."""
    queries, answered = [*dict.fromkeys(query_ids)], {*answers["qid"]}
    missing = [query_id for query_id in queries if query_id not in answered]
    if not missing or checker.evaluation.unanswered == "answer":
        return []
    named = printable_list(missing)
    return [f"{len(missing)} of {len(queries)} queries have no answer, which counts as wrong: {named}"]
