"""What a reference names: articles by their number or position, a range of them, a unit of the code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """An article by its number in arabic digits, ``398-2``."""

    number: str


@dataclass(frozen=True)
class Relative:
    """Neighbouring articles: ``offset`` -2 is the two before, 1 the next."""

    offset: int


@dataclass(frozen=True)
class Step:
    """A unit of a `level`: the one of this number, or the neighbours by ``offset`` (0 the unit one stands in)."""

    level: str
    number: str = ""
    offset: int = 0


@dataclass(frozen=True)
class Unit:
    """A unit of the code, from the largest step to the smallest."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Range:
    """All articles from one end to the other, both included."""

    first: Number | Relative | Unit
    last: Number | Relative | Unit


Name = Number | Relative | Unit | Range
