"""The exceptions and the warning that ir_coliee raises.

::

    ColieeError
    ├── UnknownIdError      (KeyError)           no edition of that name; carries the nearest ids
    ├── MissingReleaseError    (FileNotFoundError)  the organisers' files are not in the data folder
    │   └── MissingLabelsError                   the documents are there, the labels are not
    ├── AmbiguousReleaseError                       files of one name and different content are there
    ├── MalformedFileError  (ValueError)         a file breaks its format; carries file and line
    ├── MalformedRunError   (ValueError)         a run cannot be scored as it is
    ├── ExistingFileError   (FileExistsError)    a file of the user's would be overwritten
    └── MissingExtraError   (ImportError)        an optional library is needed; names the pip extra

    ColieeWarning           (UserWarning)        something was mended or left out while loading
    └── ColieeHint                               all is read as it is, but could be read faster

Each message names the thing, its value, the place and the next step. Messages carry ids, paths and
line numbers, never the text of a decision, an article or a question: those are under a memorandum.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_LONGEST_SHOWN = 80
_MOST_LISTED = 5


def printable(name: str) -> str:
    """A name from a user's file as it may stand in a message: no control characters, the middle of a long one left out.

    >>> printable("900001"), printable("9\\n1"), len(printable("9" * 1000))
    ('900001', '9\\\\n1', 80)
    """
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
    half = (_LONGEST_SHOWN - 3) // 2
    return safe if len(safe) <= _LONGEST_SHOWN else f"{safe[: half + 1]}...{safe[-half:]}"


def printable_list(ids: Sequence[str]) -> str:
    """The first ids of many as they may stand in a message, and how many more there are.

    >>> printable_list(["900001"] * 7)
    '900001, 900001, 900001, 900001, 900001 and 2 more'
    """
    more = f" and {len(ids) - _MOST_LISTED} more" if len(ids) > _MOST_LISTED else ""
    return ", ".join(map(printable, ids[:_MOST_LISTED])) + more


class ColieeError(Exception):
    """Base of all errors that ir_coliee raises on purpose."""

    def __str__(self) -> str:  # KeyError would show the message as a quoted repr
        return Exception.__str__(self)


class UnknownIdError(ColieeError, KeyError):
    """No dataset has this id. ``nearest`` holds the known ids that look most like it.

    It is a `KeyError`, because that is what ``ir_datasets`` documents for an unknown id.
    """

    def __init__(self, dataset_id: str, nearest: Sequence[str]) -> None:
        self.dataset_id = dataset_id
        self.nearest = tuple(nearest)
        hint = f" Nearest known ids: {', '.join(self.nearest)}." if self.nearest else ""
        super().__init__(f"Unknown dataset id {dataset_id!r}.{hint} `ir_coliee list` shows all ids.")

    def __reduce__(self) -> tuple[type, tuple[str, tuple[str, ...]]]:
        return type(self), (self.dataset_id, self.nearest)


class MissingReleaseError(ColieeError, FileNotFoundError):
    """The organisers' files of an edition are not in the data folder.

    It is a `FileNotFoundError`, so that ``ir_datasets`` falls back to the official counts.
    """


class MissingLabelsError(MissingReleaseError):
    """The documents and queries are there, but no gold labels (a test part before publication)."""


class AmbiguousReleaseError(ColieeError):
    """Two files or folders of one name lie in the data folder, and it cannot be told which is meant."""


class MalformedFileError(ColieeError, ValueError):
    """A file breaks its format.

    ``path`` names the file, ``line`` the line (counted from 1; None where the file has no lines).
    """

    def __init__(self, path: object, line: int | None, problem: str, expected: str) -> None:
        self.path = Path(str(path))
        self.line = line
        self.problem = problem
        self.expected = expected
        place = f"{path}, line {line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {problem}. Expected: {expected}.")

    def __reduce__(self) -> tuple[type, tuple[Path, int | None, str, str]]:
        return type(self), (self.path, self.line, self.problem, self.expected)


class MalformedRunError(ColieeError, ValueError):
    """A run that reads well cannot be scored: no id matches, or a question has two answers."""


class ExistingFileError(ColieeError, FileExistsError):
    """A file of the user's would be overwritten."""


class MissingExtraError(ColieeError, ImportError):
    """An optional library is not installed. The message names the pip extra that brings it."""

    def __init__(self, purpose: str, extra: str) -> None:
        self.purpose = purpose
        self.extra = extra
        super().__init__(
            f"{purpose} needs an optional library: pip install 'ir_coliee[{extra}]' (in a clone '.[{extra}]')."
        )

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.purpose, self.extra)


class ColieeWarning(UserWarning):
    """Something in a copy was mended or left out; loading goes on."""


class ColieeHint(ColieeWarning):
    """Everything is read as it is; it could be read faster."""
