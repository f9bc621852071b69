"""Parse runs in JSON, an object with the items of each query, which the organisers have accepted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.evaluation.runs.format_rules import MAX_SCORE
from ir_coliee.evaluation.runs.written_answers import Parsed, UnreadableLines, WrittenAnswers
from ir_coliee.releases.reading import Readable, read_text

_MAX_QUERIES = 200_000
_EXPECTED = 'an object such as {"900001": ["900002"]} or {"900001": {"900002": 0.8}}'
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)  # so that lists stay lists and a repeated key is seen

#: What comes before the first key of an object, before a value, and before another key; or the end of the object.
_OPENING = re.compile(r'[ \t\n\r]*\{[ \t\n\r]*(?:(?=")|(?P<end>\}[ \t\n\r]*\Z))')
_COLON = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_NEXT = re.compile(r'[ \t\n\r]*(?:,[ \t\n\r]*(?=")|(?P<end>\}[ \t\n\r]*\Z))')


class _Items(NamedTuple):
    """The items of a query, and their scores if they have any."""

    names: list[str]
    scores: list[float] | None = None


def parse_json_run(run: Readable) -> Iterator[Parsed]:
    """Parse a run in JSON.

    The items of a query are a list of names, a string with commas, or an object from name to score, or to true for
    an answer and false for none; if all values in a file are 1 and 0, these mean the same. If a query occurs several
    times with different items, an error is yielded and the last occurrence is used, as JSON parsers do.

    Parameters
    ----------
    run : Readable
        The file.

    Yields
    ------
    WrittenAnswers, UnreadableLines or MalformedFileError
        The answers, each with the line of its query, and the queries that cannot be parsed.
    """
    text = read_text(run).replace("\r", "\n")
    try:
        members = _members(text)
    except json.JSONDecodeError as error:
        problem, expected = f"not a JSON object ({error.msg})", _EXPECTED
        if text.lstrip().startswith("[") or error.msg == "Extra data":  # an array of records, or JSON Lines
            expected += "; save records as CSV, in pandas with frame.to_csv(path, index=False)"
        yield MalformedFileError(run, error.lineno, problem, expected)
        return
    except (ValueError, RecursionError):  # a number too long, brackets too deep
        yield MalformedFileError(
            run, 1, "not a JSON object (a number or the nesting exceeds the parser's limits)", _EXPECTED
        )
        return
    if len(members) > _MAX_QUERIES:
        yield MalformedFileError(run, None, f"more than {_MAX_QUERIES:,} queries", _EXPECTED)
        return
    are_labels = _are_labels([value for _, _, value in members])
    read: dict[str, tuple[int, _Items | None]] = {}
    repeated: list[tuple[int, str, int]] = []
    for line, query, value in members:
        items = _items(_as_truth(value) if are_labels else value)
        if query in read and read[query][1] != items:
            repeated.append((line, query, read[query][0]))
        read[query] = line, items
    yield UnreadableLines(len(repeated), (_repetition(run, *each) for each in repeated))
    wrong = {query: found for query, found in read.items() if not _are_names(query, found[1])}
    yield UnreadableLines(len(wrong), (_error(run, query, *found) for query, found in wrong.items()))
    for has_scores in (False, True):
        group = [
            (line, query, items)
            for query, (line, items) in read.items()
            if query not in wrong and items is not None and (items.scores is not None) == has_scores
        ]
        yield WrittenAnswers(
            [line for line, _, items in group for _ in items.names],
            [query for _, query, items in group for _ in items.names],
            [name for _, _, items in group for name in items.names],
            [score for _, _, items in group for score in items.scores or ()] if has_scores else None,
        )


def _are_names(query: str, items: _Items | None) -> bool:
    return items is not None and query.isprintable() and "".join(items.names).isprintable()


def _repetition(run: Readable, line: int, query: str, former: int) -> MalformedFileError:
    problem = f"query {printable(query, 30)} has different items on line {former}"
    return MalformedFileError(run, line, problem, "each query once")


def _error(run: Readable, query: str, line: int, items: _Items | None) -> MalformedFileError:
    if items is None:
        problem = f"query {printable(query, 30)} has neither names nor scores of items"
    else:
        problem = f"a control character or an unusual blank in query {printable(query, 20)} or its items"
    return MalformedFileError(run, line, problem, _EXPECTED)


def _members(text: str) -> list[tuple[int, str, Any]]:
    """Return line, key and value of each member of a JSON object, up to one more than the limit.

    Raises `ValueError` if the text is something else.
    """
    members: list[tuple[int, str, Any]] = []
    line, counted = 1, 0
    found = _OPENING.match(text)
    while found and not found["end"] and len(members) <= _MAX_QUERIES:
        line += text.count("\n", counted, found.end())
        counted = found.end()
        key, end = _DECODER.raw_decode(text, counted)
        if found := _COLON.match(text, end):
            value, end = _DECODER.raw_decode(text, found.end())
            members.append((line, key, value))
            found = _NEXT.match(text, end)
    if not found:
        _DECODER.decode(text)  # raises the error that tells what is malformed
        raise json.JSONDecodeError("Expecting an object", text, 0)
    return members


def _are_labels(values: list[Any]) -> bool:
    """Return whether the items of all queries have the integer 1 or 0, and at least one item has 0."""
    labels = [label for value in values if isinstance(value, tuple) for _, label in value]
    return all(type(label) is int and label in (0, 1) for label in labels) and 0 in labels


def _as_truth(value: Any) -> Any:
    return tuple((name, bool(label)) for name, label in value) if isinstance(value, tuple) else value


def _items(value: Any) -> _Items | None:
    """Return the items of a query with their scores; None for an unsupported value."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list) and all(type(name) in (str, int) for name in value):
        return _Items([name for each in value if (name := str(each).strip())])
    if isinstance(value, tuple):
        scored = [(name.strip(), score) for name, score in value if score is not False]
        names, scores = [name for name, _ in scored], [score for _, score in scored]
        if all(score is True for score in scores):
            return _Items(names)
        if all(score is not True and _is_score(score) for score in scores):
            return _Items(names, [*map(float, scores)])
    return None


def _is_score(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) <= MAX_SCORE
