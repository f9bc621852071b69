"""Folders in ZIP archives, read in place, also in archives within archives.

Nothing is unpacked, so that an entry whose name points outside the archive can do no harm. An archive within another is
held in memory; one within that is not opened. Entries with a password are read by pyzipper, of the extra ``zip``.
"""

from __future__ import annotations

import getpass
import io
import os
import re
import stat
import struct
import sys
import warnings
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from ir_coliee.errors import ColieeError, ColieeWarning, MissingExtraError, MissingReleaseError, printable_list
from ir_coliee.releases.files import IGNORED_FOLDERS, File, Folder, limit_of
from ir_coliee.storage import ARCHIVE, ARCHIVE_DIRECTORY

_AES = 99  # the compression type that marks AES; the actual one is in an extra field
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _AES)
_MAX_DEPTH = 40  # folders within folders
_OUTSIDE = re.compile(r"^/|^[^/]*:|(?:^|/)\.\.(?:/|$)")
_HERE = re.compile(r"^(?:\./)+")


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
        return sorted(_directory(self.archive).files.get(self.inner, ()))

    def files(self) -> list[File]:
        """Return the files in the folder, sorted by name."""
        return [File(self, name) for name in self.file_names()]

    def folders(self) -> list[Folder]:
        """Return the folders in the folder, sorted by name, except ``IGNORED_FOLDERS``."""
        names = sorted(_directory(self.archive).folders.get(self.inner, ()))
        return [ZipFolder(self.archive, self._entry(name)) for name in names]

    def read(self, name: str) -> bytes:
        """Return the content of a file in the folder.

        Raises
        ------
        MissingReleaseError
            If the archive has no such entry.
        MalformedFileError
            If the entry is larger than any file of its kind.
        ColieeError
            If the entry is a link or damaged, or if its password is missing or wrong.
        """
        info, path = self.info_of(name), self.path_of(name)
        if stat.S_ISLNK(info.external_attr >> 16):
            raise ColieeError(f"{path} is a symbolic link, which is not followed.\nZip the files that links lead to.")
        if info.compress_type not in _METHODS:
            raise ColieeError(f"{path} uses an unsupported compression method.\nUnpack the archive, or zip it again.")
        limit_of(name).check(path, max(info.file_size, info.compress_size))
        try:
            return _read_encrypted(self.archive, info) if _is_encrypted(info) else _read(_opened(self.archive), info)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, struct.error) as e:
            raise ColieeError(f"{path} cannot be read.\n{e}. Restore the organisers' archive.") from None

    def stamp_of(self, name: str) -> Hashable:
        """Return the check sum and the size of a file in the folder."""
        info = self.info_of(name)
        return info.CRC, info.file_size

    def path_of(self, name: str) -> str:
        """Return the path of the archive followed by the path within it."""
        return f"{self.archive.path}/{self._entry(name)}"

    def info_of(self, name: str) -> zipfile.ZipInfo:
        """Return the archive's entry of a file in the folder. Raises `MissingReleaseError` if it has none."""
        info = _directory(self.archive).entries.get(self._entry(name))
        if info is None:
            raise MissingReleaseError(f"{self.path_of(name)} no longer exists. Restore the organisers' archive.")
        return info

    def __str__(self) -> str:
        return f"{self.archive.path}/{self.inner}".rstrip("/")

    def _entry(self, name: str) -> str:
        return f"{self.inner}/{name}".lstrip("/")


def open_archive(file: File) -> ZipFolder:
    """Open a ZIP file as a folder: one on disk, or one in an archive on disk.

    Raises
    ------
    ColieeError
        If it is not a readable ZIP archive, if it is in an archive that is in another one, or if its files together are
        larger than any release.
    """
    within = file if isinstance(file.folder, ZipFolder) else None
    if isinstance(file.folder, ZipFolder) and file.folder.archive.within:
        raise ColieeError(f"{file}: an archive within two others is not opened. Unpack the outer ones.")
    archive = Archive(str(file), file.stamp, within)
    _directory(archive)
    return ZipFolder(archive)


class _Directory(NamedTuple):
    """The entries of an archive by their path, and the names of the files and folders in each of its folders."""

    entries: Mapping[str, zipfile.ZipInfo]
    files: Mapping[str, Collection[str]]
    folders: Mapping[str, Collection[str]]


@lru_cache(maxsize=64)
def _directory(archive: Archive) -> _Directory:
    infos = _opened(archive).infolist()
    ARCHIVE.check(archive.path, sum(info.file_size for info in infos))  # no more than it states is read of an entry
    # some programs write Windows' separator
    named = [(_HERE.sub("", info.filename.replace("\\", "/")), info) for info in infos]
    entries = {path: info for path, info in named if path and not path.endswith("/")}
    repeated = [path for path, times in Counter(path for path, _ in named).items() if times > 1]
    outside = [path for path in entries if _OUTSIDE.search(path) or path.count("/") > _MAX_DEPTH]
    for names, problem in (
        (repeated, "names that occur more than once, of which the last is used"),
        (outside, "names that point outside the archive, or too deep, are ignored"),
    ):
        if names:
            warnings.warn(f"{archive.path}: {problem}: {printable_list(names)}", ColieeWarning, stacklevel=2)
    for path in outside:
        del entries[path]
    files, folders = defaultdict[str, list[str]](list), defaultdict[str, set[str]](set)
    for path in entries:
        *above, name = path.split("/")
        if IGNORED_FOLDERS.intersection(above) or any(segment.startswith(".") for segment in (*above, name)):
            continue
        files["/".join(above)].append(name)
        for depth, segment in enumerate(above):
            folders["/".join(above[:depth])].add(segment)
    return _Directory(entries, files, folders)


class _LimitedReader(io.BufferedReader):
    """A stream from which at most the directory of an archive can be read at once; the archive states its size."""

    max_read: int | None = ARCHIVE_DIRECTORY.max_bytes

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and self.max_read is not None and size > self.max_read:
            raise zipfile.BadZipFile(f"its directory has {size:,} bytes, more than {self.max_read:,}")
        return super().read(size)

    def __del__(self) -> None:
        self.close()


def _opened(archive: Archive, kind: Callable[[Any], Any] = zipfile.ZipFile) -> Any:
    return _opened_in(os.getpid(), archive, kind)  # two processes would share one file position after a fork


@lru_cache(maxsize=4)  # an archive within another takes memory
def _opened_in(_process: int, archive: Archive, kind: Callable[[Any], Any]) -> Any:
    content = archive.within.read_bytes() if archive.within else None
    try:
        stream = _LimitedReader(io.FileIO(archive.path) if content is None else io.BytesIO(content))
        opened = kind(stream)
    except PermissionError as error:
        raise ColieeError(f"{archive.path} cannot be read ({error.strerror}).\nCheck its permissions.") from None
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, IndexError, struct.error) as error:
        raise ColieeError(
            f"{archive.path} is not a readable ZIP archive ({error}).\nRestore it from the organisers' package."
        ) from None
    stream.max_read = None
    return opened


def _read(archive: Any, info: zipfile.ZipInfo, password: bytes | None = None) -> bytes:
    """Read an entry, and at most one byte more than the archive states: the deflated bytes can be of any size."""
    with archive.open(info, pwd=password) as entry:
        return cast(bytes, entry.read(info.file_size + 1))


# Entries with a password: traditional encryption and AES.


def has_password(file: File) -> bool:
    """Return whether a password protects a file: an encrypted entry of a ZIP archive, or of the one around it."""
    if not isinstance(file.folder, ZipFolder):
        return False
    outer = file.folder.archive.within
    return _is_encrypted(file.folder.info_of(file.name)) or (outer is not None and has_password(outer))


def _is_encrypted(info: zipfile.ZipInfo) -> bool:
    return bool(info.flag_bits & 1)


def _read_encrypted(archive: Archive, info: zipfile.ZipInfo) -> bytes:
    password = _password(archive.path).encode(errors="surrogateescape")
    decrypting, bad_zip = _decrypting()
    opened = _opened(archive, decrypting)
    try:
        return _read(opened, opened.getinfo(info.filename), password)
    except (RuntimeError, zlib.error, bad_zip):
        _asked.cache_clear()
        raise ColieeError(f"{archive.path}: the password is wrong. Set COLIEE_PASSWORD to the right one.") from None
    except Exception as error:  # pyzipper raises various errors for a damaged entry
        raise zipfile.BadZipFile(f"The entry is damaged ({type(error).__name__})") from None


def _password(archive: str) -> str:
    if password := os.environ.get("COLIEE_PASSWORD"):
        return password
    if sys.stdin and sys.stdin.isatty():
        with suppress(EOFError):
            return _asked(archive)
    raise ColieeError(f"{archive} is protected by a password. Set COLIEE_PASSWORD to the one that the organisers sent.")


@lru_cache
def _asked(archive: str) -> str:
    return getpass.getpass(f"Password of {archive}: ")


@lru_cache(maxsize=1)
def _decrypting() -> tuple[Any, type[Exception]]:
    """Return pyzipper's class of archives with a fast traditional cipher, and its error."""
    try:
        from _zipdecrypter import StandardZipDecrypter  # its public module would replace parts of zipfile
        from pyzipper import AESZipFile, BadZipFile
        from pyzipper.zipfile import CRCZipDecrypter
    except ImportError:
        raise MissingExtraError("A ZIP archive with a password", "zip") from None

    class Decrypter(CRCZipDecrypter):
        def __init__(self, info: object, pwd: bytes, encryption_header: bytes) -> None:
            self._cipher = StandardZipDecrypter(pwd)
            super().__init__(info, pwd, encryption_header)  # deciphers the header, which shows a wrong password

        def decrypt(self, data: bytes) -> Any:
            return self._cipher.decrypt_bytes(data)

    class Entry(AESZipFile.zipextfile_cls):
        def setup_crczipdecrypter(self) -> type:
            super().setup_crczipdecrypter()
            return Decrypter

    class Decrypting(AESZipFile):
        zipextfile_cls = Entry

    return Decrypting, BadZipFile
