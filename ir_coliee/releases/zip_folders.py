"""Folders in ZIP archives, read in place.

Nothing is unpacked, so that an entry whose name points outside the archive can do no harm. Encrypted entries are read
by `ir_coliee.releases.encrypted_zips`.
"""

from __future__ import annotations

import os
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

from ir_coliee.errors import ColieeError, ColieeWarning, MissingReleaseError, printable_list
from ir_coliee.releases import encrypted_zips
from ir_coliee.releases.folders import IGNORED_FOLDERS, File, Folder

_MAX_BYTES = 2**28  # far more than any file of a release; a larger entry would only fill the memory
_MAX_DEPTH = 40  # folders within folders


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
    """A ZIP file in one state. A changed file is a different `Archive`."""

    path: str
    stamp: Hashable

    def tree(self) -> dict[str, FolderContent]:
        """Return the content of each folder in the archive by the folder's path."""
        return _opened(self, os.getpid()).tree

    def info(self, entry: str) -> zipfile.ZipInfo:
        """Return the entry of this path.

        Raises
        ------
        MissingReleaseError
            If the archive has no such entry.
        """
        info = _opened(self, os.getpid()).entries.get(entry)
        if info is None:
            raise MissingReleaseError(
                f"{self.path}: the archive has no entry {entry}. Restore it from the organisers' package."
            )
        return info

    def read(self, entry: str) -> bytes:
        """Return the content of an entry.

        Raises
        ------
        ColieeError
            If the entry is damaged or too large, or if its password is missing or wrong.
        """
        opened, info = _opened(self, os.getpid()), self.info(entry)
        if info.file_size > _MAX_BYTES:
            raise ColieeError(
                f"{self.path}: {entry} would be larger than 256 MB when unpacked; no file of a release is."
            )
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, encrypted_zips.AES):
            raise ColieeError(
                f"{self.path}: {entry} uses an unsupported compression method. Unpack the archive, or zip it again."
            )
        try:
            if encrypted_zips.is_encrypted(info):
                return encrypted_zips.read(opened.zip, info)
            return opened.zip.read(info)
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
                f"{self.path}: {entry} cannot be read ({error}). Restore the archive from the organisers' package."
            ) from None


def has_password(file: File) -> bool:
    """Return whether a password protects a file: an encrypted entry of a ZIP archive."""
    return isinstance(file.folder, ZipFolder) and encrypted_zips.is_encrypted(file.folder.info_of(file.name))


def open_archive(file: File) -> ZipFolder:
    """Open a ZIP file on disk as a folder.

    Raises
    ------
    ColieeError
        If it is not a readable ZIP archive.
    """
    archive = Archive(str(file), file.stamp)
    _opened(archive, os.getpid())
    return ZipFolder(archive)


@dataclass(frozen=True)
class _OpenArchive:
    zip: zipfile.ZipFile
    entries: dict[str, zipfile.ZipInfo]
    tree: dict[str, FolderContent]


# one per process, because two processes would share one file position after a fork
@lru_cache(maxsize=16)
def _opened(archive: Archive, _process: int) -> _OpenArchive:
    try:
        opened = zipfile.ZipFile(archive.path)
    except PermissionError as error:
        raise ColieeError(f"{archive.path} cannot be read ({error.strerror}). Check its permissions.") from None
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, IndexError, struct.error) as error:
        raise ColieeError(
            f"{archive.path} is not a readable ZIP archive ({error}). Restore it from the organisers' package."
        ) from None
    named = [(_path(info), info) for info in opened.infolist() if not _is_link(info)]
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
    return _OpenArchive(opened, entries, _tree(entries))


def _path(info: zipfile.ZipInfo) -> str:
    path = info.filename.replace("\\", "/")  # some programs write Windows' separator
    while path.startswith("./"):
        path = path[2:]
    return path


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
