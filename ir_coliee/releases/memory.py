"""What readers keep in memory of the files that they have read, and how they are made to forget it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_KEEPING: list[Any] = []


def kept(most: int) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Decorates a reader, the last ``most`` results of which are kept.

    Its arguments must tell the state of what it reads, as the stamp of a file does.
    """

    def decorate(read: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        keeping = lru_cache(maxsize=most)(read)
        _KEEPING.append(keeping)
        return cast(Callable[Arguments, Result], keeping)  # lru_cache forgets the types of arguments

    return decorate


def forget() -> None:
    """Make all readers read anew what they are asked for; then they also warn of it anew."""
    for keeping in _KEEPING:
        keeping.cache_clear()
