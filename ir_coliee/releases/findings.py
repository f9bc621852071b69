"""`Finding`: a result of an audit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from ir_coliee.errors import printable

Level = Literal["difference", "note"]

_MAX_IDS = 10


class Finding(NamedTuple):
    """A result of an audit.

    Attributes
    ----------
    check : str
        The name of the check, which does not change between versions, such as ``gold-without-document``.
    level : {"difference", "note"}
        ``difference`` can make scores differ from the organisers'; ``note`` cannot.
    count : int
        The number of queries, documents, labels or files that it is about.
    ids : tuple of str
        The first of them: ids of queries or documents, ``query document`` for gold labels, paths below the folder of
        documents for files.
    message : str
    """

    check: str
    level: Level
    count: int  # type: ignore[assignment]  # a field here, a method of tuples
    ids: tuple[str, ...]
    message: str


def finding_on(check: str, level: Level, description: str, ids: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding on the given ids, if there are any.

    Parameters
    ----------
    check : str
    level : {"difference", "note"}
    description : str
        A description of the ids, such as ``queries without gold``.
    ids : iterable of str
    """
    if concerned := list(ids):
        first = tuple(concerned[:_MAX_IDS])
        names = ", ".join(map(printable, first)) + (", …" if len(concerned) > _MAX_IDS else "")
        yield Finding(check, level, len(concerned), first, f"{description}: {len(concerned)} ({names})")
