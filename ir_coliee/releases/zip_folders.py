"""Folders in ZIP archives, read in place, also in archives within archives.

Nothing is unpacked, so that an entry whose name points outside the archive can do no harm. Encrypted entries are read
by `ir_coliee.releases.encrypted_zips`. An archive within another is held in memory; one within that is not opened.
"""

from __future__ import annotations

import io
import os
import re
import stat
import struct
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, ColieeWarning, MissingReleaseError, printable_list
from ir_coliee.releases import encrypted_zips
from ir_coliee.releases.folders import IGNORED_FOLDERS, File, Folder, limit_of
from ir_coliee.size_limits import ARCHIVE_DIRECTORY

_MAX_DEPTH = 40  # folders within folders
_HERE = re.compile(r"^(?:\./)+")


@dataclass(frozen=True)
class ZipFolder:
    """A folder in a ZIP archive. With an empty ``inner``, it is the archive itself and has the name of its file."""

    archive: Archive
    inner: str = ""

    @property
    def name(self) -> str:
        """Name without the path."""
        return self.inner.rpartition("/")[2] or Path(self.archive.path).stem

    @property
    def stamp(self) -> Hashable:
        """The stamp of the archive file."""
        return self.archive.stamp

    def file_names(self) -> list[str]:
        """Return the sorted names of the files in the folder, except those that begin with a dot."""
        return list(self._content().files)

    def files(self) -> list[File]:
        """Return the files in the folder, sorted by name."""
        return [File(self, name) for name in self.file_names()]

    def folders(self) -> list[Folder]:
        """Return the folders in the folder, sorted by name, except ``IGNORED_FOLDERS``."""
        return [ZipFolder(self.archive, f"{self.inner}/{name}".lstrip("/")) for name in self._content().folders]

    def read(self, name: str) -> bytes:
        """Return the content of a file in the folder."""
        return self.archive.read(self._entry(name))

    def stamp_of(self, name: str) -> Hashable:
        """Return the stamp of the archive file."""
        return self.archive.stamp

    def size_of(self, name: str) -> int:
        """Return the size of a file in the folder that the archive states."""
        return self.info_of(name).file_size

    def path_of(self, name: str) -> str:
        """Return the path of the archive followed by the path within it."""
        return f"{self.archive.path}/{self._entry(name)}"

    def info_of(self, name: str) -> zipfile.ZipInfo:
        """Return the archive's entry of a file in the folder."""
        return self.archive.info(self._entry(name))

    def __str__(self) -> str:
        return f"{self.archive.path}/{self.inner}".rstrip("/")

    def _entry(self, name: str) -> str:
        return f"{self.inner}/{name}" if self.inner else name

    def _content(self) -> FolderContent:
        return self.archive.tree().get(self.inner, FolderContent())


@dataclass
class FolderContent:
    """The sorted names of the files and folders in a folder of an archive."""

    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Archive:
    """A ZIP file in one state. A changed file is a different `Archive`.

    Attributes
    ----------
    path : str
        The path of the file; that of an archive within another begins with the path of the outer one.
    stamp : Hashable
        A value that changes with the file on disk.
    within : File or None
        The file in the outer archive; None for an archive on disk.
    """

    path: str
    stamp: Hashable
    within: File | None = None

    def tree(self) -> dict[str, FolderContent]:
        """Return the content of each folder in the archive by the folder's path."""
        return _directory(self).tree

    def paths(self) -> list[str]:
        """Return the paths of all files in the archive, also of those that are ignored."""
        return [path for path in map(_path, _zip_file(self).infolist()) if not path.endswith("/")]

    def info(self, entry: str) -> zipfile.ZipInfo:
        """Return the entry of this path.

        Raises
        ------
        MissingReleaseError
            If the archive has no such entry.
        """
        info = _directory(self).entries.get(entry)
        if info is None:
            raise MissingReleaseError(
                f"{self.path}: the archive has no entry {entry}. Restore it from the organisers' package."
            )
        return info

    def read(self, entry: str) -> bytes:
        """Return the content of an entry.

        Raises
        ------
        MalformedFileError
            If the entry is larger than any file of its kind.
        ColieeError
            If the entry is damaged, or if its password is missing or wrong.
        """
        info = self.info(entry)
        limit_of(entry).check(f"{self.path}/{entry}", max(info.file_size, info.compress_size))
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, encrypted_zips.AES):
            raise ColieeError(
                f"{self.path}: {entry} uses an unsupported compression method.\nUnpack the archive, or zip it again."
            )
        try:
            if encrypted_zips.is_encrypted(info):
                return encrypted_zips.read(_zip_file(self), info)
            return _zip_file(self).read(info)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            ValueError,
            struct.error,
        ) as error:
            raise ColieeError(
                f"{self.path}: {entry} cannot be read.\n{error}. Restore the archive from the organisers' package."
            ) from None


def has_password(file: File) -> bool:
    """Return whether a password protects a file: an encrypted entry of a ZIP archive, or of the one around it."""
    if not isinstance(file.folder, ZipFolder):
        return False
    outer = file.folder.archive.within
    return encrypted_zips.is_encrypted(file.folder.info_of(file.name)) or (outer is not None and has_password(outer))


def open_archive(file: File) -> ZipFolder:
    """Open a ZIP file as a folder: one on disk, or one in an archive on disk.

    Raises
    ------
    ColieeError
        If it is not a readable ZIP archive, or if it is in an archive that is in another one.
    """
    is_inner = isinstance(file.folder, ZipFolder)
    if isinstance(file.folder, ZipFolder) and file.folder.archive.within:
        raise ColieeError(f"{file}: an archive within two others is not opened. Unpack the outer ones.")
    archive = Archive(str(file), file.stamp, file if is_inner else None)
    _directory(archive)
    return ZipFolder(archive)


def _zip_file(archive: Archive) -> zipfile.ZipFile:
    return (_opened_in_memory if archive.within else _opened_on_disk)(archive, os.getpid())


# one per process, because two processes would share one file position after a fork
@lru_cache(maxsize=16)
def _opened_on_disk(archive: Archive, _process: int) -> zipfile.ZipFile:
    try:
        file = io.FileIO(archive.path)
    except PermissionError as error:
        raise ColieeError(f"{archive.path} cannot be read ({error.strerror}).\nCheck its permissions.") from None
    except OSError as error:
        raise _unreadable(archive, error) from None
    return _opened(archive, file)


@lru_cache(maxsize=2)  # these take memory
def _opened_in_memory(archive: Archive, _process: int) -> zipfile.ZipFile:
    assert archive.within is not None
    return _opened(archive, _Memory(archive.within.read_bytes(), archive.path))


def _opened(archive: Archive, stream: Any) -> zipfile.ZipFile:
    try:
        return _OpenArchive(stream)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, IndexError, struct.error) as error:
        raise _unreadable(archive, error) from None


def _unreadable(archive: Archive, error: Exception) -> ColieeError:
    return ColieeError(
        f"{archive.path} is not a readable ZIP archive ({error}).\nRestore it from the organisers' package."
    )


class _OpenArchive(zipfile.ZipFile):
    """A ZIP archive, which is closed together with its stream."""

    def __init__(self, stream: Any) -> None:
        self._stream = _LimitedReader(stream)
        super().__init__(self._stream)
        self._stream.max_read = None

    def close(self) -> None:
        super().close()
        self._stream.close()


class _LimitedReader(io.BufferedReader):
    """A stream from which at most the directory of an archive can be read at once; the archive states its size."""

    max_read: int | None = ARCHIVE_DIRECTORY.max_bytes

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and self.max_read is not None and size > self.max_read:
            raise zipfile.BadZipFile(f"its directory has {size:,} bytes, more than {self.max_read:,}")
        return super().read(size)


class _Memory(io.BytesIO):
    """A ZIP file in memory, with the path that it has in messages."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


@dataclass(frozen=True)
class _Directory:
    entries: dict[str, zipfile.ZipInfo]
    tree: dict[str, FolderContent]


@lru_cache(maxsize=64)
def _directory(archive: Archive) -> _Directory:
    named = [(_path(info), info) for info in _zip_file(archive).infolist() if not _is_link(info)]
    entries = {path: info for path, info in named if path and not path.endswith("/")}
    if repeated := [path for path, times in Counter(path for path, _ in named).items() if times > 1]:
        message = (
            f"{archive.path}: names that occur more than once, of which the last is used: {printable_list(repeated)}"
        )
        warnings.warn(message, ColieeWarning, stacklevel=2)
    outside = [path for path in entries if _leads_outside(path) or path.count("/") > _MAX_DEPTH]
    if outside:
        message = (
            f"{archive.path}: names that point outside the archive, or too deep, are ignored: {printable_list(outside)}"
        )
        warnings.warn(message, ColieeWarning, stacklevel=2)
    for path in outside:
        del entries[path]
    return _Directory(entries, _tree(entries))


def _path(info: zipfile.ZipInfo) -> str:
    return _HERE.sub("", info.filename.replace("\\", "/"))  # some programs write Windows' separator


def _leads_outside(path: str) -> bool:
    first, *_ = segments = path.split("/")
    return path.startswith("/") or ".." in segments or ":" in first


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(info.external_attr >> 16)


def _tree(entries: dict[str, zipfile.ZipInfo]) -> dict[str, FolderContent]:
    tree: dict[str, FolderContent] = {"": FolderContent()}
    for path in sorted(entries):
        folder, _, name = path.rpartition("/")
        segments = folder.split("/") if folder else []
        if IGNORED_FOLDERS.intersection(segments) or any(segment.startswith(".") for segment in [*segments, name]):
            continue
        inner = ""
        for segment in segments:
            below = f"{inner}/{segment}".lstrip("/")
            if below not in tree:
                tree[below] = FolderContent()
                tree[inner].folders.append(segment)
            inner = below
        tree[folder].files.append(name)
    for content in tree.values():
        content.files.sort()
        content.folders.sort()
    return tree
