"""Checks of arguments, for constructors and functions of all packages."""

from __future__ import annotations

import math
import numbers
import operator
import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from ir_coliee.errors import ExistingFileError, printable

T = TypeVar("T")
L = TypeVar("L", bound=str)
N = TypeVar("N", bound=float)


def integer_at_least(name: str, value: int, minimum: int) -> int:
    """Return ``value`` as an `int`; raise `ValueError` if it is not an integer or is below ``minimum``.

    >>> integer_at_least("k", 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: k must be an integer >= 1, got 0.
    """
    try:
        number = minimum - 1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = minimum - 1
    if number < minimum:
        raise ValueError(f"{name} must be an integer >= {shown(minimum)}, got {shown(value)}.")
    return number


def check_number(
    name: str, value: N, expected: str = "a finite number", is_valid: Callable[[float], bool] = math.isfinite
) -> N:
    """Return ``value``; raise `ValueError` if it is not a real number or not valid.

    Parameters
    ----------
    name : str
        The name of the argument.
    value : float
        Its value. A truth value is not a number.
    expected : str, default "a finite number"
        Description of a valid number, for the message.
    is_valid : callable, optional
        Function that decides whether a number is valid.

    Examples
    --------
    >>> check_number("ratio", "0.5", "a number in (0, 1]", lambda ratio: 0 < ratio <= 1)
    Traceback (most recent call last):
        ...
    ValueError: ratio must be a number in (0, 1], got '0.5'.
    """
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    try:
        is_number = is_number and is_valid(float(value))
    except OverflowError:  # an integer that no float can represent
        is_number = False
    if not is_number:
        raise ValueError(f"{name} must be {expected}, got {shown(value)}.")
    return value


def check_share(name: str, value: N) -> N:
    """Return ``value``; raise `ValueError` if it is not a number in (0, 1]."""
    return check_number(name, value, "a number in (0, 1]", lambda share: 0 < share <= 1)


def shown(value: object, longest: int = 50) -> str:
    """Return a value as messages show it: its repr on one line, in at most ``longest`` characters."""
    try:
        return printable(repr(value), longest)
    except ValueError:  # an integer of thousands of digits
        return f"a value of type {type(value).__name__}"


def one_of(name: str, value: T, choices: Sequence[object]) -> T:
    """Return ``value``; raise `ValueError` if it is not one of ``choices``.

    >>> one_of("language", "fr", ["en", "ja"])
    Traceback (most recent call last):
        ...
    ValueError: language must be 'en' or 'ja', got 'fr'.
    """
    if not any(isinstance(value, type(choice)) and value == choice for choice in choices):
        *others, last = map(repr, choices)
        expected = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name} must be {expected}, got {shown(value)}.")
    return value


def instance_of(name: str, value: T, kind: type[object], expected: str) -> T:
    """Return ``value``; raise `TypeError` if it is not an instance of ``kind``, which ``expected`` describes.

    >>> instance_of("index", "an id", dict, "a dict from document to topics")
    Traceback (most recent call last):
        ...
    TypeError: index must be a dict from document to topics, got a value of type str.
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {expected}, got a value of type {type(value).__name__}.")
    return value


def true_or_false(name: str, value: bool) -> bool:
    """Return the truth value of ``value``; raise `ValueError` if it has none, such as a frame.

    >>> true_or_false("verbose", 1)
    True
    """
    try:
        return bool(value)
    except (TypeError, ValueError):  # pandas and numpy raise ValueError
        raise ValueError(f"{name} must be True or False, got a value of type {type(value).__name__}.") from None


def new_folder(folder: str | os.PathLike[str]) -> str:
    """Return ``folder`` as a string; raise `ExistingFileError` if it exists."""
    if os.path.lexists(folder):
        raise ExistingFileError(f"{os.fspath(folder)} exists already. Give the name of a new folder, or delete it.")
    return os.fspath(folder)


def check_language(language: L) -> L:
    """Return ``language``; raise `ValueError` if it is neither ``en`` nor ``ja``."""
    return one_of("language", language, ("en", "ja"))


def check_checkpoint(model: str) -> str:
    """Return ``model``; raise `ValueError` if it can be neither the name nor the folder of a checkpoint."""
    if not (isinstance(model, (str, os.PathLike)) and str(model)):
        raise ValueError(f"model must be the name or the folder of a checkpoint, got {shown(model)}.")
    return model
