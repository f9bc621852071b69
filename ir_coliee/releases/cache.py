"""Caches of what is computed from a local release: results of readers in memory, and folders of its data folder.

An entry lies in the data folder, so that deleting that folder deletes it, too.
"""

from __future__ import annotations

import hashlib
import os
import re
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast
from zipfile import BadZipFile

from ir_coliee.editions import data_folders, ir_datasets_folder
from ir_coliee.errors import ColieeError, ColieeHint
from ir_coliee.storage import delete_abandoned, delete_folder, unfinished_folder

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_REMEMBERING: list[Any] = []


def remember(read: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorate a reader so that its latest results are cached.

    The arguments of the reader must include the state of the file that it reads, such as the stamp of a `File`.
    """
    remembering = lru_cache(maxsize=64)(read)
    _REMEMBERING.append(remembering)
    return cast(Callable[Arguments, Result], remembering)  # lru_cache loses the types of arguments


def forget() -> None:
    """Clear the cached results of all readers, so that they read each file again and repeat their warnings."""
    for remembering in _REMEMBERING:
        remembering.cache_clear()


_FOLDER = Path(".cache") / "ir_coliee"
_ENTRY = re.compile(r"[a-z]+-[0-9a-f]{24}")


def key_of(content: Iterable[object]) -> str:
    """Return a short key of the content that an entry is made from."""
    digest = hashlib.blake2b(digest_size=12)
    for piece in content:
        digest.update(f"{piece}\0".encode(errors="surrogatepass"))
    return digest.hexdigest()


def entry(name: str, key: str, origin: str, build: Callable[[Path], None]) -> Path | None:
    """Return the folder of a cache entry, which is built if it does not exist yet.

    Parameters
    ----------
    name : str
        The kind of the content, in lower-case letters.
    key : str
        The key of the content that the entry is made from, see `key_of`.
    origin : str
        The path that the content comes from; the entry is written below the data folder of this path.
    build : callable
        Writes the entry into the empty folder that it is given.

    Returns
    -------
    pathlib.Path or None
        None, with a `ColieeHint`, if the cache cannot be written. The caller then continues without it.
    """
    if existing := find(name, key, origin):
        return existing
    problem = "its folder is a link"
    for root in _roots_of(origin):
        path = root / f"{name}-{key}"
        try:
            with unfinished_folder(root) as unfinished:
                build(unfinished)
                unfinished.rename(path)
            return path
        except OSError as error:
            if os.path.isdir(path):  # another process has built it in the meantime
                return path
            problem = str(error)
    message = f"The cache could not be written ({problem}). Continuing without it, which is slower."
    warnings.warn(message, ColieeHint, stacklevel=2)
    return None


def find(name: str, key: str, origin: str) -> Path | None:
    """Return the folder of a cache entry, None if it does not exist."""
    paths = (root / f"{name}-{key}" for root in _roots_of(origin))
    return next(filter(os.path.isdir, paths), None)


def load(name: str, key: str, origin: str, read: Callable[[Path], Result]) -> Result | None:
    """Return what a function reads from an entry; None if there is none, or a damaged one, which is deleted.

    An entry counts as damaged if the function raises `ColieeError` or what `numpy.load` raises.
    """
    if found := find(name, key, origin):
        try:
            return read(found)
        except (ColieeError, OSError, ValueError, EOFError, BadZipFile):
            discard(found)
    return None


@lru_cache
def digest_of(paths: tuple[Path, ...]) -> str:
    """Return a digest of files of code, so that what another state of the code has made is not reused."""
    return hashlib.blake2b(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


def discard(damaged: Path) -> None:
    """Delete a damaged entry, with a `ColieeHint` that is the same for all entries, so that it is built again."""
    warnings.warn(f"Damaged entries of the cache {damaged.parent} are computed again.", ColieeHint, stacklevel=3)
    with suppress(OSError):
        delete_folder(damaged)


def _is_linked(root: Path) -> bool:
    """Return whether a link leads outside the data folder, where nothing may be written or deleted."""
    return root.is_symlink() or root.parent.is_symlink()


def _roots_of(origin: str) -> list[Path]:
    """Return the folders of entries made from a path: below its data folder, and below ir_datasets' own folder."""
    *of_data, own = _roots()
    roots = [*(root for root in of_data if root.parents[1] in Path(origin).parents), own]
    return [root for root in roots if not _is_linked(root)]


def _roots() -> list[Path]:
    """Return all folders of entries: below each data folder, and last below ir_datasets' own folder."""
    folders = [*data_folders(), ir_datasets_folder()]
    return [folder / _FOLDER for folder in dict.fromkeys(folder.absolute() for folder in folders)]


def purge() -> list[Path]:
    """Delete all cache entries, and nothing else in the data folders.

    Entries that another process is building stay.

    Returns
    -------
    list of pathlib.Path
        The folders that had entries.

    Raises
    ------
    ColieeError
        If one cannot be deleted.
    """
    purged = []
    for root in _roots():
        if not os.path.isdir(root):
            continue
        if _is_linked(root):
            raise ColieeError(f"{root} is a link, or below one. Nothing was deleted; delete its target yourself.")
        try:
            entries = [path for path in root.iterdir() if _ENTRY.fullmatch(path.name)]
            for path in entries:
                delete_folder(path)
        except OSError as error:
            raise ColieeError(f"{root} could not be deleted ({error.strerror}). Check its permissions.") from None
        delete_abandoned(root, even_without_locks=True)
        with suppress(OSError):  # unless it has other files, or another process builds an entry
            root.rmdir()
            root.parent.rmdir()
        if entries:
            purged.append(root)
    return purged
