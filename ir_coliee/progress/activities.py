"""The stages and loops that are running, and what of them is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import get_ident
from typing import Literal, NamedTuple


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
