"""The documents of a zip in one plain file, for looking them up in any order.

To inflate a decision takes several times as long as to read it: a loop over all is as quick from the zip, a
look-up is not. So the first look-up copies the texts into the cache, one after the other, with their places.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ir_coliee.datasets import cache
from ir_coliee.datasets.folders import File, ZipFolder
from ir_coliee.datasets.reading import Readable

_TEXTS, _ENDS = "texts.bin", "ends.npy"


@dataclass(frozen=True)
class Slice:
    """A document's bytes within the plain file. ``origin`` is the file of the user's copy, which messages name."""

    origin: File
    path: str
    start: int
    end: int

    def read_bytes(self) -> bytes:
        """The document's bytes; from the user's copy where the cache was deleted meanwhile."""
        try:
            with open(self.path, "rb") as texts:
                texts.seek(self.start)
                return texts.read(self.end - self.start)
        except FileNotFoundError:
            return self.origin.read_bytes()

    def __str__(self) -> str:
        return str(self.origin)


def unpacked(files: Sequence[Readable]) -> Sequence[Readable]:
    """The same files, those of a zip as slices of one plain file in the cache, which is made where it is missing."""
    packed = [file for file in files if isinstance(file, File)]
    prints = [file.folder.fingerprint_of(file.name) for file in packed if isinstance(file.folder, ZipFolder)]
    if not files or len(prints) < len(files):
        return files

    def build(folder: Path) -> None:
        np.save(folder / _ENDS, np.fromiter(_copied(packed, folder / _TEXTS), np.int64, len(packed)))

    entry = cache.entry("documents", cache.key_of(prints), build)
    if entry is None:
        return files
    ends = np.load(entry / _ENDS).tolist()
    texts = os.fspath(entry / _TEXTS)
    return [Slice(file, texts, start, end) for file, start, end in zip(packed, [0, *ends], ends)]


def _copied(files: Sequence[File], path: Path) -> Iterator[int]:
    """Copy the files into one, giving the place where each ends."""
    with open(path, "wb") as texts:
        for file in files:
            texts.write(file.read_bytes())
            yield texts.tell()
