"""Building blocks of the schema of an edition file."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

#: Placeholders in file names.
FILE_PLACEHOLDERS = ("task", "split", "edition", "language", "exam_year")


class Value(NamedTuple):
    """A value that is not a mapping.

    Attributes
    ----------
    expected : str
        Description of a valid value, for messages.
    is_valid : callable
        Function that decides whether a value is valid.
    """

    expected: str
    is_valid: Callable[[Any], bool]


class Keyed(NamedTuple):
    """A mapping whose keys are data, such as languages or exam years.

    Attributes
    ----------
    expected : str
        Description of a valid key, for messages.
    is_key : callable
        Function that decides whether a key is valid.
    of : Schema
        The schema of each value.
    """

    expected: str
    is_key: Callable[[str], bool]
    of: Any


class Either(NamedTuple):
    """A value that may be a mapping or not, with the schema of either.

    Attributes
    ----------
    value : Value
        The schema of a value that is not a mapping.
    mapping : Schema
        The schema of a mapping.
    """

    value: Value
    mapping: Any


Schema = Value | Keyed | Either | Mapping[str, Any]


def one_of(values: Iterable[str]) -> Value:
    """Return the schema of a value that is one of several."""
    known = tuple(values)
    return Value(f"one of: {', '.join(known)}", lambda value: value in known)


def is_list_of(is_item: Callable[[Any], object]) -> Callable[[Any], bool]:
    """Return the function that decides whether a value is a list of such texts."""
    return lambda value: isinstance(value, list) and all(isinstance(item, str) and is_item(item) for item in value)


def has_placeholders(text: object, known: tuple[str, ...]) -> bool:
    """Return whether a value is a text without placeholders other than the known ones."""
    if not isinstance(text, str):
        return False
    try:
        fields = [(field, spec, flag) for _, field, spec, flag in string.Formatter().parse(text) if field is not None]
    except ValueError:
        return False
    return all(field in known and not spec and not flag for field, spec, flag in fields)


TEXT = Value("text", lambda value: isinstance(value, str))
FLAG = Value("true or false", lambda value: isinstance(value, bool))
