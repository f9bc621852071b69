"""What is kept of a user's copy to be quick the next time: below the data folder, so that it goes with it.

An entry is a folder below ``.cache/ir_coliee`` of the data folder; where that cannot be written, below
``.cache/ir_coliee`` of ``ir_datasets``' own ``coliee`` folder. It is named by what it holds and by a key of the
content that it came from, and is written beside its place and then renamed: there is no half-built entry, and
of two processes that build the same one the first to end wins. Nothing else is ever written.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import ir_datasets

from ir_coliee.datasets.copies import data_folders
from ir_coliee.errors import ColieeError, ColieeWarning

_FOLDER = Path(".cache") / "ir_coliee"
_UNFINISHED = ".unfinished-"
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
    `ColieeWarning`, where nothing can be written: what is cached can be done without.
    """
    roots = [root for root in _roots() if root.parents[1] in Path(origin).parents] + _roots()[-1:]
    for root in roots:
        if (root / f"{name}-{key}").is_dir():
            return root / f"{name}-{key}"
    problem: OSError | None = None
    for root in roots:
        try:
            return _built(root, f"{name}-{key}", build)
        except OSError as error:
            problem = error
    warnings.warn(
        f"No cache could be written ({problem}); reading goes on without it, more slowly.", ColieeWarning, stacklevel=2
    )
    return None


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
        if path.stat().st_mtime < time.time() - _ABANDONED_S:
            shutil.rmtree(path, ignore_errors=True)


def purge() -> list[Path]:
    """Delete all cache entries of the data folders. Returns the folders that were deleted; raises `ColieeError`."""
    deleted = []
    for root in _roots():
        if not root.is_dir():
            continue
        try:
            shutil.rmtree(root)
        except OSError as error:
            raise ColieeError(f"{root} could not be deleted ({error.strerror}). Check its permissions.") from None
        deleted.append(root)
        if not os.listdir(root.parent):
            root.parent.rmdir()
    return deleted
