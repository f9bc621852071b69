"""What is kept of a user's copy to be quick the next time: below the data folder, so that it goes with it.

An entry is a folder below ``.cache/ir_coliee`` of the data folder; where that cannot be written, below
``.cache/ir_coliee`` of ``ir_datasets``' own ``coliee`` folder. It is named by what it holds and by a key of the
content that it came from, and is written beside its place and then renamed: there is no half-built entry, and
of two processes that build the same one the first to end wins. Nothing else is ever written.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import ir_datasets

from ir_coliee.editions import data_folders
from ir_coliee.errors import ColieeError, ColieeHint

_FOLDER = Path(".cache") / "ir_coliee"
_UNFINISHED = ".unfinished-"
_ENTRY = re.compile(rf"[a-z]+-[0-9a-f]{{24}}|{re.escape(_UNFINISHED)}.+")
_ABANDONED_S = 3600  # an unfinished entry this old is that of a process that was stopped


def key_of(content: Iterable[object]) -> str:
    """A short key of the content that an entry comes from."""
    digest = hashlib.blake2b(digest_size=12)
    for piece in content:
        digest.update(f"{piece}\0".encode(errors="surrogatepass"))
    return digest.hexdigest()


def entry(name: str, key: str, origin: str, build: Callable[[Path], None]) -> Path | None:
    """The folder of a cache entry, built by ``build`` (which is given an empty folder) where it is not there yet.

    It lies below the data folder that holds ``origin``, the path that its content comes from. None, with a
    `ColieeHint`, where nothing can be written: what is cached can be done without.
    """
    if there := find(name, key, origin):
        return there
    problem = "its folder is a link"
    for root in _roots_of(origin):
        if _is_led_away(root):
            continue
        try:
            return _built(root, f"{name}-{key}", build)
        except OSError as error:
            problem = str(error)
    warnings.warn(
        f"No cache could be written ({problem}); reading goes on without it, more slowly.", ColieeHint, stacklevel=2
    )
    return None


def find(name: str, key: str, origin: str) -> Path | None:
    """The folder of a cache entry, None where it is not there."""
    for root in _roots_of(origin):
        if os.path.isdir(root / f"{name}-{key}") and not _is_led_away(root):
            return root / f"{name}-{key}"
    return None


def _is_led_away(root: Path) -> bool:
    """Whether a link leads out of the data folder: nothing is written there, and nothing deleted."""
    return root.is_symlink() or root.parent.is_symlink()


def _roots_of(origin: str) -> list[Path]:
    """Where entries of what lies at this path may be: below its data folder, or else below ir_datasets' own folder."""
    return [root for root in _roots() if root.parents[1] in Path(origin).parents] + _roots()[-1:]


def _roots() -> list[Path]:
    """Where entries may lie: below each data folder, and last below ir_datasets' own folder."""
    own = Path(ir_datasets.util.home_path()) / "coliee"
    return [
        folder / _FOLDER
        for folder in dict.fromkeys([*(folder.absolute() for folder in data_folders()), own.absolute()])
    ]


def _built(root: Path, name: str, build: Callable[[Path], None]) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    _sweep(root)
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=root))
    try:
        build(unfinished)
        try:
            unfinished.rename(root / name)
        except OSError:
            if not (root / name).is_dir():  # another process has not been faster: there is a true reason
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return root / name


def _sweep(root: Path) -> None:
    for path in root.glob(f"{_UNFINISHED}*"):
        with suppress(FileNotFoundError):  # another process may sweep too
            if path.stat().st_mtime < time.time() - _ABANDONED_S:
                shutil.rmtree(path, ignore_errors=True)


def purge() -> list[Path]:
    """Delete all cache entries of the data folders, and nothing else that lies there.

    Returns the folders that had any; raises `ColieeError` where one cannot be deleted.
    """
    purged = []
    for root in _roots():
        if not os.path.isdir(root):
            continue
        if _is_led_away(root):
            raise ColieeError(f"{root} is a link, or lies behind one. Nothing was deleted; delete its target by hand.")
        try:
            entries = [path for path in root.iterdir() if _ENTRY.fullmatch(path.name)]
            for path in entries:
                shutil.rmtree(path, onerror=_unless_gone)
            for folder in (root, root.parent):
                if not os.listdir(folder):
                    folder.rmdir()
        except FileNotFoundError:  # another process was faster
            continue
        except OSError as error:
            raise ColieeError(f"{root} could not be deleted ({error.strerror}). Check its permissions.") from None
        if entries:
            purged.append(root)
    return purged


def _unless_gone(_function: object, _path: str, failure: Any) -> None:
    if not isinstance(failure[1], FileNotFoundError):
        raise failure[1]
