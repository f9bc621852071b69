"""Folders and files of a copy behind one face, whether they lie on disk or in a zip.

Readers take a `File` or a `Folder` and never ask where it lies. Nothing is unpacked and nothing is
written: a zip is read where it is, so that a name that points out of it can do no harm.
"""

from __future__ import annotations

import os
import stat
import struct
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from ir_coliee.errors import ColieeError, ColieeWarning, MissingReleaseError, listed
from ir_coliee.releases import encrypted_zips

#: Folders that operating systems and we ourselves leave behind.
LITTER = frozenset({"__MACOSX", ".cache"})

_LARGEST = 2**28  # no file of a release comes near; what claims more would only fill the memory
_DEEPEST = 40  # folders within folders of a zip


class Folder(Hashable, Protocol):
    """A folder, on disk or in a zip. ``str`` gives its place, for messages."""

    @property
    def name(self) -> str: ...
    @property
    def stamp(self) -> Hashable:
        """Changes when files are added to the folder or taken away."""
        ...

    def file_names(self) -> list[str]:
        """The names of the files in it, sorted; without what begins with a dot."""
        ...

    def files(self) -> list[File]:
        """The files in it, by name."""
        ...

    def folders(self) -> list[Folder]:
        """The folders in it, by name; without litter."""
        ...

    def read(self, name: str) -> bytes: ...
    def stamp_of(self, name: str) -> Hashable: ...
    def place_of(self, name: str) -> str: ...


@dataclass(frozen=True)
class File:
    """A file in a folder, on disk or in a zip. ``str`` gives its place, for messages."""

    folder: Folder
    name: str

    @property
    def stem(self) -> str:
        """The name without its last extension."""
        return self.name.rpartition(".")[0] or self.name

    @property
    def stamp(self) -> Hashable:
        """Changes with the content."""
        return self.folder.stamp_of(self.name)

    def read_bytes(self) -> bytes:
        """The content. Raises `MissingReleaseError` where the file is gone, `ColieeError` where it cannot be read."""
        return self.folder.read(self.name)

    def __str__(self) -> str:
        return self.folder.place_of(self.name)


@dataclass(frozen=True)
class DiskFolder:
    """A folder on disk."""

    path: str

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def stamp(self) -> Hashable:
        return _stamp(self._stat(self.path))

    def file_names(self) -> list[str]:
        return sorted(entry.name for entry in self._entries() if _is(entry.is_file))

    def files(self) -> list[File]:
        return [File(self, name) for name in self.file_names()]

    def folders(self) -> list[Folder]:
        names = sorted(entry.name for entry in self._entries() if _is(entry.is_dir))
        return [DiskFolder(os.path.join(self.path, name)) for name in names]

    def read(self, name: str) -> bytes:
        try:
            with open(f"{self.path}{os.sep}{name}", "rb", buffering=0) as file:  # read at once, nothing to buffer
                return file.read()
        except OSError as error:
            raise _unreadable(self.place_of(name), error) from None

    def stamp_of(self, name: str) -> Hashable:
        return _stamp(self._stat(self.place_of(name)))

    def place_of(self, name: str) -> str:
        return os.path.join(self.path, name)

    def __str__(self) -> str:
        return self.path

    def _stat(self, path: str) -> os.stat_result:
        try:
            return os.stat(path)
        except OSError as error:
            raise _unreadable(path, error) from None

    def _entries(self) -> list[os.DirEntry[str]]:
        """What is in it; a link is what it points to, and a broken one neither file nor folder."""
        try:
            with os.scandir(self.path) as entries:
                return [entry for entry in entries if not entry.name.startswith(".") and entry.name not in LITTER]
        except OSError as error:
            raise _unreadable(self.path, error) from None


def _is(kind: Callable[[], bool]) -> bool:
    """Whether an entry is of a kind; a link that leads round in a circle is of none."""
    try:
        return kind()
    except OSError:
        return False


def _stamp(found: os.stat_result) -> tuple[int, ...]:
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _unreadable(place: str, error: OSError) -> ColieeError:
    if isinstance(error, FileNotFoundError):
        return MissingReleaseError(f"{place} is missing. Take it anew from the organisers' package.")
    return ColieeError(f"{place} cannot be read ({error.strerror}). Check its permissions.")


@dataclass(frozen=True)
class ZipFolder:
    """A folder in a zip; with an empty ``inner`` the zip itself, which has the name of the file."""

    archive: Archive
    inner: str = ""

    @property
    def name(self) -> str:
        return self.inner.rpartition("/")[2] or Path(self.archive.path).stem

    @property
    def stamp(self) -> Hashable:
        return self.archive.stamp

    def file_names(self) -> list[str]:
        return list(self._listed().files)

    def files(self) -> list[File]:
        return [File(self, name) for name in self.file_names()]

    def folders(self) -> list[Folder]:
        return [ZipFolder(self.archive, f"{self.inner}/{name}".lstrip("/")) for name in self._listed().folders]

    def read(self, name: str) -> bytes:
        return self.archive.read(self._path_of(name))

    def stamp_of(self, name: str) -> Hashable:
        return self.archive.stamp

    def place_of(self, name: str) -> str:
        return f"{self.archive.path}/{self._path_of(name)}"

    def info_of(self, name: str) -> zipfile.ZipInfo:
        """What the zip says of a file in it."""
        return self.archive.info(self._path_of(name))

    def __str__(self) -> str:
        return f"{self.archive.path}/{self.inner}".rstrip("/")

    def _path_of(self, name: str) -> str:
        return f"{self.inner}/{name}" if self.inner else name

    def _listed(self) -> _Listed:
        return self.archive.tree().get(self.inner, _Listed())


@dataclass
class _Listed:
    """The names in a folder of a zip, sorted."""

    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Archive:
    """A zip file in one state: a changed file is another archive."""

    path: str
    stamp: Hashable

    def tree(self) -> dict[str, _Listed]:
        """What each folder of the zip holds."""
        return _opened(self, os.getpid()).tree

    def info(self, entry: str) -> zipfile.ZipInfo:
        """What the zip says of an entry. Raises `MissingReleaseError`."""
        info = _opened(self, os.getpid()).entries.get(entry)
        if info is None:
            raise MissingReleaseError(
                f"{self.path}: {entry} is not in this zip. Take it anew from the organisers' mail."
            )
        return info

    def read(self, entry: str) -> bytes:
        """The content of an entry. Raises `ColieeError` where it is damaged, or the password is missing or wrong."""
        opened, info = _opened(self, os.getpid()), self.info(entry)
        if info.file_size > _LARGEST:
            raise ColieeError(f"{self.path}: {entry} would be larger than 256 MB unpacked; no file of a release is.")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, encrypted_zips.AES):
            raise ColieeError(
                f"{self.path}: {entry} is packed in a way that is not read. Unpack the zip, or zip it anew."
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
                f"{self.path}: {entry} cannot be read ({error}). Take the zip anew from the organisers' mail."
            ) from None


def archive(file: File) -> ZipFolder:
    """The content of a zip file on disk. Raises `ColieeError` where it is no readable zip."""
    found = Archive(str(file), file.stamp)
    _opened(found, os.getpid())
    return ZipFolder(found)


@dataclass(frozen=True)
class _Opened:
    zip: zipfile.ZipFile
    entries: dict[str, zipfile.ZipInfo]
    tree: dict[str, _Listed]


# by process too: after a fork, two processes would move one file position
@lru_cache(maxsize=16)
def _opened(archive: Archive, _process: int) -> _Opened:
    try:
        opened = zipfile.ZipFile(archive.path)
    except PermissionError as error:
        raise _unreadable(archive.path, error) from None
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, IndexError, struct.error) as error:
        raise ColieeError(
            f"{archive.path} is no readable zip ({error}). Take it anew from the organisers' mail."
        ) from None
    named = [(_path(info), info) for info in opened.infolist() if not _is_link(info)]
    entries = {path: info for path, info in named if path and not path.endswith("/")}
    if twice := [path for path, times in Counter(path for path, _ in named).items() if times > 1]:
        message = f"{archive.path}: names given more than once, the last counts: {listed(twice)}"
        warnings.warn(message, ColieeWarning, stacklevel=2)
    outside = [path for path in entries if _leads_out(path) or path.count("/") > _DEEPEST]
    if outside:
        warnings.warn(
            f"{archive.path}: names that point out of the zip, or too deep, are passed over: {listed(outside)}",
            ColieeWarning,
            stacklevel=2,
        )
    for path in outside:
        del entries[path]
    return _Opened(opened, entries, _tree(entries))


def _path(info: zipfile.ZipInfo) -> str:
    path = info.filename.replace("\\", "/")  # some programs write Windows' separator
    while path.startswith("./"):
        path = path[2:]
    return path


def _leads_out(path: str) -> bool:
    first, *_ = parts = path.split("/")
    return path.startswith("/") or ".." in parts or ":" in first


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(info.external_attr >> 16)


def _tree(entries: dict[str, zipfile.ZipInfo]) -> dict[str, _Listed]:
    tree: dict[str, _Listed] = {"": _Listed()}
    for path in sorted(entries):
        folder, _, name = path.rpartition("/")
        parts = folder.split("/") if folder else []
        if LITTER.intersection(parts) or any(part.startswith(".") for part in [*parts, name]):
            continue
        inner = ""
        for part in parts:
            below = f"{inner}/{part}".lstrip("/")
            if below not in tree:
                tree[below] = _Listed()
                tree[inner].folders.append(part)
            inner = below
        tree[folder].files.append(name)
    for inside in tree.values():
        inside.files.sort()
        inside.folders.sort()
    return tree


def walk(root: Folder, enter: Callable[[Folder], bool]) -> Iterator[tuple[tuple[str, ...], Folder, list[Folder]]]:
    """The folders below a folder that ``enter`` lets in, itself included, outermost first.

    Each comes with the names of the folders from ``root`` down to it, its own last, and with the folders in
    it, among them each zip as a folder of its name. Links are followed, but never round in a circle. What
    cannot be listed is passed over with a warning.
    """
    seen: set[str] = set()
    waiting: list[tuple[tuple[str, ...], Folder]] = [((), root)]
    for within, folder in waiting:
        if isinstance(folder, DiskFolder):
            real = os.path.realpath(folder.path)
            if real in seen:
                continue
            seen.add(real)
        try:
            inner = [*folder.folders(), *_archives(folder)]
        except ColieeError as error:
            warnings.warn(f"{error} It is passed over.", ColieeWarning, stacklevel=2)
            continue
        yield within, folder, inner
        waiting += [((*within, below.name), below) for below in inner if enter(below)]


def _archives(folder: Folder) -> Iterator[Folder]:
    """The zips in a folder on disk, as folders. Those within a zip are not opened, and one that cannot be is passed
    over, both with a warning."""
    for name in folder.file_names():
        if not name.lower().endswith(".zip"):
            continue
        if not isinstance(folder, DiskFolder):
            message = f"{folder.place_of(name)}: a zip within a zip is not opened. Unpack the outer one."
            warnings.warn(message, ColieeWarning, stacklevel=2)
            continue
        try:
            yield archive(File(folder, name))
        except ColieeError as error:
            warnings.warn(f"{error} It is passed over.", ColieeWarning, stacklevel=2)
