"""What a reference denotes, and the interface of the grammars that find references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
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


@dataclass
class Found:
    """A reference that was found.

    Attributes
    ----------
    start, end : int
        Offsets.
    name : Name or None
        None repeats the previous article.
    other : bool
        Whether it refers to another law.
    applied : bool
        Whether it is applied mutatis mutandis.
    exceptions : sequence of Name
        Excluded articles.
    reach : int
        Offset at which its details (paragraphs, items) end.
    words : str
        Text of the reference where the text at the offsets is incomplete (the 2 of ``Sections 1 and 2``).
    """

    start: int
    end: int
    name: Name | None
    other: bool = False
    applied: bool = False
    exceptions: Sequence[Name] = ()
    reach: int = 0
    words: str = ""


@dataclass(frozen=True)
class Grammar:
    """Patterns of a language by which references are found and interpreted."""

    closers: dict[str, str]  # of brackets and quotes
    quotes: frozenset[str]
    names: re.Pattern[str]
    read: Callable[[re.Match[str]], Iterator[Found]]
    details: re.Pattern[str]  # paragraph and item, behind a name
    joint: re.Pattern[str]  # between names of one list
    loose_joint: re.Pattern[str]  # the same, with "the provisions of" repeated
    from_to: re.Pattern[str]  # between the ends of a range
    other_before: re.Pattern[str]  # the words that give a name to another law
    definition_before: re.Pattern[str]  # the words around the units in which a defined term is used
    exception: re.Pattern[str]  # what a bracket that takes articles out says beside their names
    host: re.Pattern[str]  # between the name taken out from and such a bracket
    applied: Callable[[str, list[list[Found]]], Iterator[list[Found]]]
    to_end: re.Pattern[str] = re.compile("")  # behind the last end of a range
    other_after: re.Pattern[str] = re.compile("(?!)")
    definition_after: re.Pattern[str] = re.compile("")
    shared_step_follows: bool = False  # "Section 1 and Section 2 of Chapter 3" against 第三章第一節及び第二節
