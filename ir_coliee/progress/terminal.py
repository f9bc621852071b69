"""One bar on the last line of a terminal, which other output does not collide with."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any, TextIO

from ir_coliee.progress.activities import Status
from ir_coliee.progress.forms import LOCK
from ir_coliee.progress.wording import figures, percentage

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
