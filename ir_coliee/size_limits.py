"""The largest size of each kind of file that is read, far above the sizes of real files.

A larger file is refused before it is read: it is no file of a release, and would fill the memory. Within its limit, a
file takes at most 10 s and 1 GB; ``docs/explanations/robustness.md`` has the measured values.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple, Protocol

from ir_coliee.errors import MalformedFileError

_CHUNK = 2**16  # bytes


class Stream(Protocol):
    """Anything that is read from its beginning to its end, such as an open file or a pipe."""

    def read(self, size: int, /) -> bytes | None:
        """Return at most ``size`` bytes, and none at the end."""
        ...


class SizeLimit(NamedTuple):
    """The largest size of a kind of file.

    Attributes
    ----------
    kind : str
        The kind of file, for messages.
    max_bytes : int
    next_step : str
        What to do about a larger file, for messages.

    Examples
    --------
    >>> SizeLimit("label file", 16_000_000).check("labels.json", 900_000)
    >>> SizeLimit("label file", 16_000_000).check("labels.json", 20_000_000_000)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ir_coliee.errors.MalformedFileError: labels.json: 20,000,000,000 bytes are too many for a label file.
    Expected: at most 16,000,000 bytes. ...
    """

    kind: str
    max_bytes: int
    next_step: str = "Check whether this is the right file, and restore it from its source"

    def check(self, file: object, size: int) -> None:
        """Raise an error if a file is too large.

        Parameters
        ----------
        file : object
            The file; its ``str`` is its path.
        size : int
            Its size in bytes.

        Raises
        ------
        MalformedFileError
            If the size is above the limit.
        """
        if size > self.max_bytes:
            raise self._error(file, f"{size:,} bytes are")

    def read(self, stream: Stream, file: object, first_read: int = _CHUNK) -> bytes:
        """Read a stream to its end, or to one byte above the limit: a pipe or a growing file states no true size.

        Parameters
        ----------
        stream : Stream
        file : object
            The file of the stream; its ``str`` is its path.
        first_read : int
            The number of bytes that are asked for first: above the expected size, so that a file is read at once.

        Raises
        ------
        MalformedFileError
            If the stream has more bytes than the limit.
        """
        chunks = []
        left = self.max_bytes + 1
        size = first_read
        while left and (chunk := stream.read(min(left, size))):
            chunks.append(chunk)
            left -= len(chunk)
            size = _CHUNK
        if not left:
            raise self._error(file, f"more than {self.max_bytes:,} bytes are")
        return b"".join(chunks)

    def read_file(self, path: str | os.PathLike[str]) -> bytes:
        """Read a file on disk, if it is a regular one within the limit.

        Parameters
        ----------
        path : str or os.PathLike

        Raises
        ------
        MalformedFileError
            If the file is above the limit, or if it is a pipe or a device, which may have no end.
        OSError
            If it is missing, a folder, or not readable.
        """
        with open(path, "rb", buffering=0, opener=_open_at_once) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise MalformedFileError(path, None, "this is a pipe or a device", f"{self._with_article} on disk")
            self.check(path, status.st_size)
            return self.read(file, path, first_read=status.st_size + 1)

    def _error(self, file: object, size: str) -> MalformedFileError:
        expected = f"at most {self.max_bytes:,} bytes. {self.next_step}"
        return MalformedFileError(file, None, f"{size} too many for {self._with_article}", expected)

    @property
    def _with_article(self) -> str:
        return f"{'an' if self.kind[0] in 'aeioX' else 'a'} {self.kind}"


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe without a writer does not block. Windows has neither such pipes nor the flag."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


#: A decision, a paragraph, a fragment, a summary, a civil code, the gold of a case, or a file of answers.
TEXT = SizeLimit("text file of a release", 8_000_000)
#: The labels of task 1 or 2 as JSON.
LABELS = SizeLimit("label file", 10_000_000)
#: Exam questions, a civil code, or the labels of 2018 and 2019.
XML = SizeLimit("XML file of a release", 16_000_000)
#: The tort instances of the pilot task, as JSON Lines.
INSTANCES = SizeLimit("file of tort instances", 100_000_000)
#: A line of a file of tort instances.
INSTANCE = SizeLimit("tort instance", 4_000_000)
#: A ZIP archive within a ZIP archive, which is held in memory.
INNER_ARCHIVE = SizeLimit("ZIP archive within another", 300_000_000)
#: The directory of a ZIP archive: the names, sizes and places of its entries.
ARCHIVE_DIRECTORY = SizeLimit("directory of a ZIP archive", 16_000_000)
#: The description of an edition, as YAML.
EDITION = SizeLimit("edition file", 200_000)
#: The seal of a local copy, as JSON.
SEAL = SizeLimit("seal", 32_000_000)
#: A prompt template.
TEMPLATE = SizeLimit("prompt template", 1_000_000)
#: The manifest of an index or of a fitted model.
MANIFEST = SizeLimit("manifest", 1_000_000)
#: The trees of a fitted model.
TREES = SizeLimit("file of trees", 16_000_000)
#: The document ids or the terms of an index.
INDEX_STRINGS = SizeLimit("list of ids or terms", 1_000_000_000)
#: A run, after decompression: 1,700 queries with 1,000 items each take 60 MB in TREC's format.
RUN = SizeLimit("run file", 128_000_000, "Save only queries, items and scores, of at most 1,000 items for each query")
#: The description of the systems of a submission.
DESCRIPTION = SizeLimit("system description", 1_000_000)
