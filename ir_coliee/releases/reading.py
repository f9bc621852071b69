"""Text, JSON and XML from files, with errors that name the file and the line."""

from __future__ import annotations

import codecs
import io
import json
import re
import warnings
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, Protocol
from xml.parsers import expat

from ir_coliee.errors import ColieeWarning, MalformedFileError, printable, printable_list
from ir_coliee.releases.findings import MoreWarnings
from ir_coliee.releases.folders import limit_of
from ir_coliee.size_limits import SizeLimit

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

    Bytes that are not UTF-8 become U+FFFD, with a `ColieeWarning` that names the file.
    """
    with warnings_about(file) as warn:
        text = _decoded(read_content(file).removeprefix(codecs.BOM_UTF8), None, warn)
    return text.replace("\r\n", "\n") if "\r" in text else text


def read_content(file: Readable) -> bytes:
    """Read the bytes of a file, if it is within the limit of its kind, which a path has too."""
    return limit_of(file.name).read_file(file) if isinstance(file, Path) else file.read_bytes()


def read_lines(file: Readable, limit: SizeLimit, warn: Warn) -> Iterator[tuple[int, str]]:
    """Read the lines of a file in UTF-8 one after the other; empty last lines are ignored.

    Parameters
    ----------
    file : Readable
    limit : SizeLimit
        The largest size of a line.
    warn : callable
        Function that issues a warning about the file.

    Yields
    ------
    tuple
        The number of the line, from 1, and its text.

    Raises
    ------
    MalformedFileError
        If a line is too long.
    """
    content = read_content(file).removeprefix(codecs.BOM_UTF8).rstrip(b"\r\n")
    for number, line in enumerate(io.BytesIO(content), start=1):
        if len(line) > limit.max_bytes:
            problem = f"{len(line):,} bytes are too many for a {limit.kind}"
            raise MalformedFileError(file, number, problem, f"at most {limit.max_bytes:,} bytes in a line")
        yield number, _decoded(line.rstrip(b"\r\n"), number, warn)


def _decoded(data: bytes, line: int | None, warn: Warn) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        warn(line, f"byte {error.start} is not UTF-8 and was replaced by U+FFFD")
        return data.decode(errors="replace")


@contextmanager
def warnings_about(file: object) -> Iterator[Warn]:
    """Give a function that issues a `ColieeWarning` about a file, with its path; after five, one `MoreWarnings`."""
    problems: list[str] = []

    def warn(line: int | None, problem: str) -> None:
        place = f"{file}" if line is None else f"{file}, line {line}"
        problems.append(f"{place}: {problem}")
        if len(problems) <= _MOST_WARNINGS:
            warnings.warn(problems[-1], ColieeWarning, stacklevel=3)

    yield warn
    if more := problems[_MOST_WARNINGS:]:
        warnings.warn(MoreWarnings(file, more), stacklevel=3)


def read_json(file: Readable, expected: str) -> Any:
    """Read a JSON file. A `ColieeWarning` reports a repeated key, of which the last value is used, and lone surrogates.

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
    text = read_text(file)
    with warnings_about(file) as warn:
        content = parse_json(text, file, None, expected, warn)
        if not _SURROGATE_ESCAPE.search(text):
            return content
        return json.loads(without_lone_surrogates(json.dumps(content, ensure_ascii=False), None, warn))


def without_lone_surrogates(text: str, line: int | None, warn: Warn) -> str:
    """Replace each lone surrogate by U+FFFD, with a warning: JSON can contain it, a name or a text file cannot.

    Parameters
    ----------
    text : str
    line : int or None
        The line of the text, for the warning; None for a whole file.
    warn : callable
        Function that issues a warning about the file.
    """
    if not _LONE_SURROGATE.search(text):
        return text
    warn(line, "a lone surrogate was replaced by U+FFFD")
    return _LONE_SURROGATE.sub("\ufffd", text)


def parse_json(text: str, file: Readable, line: int | None, expected: str, warn: Warn) -> Any:
    """Parse a JSON text. Of a repeated key the last value is used, with a warning.

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
        return json.loads(text, object_pairs_hook=last_value)
    except json.JSONDecodeError as error:
        raise MalformedFileError(file, line or error.lineno, f"not JSON ({error.msg})", expected) from None
    except (ValueError, RecursionError):  # a number too long, brackets too deep
        raise MalformedFileError(file, line, "not JSON (it exceeds the limits of the parser)", expected) from None


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
