"""Measure how long a task takes."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(task: Callable[[], object]) -> float:
    """Return the seconds of a task, the best of three times."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)
