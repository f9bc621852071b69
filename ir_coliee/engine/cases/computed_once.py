"""Results that are computed once for a collection of texts or for a pool, and kept as long as it is in use."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

_Owner = TypeVar("_Owner", bound=Hashable)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class _Once:
    """A result that the first of several threads computes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._results: list[Any] = []

    def result(self, compute: Callable[[], _Result]) -> _Result:
        with self._lock:
            if not self._results:
                self._results.append(compute())
            found: _Result = self._results[0]
            return found


_KEPT: WeakKeyDictionary[Any, dict[tuple[Hashable, ...], _Once]] = WeakKeyDictionary()
_LOCK = Lock()


def computed_once(
    compute: Callable[Concatenate[_Owner, _Arguments], _Result],
) -> Callable[Concatenate[_Owner, _Arguments], _Result]:
    """Decorate a function so that its result is kept as long as its first argument is in use.

    Parameters
    ----------
    compute : callable
        The function. Its arguments are hashable, the first one by identity, and its result does not refer to the first.

    Returns
    -------
    callable
        The function, which several threads can call.

    Examples
    --------
    >>> from ir_coliee.engine.cases.token_sequences import TokenSequences
    >>> @computed_once
    ... def num_tokens(sequences):
    ...     print("counting")
    ...     return len(sequences.tokens)
    >>> sequences = TokenSequences.of(["A lamp."])
    >>> num_tokens(sequences), num_tokens(sequences)
    counting
    (2, 2)
    """

    @wraps(compute)
    def kept(owner: _Owner, /, *arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        with _LOCK:
            of_owner = _KEPT.setdefault(owner, {})
            once = of_owner.setdefault((compute, *arguments, *named.items()), _Once())
        return once.result(lambda: compute(owner, *arguments, **named))

    return kept
