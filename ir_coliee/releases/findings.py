"""`Finding`: a result of an audit, and the warning of a reader that becomes one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ir_coliee.errors import ColieeWarning, printable_list
from ir_coliee.releases.check_table import CHECKS, Level


class Finding(NamedTuple):
    """A result of an audit.

    Attributes
    ----------
    check : str
        The name of the check, a key of `ir_coliee.releases.check_table.CHECKS`, such as ``gold-without-document``.
    level : {"wrong", "changes your score", "curious"}
        See `ir_coliee.releases.check_table.Check`.
    count : int
        The number of queries, documents, labels or files that it is about.
    ids : tuple of str
        All of them: ids of queries or documents, ``query document`` for gold labels, names of files or paths below the
        folder of documents, texts of further warnings. Empty if the finding is about the split as a whole.
    message : str
        The finding in words, with the first of the ids.
    advice : str
        What to do about it, in one sentence.
    """

    check: str
    level: Level
    count: int  # type: ignore[assignment]  # a field here, a method of tuples
    ids: tuple[str, ...]
    message: str
    advice: str

    def __repr__(self) -> str:
        return f"<Finding, {self.level}: {self.message}>"


def finding(check: str, message: str, *, count: int = 1, ids: tuple[str, ...] = ()) -> Finding:
    """Return the finding of a check, with the level and the advice of the table of checks."""
    return Finding(check, CHECKS[check].level, count, ids, message, CHECKS[check].advice)


def finding_on(check: str, description: str, ids: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding on the given ids, if there are any.

    Parameters
    ----------
    check : str
        A key of the table of checks.
    description : str
        A description of the ids, such as ``queries without gold``.
    ids : iterable of str
    """
    if concerned := tuple(ids):
        yield finding(check, _message(description, concerned), count=len(concerned), ids=concerned)


def _message(description: str, ids: Sequence[str]) -> str:
    return f"{description}: {len(ids)} ({printable_list(ids)})"


class FindingWarning(ColieeWarning):
    """A warning of a reader that an audit reports as a finding of its own.

    Parameters
    ----------
    place : object
        The file or folder.
    check : str
        A key of the table of checks.
    description : str
        A description of the ids.
    ids : sequence of str
    """

    def __init__(self, place: object, check: str, description: str, ids: Sequence[str]) -> None:
        super().__init__(place, check, description, ids)
        self.place = place
        self.check = check
        self.description = description
        self.ids = tuple(ids)

    def __str__(self) -> str:
        return f"{self.place}: {_message(self.description, self.ids)}. {CHECKS[self.check].advice}"


class MoreWarnings(ColieeWarning):
    """A warning that stands for further warnings about a file. An audit reports all of them.

    Parameters
    ----------
    file : object
    problems : sequence of str
        The texts of the warnings.
    """

    def __init__(self, file: object, problems: Sequence[str]) -> None:
        super().__init__(file, problems)
        self.file = file
        self.problems = tuple(problems)

    def __str__(self) -> str:
        number = len(self.problems)
        return f"{self.file}: {number:,} more warnings; all: ir_coliee audit ID --check warning-of-reader"
