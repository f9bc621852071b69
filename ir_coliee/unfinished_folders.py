"""Hidden folders for files that are not finished, so that no file or folder under its final name is incomplete.

What is written is first written into such a folder beside its place, and renamed when it is complete. The folder is
locked while its process lives. When a process is killed, the system releases the lock, and the next process that writes
beside it deletes the folder; no clock decides that. On Windows and on file systems without locks, the folder stays.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from ir_coliee.errors import ColieeError, printable

with suppress(ImportError):  # Windows
    import fcntl

_PREFIX = ".ir_coliee-unfinished-"
_MAX_PATH = 4096  # characters of a path in a message, which no system exceeds
_ATTEMPTS = 100  # each fails only if another process deletes the folder within a few microseconds


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
    folder, lock = _locked_folder(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


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
        _check_name(path)
        yield
    except ColieeError:
        raise
    except OSError as error:
        problem = f"{printable(str(path), _MAX_PATH)} cannot be written ({error.strerror})"
        raise ColieeError(f"{problem}.\nChoose another path, or free space or change permissions there.") from None


def _check_name(path: Path) -> None:
    """Raise `OSError` for a path that no file can have: with a null character, or with a name that is too long."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), str(path)) from None


def create_file(path: Path, content: bytes) -> None:
    """Write a new file to the disk, so that a power failure after it is renamed leaves no empty one.

    Raises
    ------
    OSError
        If it exists or cannot be written.
    """
    with open(path, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def replace_file(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file, which has its old or its new content at any moment.

    Parameters
    ----------
    path : Path
        The file, which need not exist.
    content : bytes
        The new content.
    private : bool, default False
        Whether only the user may read the file, at any moment.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    with unfinished_folder(path.parent) as folder:
        written = folder / path.name
        create_file(written, content)
        if private:
            written.chmod(0o600)
        written.replace(path)


def _locked_folder(parent: Path) -> tuple[Path, int | None]:
    """Create a folder and lock it. Another process may delete it, or its empty parent, until it is locked."""
    problem = OSError(errno.EBUSY, "it is deleted again and again by another process", str(parent))
    for _ in range(_ATTEMPTS):
        folder = parent / f"{_PREFIX}{uuid4().hex}"
        try:
            parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir()
            lock = lock_folder(folder)
            if os.path.lexists(folder):
                return folder, lock
            if lock is not None:
                os.close(lock)
        except (FileNotFoundError, BlockingIOError) as error:
            problem = error
    raise problem


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
        for name in os.listdir(parent):
            if name.startswith(_PREFIX):
                _delete_if_abandoned(parent / name, even_without_locks)


def _delete_if_abandoned(folder: Path, even_without_locks: bool) -> None:
    try:
        lock = lock_folder(folder)
    except (BlockingIOError, FileNotFoundError):  # in use, or deleted by another process
        return
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


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other process is in this context for a folder, where folders can be locked.

    Parameters
    ----------
    folder : Path
        The folder, which is created if it does not exist.
    """
    opened = None
    with suppress(OSError):  # it cannot be created, opened or locked; what is written into it tells why
        folder.mkdir(parents=True, exist_ok=True)
        opened = os.open(folder, os.O_RDONLY)
        fcntl.flock(opened, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if opened is not None:
            os.close(opened)


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
    unfinished = path.with_name(f"{_PREFIX}{uuid4().hex}")
    with suppress(FileNotFoundError):
        path.rename(unfinished)
        shutil.rmtree(unfinished, onerror=_unless_gone)


def _unless_gone(_function: object, _path: str, failure: Any) -> None:
    if not isinstance(failure[1], FileNotFoundError):  # another process deletes it too
        raise failure[1]
