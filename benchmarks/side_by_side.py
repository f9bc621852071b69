"""Ours beside a peer's, in one run of the program: ratios hold from machine to machine, times do not."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

Task = Callable[[], object]

PAIRS = 5


class Row(NamedTuple):
    """A line of the table. ``ours`` and ``peer`` are seconds, or with another ``unit`` amounts of that.

    ``bound`` is the most that the ratio of ours to the peer's may be, or ours itself where there is no peer.
    ``note`` says what of the peer was measured where that was not all of it.
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
    """Time both in turn, so that both meet the same neighbours on the machine; the medians, and that of the ratios.

    ``scale``: how many times as much the peer would have to do as ``peer`` does. ``repeats``: how many times ours
    is done in a row and divided by, where a single time is too short to take.
    """
    times = [
        (_seconds(lambda: [ours() for _ in range(repeats)]) / repeats, _seconds(peer) * scale) for _ in range(PAIRS)
    ]
    own, others = zip(*times)
    return Row(what, median(own), peer_name, median(others), median(a / b for a, b in times), bound, note)


def alone(what: str, ours: Task, *, bound: float | None = None) -> Row:
    """The median time, against an absolute bound in seconds."""
    return Row(what, median(_seconds(ours) for _ in range(PAIRS)), bound=bound)


def _seconds(task: Task) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def heading() -> str:
    """The line above the table."""
    return _line("", "ours", "peer's", "ours/peer", "bound", "", "peer")


def as_line(row: Row) -> str:
    """A row as text."""
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
