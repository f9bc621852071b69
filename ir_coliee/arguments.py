"""Checks of arguments that many constructors and functions share."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
L = TypeVar("L", bound=str)


def integer_at_least(name: str, value: int, minimum: int) -> int:
    """Return ``value`` as an `int`; raise `ValueError` if it is not an integer or is below ``minimum``.

    >>> integer_at_least("k", 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: k must be an integer >= 1, got 0.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = minimum - 1
    if number < minimum:
        raise ValueError(f"{name} must be an integer >= {minimum}, got {value!r}.")
    return number


def one_of(name: str, value: T, choices: Sequence[object]) -> T:
    """Return ``value``; raise `ValueError` if it is not one of ``choices``.

    >>> one_of("language", "fr", ["en", "ja"])
    Traceback (most recent call last):
        ...
    ValueError: language must be 'en' or 'ja', got 'fr'.
    """
    if value not in choices:
        *others, last = map(repr, choices)
        expected = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name} must be {expected}, got {value!r}.")
    return value


def check_language(language: L) -> L:
    """Return ``language``; raise `ValueError` if it is neither ``en`` nor ``ja``."""
    return one_of("language", language, ("en", "ja"))


def check_checkpoint(model: str) -> str:
    """Return ``model``; raise `ValueError` if it can be neither the name nor the folder of a checkpoint."""
    if not (isinstance(model, (str, os.PathLike)) and str(model)):
        raise ValueError(f"model must be the name or the folder of a checkpoint, got {model!r}.")
    return model
