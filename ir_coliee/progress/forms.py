"""The form in which progress is shown: lines in a log here, a bar on terminals and in notebooks."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import RLock
from typing import Any, Protocol, TextIO

from ir_coliee.progress.activities import Status
from ir_coliee.progress.wording import sentence

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
        from ir_coliee.progress.notebook import NotebookBar

        return NotebookBar()
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        from ir_coliee.progress.terminal import TerminalBar

        return TerminalBar(sys.stderr)
    return Log(sys.stderr)


def kernel_is_running() -> bool:
    """Return whether this process is the kernel of a Jupyter notebook."""
    ipython: Any = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")
