"""Progress of long computations, shown in one way everywhere.

A terminal and a Jupyter notebook show one bar of tqdm at a time: that of the outermost loop, with the current stages. A
terminal, a pipe or a log gets one line when a stage ends. Everything is written to stderr, except bars in notebooks.
What takes less than half a second shows nothing, and neither do threads other than the main one and worker processes.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from importlib import import_module
from multiprocessing import parent_process
from typing import Any, TypeVar

from ir_coliee.errors import printable

_Item = TypeVar("_Item")

_BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} {unit} [{elapsed}<{remaining}]"
_FIGURES_WIDTH = 48  # characters
_MIN_SECONDS = 0.5  # shorter stages and loops are not mentioned


_running: list[str] = []  # the names of the stages and loops, outermost first
_bar: Any = None  # that of the running loop
_error_before_bar: object = None
_quiet_blocks = 0  # the number of `quiet` blocks that are being executed


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
    if total is None and isinstance(iterable, Sized):
        total = len(iterable)
    with steps(description, total=total, unit=unit, verbose=verbose) as advance:
        for item in iterable:
            yield item
            advance()


@contextmanager
def steps(
    description: str, *, total: int | None, done: int = 0, unit: str = "", verbose: bool = True
) -> Iterator[Callable[[], object]]:
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

    Examples
    --------
    >>> with steps("asking", total=2, unit="questions") as advance:
    ...     advance()
    ...     advance()
    """
    global _bar, _error_before_bar
    error = getattr(sys, "last_value", None)
    if _bar is not None and error is not _error_before_bar:
        close_bar()  # its loop is kept open by the traceback of a cell or line of the prompt that has failed
    if not _is_shown(verbose) or _bar is not None:
        yield lambda: None
        return
    counted = f"{total:,} {unit}".rstrip() if total and total > 1 else ""
    with _reported(description, counted, is_loop=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that ipywidgets is not installed
            tqdm: Any = import_module("tqdm.auto" if _is_in_notebook() else "tqdm")
        room = max(shutil.get_terminal_size().columns - _FIGURES_WIDTH, 12)
        label = printable(", ".join(_running), room)
        options = {"desc": label, "unit": unit, "bar_format": _BAR, "leave": False, "dynamic_ncols": True}
        is_hidden = not (_is_in_notebook() or sys.stderr.isatty())
        bar = tqdm.tqdm(total=total, initial=done, delay=_MIN_SECONDS, disable=is_hidden, **options)
        _bar, _error_before_bar = bar, error
        try:
            yield bar.update
        finally:
            bar.close()
            _bar = None if _bar is bar else _bar


def stage(name: str, *, from_cache: bool = False, verbose: bool = True) -> AbstractContextManager[None]:
    """Mark a stage of a long computation.

    Parameters
    ----------
    name : str
        What is computed. It is shown after the names of the stages around it, also those of other functions.
    from_cache : bool
        Whether the result of the stage is only read from the cache. This is always reported.
    verbose : bool
        If False, show nothing.

    Examples
    --------
    >>> with stage("fitting"):
    ...     total = sum(range(10))
    """
    return _reported(name, from_cache=from_cache, verbose=verbose)


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


def above_bar() -> AbstractContextManager[object]:
    """Return a context in which lines are printed on a terminal: a bar is removed before and comes back after it."""
    return nullcontext() if _bar is None else _bar.external_write_mode()


def close_bar() -> None:
    """Remove the bar for good, as after an error, which keeps the loops open that it has left."""
    global _bar
    if _bar is not None:
        _bar.close()
    _bar = None
    _running.clear()


def _is_shown(verbose: bool) -> bool:
    in_main_thread = threading.current_thread() is threading.main_thread()
    return verbose and not _quiet_blocks and sys.stderr is not None and in_main_thread and parent_process() is None


@contextmanager
def _reported(
    name: str, counted: str = "", *, is_loop: bool = False, from_cache: bool = False, verbose: bool = True
) -> Iterator[None]:
    """Report when a stage ends, or a loop that is in no stage."""
    if not _is_shown(verbose):
        yield
        return
    place, started = len(_running), time.monotonic()
    _running.append(name)
    label = ", ".join(_running)
    is_reported = not (is_loop and place)
    try:
        yield
    except BaseException:  # GeneratorExit for a loop that was left early, or by an error
        is_reported = False
        raise
    finally:
        del _running[place:]  # with what an error has left open in it
        seconds = time.monotonic() - started
        passed = f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.1f} min"
        end = "from cache" if from_cache else f"{counted}, {passed}" if counted else passed
        # a notebook would show the line in red below the cell
        if is_reported and (from_cache or seconds >= _MIN_SECONDS) and not _is_in_notebook():
            with suppress(OSError, ValueError), above_bar():  # the computation goes on if nobody reads stderr any more
                print(f"{label}: {end}", file=sys.stderr, flush=True)


def _is_in_notebook() -> bool:
    ipython: Any = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")
