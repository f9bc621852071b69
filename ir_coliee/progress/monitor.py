"""The list of all that is running, which is shown at regular intervals by a thread."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from threading import Event, Thread, get_ident, main_thread

from ir_coliee.progress.activities import Activity, numbered, status
from ir_coliee.progress.forms import LOCK, Form, choose_form
from ir_coliee.progress.wording import duration

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
