"""What a reference denotes: articles by number or position, ranges, units of the code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """An article by its number in arabic digits, such as ``398-2``."""

    number: str


@dataclass(frozen=True)
class Relative:
    """Neighbouring articles: an ``offset`` of -2 is the two preceding ones, 1 the next one."""

    offset: int


@dataclass(frozen=True)
class Step:
    """One level of a unit of the code.

    Attributes
    ----------
    level : str
        One of `ir_coliee.text.statutes.LEVELS`.
    number : str
        Number of the unit; empty if it is given by its position.
    offset : int
        Relative position; 0 is the unit of the referring article.
    """

    level: str
    number: str = ""
    offset: int = 0


@dataclass(frozen=True)
class Unit:
    """A unit of the code, from its largest to its smallest level."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Range:
    """All articles from the first to the last, both included."""

    first: Number | Relative | Unit
    last: Number | Relative | Unit


Name = Number | Relative | Unit | Range
