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
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from html import escape
from threading import Event, RLock, Thread, get_ident, main_thread
from typing import Any, Literal, NamedTuple, Protocol, TextIO, TypeVar

from ir_coliee.frames import integer_at_least

# The stages and loops that are running, and what of them is shown.


@dataclass(eq=False)
class Activity:
    """A running stage, group of stages, or loop.

    Attributes
    ----------
    kind : str
        ``group``, ``stage`` (one of a group, with its number), ``detail`` (any other stage) or ``loop``.
    label : str
        The description of a loop, the title of a group, or the name of a stage, with its number if it has one.
    started : float
        The time of the start, in seconds.
    names : tuple of str
        The names of the stages of a group.
    from_cache : bool
        Whether it is a stage the result of which is read from the cache.
    total, done, unit
        The number of steps of a loop, if it is known, those that are done, and what they are.
    thread : int
        The thread that started it.
    """

    kind: Literal["group", "stage", "detail", "loop"]
    label: str
    started: float
    names: tuple[str, ...] = ()
    from_cache: bool = False
    total: int | None = None
    done: int = 0
    unit: str = ""
    thread: int = field(default_factory=get_ident)

    def __post_init__(self) -> None:
        self.done_before = self.done

    @property
    def count(self) -> str:
        """The number of steps that are done, and of all if some are missing; empty if it is none, or the only one."""
        of_all = f" of {self.total:,}" if self.total and self.done < self.total else ""
        if self.done == 0 or (self.done == 1 and not of_all):
            return ""
        return f"{self.done:,}{of_all} {self.unit}".rstrip()

    def advance(self) -> None:
        """Count a step as done."""
        self.done += 1


class Status(NamedTuple):
    """What is shown of the running activities.

    Attributes
    ----------
    stages : tuple of str
        The current stage and those around it, outermost first; without stages, the loop or the title.
    detail : str
        What is done in the stage: the description of a loop, for example; empty if the label says it.
    done, total, unit
        The steps of the current loop; `done` is None without a loop.
    elapsed : float
        Seconds since the start of the loop or stage.
    remaining : float or None
        An estimate of the remaining seconds of the loop.
    """

    stages: tuple[str, ...]
    detail: str
    done: int | None
    total: int | None
    unit: str
    elapsed: float
    remaining: float | None

    @property
    def name(self) -> str:
        """All that is done: the stages around the current one, this one, and the detail."""
        return ", ".join(filter(None, (*self.stages, self.detail)))


def status(running: Sequence[Activity], now: float) -> Status:
    """Summarise the running activities.

    Parameters
    ----------
    running : sequence of Activity
        The running activities in the order of their start; at least one.
    now : float
        The time, in seconds.

    Returns
    -------
    Status
        The stages of the first thread, and its outermost loop in the last stage. If there is none, the loop of another
        thread.
    """
    first = [activity for activity in running if activity.thread == running[0].thread]
    stages_at = [number for number, activity in enumerate(first) if activity.kind in ("stage", "detail")]
    last_stage = max(stages_at, default=0)
    others = [activity for activity in running if activity.thread != running[0].thread]
    loop = next((activity for activity in (*first[last_stage:], *others) if activity.kind == "loop"), None)
    shown = loop or first[last_stage]
    thread = [activity for activity in running if activity.thread == shown.thread]
    details = [activity.label for activity in thread if activity.kind == "detail" or activity is loop]
    stages = numbered(first) or (first[0].label if first[0].kind == "group" else details.pop(0),)
    elapsed = now - shown.started
    return Status(
        stages=stages,
        detail=", ".join(details),
        done=loop.done if loop else None,
        total=loop.total if loop else None,
        unit=loop.unit if loop else "",
        elapsed=elapsed,
        remaining=_remaining(loop, elapsed) if loop else None,
    )


def numbered(activities: Sequence[Activity]) -> tuple[str, ...]:
    """Return the names of the numbered stages, for example ``1 of 2: learned`` and ``3 of 6: n-grams``."""
    return tuple(activity.label for activity in activities if activity.kind == "stage")


def _remaining(loop: Activity, elapsed: float) -> float | None:
    advanced = loop.done - loop.done_before
    if loop.total is None or advanced <= 0:
        return None
    return elapsed / advanced * max(loop.total - loop.done, 0)


# Durations, shares and counts in words and figures.


def duration(seconds: float) -> str:
    """Return a duration with its units.

    Examples
    --------
    >>> duration(0.71), duration(14.2), duration(84), duration(3900)
    ('0.7 s', '14 s', '1 min 24 s', '1 h 5 min')
    """
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def clock(seconds: float) -> str:
    """Return a duration as on a clock.

    Examples
    --------
    >>> clock(12.3), clock(3900)
    ('00:12', '1:05:00')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def figures(now: Status) -> str:
    """Return the figures that follow a bar: steps, elapsed and remaining time.

    Examples
    --------
    >>> figures(Status(("n-grams",), "", 1200, 3600, "documents", 12.0, 24.0))
    '1,200/3,600 documents [00:12<00:24]'
    >>> figures(Status(("fitting",), "", None, None, "", 5.0, None))
    '[00:05]'
    """
    times = clock(now.elapsed) + ("" if now.remaining is None else f"<{clock(now.remaining)}")
    count = "" if now.done is None else f"{now.done:,}" + (f"/{now.total:,}" if now.total else "")
    return " ".join(part for part in (count, now.unit, f"[{times}]") if part)


def sentence(now: Status) -> str:
    """Return the status as a line of a log.

    Examples
    --------
    >>> sentence(Status(("2 of 6: n-grams",), "indexing", 1200, 3600, "documents", 12.0, 24.0))
    '2 of 6: n-grams, indexing: 33 %, 1,200 of 3,600 documents, 12 s, about 24 s left'
    >>> sentence(Status(("2 of 6: n-grams",), "", None, None, "", 12.0, None))
    '2 of 6: n-grams: 12 s so far'
    """
    facts = []
    if now.done is not None and now.total:
        facts += [f"{percentage(now)} %", f"{now.done:,} of {now.total:,} {now.unit}".rstrip()]
    elif now.done:
        facts += [f"{now.done:,} {now.unit}".rstrip()]
    if now.remaining is None:
        facts.append(f"{duration(now.elapsed)} so far")
    else:
        facts += [duration(now.elapsed), f"about {duration(now.remaining)} left"]
    return f"{now.name}: {', '.join(facts)}"


def percentage(now: Status) -> int:
    """Return the share of the steps that are done, rounded down, in [0, 100]; 0 if it is not known.

    Examples
    --------
    >>> percentage(Status(("n-grams",), "", 1199, 1200, "documents", 12.0, 24.0))
    99
    """
    return min(100 * now.done // now.total, 100) if now.total and now.done else 0


# The form in which progress is shown: lines in a log here, a bar on terminals and in notebooks.


_FIRST_LINE = 3.0  # seconds, because the start of the program was silent too
_LONGEST_SILENCE = 8.0

#: One lock for all that is running and for the screen: a loop can end, because its last reference is removed, in the
#: middle of a `print` that has removed the bar.
LOCK = RLock()


class Form(Protocol):
    """A form of progress.

    Attributes
    ----------
    delay : float
        Seconds until the progress of a computation is first shown.
    interval : float
        Seconds until it is shown again.
    """

    delay: float
    interval: float

    def show(self, now: Status) -> None:
        """Show the status, in place of the former one if the form allows it."""

    def report(self, line: str) -> None:
        """Show a line about a stage or loop that has ended."""

    def close(self) -> None:
        """Remove what is no longer true, such as an unfinished bar."""


class Log:
    """Lines in a log, at least every ten seconds.

    Parameters
    ----------
    stream : file
        The log.
    clock : callable
        Returns the time in seconds.
    """

    delay = interval = 1.0

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._due = clock() + _FIRST_LINE

    def show(self, now: Status) -> None:
        """Write the status if nothing was written for some seconds."""
        if self._clock() >= self._due:
            self.report(sentence(now))

    def report(self, line: str) -> None:
        """Write a line."""
        self._due = self._clock() + _LONGEST_SILENCE
        with suppress(OSError, ValueError):  # the computation goes on if nobody reads the log any more
            self._stream.write(f"{line}\n")
            self._stream.flush()

    def close(self) -> None:
        """Do nothing."""


def choose_form() -> Form:
    """Return a notebook's bar in Jupyter, a terminal's bar if stderr is a terminal, otherwise a log on stderr."""
    if kernel_is_running():
        return NotebookBar()
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        return TerminalBar(sys.stderr)
    return Log(sys.stderr)


def kernel_is_running() -> bool:
    """Return whether this process is the kernel of a Jupyter notebook."""
    ipython: Any = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


# The list of all that is running, which is shown at regular intervals by a thread.


_MIN_SECONDS = 0.5  # shorter stages and loops are not mentioned


class Monitor:
    """The stages and loops that are running in this process, and the form in which they are shown.

    Parameters
    ----------
    choose : callable
        Returns the form. It is called when the first activity starts.
    clock : callable
        Returns the time in seconds.
    """

    def __init__(self, choose: Callable[[], Form] = choose_form, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._choose = choose
        self._running: list[Activity] = []
        self._form: Form | None = None
        self._last_error: object = None
        self._closed = Event()

    @contextmanager
    def running(self, activity: Activity) -> Iterator[None]:
        """Show an activity while the block is executed."""
        self._start(activity)
        try:
            yield
        except GeneratorExit:  # a loop that was left early
            self._end(activity)
            raise
        except BaseException:
            self._end(activity, stopped=True)
            raise
        self._end(activity)

    def stage(self, name: str, *, from_cache: bool = False) -> Activity:
        """Return a stage, with its number if this thread is in a group of stages."""
        with LOCK:
            around = [each for each in self._running if each.thread == get_ident() and each.kind != "loop"]
        names = around[-1].names if around else ()
        if name not in names:
            return Activity("detail", name, self.clock(), from_cache=from_cache)
        label = f"{names.index(name) + 1} of {len(names)}: {name}"
        return Activity("stage", label, self.clock(), from_cache=from_cache)

    def show(self) -> None:
        """Show the current state. A thread calls this at the intervals of the form."""
        with LOCK:
            self._end_failed()
            if self._form and (running := [*self._running]):
                self._form.show(status(running, self.clock()))

    def forget(self) -> None:
        """Forget what is running, in a process that was forked while it was running."""
        LOCK._at_fork_reinit()  # type: ignore[attr-defined]  # a thread that is not in this process may have had it
        self._running, self._form = [], None

    def _start(self, activity: Activity) -> None:
        with LOCK:
            self._end_failed()
            self._running.append(activity)
            if self._form is None:
                self._form, self._closed, self._last_error = self._choose(), Event(), _last_error()
                # a notebook knows by the context which cell a message belongs to
                arguments = (self._show_until, self._closed, self._form)
                Thread(target=copy_context().run, args=arguments, name="progress", daemon=True).start()

    def _show_until(self, closed: Event, form: Form) -> None:
        seconds = form.delay
        while not closed.wait(seconds):
            self.show()
            seconds = form.interval

    def _end_failed(self) -> None:
        """End the loops of a cell or a line of the prompt that has failed, which its traceback keeps as they are."""
        if self._form and self._last_error is not (error := _last_error()):
            self._last_error = error
            for activity in [*self._running]:
                if activity.thread == main_thread().ident:
                    self._end(activity, stopped=True)

    def _end(self, activity: Activity, *, stopped: bool = False) -> None:
        with LOCK:
            form = self._form
            if form is None or activity not in self._running:
                return
            seconds = self.clock() - activity.started
            description = self._description(activity)
            for each in self._running[self._running.index(activity) :]:
                if each.thread == activity.thread:  # loops in it, which an error can leave behind
                    with suppress(ValueError):  # it ended meanwhile, because its last reference was removed
                        self._running.remove(each)
            if description and activity.from_cache and not stopped:
                form.report(f"{description} from cache")
            elif description and seconds >= _MIN_SECONDS:
                form.report(f"{description}{' stopped after' if stopped else ''} {duration(seconds)}")
            if not self._running and self._form:
                self._form = self._last_error = None
                self._closed.set()
                form.close()

    def _description(self, activity: Activity) -> str:
        """Return what is reported of an activity that ends, before its time; nothing if it is a detail of another."""
        own = [each for each in self._running if each.thread == self._running[0].thread]
        if activity in own and activity.kind == "stage":
            return f"{', '.join(numbered(own[: own.index(activity) + 1]))}:"
        if activity is not self._running[0]:
            return ""
        if len(activity.names) > 1:
            return f"{activity.label}: {len(activity.names)} stages,"
        return f"{activity.label}: {count}," if (count := activity.count) else f"{activity.label}:"


def _last_error() -> object:
    """Return the last error that has reached the prompt of Python or of a notebook."""
    return getattr(sys, "last_value", None)


# Progress of long computations, shown in one way everywhere.


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


# One bar in the output of a notebook's cell, which stays as a line with its time.


class NotebookBar:
    """A bar in a Jupyter notebook, as HTML without scripts and widgets, so that it stays when the notebook is exported.

    The last report takes its place at the end.
    """

    delay, interval = 0.5, 0.5

    def __init__(self) -> None:
        self._handle: Any = None
        self._last_report = ""

    def show(self, now: Status) -> None:
        """Draw the bar, in place of the former one."""
        share = percentage(now)
        bar = f'<progress max="100" value="{share}"></progress> {share} %' if now.total else "<progress></progress>"
        self._display(f"{bar} {escape(now.name)} {escape(figures(now))}", sentence(now))

    def report(self, line: str) -> None:
        """Keep the line for the end."""
        self._last_report = line

    def close(self) -> None:
        """Show the last report instead of the bar."""
        if self._handle or self._last_report:
            self._display(escape(self._last_report), self._last_report)

    def _display(self, html: str, text: str) -> None:
        from IPython.display import display

        content = {"text/html": f"<div>{html}</div>", "text/plain": text}
        if self._handle is None:
            self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)


# One bar on the last line of a terminal, which other output does not collide with.


_BAR_LENGTHS = (20, 10)
_MARGIN = len("^C")  # the terminal writes this after the bar if the user interrupts the computation


class TerminalBar:
    """A bar on a terminal.

    Whatever else is written to stdout or stderr while the bar is shown removes the bar first. The bar comes back when
    the cursor is at the start of a line again, so that it is never drawn over the bar of another library.

    Parameters
    ----------
    stream : file
        The terminal.
    """

    delay, interval = 0.5, 0.2

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn = 0  # the length of the bar on the screen
        self._is_watching = False
        self.at_line_start = True

    def show(self, now: Status) -> None:
        """Draw the bar, in place of the former one."""
        with LOCK:
            self._watch_streams()
            if not self.at_line_start:
                return
            line = bar_line(now, _columns(self._stream) - 1 - _MARGIN, _can_encode(self._stream, "━─"))
            self._write("\r" + line.ljust(self._drawn))
            self._drawn = len(line)

    def report(self, line: str) -> None:
        """Write a line above the bar."""
        with LOCK:
            self._watch_streams()
            self.clear()
            self._write(f"{line}\n" if self.at_line_start else f"\n{line}\n")
            self.at_line_start = True

    def clear(self) -> None:
        """Remove the bar from the screen."""
        with LOCK:
            if self._drawn:
                self._write("\r" + " " * (self._drawn + _MARGIN) + "\r")
                self._drawn = 0

    def close(self) -> None:
        """Remove the bar for good."""
        self.clear()
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if isinstance(stream, _WatchedStream) and stream.bar is self:
                setattr(sys, name, stream.stream)

    def _watch_streams(self) -> None:
        if self._is_watching:
            return
        self._is_watching = True
        if _has_open_bar():
            self._write("\n")
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is not None and stream.isatty():
                watched = _watched.get(name)
                if watched is None or watched.stream is not stream:
                    watched = _watched[name] = _WatchedStream(stream, self)
                watched.bar = self
                setattr(sys, name, watched)

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # the computation goes on if the terminal was closed
            self._stream.write(text)
            self._stream.flush()


class _WatchedStream:
    """A stream that removes a bar before it is written to."""

    def __init__(self, stream: TextIO, bar: TerminalBar) -> None:
        self.stream, self.bar = stream, bar

    def write(self, text: str) -> int:
        with LOCK:
            if text:
                self.bar.clear()
                self.bar.at_line_start = text.endswith(("\n", "\r"))
            return self.stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


#: Those of stdout and stderr, which are kept: Python 3.11 crashes if the stream of a running `print` is removed.
_watched: dict[str, _WatchedStream] = {}


def bar_line(now: Status, width: int, unicode: bool = True) -> str:
    """Return the line of a bar.

    Parameters
    ----------
    now : Status
        What to show.
    width : int
        The largest number of characters. If they are too few, the bar is left out, then what is done in the stage,
        then the stages around it; the name of the stage is shortened last, and the figures never.
    unicode : bool
        Whether the bar may have characters beyond ASCII.

    Returns
    -------
    str
        The line.

    Examples
    --------
    >>> now = Status(("2 of 6: n-grams",), "indexing", 1200, 3600, "documents", 12.0, 24.0)
    >>> bar_line(now, 90, unicode=False)
    '2 of 6: n-grams, indexing  33 % #######------------- 1,200/3,600 documents [00:12<00:24]'
    >>> bar_line(now, 60, unicode=False)
    '2 of 6: n-grams  33 % 1,200/3,600 documents [00:12<00:24]'
    """
    names = dict.fromkeys((now.name, ", ".join(now.stages), now.stages[-1]))
    share = f"{percentage(now)} % " if now.total else ""
    numbers = figures(now)
    lengths = (*_BAR_LENGTHS, 0) if share else (0,)
    for name in names:
        for length in lengths:
            bar = _bar(percentage(now), length, "━─" if unicode else "#-")
            line = f"{name}  {share}{bar}{numbers}"
            if len(line) <= width:
                return line
    room = max(width - len(share) - len(numbers) - 2, 0)
    return f"{now.stages[-1][: max(room - 3, 0)]}...  {share}{numbers}"


def _bar(percent: int, length: int, characters: str) -> str:
    done = round(length * percent / 100)
    return (characters[0] * done + characters[1] * (length - done) + " ") if length else ""


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _can_encode(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _has_open_bar() -> bool:
    """Return whether a bar of tqdm is on the screen, for example that of an experiment of PyTerrier."""
    tqdm: Any = sys.modules.get("tqdm")
    return tqdm is not None and bool(getattr(tqdm.tqdm, "_instances", ()))
