"""Reads an edition file into plain values together with the line of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.errors import MalformedFileError, printable

#: The keys and list positions that lead to a value.
Keys = tuple[str | int, ...]

_PREFIX = "tag:yaml.org,2002:"


class EditionFile(NamedTuple):
    """The content of an edition file.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    data : dict
        Its content: dicts, lists, str, int, bool and None.
    lines : dict
        The line of each value, counted from 1, by the keys that lead to it.
    """

    path: Path
    data: dict[str, Any]
    lines: dict[Keys, int]

    def line(self, keys: Keys) -> int:
        """Return the line of a value, or of the nearest value around it that stands in the file."""
        while keys and keys not in self.lines:
            keys = keys[:-1]
        return self.lines.get(keys, 1)


def read_edition_file(path: Path) -> EditionFile:
    """Read an edition file.

    Parameters
    ----------
    path : pathlib.Path
        A YAML file in UTF-8.

    Returns
    -------
    EditionFile
        Its content and the line of each value.

    Raises
    ------
    MalformedFileError
        If the file is no YAML, no mapping, gives a key twice, or uses anchors or tags.
    """
    import yaml  # its import is slow, and importing the package needs no edition file

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(path.read_text(encoding="utf-8-sig"), Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context)
        raise MalformedFileError(path, mark.line + 1 if mark else None, problem, "YAML") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise MalformedFileError(path, None, printable(str(error).partition("\n")[0]), "YAML in UTF-8") from None
    lines: dict[Keys, int] = {}
    data = _value(path, root, (), lines, set()) if root is not None else None
    if not isinstance(data, dict):
        raise MalformedFileError(path, 1, "no mapping of keys to values", "a line such as edition: 2027")
    return EditionFile(path, data, lines)


def _value(path: Path, node: Any, keys: Keys, lines: dict[Keys, int], seen: set[int]) -> Any:
    """Return the plain value of a node; notes its line under its keys."""
    line = node.start_mark.line + 1
    lines.setdefault(keys, line)
    if id(node) in seen:
        raise MalformedFileError(path, line, "an anchor of YAML is used", "the values written out, or like: EDITION")
    seen.add(id(node))
    kind = node.tag.removeprefix(_PREFIX)
    if kind == "map":
        result = {}
        for key, child in _entries(path, node):
            inner: Keys = (*keys, key)
            lines[inner] = child[0]
            result[key] = _value(path, child[1], inner, lines, seen)
        return result
    if kind == "seq":
        return [_value(path, child, (*keys, number), lines, seen) for number, child in enumerate(node.value)]
    if kind == "null":
        return None
    if kind == "bool":
        return node.value.lower() in ("true", "yes", "on")
    if kind == "int" and node.value.isdecimal() and not node.value.startswith("0"):
        return int(node.value)
    if node.tag.startswith("!"):
        raise MalformedFileError(path, line, f"the tag {printable(node.tag)}", "a value without a tag")
    return str(node.value)


def _entries(path: Path, node: Any) -> Iterator[tuple[str, tuple[int, Any]]]:
    """The entries of a mapping, each key with its line and its value's node."""
    known: dict[str, int] = {}
    for key_node, child in node.value:
        line, key = key_node.start_mark.line + 1, str(key_node.value)
        if key_node.tag != f"{_PREFIX}str" and not key.isdecimal():
            raise MalformedFileError(path, line, f"{printable(key)} is no key", "a word followed by a colon")
        if key in known:
            raise MalformedFileError(
                path, line, f"{printable(key)} stands on line {known[key]} already", "each key once"
            )
        known[key] = line
        yield key, (line, child)
