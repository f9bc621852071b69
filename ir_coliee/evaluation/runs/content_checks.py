"""Checks of the answers in a run: unknown ids, repeated and missing answers, lists that are too long."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator

import numpy as np

from ir_coliee.editions import Split, readable_splits
from ir_coliee.errors import ColieeError, ColieeWarning, printable, printable_list
from ir_coliee.evaluation.gold import query_ids
from ir_coliee.evaluation.runs.answers import RunLine
from ir_coliee.evaluation.runs.format_rules import MAX_LIST_LENGTH
from ir_coliee.evaluation.runs.parsed_run import Finding, ParsedRun, of_texts

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
