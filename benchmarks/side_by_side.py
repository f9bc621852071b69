"""Time a task beside that of another program in one run: ratios carry over to other machines, times do not."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

Task = Callable[[], object]

PAIRS = 5


class Row(NamedTuple):
    """A line of the table.

    Attributes
    ----------
    what : str
        What was measured.
    ours : float
        Our time, or another quantity in ``unit``.
    peer_name : str
        The other program; empty where there is none.
    peer, ratio : float or None
        Its time, and the ratio of ours to it.
    bound : float or None
        Upper bound of the ratio, or of ours where there is no other program.
    note : str
        Which part of the other program's work was measured, if not all of it.
    unit : str
        Unit of ``ours`` and ``peer``.
    """

    what: str
    ours: float
    peer_name: str = ""
    peer: float | None = None
    ratio: float | None = None
    bound: float | None = None
    note: str = ""
    unit: str = "s"

    @property
    def met(self) -> bool | None:
        """Whether the bound is met; None where none is stated."""
        if self.bound is None:
            return None
        return (self.ours if self.ratio is None else self.ratio) <= self.bound


def beside(
    what: str,
    ours: Task,
    peer_name: str,
    peer: Task,
    *,
    bound: float | None = None,
    scale: float = 1.0,
    note: str = "",
    repeats: int = 1,
) -> Row:
    """Time both by turns, so that other processes disturb both alike; return the medians, and that of the ratios.

    ``scale`` multiplies the time of ``peer`` where that does part of the work. ``repeats`` is how often ours is done
    in a row where a single time is too short to measure.
    """
    times = [
        (_seconds(lambda: [ours() for _ in range(repeats)]) / repeats, _seconds(peer) * scale) for _ in range(PAIRS)
    ]
    own, others = zip(*times)
    return Row(what, median(own), peer_name, median(others), median(a / b for a, b in times), bound, note)


def alone(what: str, ours: Task, *, bound: float | None = None) -> Row:
    """Time a task alone; return the median time with an absolute bound in seconds."""
    return Row(what, median(_seconds(ours) for _ in range(PAIRS)), bound=bound)


def _seconds(task: Task) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def heading() -> str:
    """Return the header of the table."""
    return _line("", "ours", "peer's", "ours/peer", "bound", "", "peer")


def as_line(row: Row) -> str:
    """Return a row as text."""
    peer = "" if row.peer is None else _amount(row.peer, row.unit)
    ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
    bound = "" if row.bound is None else f"{row.bound:g}" + (f" {row.unit}" if row.ratio is None else "")
    met = {None: "", True: "met", False: "MISSED"}[row.met]
    name = f"{row.peer_name} ({row.note})" if row.note else row.peer_name
    return _line(row.what, _amount(row.ours, row.unit), peer, ratio, bound, met, name)


def _amount(number: float, unit: str) -> str:
    if unit != "s":
        return f"{number:.0f} {unit}"
    return f"{number:.1f} s" if number >= 10 else f"{number * 1000:.3g} ms"


def _line(what: str, ours: str, peer: str, ratio: str, bound: str, met: str, peer_name: str) -> str:
    return f"{what:66} {ours:>9} {peer:>9} {ratio:>9} {bound:>6} {met:6} {peer_name}".rstrip()
