"""A common interface to files and folders of a local copy, on disk and in ZIP archives, and their texts, JSON and XML.

Readers take a `File` or a `Folder`, which is on disk or in an archive (`ir_coliee.releases.zips`); nothing of it is
written or unpacked.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import warnings
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeAlias, Union
from xml.parsers import expat

from ir_coliee import storage as size_limits
from ir_coliee.errors import (
    ColieeError,
    ColieeWarning,
    MalformedFileError,
    MissingReleaseError,
    printable,
    printable_list,
)
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.storage import SizeLimit

if TYPE_CHECKING:
    from ir_coliee.releases.zips import ZipFolder

#: Names of folders that operating systems and this package create; they hold no files of a release.
IGNORED_FOLDERS = frozenset({"__MACOSX", ".cache"})

#: The largest size of a file of a release, by the last extension of its name; of any other name, that of a text.
_LIMITS = {
    ".json": size_limits.LABELS,
    ".xml": size_limits.XML,
    ".jsonl": size_limits.INSTANCES,
    ".zip": size_limits.INNER_ARCHIVE,
}


def limit_of(name: str) -> SizeLimit:
    """Return the largest size of a file of a release with this name."""
    return _LIMITS.get(os.path.splitext(name)[1].lower(), size_limits.TEXT)


#: A folder, on disk or in a ZIP archive. ``str`` gives its path, for messages. Both kinds have the same methods.
Folder: TypeAlias = Union["DiskFolder", "ZipFolder"]


@dataclass(frozen=True)
class File:
    """A file in a folder, on disk or in a ZIP archive. ``str`` gives its path, for messages."""

    folder: Folder
    name: str

    @property
    def stem(self) -> str:
        """The name without its last extension."""
        return self.name.rpartition(".")[0] or self.name

    @property
    def stamp(self) -> Hashable:
        """A value that changes with the content."""
        return self.folder.stamp_of(self.name)

    def read_bytes(self) -> bytes:
        """Return the content.

        Raises
        ------
        MissingReleaseError
            If the file no longer exists.
        MalformedFileError
            If it is larger than any file of its kind (`ir_coliee.storage`).
        ColieeError
            If it cannot be read.
        """
        return self.folder.read(self.name)

    def __str__(self) -> str:
        return self.folder.path_of(self.name)


@dataclass(frozen=True)
class DiskFolder:
    """A folder on disk."""

    path: str

    @property
    def name(self) -> str:
        """Name without the path."""
        return os.path.basename(self.path)

    @property
    def stamp(self) -> Hashable:
        """Modification times, size and inode."""
        return file_stamp(self._stat(self.path))

    def file_names(self) -> list[str]:
        """Return the sorted names of the files in the folder, except those that begin with a dot."""
        return sorted(entry.name for entry in self._entries() if _is(entry.is_file))

    def files(self) -> list[File]:
        """Return the files in the folder, sorted by name."""
        return [File(self, name) for name in self.file_names()]

    def folders(self) -> list[Folder]:
        """Return the folders in the folder, sorted by name, except `IGNORED_FOLDERS`."""
        names = sorted(entry.name for entry in self._entries() if _is(entry.is_dir))
        return [DiskFolder(os.path.join(self.path, name)) for name in names]

    def read(self, name: str) -> bytes:
        """Return the content of a file in the folder."""
        try:
            return limit_of(name).read_file(f"{self.path}{os.sep}{name}")
        except OSError as error:
            raise _unreadable(self.path_of(name), error) from None

    def stamp_of(self, name: str) -> Hashable:
        """Return modification times, size and inode of a file in the folder."""
        return file_stamp(self._stat(self.path_of(name)))

    def path_of(self, name: str) -> str:
        """Return the path of a file in the folder."""
        return os.path.join(self.path, name)

    def __str__(self) -> str:
        return self.path

    def _stat(self, path: str) -> os.stat_result:
        try:
            return os.stat(path)
        except OSError as error:
            raise _unreadable(path, error) from None

    def _entries(self) -> list[os.DirEntry[str]]:
        """List the entries of the folder. A link is treated as its target; a broken link is neither file nor folder."""
        try:
            with os.scandir(self.path) as entries:
                return [
                    entry for entry in entries if not entry.name.startswith(".") and entry.name not in IGNORED_FOLDERS
                ]
        except OSError as error:
            raise _unreadable(self.path, error) from None


def _is(has_kind: Callable[[], bool]) -> bool:
    """Return whether an entry is a file or a folder; a circular link is neither."""
    try:
        return has_kind()
    except OSError:
        return False


def file_stamp(status: os.stat_result) -> tuple[int, ...]:
    """Return the modification times, size and inode of a file or folder."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _unreadable(path: str, error: OSError) -> ColieeError:
    if isinstance(error, FileNotFoundError):
        return MissingReleaseError(f"{path} no longer exists. Restore it from the organisers' package.")
    return ColieeError(f"{path} cannot be read ({error.strerror}). Check its permissions.")


# Text, JSON and XML from files, with errors that name the file and the line.


#: Issues a warning about a file, with a line or None and a problem.
Warn = Callable[[int | None, str], None]

_MOST_WARNINGS = 5  # about one file; a damaged one can have a problem on every line
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_DEEPEST_XML = 30  # the largest depth of nested elements; a law has about ten


class Readable(Protocol):
    """Anything with bytes whose ``str`` is its path: a `File` of a local copy, a `pathlib.Path`."""

    def read_bytes(self) -> bytes:
        """Return the content."""
        ...


def read_text(file: Readable) -> str:
    """Read the text of a file in UTF-8, with or without BOM; CR LF becomes LF.

    Raises
    ------
    MalformedFileError
        If a byte is not UTF-8, or is NUL, as in the tail of a file after a power failure, or in UTF-16.
    """
    return _decoded(read_content(file).removeprefix(codecs.BOM_UTF8), file).replace("\r\n", "\n")


def read_content(file: Readable) -> bytes:
    """Read the bytes of a file, if it is within the limit of its kind, which a path has too."""
    return limit_of(file.name).read_file(file) if isinstance(file, Path) else file.read_bytes()


def is_empty(text: str) -> bool:
    """Return whether a text has neither a letter nor a digit."""
    return not any(map(str.isalnum, text))


def read_lines(file: Readable, limit: SizeLimit) -> Iterator[tuple[int, str]]:
    """Read the lines of a file in UTF-8 one after the other; empty last lines are ignored.

    Parameters
    ----------
    file : Readable
    limit : SizeLimit
        The largest size of a line.

    Yields
    ------
    tuple
        The number of the line, from 1, and its text.

    Raises
    ------
    MalformedFileError
        If a line is too long, or is no text in UTF-8.
    """
    content = read_content(file).removeprefix(codecs.BOM_UTF8).rstrip(b"\r\n")
    for number, line in enumerate(io.BytesIO(content), start=1):
        if len(line) > limit.max_bytes:
            problem = f"{len(line):,} bytes are too many for {limit.kind}"
            raise MalformedFileError(file, number, problem, f"at most {limit.max_bytes:,} bytes in a line")
        yield number, _decoded(line.rstrip(b"\r\n"), file, number)


def _decoded(data: bytes, file: Readable, line: int = 1) -> str:
    """Decode bytes that begin on a line of a file."""
    try:
        if b"\0" not in data:
            return data.decode()
        place, problem = data.index(b"\0"), "is NUL (damaged, or UTF-16)"
    except UnicodeDecodeError as error:
        place, problem = error.start, "is not UTF-8"
    line += data.count(b"\n", 0, place)
    column = place - data.rfind(b"\n", 0, place)
    raise MalformedFileError(
        file, line, f"byte {column} of the line {problem}", "text in UTF-8; take the file from its source again"
    )


@contextmanager
def warnings_about(file: object) -> Iterator[Warn]:
    """Give a function that issues a `ColieeWarning` about a file, with its path; those after five become one."""
    problems: list[str] = []

    def warn(line: int | None, problem: str) -> None:
        place = f"{file}" if line is None else f"{file}, line {line}"
        problems.append(f"{place}: {problem}")
        if len(problems) <= _MOST_WARNINGS:
            warnings.warn(problems[-1], ColieeWarning, stacklevel=3)

    yield warn
    if more := problems[_MOST_WARNINGS:]:
        warnings.warn(FindingWarning(file, "warning-of-reader", "more warnings", more), stacklevel=3)


def read_json(file: Readable, expected: str) -> Any:
    """Read a JSON file, with the warnings of `parse_json`.

    Parameters
    ----------
    file : Readable
    expected : str
        Description of the expected content, for errors.

    Raises
    ------
    MalformedFileError
        If the file is not JSON.
    """
    with warnings_about(file) as warn:
        return parse_json(read_text(file), file, None, expected, warn)


def parse_json(text: str, file: Readable, line: int | None, expected: str, warn: Warn) -> Any:
    """Parse a JSON text. A warning reports a repeated key, of which the last value is used, and lone surrogates.

    Parameters
    ----------
    text : str
    file : Readable
        The file of the text, for messages.
    line : int or None
        The line of the text; None for a whole file.
    expected : str
        Description of the expected content, for errors.
    warn : callable
        Function that issues a warning about the file.

    Raises
    ------
    MalformedFileError
        If the text is not JSON.
    """

    def last_value(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            repeated = sorted(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
            warn(line, f"repeated keys, of which the last is used: {printable_list(repeated)}")
        return value

    try:
        content = json.loads(text, object_pairs_hook=last_value)
    except json.JSONDecodeError as error:
        raise MalformedFileError(file, line or error.lineno, f"not JSON ({error.msg})", expected) from None
    except (ValueError, RecursionError):  # a number too long, brackets too deep
        raise MalformedFileError(file, line, "not JSON (it exceeds the limits of the parser)", expected) from None
    if not _SURROGATE_ESCAPE.search(text):
        return content
    whole = json.dumps(content, ensure_ascii=False)
    if not _LONE_SURROGATE.search(whole):
        return content
    warn(line, "a lone surrogate was replaced by U+FFFD")  # a name or a text file cannot contain it
    return json.loads(_LONE_SURROGATE.sub("\ufffd", whole))


def read_xml(file: Readable, expected: str) -> tuple[ElementTree.Element, dict[ElementTree.Element, int]]:
    """Read an XML file as UTF-8, whatever encoding it declares.

    Parameters
    ----------
    file : Readable
    expected : str
        Description of the expected content, for errors.

    Returns
    -------
    tuple
        The root element, and the line on which each element begins.

    Raises
    ------
    MalformedFileError
        If the file is not well-formed, or if it declares an entity or uses an undeclared one: a few declarations can
        fill the memory, and others can refer to other files.
    """
    lines: dict[ElementTree.Element, int] = {}
    unclosed: list[ElementTree.Element] = []
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate("utf-8")

    def refuse(problem: str) -> NoReturn:
        raise MalformedFileError(file, parser.CurrentLineNumber, problem, expected)

    def open_element(tag: str, attributes: dict[str, str]) -> None:
        element = builder.start(tag, attributes)
        lines[element] = parser.CurrentLineNumber
        unclosed.append(element)
        if len(unclosed) > _DEEPEST_XML:
            refuse(f"more than {_DEEPEST_XML} nested elements")

    def close_element(tag: str) -> None:
        builder.end(tag)
        unclosed.pop()

    parser.buffer_text = True
    parser.StartElementHandler = open_element
    parser.EndElementHandler = close_element
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = lambda name, *_: refuse(f"the entity {printable(name, 30)} is declared")
    parser.SkippedEntityHandler = lambda name, *_: refuse(f"the entity {printable(name, 30)} is not declared")
    try:
        parser.Parse(read_text(file).encode(), True)
    except expat.ExpatError as error:
        problem = f"not well-formed XML ({expat.ErrorString(error.code)})"
        if unclosed:
            problem += f".\n<{printable(unclosed[-1].tag)}> of line {lines[unclosed[-1]]} is not closed"
        raise MalformedFileError(file, error.lineno, problem, expected) from None
    return builder.close(), lines
