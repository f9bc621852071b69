"""Listings of the data folders by name, created once and renewed if a folder or a ZIP archive has changed."""

from __future__ import annotations

import os
import re
import time
import warnings
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.progress import progress
from ir_coliee.releases.folders import DiskFolder, File, Folder, file_stamp
from ir_coliee.releases.layouts import is_number
from ir_coliee.releases.zip_folders import ZipFolder, open_archive

#: The number of files and folders, documents not counted, after which the listing of a data folder ends. All releases
#: together have fewer than 5,000.
MAX_ENTRIES = 100_000
_BROWSER_SUFFIX = re.compile(r" ?\(\d+\)(?=(?:\.[a-z]+)?$)")
_WILDCARD = re.compile(r"[*?]")
# a change within this time after a listing may not change the time stamp
_RACY_NS = 100_000_000


class Candidate(NamedTuple):
    """A file or folder that has a name that was searched for.

    Attributes
    ----------
    node : File or Folder
    parents : tuple of str
        The names of the folders that contain it, from the data folder down.
    is_exact : bool
        Whether the name is without the additions of participants' tools (``clean_``, ``(1)``).
    """

    node: File | Folder
    parents: tuple[str, ...]
    is_exact: bool = True

    @property
    def real_path(self) -> str:
        """The path with all links resolved."""
        return os.path.realpath(str(self.node))

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, on disk or in an archive."""
        return not isinstance(self.node, File)

    @property
    def in_zip(self) -> bool:
        """Whether it is in a ZIP archive, or is one."""
        return isinstance(self.node.folder if isinstance(self.node, File) else self.node, ZipFolder)


class Listing:
    """The files and folders below a data folder by name.

    Parameters
    ----------
    root : str
        The data folder, which need not exist.

    Attributes
    ----------
    name : str
        The name of the data folder.
    results : dict
        Cached results of searches in this listing.
    """

    def __init__(self, root: str) -> None:
        self.name = os.path.basename(root)
        self.results: dict[Hashable, object] = {}
        self._created = time.time_ns()
        self._stamps = {root: _stamp(root)}
        self._by_name: dict[str, list[Candidate]] = {}
        if not os.path.isdir(root):
            return
        self._add(DiskFolder(root), ())  # it may be the corpus folder itself
        walked = walk(DiskFolder(root), enter=_may_hold_named_files)
        for parents, folder, inner in progress(walked, f"listing {root}", unit="folders"):
            files = [file for file in folder.files() if not is_number(file.stem)]  # documents are not listed
            nodes: list[File | Folder] = [*inner, *files]
            for node in nodes:
                self._add(node, parents)
            if isinstance(folder, DiskFolder):  # archives too, which may be replaced in place
                paths = [str(folder), *(str(file) for file in files if file.name.lower().endswith(".zip"))]
                self._stamps |= {path: _stamp(path) for path in paths}

    def _add(self, node: File | Folder, parents: tuple[str, ...]) -> None:
        plain = _plain(node.name)
        self._by_name.setdefault(plain, []).append(Candidate(node, parents, plain == node.name))

    def named(self, name: str) -> Iterator[Candidate]:
        """Find files and folders by a name or pattern (``*``, ``?``), nearest to the data folder first.

        The prefix ``clean_`` and a browser's ``(1)`` at the end of a name are ignored.
        """
        if not _WILDCARD.search(name):
            yield from self._by_name.get(name, ())
            return
        for known, candidates in self._by_name.items():
            if fnmatchcase(known, name):
                yield from candidates

    def is_current(self) -> bool:
        """Return whether nothing was added to the listed folders or removed from them since they were listed."""
        return all(
            stamp == _stamp(path) and (stamp or (0,))[0] < self._created - _RACY_NS
            for path, stamp in self._stamps.items()
        )


def _may_hold_named_files(folder: Folder) -> bool:
    """Return whether to list a folder: numbered folders are skipped as cases, unless the number is an edition."""
    return not is_number(folder.name) or bool(re.fullmatch(r"20\d\d", folder.name))


def _plain(name: str) -> str:
    """Remove what participants' tools add to a name."""
    return (_BROWSER_SUFFIX.sub("", name) if "(" in name else name).removeprefix("clean_")


def _stamp(path: str) -> tuple[int, ...]:
    try:
        return file_stamp(os.stat(path))
    except OSError:
        return ()


def walk(root: Folder, enter: Callable[[Folder], bool]) -> Iterator[tuple[tuple[str, ...], Folder, list[Folder]]]:
    """Walk the folders below a folder, outermost first, the folder itself included.

    Links are followed, but each folder is visited once, and none that contains the first: a link to it would lead to
    everything on the disk. A folder that cannot be listed is skipped with a `ColieeWarning`. The walk ends with another
    one after `MAX_ENTRIES` files and folders.

    Parameters
    ----------
    root : Folder
    enter : callable
        Whether to visit a folder below ``root``.

    Yields
    ------
    tuple
        The names of the folders from ``root`` down to the folder, its own last; the folder; and the folders in it,
        each ZIP archive as a folder of its name.
    """
    visited = {str(above) for above in Path(os.path.realpath(str(root))).parents}
    waiting: list[tuple[tuple[str, ...], Folder]] = [((), root)]
    listed = 0
    for parents, folder in waiting:
        if listed > MAX_ENTRIES:
            message = (
                f"{root}: the search for files ended before {folder}, after more than {MAX_ENTRIES:,} files and "
                "folders. Set COLIEE_HOME to a folder that has the organisers' files alone."
            )
            warnings.warn(message, ColieeWarning, stacklevel=2)
            return
        if isinstance(folder, DiskFolder):
            real_path = os.path.realpath(folder.path)
            if real_path in visited:
                continue
            visited.add(real_path)
        try:
            names = folder.file_names()
            inner = [*folder.folders(), *_archives(folder, names)]
        except ColieeError as error:
            warnings.warn(f"{error} It is skipped.", ColieeWarning, stacklevel=2)
            continue
        listed += len(inner) + sum(not is_number(os.path.splitext(name)[0]) for name in names)  # without documents
        yield parents, folder, inner
        waiting += [((*parents, below.name), below) for below in inner if enter(below)]


def _archives(folder: Folder, names: list[str]) -> Iterator[Folder]:
    """Open the ZIP archives in a folder. Warn of unreadable archives and of archives within two others."""
    for name in names:
        if not name.lower().endswith(".zip"):
            continue
        try:
            yield open_archive(File(folder, name))
        except ColieeError as error:
            warnings.warn(f"{error} It is skipped.", ColieeWarning, stacklevel=2)


_is_frozen = False


@contextmanager
def frozen_listings() -> Iterator[None]:
    """List each data folder only once within this context: for a report on many splits."""
    global _is_frozen
    _latest.cache_clear()
    _is_frozen = True
    try:
        yield
    finally:
        _is_frozen = False


@lru_cache(maxsize=16)
def _latest(root: str) -> list[Listing]:
    """Return a list that holds the latest listing of a data folder."""
    return []


def listing(root: str) -> Listing:
    """Return the current listing of a data folder; it is empty where the folder does not exist."""
    latest = _latest(root)
    if not latest or not (_is_frozen or latest[0].is_current()):
        latest[:] = [Listing(root)]
    return latest[0]
