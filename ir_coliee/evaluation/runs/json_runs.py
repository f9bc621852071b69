"""Runs in JSON, which the organisers have accepted: an object with the items of each query."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.evaluation.runs.format_rules import MAX_SCORE
from ir_coliee.releases.reading import Readable, read_text

_EXPECTED = 'an object such as {"900001": ["900002"]} or {"900001": {"900002": 0.8}}'
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)  # so that lists stay lists and a repeated key is seen

Items = list[tuple[str, float | None]]


class JsonAnswer(NamedTuple):
    """The items of a query, best first where they have no scores, and the line on which the query stands."""

    line: int
    query: str
    items: Items


def parse_json_run(run: Readable) -> Iterator[JsonAnswer | MalformedFileError]:
    """The queries of a run in JSON with their items, as they are written.

    Items are a list of names, a string with commas between them, or an object that gives each a score, or true for
    an answer and false for none. In place of what cannot be read stands the error that says why, and so for a query
    that is given again with other items; of these the last count, as for plain readers of JSON.
    """
    try:
        members = list(_members(read_text(run).replace("\r", "\n")))
    except json.JSONDecodeError as error:
        yield MalformedFileError(run, error.lineno, f"no JSON object ({error.msg})", _EXPECTED)
        return
    except (ValueError, RecursionError):  # a number too long, brackets too deep
        yield MalformedFileError(run, 1, "no JSON object (beyond what the parser takes)", _EXPECTED)
        return
    answers: dict[str, tuple[int, Items | None]] = {}
    for line, query, value in members:
        items = _items(value)
        if query in answers and answers[query][1] != items:
            problem = f"query {printable(query)} has other items on line {answers[query][0]}"
            yield MalformedFileError(run, line, problem, "each query once")
        answers[query] = line, items
    for query, (line, items) in answers.items():
        if items is None:
            problem = f"the value of query {printable(query)} is neither names nor scores of items"
            yield MalformedFileError(run, line, problem, _EXPECTED)
        elif not all(name.isprintable() for name in (query, *(item for item, _ in items))):
            problem = f"query {printable(query)} or an item of it has a control character or a strange blank"
            yield MalformedFileError(run, line, problem, _EXPECTED)
        else:
            yield JsonAnswer(line, query, items)


def _members(text: str) -> Iterator[tuple[int, str, Any]]:
    """The line, key and value of each member of the object that a text is. Raises `ValueError` where it is none."""
    content = _DECODER.decode(text)
    if not isinstance(content, tuple):
        raise json.JSONDecodeError("Expecting an object", text, 0)
    line, start, end = 1, 0, 0
    for key, value in content:  # well-formed: what is left to find is the lines
        before, start = start, text.index('"', end)
        line += text.count("\n", before, start)
        _, end = _DECODER.raw_decode(text, start)
        _, end = _DECODER.raw_decode(text, _behind_blanks(text, text.index(":", end) + 1))
        yield line, key, value


def _behind_blanks(text: str, position: int) -> int:
    return next(place for place in range(position, len(text)) if not text[place].isspace())


def _items(value: Any) -> Items | None:
    """The items of a query and their scores; None for a value of another shape."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return [(name.strip(), None) for name in value if name.strip()]
    if isinstance(value, tuple):
        scored = [(name.strip(), score) for name, score in value if score is not False]
        if all(score is True for _, score in scored):
            return [(name, None) for name, _ in scored]
        if all(score is not True and _is_score(score) for _, score in scored):
            return [(name, float(score)) for name, score in scored]
    return None


def _is_score(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) <= MAX_SCORE
