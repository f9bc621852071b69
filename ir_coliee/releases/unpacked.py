"""The documents of a zip in one plain file, for looking them up in any order.

To inflate a decision takes several times as long as to read it: a loop over all is as quick from the zip, a
look-up is not. So the first look-up copies the texts into the cache, one after the other, with their places.
"""

from __future__ import annotations

import os
import warnings
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ir_coliee.errors import ColieeHint
from ir_coliee.releases import cache, encrypted_zips
from ir_coliee.releases.folders import File, ZipFolder
from ir_coliee.releases.reading import Readable

_TEXTS, _ENDS = "texts.bin", "ends.int64"


@dataclass(frozen=True)
class Slice:
    """A document's bytes within the plain file. ``origin`` is the file of the user's copy, which messages name."""

    origin: File
    check_sum: int
    path: str
    start: int
    end: int

    def read_bytes(self) -> bytes:
        """The document's bytes; from the user's copy where the cache was deleted or damaged meanwhile."""
        try:
            with open(self.path, "rb") as texts:
                texts.seek(self.start)
                content = texts.read(self.end - self.start)
        except (OSError, ValueError):
            return self.origin.read_bytes()
        return content if zlib.crc32(content) == self.check_sum else self.origin.read_bytes()

    def __str__(self) -> str:
        return str(self.origin)


def unpacked(files: Sequence[Readable]) -> Sequence[Readable]:
    """The same files, those of a zip as slices of one plain file in the cache, which is made where it is missing."""
    packed = [file for file in files if isinstance(file, File)]
    entries = [(file, file.folder.info_of(file.name)) for file in packed if isinstance(file.folder, ZipFolder)]
    if not files or len(entries) < len(files) or any(encrypted_zips.is_encrypted(info) for _, info in entries):
        return files  # what a password protects is not laid open in a cache

    def build(folder: Path) -> None:
        np.fromiter(_copied(packed, folder / _TEXTS), np.int64, len(packed)).tofile(folder / _ENDS)

    key = cache.key_of((info.filename, info.CRC, info.file_size) for _, info in entries)
    entry = cache.entry("documents", key, str(packed[0]), build)
    if entry is None:
        return files
    try:
        ends = np.fromfile(entry / _ENDS, np.int64).tolist()
    except OSError:  # damaged, or purged meanwhile
        ends = []
    if len(ends) != len(packed):
        message = f"{entry} is damaged, and reading goes on without it, more slowly. `ir_coliee purge` deletes it."
        warnings.warn(message, ColieeHint, stacklevel=2)
        return files
    texts = os.fspath(entry / _TEXTS)
    return [Slice(file, info.CRC, texts, start, end) for (file, info), start, end in zip(entries, [0, *ends], ends)]


def _copied(files: Sequence[File], path: Path) -> Iterator[int]:
    """Copy the files into one, giving the place where each ends."""
    with open(path, "wb") as texts:
        for file in files:
            texts.write(file.read_bytes())
            yield texts.tell()
