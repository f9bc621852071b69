"""Writing files of the user's: whole or not at all, and never over another without being told to."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

from ir_coliee.errors import ColieeError, ExistingFileError

_ELSEWHERE = "Choose another place (on the command line --out), or make room or permission there."


def write_file(path: Path, data: bytes, *, overwrite: bool = False) -> None:
    """Write a file, and the folders above it where they are missing, whole or not at all.

    A file that is there already is left alone if it says the same; if not, `ExistingFileError` is raised unless
    ``overwrite``. Raises `ColieeError` where the file cannot be written.
    """
    try:
        _write(path, data, overwrite=overwrite)
    except ExistingFileError:
        raise
    except OSError as error:
        raise ColieeError(f"{path} cannot be written ({error.strerror or error}). {_ELSEWHERE}") from None


def require_writable(path: Path, *, overwrite: bool = False) -> None:
    """Say before a long computation what `write_file` would say after it, as far as it can be known.

    Raises `ExistingFileError` where there is something at ``path`` and it may not be overwritten, and
    `ColieeError` where no file can be made there. Nothing is written.
    """
    if os.path.lexists(path) and not overwrite:
        raise _existing(path, "is there already")
    if path.is_dir():
        raise ColieeError(f"{path} cannot be written (it is a folder). {_ELSEWHERE}")
    if path.exists() and not path.is_file():  # a pipe or a device, whose name a file would take
        raise ColieeError(f"{path} cannot be written (it is no file). {_ELSEWHERE}")
    above = next(folder for folder in path.absolute().parents if os.path.lexists(folder))
    if not above.is_dir():
        raise ColieeError(f"{path} cannot be written ({above} is no folder). {_ELSEWHERE}")
    if not os.access(above, os.W_OK | os.X_OK):
        raise ColieeError(f"{path} cannot be written (no permission to write into {above}). {_ELSEWHERE}")


def _existing(path: Path, problem: str) -> ExistingFileError:
    return ExistingFileError(
        f"{path} {problem}. Move it away, or overwrite it (overwrite=True, on the command line --force)."
    )


def _write(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write beside the place, then take the name in one step, which without ``overwrite`` must be free."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.parent / f".{uuid.uuid4().hex}"
    try:
        _create(unfinished, data)
        if overwrite:
            require_writable(path, overwrite=True)
            unfinished.replace(path)
        else:
            _take_free_name(unfinished, path, data)
    except FileExistsError:
        if not path.is_file() or path.read_bytes() != data:
            raise _existing(path, "is there already and differs") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _take_free_name(unfinished: Path, path: Path, data: bytes) -> None:
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        _create(path, data)


def _create(path: Path, data: bytes) -> None:
    """Write a new file, whole or not at all. Raises `FileExistsError` where there is one."""
    try:
        with open(path, "xb") as file:
            file.write(data)
    except FileExistsError:
        raise
    except BaseException:
        path.unlink(missing_ok=True)
        raise
