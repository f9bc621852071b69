"""`TextFiles`: a sequence of records that are read from one text file each when they are accessed."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TypeVar, overload

from ir_coliee.releases.findings import FindingWarning
from ir_coliee.releases.reading import Readable, read_text
from ir_coliee.releases.unpacked import unpacked

Record = TypeVar("Record")


def is_empty(text: str) -> bool:
    """Return whether a text has neither a letter nor a digit."""
    return not any(map(str.isalnum, text))


def read_required_text(file: Readable, text_id: str) -> str:
    """Read the text of a file. A `FindingWarning` reports one without a letter or digit."""
    text = read_text(file)
    if is_empty(text):
        warnings.warn(FindingWarning(file, "empty-text", "texts without a letter or digit", [text_id]), stacklevel=3)
    return text


class TextFiles(Sequence[Record]):
    """Records that are read from one text file each when they are accessed.

    Parameters
    ----------
    ids : list of str
        The ids of the records.
    files : sequence of Readable
        The file of each record.
    make : callable
        Function that creates a record from its id and its text.
    """

    def __init__(self, ids: list[str], files: Sequence[Readable], make: Callable[[str, str], Record]) -> None:
        self.ids = ids
        self.files = files
        self._make = make

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, position: int) -> Record: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[Record]: ...
    def __getitem__(self, position: int | slice) -> Record | Sequence[Record]:
        if isinstance(position, slice):
            return TextFiles(self.ids[position], self.files[position], self._make)
        return self._make(self.ids[position], read_required_text(self.files[position], self.ids[position]))

    def for_random_access(self) -> TextFiles[Record]:
        """Return the same records for access in any order; those of a ZIP archive are unpacked into the cache."""
        return TextFiles(self.ids, unpacked(self.files), self._make)
