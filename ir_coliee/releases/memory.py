"""A cache in memory for the results of readers, and a function that clears it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_REMEMBERING: list[Any] = []


def remember(max_results: int) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Decorate a reader so that its latest results are cached.

    Parameters
    ----------
    max_results : int
        The number of results that are cached.

    Notes
    -----
    The arguments of the reader must include the state of the file that it reads, such as the stamp of a `File`.
    """

    def decorate(read: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        remembering = lru_cache(maxsize=max_results)(read)
        _REMEMBERING.append(remembering)
        return cast(Callable[Arguments, Result], remembering)  # lru_cache loses the types of arguments

    return decorate


def forget() -> None:
    """Clear the cached results of all readers, so that they read each file again and repeat their warnings."""
    for remembering in _REMEMBERING:
        remembering.cache_clear()
