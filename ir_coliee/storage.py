"""Files on disk: bounded reading, and writing so that no file or folder under its final name is incomplete.

What is written is first written into a hidden folder beside its place, and renamed when it is complete. The folder is
locked while its process lives. When a process is killed, the system releases the lock, and the next process that writes
beside it deletes the folder; no clock decides that. On Windows and on file systems without locks, the folder stays.

An output that exists is no obstacle before the work: a command that was killed or has ended is repeated as it was, and
finds at the end that the files have the same content already. A file with other content is never replaced without being
asked to, and a link, pipe or device never at all.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from ir_coliee.errors import ColieeError, ExistingFileError, MalformedFileError, printable

if TYPE_CHECKING:
    from _typeshed import SupportsRead

with suppress(ImportError):  # Windows
    import fcntl

# --- hidden folders for what is not finished ---------------------------------------------------------

_PREFIX = ".ir_coliee-unfinished-"
_UNLOCKED_PREFIX = ".ir_coliee-new-"  # for the moment until a folder is locked, in which no other process deletes it


@contextmanager
def unfinished_folder(parent: Path) -> Iterator[Path]:
    """Create a hidden folder, which is deleted at the end unless it was renamed.

    The folders that killed processes have left beside it are deleted.

    Parameters
    ----------
    parent : Path
        The folder to create it in, which is created if it does not exist.

    Yields
    ------
    Path
        The folder.

    Raises
    ------
    OSError
        If it cannot be created.
    """
    delete_abandoned(parent)
    name = uuid4().hex
    created = parent / f"{_UNLOCKED_PREFIX}{name}"
    created.mkdir(parents=True)
    lock = lock_folder(created)
    folder = created.rename(parent / f"{_PREFIX}{name}")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def delete_abandoned(parent: Path, *, even_without_locks: bool = False) -> None:
    """Delete the folders that killed processes have left, and none that a process is using.

    Parameters
    ----------
    parent : Path
        The folder in which they were created; it need not exist.
    even_without_locks : bool
        Whether to delete folders also where the file system cannot tell whether a process uses them.
    """
    with suppress(OSError):
        for folder in parent.glob(f"{_PREFIX}*"):
            with suppress(BlockingIOError, FileNotFoundError):  # in use, or deleted by another process
                lock = lock_folder(folder)
                if lock is not None or even_without_locks:
                    shutil.rmtree(folder, ignore_errors=True)
                if lock is not None:
                    os.close(lock)


def lock_folder(folder: Path) -> int | None:
    """Lock a folder; return what to close in order to unlock it, None where folders cannot be locked.

    Raises
    ------
    BlockingIOError
        If it is locked already.
    """
    try:
        opened = os.open(folder, os.O_RDONLY)
    except PermissionError:  # Windows opens no folders
        return None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(opened)
        if isinstance(error, BlockingIOError):
            raise
        return None
    return opened


_HELD = threading.local()  # what `one_at_a_time` has locked in each thread: a second lock would wait for the first


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other process or thread is in this context for a folder, where folders can be locked.

    Parameters
    ----------
    folder : Path
        The folder, which is created if it does not exist.
    """
    held = _HELD.__dict__.setdefault("folders", set())
    with ExitStack() as stack:
        with suppress(OSError):  # it cannot be created, opened or locked; what is written into it tells why
            folder.mkdir(parents=True, exist_ok=True)
            if (resolved := folder.resolve()) not in held:
                opened = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, opened)
                fcntl.flock(opened, fcntl.LOCK_EX)
                held.add(resolved)
                stack.callback(held.remove, resolved)
        yield


def delete_folder(path: Path) -> None:
    """Delete a folder with all its files in one step: no process ever finds a part of it under its name.

    Parameters
    ----------
    path : Path
        The folder. Nothing happens if it does not exist.

    Raises
    ------
    OSError
        If it cannot be deleted.
    """
    with suppress(FileNotFoundError):  # another process deletes it too
        shutil.rmtree(path.rename(path.with_name(f"{_PREFIX}{uuid4().hex}")))


# --- files that are complete or not there, and are replaced only on request ---------------------------


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert errors of the file system into a message that names the file or folder that is written.

    Parameters
    ----------
    path : Path
        The file or folder that is written.

    Raises
    ------
    ColieeError
        If it cannot be written.
    """
    try:
        yield
    except ColieeError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or error
        problem = f"{printable(str(path), sys.maxsize)} cannot be written ({reason})"
        raise ColieeError(f"{problem}.\nChoose another path, or free space or change permissions there.") from None


def write_file(path: Path | str, data: bytes, *, overwrite: bool = False, private: bool = False) -> None:
    """Write a file and missing parent folders; an incomplete file is never left behind.

    Parameters
    ----------
    path : Path or str
        The file to write.
    data : bytes
        The content.
    overwrite : bool, default False
        Whether to replace an existing file with other content. A file with the same content is not changed.
    private : bool, default False
        Whether only the user may read the file, at any moment.

    Raises
    ------
    ExistingFileError
        If the file exists with other content and ``overwrite`` is False.
    ColieeError
        If the file cannot be written, if it is a link, pipe or device, or if its name has the suffix of a compressed
        file.
    """
    path = Path(path)
    write_files({path: data}, replaceable=[path] if overwrite else [], private=private)


def write_files(contents: Mapping[Path, bytes], *, replaceable: Collection[Path] = (), private: bool = False) -> None:
    """Write files and missing parent folders; the first file is changed when all of them are on the disk.

    Each file has its old or its new content at any moment. A call that was stopped can be repeated, because files that
    have the new content already are not changed.

    Parameters
    ----------
    contents : mapping of Path to bytes
        The content of each file.
    replaceable : collection of Path
        The files that may be replaced if they exist with other content.
    private : bool, default False
        Whether only the user may read the files, at any moment.

    Raises
    ------
    ExistingFileError
        If another file exists with other content.
    ColieeError
        If a file cannot be written, if it is a link, pipe or device, or if its name has the suffix of a compressed
        file.
    """
    for folder in {path.parent for path in contents}:
        delete_abandoned(folder)
    changed = {path: data for path, data in contents.items() if not _has_content(path, data)}
    with ExitStack() as stack:
        folders: dict[Path, Path] = {}
        for path, data in changed.items():
            _check_kind(path)
            if path not in replaceable and os.path.lexists(path) and not _has_content(path, data):
                raise existing_file_error(path)
            with writing(path):
                if path.parent not in folders:
                    folders[path.parent] = stack.enter_context(unfinished_folder(path.parent))
                _create_file(folders[path.parent] / path.name, data, 0o600 if private else 0o666)
        for path, data in changed.items():
            with writing(path):
                _move(folders[path.parent] / path.name, path, data, overwrite=path in replaceable)


def require_writable(path: Path | str) -> None:
    """Check before a long computation that `write_file` will be able to write a file; nothing is written.

    A regular file may exist: whether it has the same content is known only after the computation.

    Parameters
    ----------
    path : Path or str
        The file that will be written.

    Raises
    ------
    ColieeError
        If a file cannot be created at the path, if it is a link, pipe or device, or if its name has the suffix of a
        compressed file.
    """
    path = Path(path)
    _check_kind(path)
    with writing(path):
        nearest = next(folder for folder in path.absolute().parents if os.path.lexists(folder))
        if not nearest.is_dir():
            raise OSError(errno.ENOTDIR, f"{nearest} is not a folder")
        with tempfile.TemporaryFile(dir=nearest):  # not even the superuser can write to every folder
            pass


def _check_kind(path: Path) -> None:
    """Raise `ColieeError` for a path that is no regular file, whose name a file would take, or a compressed file."""
    if path.suffix.lower() in (".gz", ".bz2", ".xz"):
        problem = f"a text file is written, not a {path.suffix} file"
        raise ColieeError(f"{path} cannot be written ({problem}).\nOmit {path.suffix}.")
    with writing(path), suppress(FileNotFoundError, NotADirectoryError):
        mode = os.lstat(path).st_mode
        if stat.S_ISDIR(mode):
            raise OSError(errno.EISDIR, "it is a folder")
        if not stat.S_ISREG(mode):
            raise OSError(errno.EEXIST, f"it is a {'symbolic link' if stat.S_ISLNK(mode) else 'pipe or a device'}")


def _create_file(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a new file to the disk, so that a power failure after it is renamed leaves no empty one."""
    with open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def existing_file_error(path: Path) -> ExistingFileError:
    """Return the error for a file that would be replaced."""
    remedy = "Move it, choose another place, or pass --overwrite (overwrite=True) to replace it."
    return ExistingFileError(f"{printable(str(path), sys.maxsize)} already exists with other content.\n{remedy}")


def _has_content(path: Path, data: bytes) -> bool:
    """Return whether a path is a regular file, not a link, with this content."""
    try:
        status = os.lstat(path)
        return stat.S_ISREG(status.st_mode) and status.st_size == len(data) and path.read_bytes() == data
    except (OSError, ValueError):
        return False


def _move(unfinished: Path, path: Path, data: bytes, *, overwrite: bool) -> None:
    """Move a complete file to its place. Without ``overwrite`` no file of other content may have appeared there."""
    if overwrite:
        unfinished.replace(path)
        return
    try:
        os.link(unfinished, path)  # unlike a renaming, this fails if the path exists
    except OSError:  # it exists, or the file system has no links
        with one_at_a_time(path.parent):
            if not os.path.lexists(path):
                unfinished.rename(path)
            elif not _has_content(path, data):
                raise existing_file_error(path) from None


# --- bounded reading: the largest size of each kind of file, far above the sizes of real files ---------

_CHUNK = 2**16  # bytes


class SizeLimit(NamedTuple):
    """The largest size of a kind of file.

    Attributes
    ----------
    kind : str
        The kind of file with its article, for messages.
    max_bytes : int
    next_step : str
        What to do about a larger file, for messages.

    Examples
    --------
    >>> SizeLimit("a label file", 16_000_000).check("labels.json", 900_000)
    >>> SizeLimit("a label file", 16_000_000).check("labels.json", 20_000_000_000)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ir_coliee.errors.MalformedFileError: labels.json: 20,000,000,000 bytes are too many for a label file.
    Expected: at most 16,000,000 bytes. ...
    """

    kind: str
    max_bytes: int
    next_step: str = "Check whether this is the right file, and restore it from its source"

    def check(self, file: object, size: int) -> None:
        """Raise an error if a file is too large.

        Parameters
        ----------
        file : object
            The file; its ``str`` is its path.
        size : int
            Its size in bytes.

        Raises
        ------
        MalformedFileError
            If the size is above the limit.
        """
        if size > self.max_bytes:
            raise self._error(file, f"{size:,} bytes are")

    def read(self, stream: SupportsRead[bytes], file: object, first_read: int = _CHUNK) -> bytes:
        """Read a stream to its end, or to one byte above the limit: a pipe or a growing file states no true size.

        Parameters
        ----------
        stream : an open file, a pipe or anything else that has ``read``
        file : object
            The file of the stream; its ``str`` is its path.
        first_read : int
            The number of bytes that are asked for first: above the expected size, so that a file is read at once.

        Raises
        ------
        MalformedFileError
            If the stream has more bytes than the limit.
        """
        chunks = []
        left = self.max_bytes + 1
        size = first_read
        while left and (chunk := stream.read(min(left, size))):
            chunks.append(chunk)
            left -= len(chunk)
            size = _CHUNK
        if not left:
            raise self._error(file, f"more than {self.max_bytes:,} bytes are")
        return b"".join(chunks)

    def read_file(self, path: str | os.PathLike[str]) -> bytes:
        """Read a file on disk, if it is a regular one within the limit.

        Parameters
        ----------
        path : str or os.PathLike

        Raises
        ------
        MalformedFileError
            If the file is above the limit, or if it is a pipe or a device, which may have no end.
        OSError
            If it is missing, a folder, or not readable.
        """
        with open(path, "rb", buffering=0, opener=_open_at_once) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise MalformedFileError(path, None, "this is a pipe or a device", f"{self.kind} on disk")
            self.check(path, status.st_size)
            return self.read(file, path, first_read=status.st_size + 1)

    def _error(self, file: object, size: str) -> MalformedFileError:
        expected = f"at most {self.max_bytes:,} bytes. {self.next_step}"
        return MalformedFileError(file, None, f"{size} too many for {self.kind}", expected)


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe without a writer does not block. Windows has neither such pipes nor the flag."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


#: A decision, a paragraph, a fragment, a summary, a civil code, the gold of a case, or a file of answers.
TEXT = SizeLimit("a text file of a release", 8_000_000)
#: The labels of task 1 or 2 as JSON.
LABELS = SizeLimit("a label file", 10_000_000)
#: Exam questions, a civil code, or the labels of 2018 and 2019.
XML = SizeLimit("an XML file of a release", 16_000_000)
#: The tort instances of the pilot task, as JSON Lines.
INSTANCES = SizeLimit("a file of tort instances", 100_000_000)
#: A line of a file of tort instances.
INSTANCE = SizeLimit("a tort instance", 4_000_000)
#: A ZIP archive within a ZIP archive, which is held in memory.
INNER_ARCHIVE = SizeLimit("a ZIP archive within another", 300_000_000)
#: All files of a ZIP archive together: the largest release has 229 MB.
ARCHIVE = SizeLimit("the content of a ZIP archive", 4_000_000_000, "Zip the organisers' files without others")
#: The directory of a ZIP archive: the names, sizes and places of its entries.
ARCHIVE_DIRECTORY = SizeLimit("the directory of a ZIP archive", 16_000_000)
#: The description of an edition, as YAML.
EDITION = SizeLimit("an edition file", 200_000)
#: The seal of a local copy, a list of fingerprints.
SEAL = SizeLimit("a seal", 32_000_000)
#: A prompt template.
TEMPLATE = SizeLimit("a prompt template", 1_000_000)
#: The manifest of an index.
MANIFEST = SizeLimit("a manifest", 1_000_000)
#: The document ids or the terms of an index.
INDEX_STRINGS = SizeLimit("a list of ids or terms", 1_000_000_000)
#: A run, after decompression: 1,700 queries with 1,000 items each take 60 MB in TREC's format.
RUN = SizeLimit("a run file", 128_000_000, "Save only queries, items and scores, of at most 1,000 items for each query")
#: The description of the systems of a submission.
DESCRIPTION = SizeLimit("a system description", 1_000_000)
