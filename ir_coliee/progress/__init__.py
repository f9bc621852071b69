"""Progress of long computations, shown in one way everywhere.

A terminal and a Jupyter notebook show one bar for the whole process, with the current stage, the share that is done and
an estimate of the remaining time; a log gets plain lines. Everything is written to stderr, except in notebooks. What
takes less than half a second shows nothing.

Stages and loops may be nested: they are shown together, and never as a second bar. The thread that began first is the
one whose stages are shown. The loops of other threads are shown while this thread has no loop of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from ir_coliee.arguments import integer_at_least
from ir_coliee.progress.activities import Activity
from ir_coliee.progress.monitor import Monitor

__all__ = ["progress", "quiet", "stage", "stages", "steps"]

_Item = TypeVar("_Item")

_MONITOR = Monitor()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_MONITOR.forget)
_quiet_blocks = 0  # the number of `quiet` blocks that are being executed, in any thread


def progress(
    iterable: Iterable[_Item], description: str, *, total: int | None = None, unit: str = "", verbose: bool = True
) -> Iterator[_Item]:
    """Show the progress of a loop.

    Parameters
    ----------
    iterable : iterable
        The items of the loop.
    description : str
        What the loop does, for example ``indexing coliee/task1/sample/test``.
    total : int, optional
        The number of items; by default the length of the iterable, if it has one.
    unit : str
        What the items are, in the plural.
    verbose : bool
        If False, show nothing.

    Returns
    -------
    iterator
        The items.

    Examples
    --------
    >>> [number**2 for number in progress(range(4), "squaring", unit="numbers")]
    [0, 1, 4, 9]
    """
    if not (verbose and _is_shown()):
        return iter(iterable)
    if total is None and isinstance(iterable, Sized):
        total = len(iterable)
    return _counted(iterable, steps(description, total=total, unit=unit))


def _counted(iterable: Iterable[_Item], counting: AbstractContextManager[Callable[[], None]]) -> Iterator[_Item]:
    with counting as advance:
        for item in iterable:
            try:
                yield item
            finally:  # the last item is done too if the consumer does not ask whether there is another one
                advance()


@contextmanager
def steps(
    description: str, *, total: int | None, done: int = 0, unit: str = "", verbose: bool = True
) -> Iterator[Callable[[], None]]:
    """Show the progress of a computation whose steps are reported by a function call, instead of by a loop.

    Parameters
    ----------
    description : str
        What is computed.
    total : int or None
        The number of steps, if it is known.
    done : int
        The number of steps that are done already.
    unit : str
        What the steps are, in the plural.
    verbose : bool
        If False, show nothing.

    Yields
    ------
    callable
        To be called without arguments after each step.

    Raises
    ------
    ValueError
        If ``total`` is neither None nor an integer >= 0.

    Examples
    --------
    >>> with steps("asking", total=2, unit="questions") as advance:
    ...     advance()
    ...     advance()
    """
    if total is not None:
        total = integer_at_least("total", total, 0)
    loop = Activity("loop", description, _MONITOR.clock(), total=total, done=done, unit=unit)
    if not (verbose and _is_shown()):
        yield loop.advance
        return
    with _MONITOR.running(loop):
        yield loop.advance


@contextmanager
def stages(title: str, names: Sequence[str]) -> Iterator[None]:
    """Announce the stages of a long computation, each of which is entered by `stage`.

    Parameters
    ----------
    title : str
        What is computed. It is shown with the total time at the end.
    names : sequence of str
        The names of the stages, in order. A stage may be skipped.

    Examples
    --------
    >>> with stages("learned run", ["words", "n-grams"]):
    ...     with stage("words"):
    ...         words = [*progress("abc", "counting")]
    ...     with stage("n-grams"):  # shown as "2 of 2: n-grams"
    ...         bigrams = ["ab", "bc"]
    """
    if not _is_shown():
        yield
        return
    with _MONITOR.running(Activity("group", title, _MONITOR.clock(), names=tuple(names))):
        yield


@contextmanager
def stage(name: str, *, from_cache: bool = False, verbose: bool = True) -> Iterator[None]:
    """Mark a stage of a long computation.

    Parameters
    ----------
    name : str
        One of the names of the enclosing `stages`. A stage with another name is shown without a number, as a detail of
        what is around it, because a function that is called there may have stages of its own.
    from_cache : bool
        Whether the result of the stage is only read from the cache. This is always reported.
    verbose : bool
        If False, show nothing.

    Examples
    --------
    >>> with stage("fitting"):
    ...     total = sum(range(10))
    """
    if not (verbose and _is_shown()):
        yield
        return
    with _MONITOR.running(_MONITOR.stage(name, from_cache=from_cache)):
        yield


@contextmanager
def quiet() -> Iterator[None]:
    """Show no progress while the block is executed, in any thread.

    Examples
    --------
    >>> with quiet():
    ...     numbers = [*progress(range(3), "counting")]
    """
    global _quiet_blocks
    _quiet_blocks += 1
    try:
        yield
    finally:
        _quiet_blocks -= 1


def _is_shown() -> bool:
    """Return whether progress is shown: not in quiet blocks, without stderr, or in worker processes."""
    from multiprocessing import parent_process

    return not _quiet_blocks and sys.stderr is not None and parent_process() is None
