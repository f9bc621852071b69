"""A common interface to files and folders of a local copy, on disk and in ZIP archives.

Readers take a `File` or a `Folder`, which is on disk or in an archive. Nothing is unpacked and nothing is written;
`ir_coliee.releases.zip_folders` reads archives in place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol

from ir_coliee import size_limits
from ir_coliee.errors import ColieeError, MissingReleaseError
from ir_coliee.size_limits import SizeLimit

#: Names of folders that operating systems and this package create; they hold no files of a release.
IGNORED_FOLDERS = frozenset({"__MACOSX", ".cache"})

#: The largest size of a file of a release, by the last extension of its name; of any other name, that of a text.
_LIMITS = {
    ".json": size_limits.LABELS,
    ".xml": size_limits.XML,
    ".jsonl": size_limits.INSTANCES,
    ".zip": size_limits.INNER_ARCHIVE,
}


def limit_of(name: str) -> SizeLimit:
    """Return the largest size of a file of a release with this name."""
    return _LIMITS.get(os.path.splitext(name)[1].lower(), size_limits.TEXT)


class Folder(Hashable, Protocol):
    """A folder, on disk or in a ZIP archive. ``str`` gives its path, for messages."""

    @property
    def name(self) -> str:
        """Name without the path."""
        ...

    @property
    def stamp(self) -> Hashable:
        """A value that changes when files are added to the folder or removed from it."""
        ...

    def file_names(self) -> list[str]:
        """Return the sorted names of the files in the folder, except those that begin with a dot."""
        ...

    def files(self) -> list[File]:
        """Return the files in the folder, sorted by name."""
        ...

    def folders(self) -> list[Folder]:
        """Return the folders in the folder, sorted by name, except `IGNORED_FOLDERS`."""
        ...

    def read(self, name: str) -> bytes:
        """Return the content of a file in the folder."""
        ...

    def stamp_of(self, name: str) -> Hashable:
        """Return a value that changes with the content of a file in the folder."""
        ...

    def size_of(self, name: str) -> int:
        """Return the size of a file in the folder in bytes; in an archive, the size that the archive states."""
        ...

    def path_of(self, name: str) -> str:
        """Return the path of a file in the folder, for messages."""
        ...


@dataclass(frozen=True)
class File:
    """A file in a folder, on disk or in a ZIP archive. ``str`` gives its path, for messages."""

    folder: Folder
    name: str

    @property
    def stem(self) -> str:
        """The name without its last extension."""
        return self.name.rpartition(".")[0] or self.name

    @property
    def stamp(self) -> Hashable:
        """A value that changes with the content."""
        return self.folder.stamp_of(self.name)

    def check_size(self) -> None:
        """Raise a `MalformedFileError` if the file is larger than any file of its kind; nothing is read."""
        limit_of(self.name).check(self, self.folder.size_of(self.name))

    def read_bytes(self) -> bytes:
        """Return the content.

        Raises
        ------
        MissingReleaseError
            If the file no longer exists.
        MalformedFileError
            If it is larger than any file of its kind (`ir_coliee.size_limits`).
        ColieeError
            If it cannot be read.
        """
        return self.folder.read(self.name)

    def __str__(self) -> str:
        return self.folder.path_of(self.name)


@dataclass(frozen=True)
class DiskFolder:
    """A folder on disk."""

    path: str

    @property
    def name(self) -> str:
        """Name without the path."""
        return os.path.basename(self.path)

    @property
    def stamp(self) -> Hashable:
        """Modification times, size and inode."""
        return file_stamp(self._stat(self.path))

    def file_names(self) -> list[str]:
        """Return the sorted names of the files in the folder, except those that begin with a dot."""
        return sorted(entry.name for entry in self._entries() if _is(entry.is_file))

    def files(self) -> list[File]:
        """Return the files in the folder, sorted by name."""
        return [File(self, name) for name in self.file_names()]

    def folders(self) -> list[Folder]:
        """Return the folders in the folder, sorted by name, except `IGNORED_FOLDERS`."""
        names = sorted(entry.name for entry in self._entries() if _is(entry.is_dir))
        return [DiskFolder(os.path.join(self.path, name)) for name in names]

    def read(self, name: str) -> bytes:
        """Return the content of a file in the folder."""
        try:
            return limit_of(name).read_file(f"{self.path}{os.sep}{name}")
        except OSError as error:
            raise _unreadable(self.path_of(name), error) from None

    def stamp_of(self, name: str) -> Hashable:
        """Return modification times, size and inode of a file in the folder."""
        return file_stamp(self._stat(self.path_of(name)))

    def size_of(self, name: str) -> int:
        """Return the size of a file in the folder in bytes."""
        return self._stat(self.path_of(name)).st_size

    def path_of(self, name: str) -> str:
        """Return the path of a file in the folder."""
        return os.path.join(self.path, name)

    def __str__(self) -> str:
        return self.path

    def _stat(self, path: str) -> os.stat_result:
        try:
            return os.stat(path)
        except OSError as error:
            raise _unreadable(path, error) from None

    def _entries(self) -> list[os.DirEntry[str]]:
        """List the entries of the folder. A link is treated as its target; a broken link is neither file nor folder."""
        try:
            with os.scandir(self.path) as entries:
                return [
                    entry for entry in entries if not entry.name.startswith(".") and entry.name not in IGNORED_FOLDERS
                ]
        except OSError as error:
            raise _unreadable(self.path, error) from None


def _is(has_kind: Callable[[], bool]) -> bool:
    """Return whether an entry is a file or a folder; a circular link is neither."""
    try:
        return has_kind()
    except OSError:
        return False


def file_stamp(status: os.stat_result) -> tuple[int, ...]:
    """Return the modification times, size and inode of a file or folder."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _unreadable(path: str, error: OSError) -> ColieeError:
    if isinstance(error, FileNotFoundError):
        return MissingReleaseError(f"{path} no longer exists. Restore it from the organisers' package.")
    return ColieeError(f"{path} cannot be read ({error.strerror}). Check its permissions.")
