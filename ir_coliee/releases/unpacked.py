"""The documents of a ZIP archive in one plain file in the cache, for fast access in any order.

Decompressing a decision takes several times as long as reading it. A loop over all documents reads the archive. The
first look-up writes the texts into one file in the cache, in the order and with the sizes that the archive states. Each
text is compared with the archive's check sum, so that a file that is damaged, or by somebody else, does no harm.
"""

from __future__ import annotations

import os
import warnings
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

from ir_coliee.errors import ColieeHint
from ir_coliee.releases import cache
from ir_coliee.releases.folders import File
from ir_coliee.releases.reading import Readable
from ir_coliee.releases.zip_folders import ZipFolder, has_password

_MAX_BYTES = 4_000_000_000  # of all documents; the largest release has 224 MB
_TEXTS = "texts.bin"


@dataclass(frozen=True)
class Slice:
    """A document's bytes within the plain file. ``origin`` is the file in the archive, which messages name."""

    origin: File
    check_sum: int
    path: str
    start: int
    end: int

    def read_bytes(self) -> bytes:
        """Return the document's bytes, or those of the archive if the cache was deleted or damaged in the meantime."""
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
    """Return the same files, those of an archive as slices of one plain file in the cache.

    The plain file is written if it is missing. The files are returned unchanged if one of them is not in an archive or
    is protected by a password, if they are larger than any release, or if the cache cannot be written.
    """
    packed = [file for file in files if isinstance(file, File)]
    entries = [(file, file.folder.info_of(file.name)) for file in packed if isinstance(file.folder, ZipFolder)]
    if not files or len(entries) < len(files) or any(map(has_password, packed)):
        return files  # files that a password protects are not written to a cache
    if sum(info.file_size for _, info in entries) > _MAX_BYTES:
        return files  # a small archive can have entries of any size

    def build(folder: Path) -> None:
        with open(folder / _TEXTS, "wb") as texts:
            texts.writelines(file.read_bytes() for file in packed)

    key = cache.key_of((info.filename, info.CRC, info.file_size) for _, info in entries)
    entry = cache.entry("documents", key, str(packed[0]), build)
    if entry is None:
        return files
    places = [0, *accumulate(info.file_size for _, info in entries)]
    texts = entry / _TEXTS
    if not texts.is_file() or texts.stat().st_size != places[-1]:
        message = f"{entry} is damaged; documents are read without it, which is slower. `ir_coliee purge` deletes it."
        warnings.warn(message, ColieeHint, stacklevel=2)
        return files
    slices = zip(entries, pairwise(places))
    return [Slice(file, info.CRC, os.fspath(texts), start, end) for (file, info), (start, end) in slices]
