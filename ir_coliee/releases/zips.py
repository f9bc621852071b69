"""Folders in ZIP archives, read in place, also in archives within archives.

Nothing is unpacked, so that an entry whose name points outside the archive can do no harm. Encrypted entries are read
by `ir_coliee.releases.zips`. An archive within another is held in memory; one within that is not opened.
"""

from __future__ import annotations

import copy
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
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, TypeVar, overload

from ir_coliee.errors import (
    ColieeError,
    ColieeHint,
    ColieeWarning,
    MissingExtraError,
    MissingReleaseError,
    printable_list,
)
from ir_coliee.releases import files as cache
from ir_coliee.releases.files import IGNORED_FOLDERS, File, FindingWarning, Folder, Readable, limit_of, read_text
from ir_coliee.storage import ARCHIVE_DIRECTORY

# Entries of password-protected ZIP archives: traditional encryption and AES.


_ENCRYPTED = 0x1
_HAS_DATA_DESCRIPTOR = 0x8
#: The compression type that marks AES; the actual one is in an extra field.
AES = 99
_CIPHER_HEADER = 12  # the number of bytes before the content; the last one shows whether the password is wrong


def is_encrypted(info: zipfile.ZipInfo) -> bool:
    """Return whether an entry is encrypted."""
    return bool(info.flag_bits & _ENCRYPTED)


def read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return the content of an encrypted entry.

    Raises
    ------
    ColieeError
        If the password is missing or wrong.
    MissingExtraError
        If the entry is encrypted by AES and the extra ``zip`` is not installed.
    """
    password = _password(str(archive.filename)).encode(errors="surrogateescape")
    if info.compress_type == AES:
        return _read_aes(archive, info, password)
    cipher = _fast_cipher()
    if cipher is None:
        try:
            return archive.read(info, password)
        except (RuntimeError, zipfile.BadZipFile, zlib.error):
            raise _wrong_password(archive) from None
    return _read_traditional(archive, info, cipher(password))


def _password(archive: str) -> str:
    if password := os.environ.get("COLIEE_PASSWORD"):
        return password
    if not sys.stdin or not sys.stdin.isatty():
        raise ColieeError(
            f"{archive} is protected by a password. Set COLIEE_PASSWORD to the one that the organisers sent."
        )
    return _asked(archive)


@lru_cache
def _asked(archive: str) -> str:
    try:
        return getpass.getpass(f"Password of {archive}: ")
    except EOFError:
        raise ColieeError(
            f"{archive} is protected by a password. Set COLIEE_PASSWORD or enter it at the terminal."
        ) from None


def _wrong_password(archive: zipfile.ZipFile) -> ColieeError:
    _asked.cache_clear()
    return ColieeError(
        f"{archive.filename}: the password is wrong. Set COLIEE_PASSWORD to the one that the organisers sent."
    )


@lru_cache(maxsize=1)
def _fast_cipher() -> Any:
    try:
        # the package's public module would replace parts of zipfile for the whole program
        from _zipdecrypter import StandardZipDecrypter
    except ImportError:
        warnings.warn(
            "Reading a password-protected ZIP archive is slow without the extra: pip install 'ir_coliee[zip]'.",
            ColieeHint,
            stacklevel=2,
        )
        return None
    return StandardZipDecrypter


def _read_traditional(archive: zipfile.ZipFile, info: zipfile.ZipInfo, cipher: Any) -> bytes:
    """Decipher the bytes of an entry at once, then decompress them."""
    as_stored = copy.copy(info)  # declared as plain, so that zipfile returns the bytes as they are
    as_stored.flag_bits &= ~_ENCRYPTED
    as_stored.compress_type = zipfile.ZIP_STORED
    as_stored.file_size = info.compress_size
    del as_stored.CRC
    plain = cipher.decrypt_bytes(archive.open(as_stored).read())
    check = info._raw_time >> 8 if info.flag_bits & _HAS_DATA_DESCRIPTOR else info.CRC >> 24  # type: ignore[attr-defined]
    if plain[_CIPHER_HEADER - 1 : _CIPHER_HEADER] != bytes([check & 0xFF]):
        raise _wrong_password(archive)
    content: bytes = plain[_CIPHER_HEADER:]
    if info.compress_type == zipfile.ZIP_DEFLATED:
        try:
            content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(content, info.file_size)
        except zlib.error:
            raise _wrong_password(archive) from None
    if zlib.crc32(content) != info.CRC:  # one in 256 wrong passwords passes the check above
        raise _wrong_password(archive)
    return content


def _read_aes(archive: zipfile.ZipFile, info: zipfile.ZipInfo, password: bytes) -> bytes:
    path = str(archive.filename)
    try:
        import pyzipper
    except ImportError:
        raise MissingExtraError(f"{path} (AES)", "zip") from None
    try:
        content: bytes = _aes_reader(archive).read(info.filename, password)
    except (RuntimeError, pyzipper.BadZipFile):
        raise _wrong_password(archive) from None
    except Exception as error:  # pyzipper raises various errors for a damaged entry
        raise zipfile.BadZipFile(f"The entry is damaged ({type(error).__name__})") from None
    return content


@lru_cache(maxsize=2)
def _aes_reader(archive: zipfile.ZipFile) -> Any:
    import pyzipper

    with archive._lock:  # type: ignore[attr-defined]
        reader = pyzipper.AESZipFile(archive.fp)
    reader._lock = archive._lock  # type: ignore[attr-defined]  # both move the position of one stream
    return reader


# Folders in ZIP archives, read in place, also in archives within archives.


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
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, AES):
            raise ColieeError(
                f"{self.path}: {entry} uses an unsupported compression method.\nUnpack the archive, or zip it again."
            )
        try:
            if is_encrypted(info):
                return read(_zip_file(self), info)
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
    return is_encrypted(file.folder.info_of(file.name)) or (outer is not None and has_password(outer))


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


# The documents of a ZIP archive in one plain file in the cache, for fast access in any order.


_MAX_BYTES = 4_000_000_000  # of all documents; the largest release has 224 MB
_TEXTS = "texts.bin"


@dataclass(frozen=True)
class Slice:
    """A document's bytes within the plain file. ``origin`` is the file in the archive, which messages name."""

    origin: File
    check_sum: int
    path: str
    start: int
    end: int

    def read_bytes(self) -> bytes:
        """Return the document's bytes, or those of the archive if the cache was deleted or damaged in the meantime."""
        try:
            with open(self.path, "rb") as texts:
                texts.seek(self.start)
                content = texts.read(self.end - self.start)
        except (OSError, ValueError):
            return self.origin.read_bytes()
        return content if zlib.crc32(content) == self.check_sum else self.origin.read_bytes()

    def __str__(self) -> str:
        return str(self.origin)


def unpacked(files: Sequence[Readable]) -> Sequence[Readable]:
    """Return the same files, those of an archive as slices of one plain file in the cache.

    The plain file is written if it is missing. The files are returned unchanged if one of them is not in an archive or
    is protected by a password, if they are larger than any release, or if the cache cannot be written.
    """
    packed = [file for file in files if isinstance(file, File)]
    entries = [(file, file.folder.info_of(file.name)) for file in packed if isinstance(file.folder, ZipFolder)]
    if not files or len(entries) < len(files) or any(map(has_password, packed)):
        return files  # files that a password protects are not written to a cache
    if sum(info.file_size for _, info in entries) > _MAX_BYTES:
        return files  # a small archive can have entries of any size

    def build(folder: Path) -> None:
        with open(folder / _TEXTS, "wb") as texts:
            texts.writelines(file.read_bytes() for file in packed)

    key = cache.key_of((info.filename, info.CRC, info.file_size) for _, info in entries)
    entry = cache.entry("documents", key, str(packed[0]), build)
    if entry is None:
        return files
    places = [0, *accumulate(info.file_size for _, info in entries)]
    texts = entry / _TEXTS
    if not texts.is_file() or texts.stat().st_size != places[-1]:
        message = f"{entry} is damaged; documents are read without it, which is slower. `ir_coliee purge` deletes it."
        warnings.warn(message, ColieeHint, stacklevel=2)
        return files
    slices = zip(entries, pairwise(places))
    return [Slice(file, info.CRC, os.fspath(texts), start, end) for (file, info), (start, end) in slices]


# `TextFiles`: a sequence of records that are read from one text file each when they are accessed.


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
