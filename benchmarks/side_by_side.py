"""Time a task beside that of another program in one run: ratios carry over to other machines, times do not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from statistics import median
from typing import NamedTuple

Task = Callable[[], object]
PAIRS = 5


class Row(NamedTuple):
    """A line of the table: a value, the other program if there is one, and the upper bound of the value."""

    what: str
    value: float
    unit: str
    peer: str = ""
    bound: float | None = None


def beside(
    what: str, ours: Task, name: str, peer: Task, *, bound: float | None = None, scale: float = 1.0, repeats: int = 1
) -> Row:
    """Time both by turns, so that other processes disturb both alike, and return the median of the ratios.

    ``scale`` multiplies the time of ``peer`` where that does part of the work. ``repeats`` is how often ours is done
    in a row where a single time is too short to measure.
    """
    ratios = []
    for _ in range(PAIRS):
        own = seconds(lambda: [ours() for _ in range(repeats)]) / repeats
        ratios.append(own / (seconds(peer) * scale))
    return Row(what, median(ratios), "times", name, bound)


def seconds(task: Task) -> float:
    """Return the seconds that a task takes."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def print_rows(rows: Iterable[Row]) -> int:
    """Print the rows; return 1 if a bound is missed, else 0."""
    missed = 0
    for row in rows:
        is_missed = row.bound is not None and row.value > row.bound
        bound = "" if row.bound is None else f"bound {row.bound:g}: {'MISSED' if is_missed else 'met'}"
        print(f"{row.what:60} {row.value:10.3g} {row.unit:5} {row.peer:28} {bound}".rstrip(), flush=True)
        missed += is_missed
    return int(missed > 0)
