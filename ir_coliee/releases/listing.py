"""What lies below a data folder, by name: listed once, and again when a folder or a zip has changed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, NamedTuple

from ir_coliee.releases.folders import DiskFolder, File, Folder, ZipFolder, walk
from ir_coliee.releases.layouts import is_number

_BROWSER_SUFFIX = re.compile(r" ?\(\d+\)(?=(?:\.[a-z]+)?$)")
_WILDCARD = re.compile(r"[*?]")
# a change this soon after a listing may leave the same time stamp
_RACY_NS = 100_000_000


class Candidate(NamedTuple):
    """A file or folder that has a name that is looked for.

    ``within``: the names of the folders it lies in, from the data folder down. ``is_exact``: the name has
    nothing of what participants' tools add.
    """

    node: File | Folder
    within: tuple[str, ...]
    is_exact: bool = True

    @property
    def real_place(self) -> str:
        """Where it lies, whatever link led to it."""
        return os.path.realpath(str(self.node))

    @property
    def is_folder(self) -> bool:
        return not isinstance(self.node, File)

    @property
    def in_zip(self) -> bool:
        return isinstance(self.node.folder if isinstance(self.node, File) else self.node, ZipFolder)


class Listing:
    """The files and folders below a data folder that may be looked for by name.

    ``kept`` is room for what was found out about them, thrown away with the listing.
    """

    def __init__(self, root: str) -> None:
        self.name = os.path.basename(root)
        self.kept: dict[Any, Any] = {}
        self._made = time.time_ns()
        self._stamps = {root: _stamp(root)}
        self._by_name: dict[str, list[Candidate]] = {}
        if not os.path.isdir(root):
            return
        self._add(DiskFolder(root), ())  # it may be the folder of documents itself
        for within, folder, inner in walk(DiskFolder(root), enter=_may_hold_more):
            files = [file for file in folder.files() if not is_number(file.stem)]  # documents apart
            nodes: list[File | Folder] = [*inner, *files]
            for node in nodes:
                self._add(node, within)
            if isinstance(folder, DiskFolder):  # zips too, which may be replaced in place, damaged ones above all
                places = [str(folder), *(str(file) for file in files if file.name.lower().endswith(".zip"))]
                self._stamps |= {place: _stamp(place) for place in places}

    def _add(self, node: File | Folder, within: tuple[str, ...]) -> None:
        plain = _plain(node.name)
        self._by_name.setdefault(plain, []).append(Candidate(node, within, plain == node.name))

    def named(self, name: str) -> Iterator[Candidate]:
        """What has this name, or a name that this pattern (``*``, ``?``) matches; nearest to the data folder first.

        A ``clean_`` in front and a browser's ``(1)`` behind a name do not count.
        """
        if not _WILDCARD.search(name):
            yield from self._by_name.get(name, ())
            return
        for known, candidates in self._by_name.items():
            if fnmatchcase(known, name):
                yield from candidates

    def is_current(self) -> bool:
        """Whether nothing was added to the folders or taken away since they were listed."""
        return all(
            stamp == _stamp(path) and (stamp or (0,))[0] < self._made - _RACY_NS for path, stamp in self._stamps.items()
        )


def _may_hold_more(folder: Folder) -> bool:
    """Case folders are numbered, and hold nothing that is looked for by name; a number can also be an edition."""
    return not is_number(folder.name) or bool(re.fullmatch(r"20\d\d", folder.name))


def _plain(name: str) -> str:
    """A name without what participants' tools add to it."""
    return (_BROWSER_SUFFIX.sub("", name) if "(" in name else name).removeprefix("clean_")


def _stamp(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


_held = False


@contextmanager
def held() -> Iterator[None]:
    """Within this, each data folder is listed once: for a report on many splits."""
    global _held
    _kept.cache_clear()
    _held = True
    try:
        yield
    finally:
        _held = False


@lru_cache(maxsize=16)
def _kept(root: str) -> list[Listing]:
    return []


def listing(root: str) -> Listing:
    """The listing of a data folder; empty where the folder does not exist."""
    kept = _kept(root)
    if not kept or not (_held or kept[0].is_current()):
        kept[:] = [Listing(root)]
    return kept[0]
