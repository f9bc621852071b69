"""What an audit says of a copy: one finding for each thing that was checked and seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from ir_coliee.errors import shown

Level = Literal["difference", "note"]

_SHOWN = 10  # ids in a finding


class Finding(NamedTuple):
    """Something about a copy.

    ``check`` is a stable name (``gold-without-document``), ``count`` the number of things that it was
    found in, ``ids`` the first of them: of queries or documents, of gold labels ``query document``, of files
    their place in the folder of documents.
    """

    check: str
    level: Level
    count: int  # type: ignore[assignment]  # a field here, a method of tuples
    ids: tuple[str, ...]
    message: str


def found(check: str, level: Level, what: str, ids: Iterable[str]) -> Iterator[Finding]:
    """A finding about the things with these ids, if there are any."""
    if things := list(ids):
        first = tuple(things[:_SHOWN])
        names = ", ".join(map(shown, first)) + (", …" if len(things) > _SHOWN else "")
        yield Finding(check, level, len(things), first, f"{what}: {len(things)} ({names})")
