"""Exceptions and warnings of ir_coliee.

::

    ColieeError
    ├── UnknownIdError      (KeyError)           no dataset has this id; lists similar ids
    ├── MissingReleaseError    (FileNotFoundError)  the organisers' files are not in the data folder
    │   └── MissingLabelsError                   documents were found, but no labels
    ├── AmbiguousReleaseError                       files with the same name and different content
    ├── MalformedFileError  (ValueError)         a file has a wrong format; has file and line
    ├── MalformedRunError   (ValueError)         a run was read but cannot be scored
    ├── InsufficientTrainingDataError               the labels are missing, or too few to fit a model
    ├── ExistingFileError   (FileExistsError)    an existing file would be overwritten
    └── MissingExtraError   (ImportError)        an optional library is needed; names the pip extra

    ColieeWarning           (UserWarning)        something was corrected or left out while loading
    └── ColieeHint                               everything was read, but reading could be faster

Each message names the object, its value, the place and the next step. Each class of errors has a section on the page
Troubleshooting of the documentation, which a traceback (Python >= 3.11) and the command line name below the message.
Messages contain ids, paths and line numbers, but never the text of a decision, an article or a question, because the
data-use agreement protects those.
"""

from __future__ import annotations

import copyreg
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

_TROUBLESHOOTING = "https://ir-coliee.readthedocs.io/en/latest/troubleshooting.html"
_LONGEST_SHOWN = 80
_MOST_LISTED = 5


def printable(name: str, longest: int = _LONGEST_SHOWN) -> str:
    r"""Shorten and escape a name from a user's file, so that it can be part of a message.

    Parameters
    ----------
    name : str
        Any string.
    longest : int, default 80
        The largest number of characters.

    Returns
    -------
    str
        At most ``longest`` characters: control characters are escaped, and the middle of a long name is left out.

    Examples
    --------
    >>> printable("900001"), printable("9\n1"), len(printable("9" * 1000))
    ('900001', '9\\n1', 80)
    """
    if len(name) > 2 * longest:  # what is left out is not escaped
        name = name[:longest] + name[-longest:]
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
    half = (longest - 3) // 2
    return safe if len(safe) <= longest else f"{safe[: longest - 3 - half]}...{safe[-half:]}"


def reason_of(error: Exception) -> str:
    r"""Return the first line of a library's message, or the type of an error that has none, for a message.

    Examples
    --------
    >>> reason_of(OSError("not found\nat all")), reason_of(KeyError())
    ('not found', 'KeyError')
    """
    return printable(str(error).strip().partition("\n")[0] or type(error).__name__, 300)


def printable_list(ids: Sequence[str]) -> str:
    """Format the first five names of a list for a message, with the number of the other names.

    Examples
    --------
    >>> printable_list(["900001"] * 7)
    '900001, 900001, 900001, 900001, 900001 and 2 more'
    """
    more = f" and {len(ids) - _MOST_LISTED} more" if len(ids) > _MOST_LISTED else ""
    return ", ".join(map(printable, ids[:_MOST_LISTED])) + more


class ColieeError(Exception):
    """Base of all errors of ir_coliee.

    Attributes
    ----------
    section : str
        The section of the page Troubleshooting about the errors of this class.
    """

    section: ClassVar[str] = "other-errors"

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        if sys.version_info >= (3, 11):
            self.add_note(f"Help: {self.help_url}")  # the last line of a traceback, and no part of the message

    @property
    def help_url(self) -> str:
        """The address of the section."""
        return f"{_TROUBLESHOOTING}#{self.section}"

    def __str__(self) -> str:  # KeyError would show the message as a quoted repr
        return Exception.__str__(self)

    def __reduce__(self) -> tuple[Any, ...]:  # without calling the constructor, whose arguments are others
        return copyreg.__newobj__, (type(self),), {**vars(self), "args": self.args}  # type: ignore[attr-defined]


class UnknownIdError(ColieeError, KeyError):
    """No dataset has this id.

    It is a `KeyError`, which ``ir_datasets`` documents for unknown ids.

    Attributes
    ----------
    dataset_id : str
        The unknown id.
    nearest : tuple of str
        The most similar known ids.
    searched : str
        Where the file of its edition was searched; empty if the id names no edition or a known one.
    """

    section = "unknown-id"

    def __init__(self, dataset_id: str, nearest: Sequence[str], searched: str = "") -> None:
        self.dataset_id = dataset_id
        self.nearest = tuple(nearest)
        self.searched = searched
        hint = f"Nearest known ids: {', '.join(self.nearest)}. " if self.nearest else ""
        shown = printable(repr(dataset_id))
        where = f"{searched}\n" if searched else ""
        super().__init__(f"Unknown dataset id {shown}.\n{where}{hint}`ir_coliee list` shows how to list ids.")


class MissingReleaseError(ColieeError, FileNotFoundError):
    """The organisers' files of an edition are not in the data folder.

    It is a `FileNotFoundError`, so ``ir_datasets`` falls back to the official counts.
    """

    section = "missing-release"


class MissingLabelsError(MissingReleaseError):
    """Documents and queries were found, but no gold labels, as for a test split whose labels are not yet published."""

    section = "missing-labels"


class AmbiguousReleaseError(ColieeError):
    """The data folder has two files or folders of the same name with different content."""

    section = "ambiguous-release"


class MalformedFileError(ColieeError, ValueError):
    """A file has a wrong format.

    Attributes
    ----------
    path : Path
        The file.
    line : int or None
        Line number, from 1; None if the file has no lines.
    problem : str
        Description of the problem.
    expected : str
        The expected content.
    """

    section = "malformed-file"

    def __init__(self, path: object, line: int | None, problem: str, expected: str) -> None:
        self.path = Path(str(path))
        self.line = line
        self.problem = problem
        self.expected = expected
        place = f"{path}, line {line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {problem}.\nExpected: {expected}.")


class MalformedRunError(ColieeError, ValueError):
    """A run was read but cannot be scored, for example because no id matches or a question has two answers."""

    section = "malformed-run"


class InsufficientTrainingDataError(ColieeError):
    """The local release has no labels, or too few to fit a model."""

    section = "insufficient-training-data"


class ExistingFileError(ColieeError, FileExistsError):
    """An existing file would be overwritten."""

    section = "existing-file"


class MissingExtraError(ColieeError, ImportError):
    """An optional library is not installed. The message names the pip extra that installs it."""

    section = "missing-extra"

    def __init__(self, purpose: str, extra: str) -> None:
        self.purpose = purpose
        self.extra = extra
        super().__init__(f"{purpose} needs a library: pip install 'ir_coliee[{extra}]' (in a clone '.[{extra}]').")


class ColieeWarning(UserWarning):
    """Something in a release was corrected or left out; loading continues."""


class ColieeHint(ColieeWarning):
    """Everything was read, but reading could be faster."""


def warn(message: str) -> None:
    """Warn with a `ColieeWarning` at the line of the user, behind all calls within this package and PyTerrier."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in ("ir_coliee", "pyterrier"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, ColieeWarning, stacklevel=level)
