"""Checks of the answers in a run: unknown ids, repeated and missing answers, lists that are too long."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator

from ir_coliee.editions import Split, readable_splits
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError, printable, printable_list
from ir_coliee.evaluation.gold import query_ids
from ir_coliee.evaluation.runs.format_rules import MAX_LIST_LENGTH
from ir_coliee.evaluation.runs.parsed_run import Finding, ParsedRun

_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
_QUERIES_NAMED = 5


def check_parsing(run: ParsedRun) -> Iterator[Finding]:
    """Report lines that cannot be parsed, and files without answers."""
    for entry in run.entries:
        if isinstance(entry, MalformedFileError):
            yield Finding("error", entry.line, f"{entry.problem}. Expected: {entry.expected}", entry.problem)
    if run.form.columns and not run.entries:
        yield Finding("error", None, "the file has no answer")


def check_ids(run: ParsedRun) -> Iterator[Finding]:
    """Report queries and items that the split does not have, and answers to excluded questions."""
    excluded = set(run.split.excluded)
    if answers := [answer for answer in run.answers if answer.query_id in excluded]:
        questions = printable_list(sorted({answer.query_id for answer in answers}))
        message = f"{len(answers)} answers to questions that the organisers excluded, which are ignored: {questions}"
        yield Finding("note", None, message)
    unknown = [answer.query_id for answer in run.answers if answer.query_id not in run.known_queries | excluded]
    if unknown and not any(answer.query_id in run.known_queries for answer in run.answers):
        message = f"no query id of the run is known; ids of {run.split.id} look like {min(run.query_ids)!r}"
        yield Finding("error", None, message + hint_at_split(run.split, unknown))
        return
    spellings = {_normalise(query_id): query_id for query_id in run.query_ids}
    pool = "the query's pool" if run.split.has_pools else "the collection"
    for answer in run.answers:
        if answer.query_id in excluded:
            continue
        if answer.query_id not in run.known_queries:
            similar = spellings.get(_normalise(answer.query_id))
            hint = f"; ids must match exactly, {similar!r} is known" if similar else ""
            yield Finding("error", answer.line, f"unknown query {answer.query_id!r}{hint}", "unknown query")
        elif run.has_documents and answer.docno not in run.candidates(answer.query_id):
            message = f"{run.item(answer)!r} is not in {pool} (query {answer.query_id})"
            yield Finding("error", answer.line, message, "unknown item")
    if run.answers and not run.has_documents:
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
    for query_id, answers in run.answers_by_query.items():
        lines: dict[str, int] = {}
        for answer in answers:
            if answer.docno in lines:
                message = f"query {query_id} already has the answer {run.item(answer)!r} on line {lines[answer.docno]}"
                yield Finding("warning", answer.line, message, "repeated")
            elif lines and run.evaluation.single_answer:
                message = f"query {query_id} has another answer on line {answers[0].line}"
                yield Finding("error", answer.line, message, "another answer")
            lines.setdefault(answer.docno, answer.line)


def check_unanswered_queries(run: ParsedRun) -> Iterator[Finding]:
    """Report queries without an answer, unless returning nothing is a valid answer."""
    missing = [query_id for query_id in run.query_ids if query_id not in run.answers_by_query]
    if missing and run.evaluation.unanswered != "answer":
        named = ", ".join(map(printable, missing[:_QUERIES_NAMED])) + (", …" if len(missing) > _QUERIES_NAMED else "")
        yield Finding(run.evaluation.unanswered, None, f"{len(missing)} queries without an answer: {named}")


def check_self_retrieval(run: ParsedRun) -> Iterator[Finding]:
    """Report queries that are returned for themselves."""
    for answer in run.answers:
        if answer.docno == answer.query_id:
            yield Finding("warning", answer.line, f"query {answer.query_id} is returned for itself", "itself")


def check_list_lengths(run: ParsedRun) -> Iterator[Finding]:
    """Report questions of task 3 with more than 100 articles."""
    if run.form.has_scores:
        for query_id, answers in run.answers_by_query.items():
            if len(answers) > MAX_LIST_LENGTH:
                message = f"query {query_id} has more than {MAX_LIST_LENGTH} articles"
                yield Finding("error", answers[MAX_LIST_LENGTH].line, message, "too long")


#: The checks of the answers, independent of how they are written.
CONTENT_CHECKS = (
    check_ids,
    check_repetitions,
    check_unanswered_queries,
    check_self_retrieval,
    check_list_lengths,
)
