"""Write files completely or not at all, and overwrite existing files only on request."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

from ir_coliee.errors import ColieeError, ExistingFileError

_COMPRESSED = (".gz", ".bz2", ".xz")
_NEXT_STEP = "Choose another path (--out), or free space or change permissions there."


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
    _check_suffix(path)
    try:
        _write(path, data, overwrite=overwrite)
    except ExistingFileError:
        raise
    except OSError as error:
        raise ColieeError(f"{path} cannot be written ({error.strerror or error}).\n{_NEXT_STEP}") from None


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
    if os.path.lexists(path) and not overwrite:
        raise _existing_file_error(path, "already exists")
    if path.is_dir():
        raise ColieeError(f"{path} cannot be written (it is a folder).\n{_NEXT_STEP}")
    if path.exists() and not path.is_file():  # a pipe or a device, whose name a file would take
        raise ColieeError(f"{path} cannot be written (it is not a regular file).\n{_NEXT_STEP}")
    parent = next(folder for folder in path.absolute().parents if os.path.lexists(folder))
    if not parent.is_dir():
        raise ColieeError(f"{path} cannot be written ({parent} is not a folder).\n{_NEXT_STEP}")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise ColieeError(f"{path} cannot be written (no permission to write to {parent}).\n{_NEXT_STEP}")


def _check_suffix(path: Path) -> None:
    if path.suffix.lower() in _COMPRESSED:
        problem = f"a text file is written, not a {path.suffix} file"
        raise ColieeError(
            f"{path} cannot be written ({problem}).\nOmit {path.suffix}; the file can be compressed later."
        )


def _existing_file_error(path: Path, problem: str) -> ExistingFileError:
    return ExistingFileError(
        f"{path} {problem}.\nMove it, choose another place (--out), or pass --force (overwrite=True) to replace it."
    )


def _write(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write a temporary file in the same folder and rename it. Without ``overwrite`` the path must not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.parent / f".{uuid.uuid4().hex}"
    try:
        _create(unfinished, data)
        if overwrite:
            require_writable(path, overwrite=True)
            unfinished.replace(path)
        else:
            _link_new_file(unfinished, path, data)
    except FileExistsError:
        if not path.is_file() or path.read_bytes() != data:
            raise _existing_file_error(path, "already exists with other content") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _link_new_file(unfinished: Path, path: Path, data: bytes) -> None:
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        _create(path, data)


def _create(path: Path, data: bytes) -> None:
    """Write a new file completely or not at all. Raises `FileExistsError` if the path exists."""
    try:
        with open(path, "xb") as file:
            file.write(data)
    except FileExistsError:
        raise
    except BaseException:
        path.unlink(missing_ok=True)
        raise
