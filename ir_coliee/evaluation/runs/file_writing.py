"""Write files completely or not at all, and overwrite existing files only on request."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path

from ir_coliee.errors import ColieeError, ExistingFileError, printable
from ir_coliee.unfinished_folders import create_file, delete_abandoned, one_at_a_time, unfinished_folder, writing

_COMPRESSED = (".gz", ".bz2", ".xz")


def write_file(path: Path | str, data: bytes, *, overwrite: bool = False) -> None:
    """Write a file and missing parent folders; an incomplete file is never left behind.

    Parameters
    ----------
    path : Path or str
        The file to write.
    data : bytes
        The content.
    overwrite : bool, default False
        Whether to replace an existing file with other content. A file with the same content is not changed.

    Raises
    ------
    ExistingFileError
        If the file exists with other content and ``overwrite`` is False.
    ColieeError
        If the file cannot be written, or if its name has the suffix of a compressed file.
    """
    path = Path(path)
    write_files({path: data}, replaceable=[path] if overwrite else [])


def write_files(contents: Mapping[Path, bytes], *, replaceable: Collection[Path] = ()) -> None:
    """Write files and missing parent folders; the first file is changed when all of them are on the disk.

    Each file has its old or its new content at any moment. A call that was stopped can be repeated, because files that
    have the new content already are not changed.

    Parameters
    ----------
    contents : mapping of Path to bytes
        The content of each file.
    replaceable : collection of Path
        The files that may be replaced if they exist with other content.

    Raises
    ------
    ExistingFileError
        If another file exists with other content.
    ColieeError
        If a file cannot be written, or if its name has the suffix of a compressed file.
    """
    for folder in {path.parent for path in contents}:
        delete_abandoned(folder)
    changed = {path: data for path, data in contents.items() if not _has_content(path, data)}
    with ExitStack() as stack:
        folders: dict[Path, Path] = {}
        for path, data in changed.items():
            _check_suffix(path)
            with writing(path):
                if path.parent not in folders:
                    folders[path.parent] = stack.enter_context(unfinished_folder(path.parent))
                create_file(folders[path.parent] / path.name, data)
        for path, data in changed.items():
            if path in replaceable:
                require_writable(path, overwrite=True)
            elif os.path.lexists(path) and not _has_content(path, data):
                raise _existing_file_error(path, "already exists with other content")
        for path, data in changed.items():
            with writing(path):
                _move(folders[path.parent] / path.name, path, data, overwrite=path in replaceable)


def require_writable(path: Path | str, *, overwrite: bool = False) -> None:
    """Check before a long computation that `write_file` will be able to write a file; nothing is written.

    Parameters
    ----------
    path : Path or str
        The file that will be written.
    overwrite : bool, default False
        Whether an existing file may be replaced.

    Raises
    ------
    ExistingFileError
        If the path exists and ``overwrite`` is False.
    ColieeError
        If a file cannot be created at the path, or if its name has the suffix of a compressed file.
    """
    path = Path(path)
    _check_suffix(path)
    with writing(path):
        _check_place(path, overwrite=overwrite)


def _check_place(path: Path, *, overwrite: bool) -> None:
    if os.path.lexists(path) and not overwrite:
        raise _existing_file_error(path, "already exists")
    if path.is_dir():
        raise OSError(errno.EISDIR, "it is a folder")
    if path.exists() and not path.is_file():  # a pipe or a device, whose name a file would take
        raise OSError(errno.EEXIST, "it is not a regular file")
    _check_folder(path.parent)


def require_writable_folder(folder: Path | str) -> None:
    """Check before a long computation that files can be created in a folder, or in the folder that it will be made in.

    Parameters
    ----------
    folder : Path or str
        The folder, which need not exist. Nothing is left in it.

    Raises
    ------
    ColieeError
        If no file can be created there.
    """
    folder = Path(folder)
    with writing(folder):
        if os.path.lexists(folder) and not folder.is_dir():
            raise OSError(errno.ENOTDIR, "it is not a folder")
        _check_folder(folder)


def _check_folder(folder: Path) -> None:
    """Raise `OSError` if no file can be created in a folder, or in the nearest folder above it that exists."""
    nearest = next(place for place in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(place))
    if not nearest.is_dir():
        raise OSError(errno.ENOTDIR, f"{nearest} is not a folder")
    with tempfile.TemporaryFile(dir=nearest):  # not even the superuser can write to every folder
        pass


def _check_suffix(path: Path) -> None:
    if path.suffix.lower() in _COMPRESSED:
        problem = f"a text file is written, not a {path.suffix} file"
        raise ColieeError(
            f"{path} cannot be written ({problem}).\nOmit {path.suffix}; the file can be compressed later."
        )


def _existing_file_error(path: Path, problem: str) -> ExistingFileError:
    return ExistingFileError(
        f"{printable(str(path), sys.maxsize)} {problem}.\n"
        "Move it, choose another place, or pass --force (overwrite=True) to replace it."
    )


def _has_content(path: Path, data: bytes) -> bool:
    try:
        return path.is_file() and path.read_bytes() == data
    except OSError:
        return False


def _move(unfinished: Path, path: Path, data: bytes, *, overwrite: bool) -> None:
    """Move a complete file to its place. Without ``overwrite`` the path must not exist."""
    if overwrite:
        unfinished.replace(path)
        return
    try:
        _rename_new(unfinished, path)
    except FileExistsError:
        if not _has_content(path, data):
            raise _existing_file_error(path, "already exists with other content") from None


def _rename_new(unfinished: Path, path: Path) -> None:
    """Give a file another name. Raises `FileExistsError` if that exists."""
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        with one_at_a_time(path.parent):
            if os.path.lexists(path):
                raise FileExistsError from None
            unfinished.rename(path)
