"""Parse runs in JSON, an object with the items of each query, which the organisers have accepted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.evaluation.runs.format_rules import MAX_SCORE
from ir_coliee.evaluation.runs.written_answers import WrittenAnswers
from ir_coliee.releases.reading import Readable, read_text

_EXPECTED = 'an object such as {"900001": ["900002"]} or {"900001": {"900002": 0.8}}'
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)  # so that lists stay lists and a repeated key is seen


class _Items(NamedTuple):
    """The items of a query, and their scores if they have any."""

    names: list[str]
    scores: list[float] | None = None


def parse_json_run(run: Readable) -> Iterator[WrittenAnswers | MalformedFileError]:
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
    WrittenAnswers or MalformedFileError
        The answers, each with the line of its query, and an error in place of each query that cannot be parsed.
    """
    text = read_text(run).replace("\r", "\n")
    try:
        members = list(_members(text))
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
    answers: dict[str, tuple[int, _Items | None]] = {}
    are_labels = _are_labels([value for _, _, value in members])
    for line, query, value in members:
        items = _items(_as_truth(value) if are_labels else value)
        if query in answers and answers[query][1] != items:
            problem = f"query {printable(query, 30)} has different items on line {answers[query][0]}"
            yield MalformedFileError(run, line, problem, "each query once")
        answers[query] = line, items
    for query, (line, items) in answers.items():
        if items is None:
            problem = f"query {printable(query, 30)} has neither names nor scores of items"
            yield MalformedFileError(run, line, problem, _EXPECTED)
        elif not "".join((query, *items.names)).isprintable():
            problem = f"a control character or an unusual blank in query {printable(query, 20)} or its items"
            yield MalformedFileError(run, line, problem, _EXPECTED)
        else:
            count = len(items.names)
            yield WrittenAnswers([line] * count, [query] * count, items.names, items.scores)


def _members(text: str) -> Iterator[tuple[int, str, Any]]:
    """Yield line, key and value of each member of a JSON object. Raises `ValueError` if the text is something else."""
    content = _DECODER.decode(text)
    if not isinstance(content, tuple):
        raise json.JSONDecodeError("Expecting an object", text, 0)
    line, start, end = 1, 0, 0
    for key, value in content:  # the text is well-formed; only the line numbers remain to be found
        before, start = start, text.index('"', end)
        line += text.count("\n", before, start)
        _, end = _DECODER.raw_decode(text, start)
        _, end = _DECODER.raw_decode(text, _skip_blanks(text, text.index(":", end) + 1))
        yield line, key, value


def _skip_blanks(text: str, position: int) -> int:
    return next(place for place in range(position, len(text)) if not text[place].isspace())


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
