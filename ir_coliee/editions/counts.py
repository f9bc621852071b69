"""Counts of queries, documents and gold labels, with their certainty."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: Each certainty by its letter.
CERTAINTIES: dict[str, str] = {
    "M": "measured on files of the edition",
    "O": "the organisers' text",
    "R": "read in programs that package, score or read the edition",
    "C": "seen in participants' programs",
    "D": "derived from such numbers",
    "U": "unverified",
}

#: A count as an edition file writes it: a number and its certainty.
WRITTEN_COUNT = re.compile(rf"([1-9][0-9]{{0,8}}) ([{''.join(CERTAINTIES)}])")


class Count(int):
    """An official number of queries, documents or gold labels, with its certainty.

    Parameters
    ----------
    number : int
        The number.
    certainty : str
        A letter of `CERTAINTIES`: M (measured on files of the edition), O (the organisers' text), R (read in programs
        that package, score or read the edition), C (seen in participants' programs), D (derived from such numbers) or
        U (unverified).

    Examples
    --------
    >>> Count(400, "M") + 1, Count(400, "M").certainty
    (401, 'M')
    """

    certainty: str

    def __new__(cls, number: int, certainty: str) -> Count:
        """Create a count of this number."""
        count = super().__new__(cls, number)
        count.certainty = certainty
        return count

    def __reduce__(self) -> tuple[type[Count], tuple[int, str]]:
        return Count, (int(self), self.certainty)

    @property
    def is_certain(self) -> bool:
        """Whether a release with another number is probably incomplete or damaged."""
        return self.certainty in ("M", "O", "R")


def parse_counts(written: Mapping[str, str]) -> dict[str, Count]:
    """Return counts from the text of an edition file.

    Parameters
    ----------
    written : mapping of str to str
        A text such as ``"400 M"`` for each of ``queries``, ``docs`` and ``qrels`` that is known.

    Returns
    -------
    dict of str to Count
        The counts under the same keys.

    Examples
    --------
    >>> parse_counts({"queries": "650 M", "qrels": "3297 D"})
    {'queries': 650, 'qrels': 3297}
    """
    found = {entity: WRITTEN_COUNT.fullmatch(text) for entity, text in written.items()}
    return {entity: Count(int(match[1]), match[2]) for entity, match in found.items() if match}
