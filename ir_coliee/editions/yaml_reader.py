"""Reader for edition files: plain values together with the line of each value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.size_limits import EDITION

#: The keys and list positions that lead to a value.
Keys = tuple[str | int, ...]

_PREFIX = "tag:yaml.org,2002:"

# the kinds of value that each form may have
_KINDS = {
    "mapping": {"map"},
    "sequence": {"seq"},
    "scalar": {"str", "int", "float", "bool", "null", "timestamp", "merge", "value"},
}
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_DEEPEST = 20  # the largest depth of nested values; an edition has about five
_PLAIN_INTEGER = re.compile(r"[1-9][0-9]{0,17}")


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
        """Return the line of a value, or of the nearest enclosing value if it is not in the file."""
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
        If the file is too large, not YAML or not a mapping, repeats a key, nests values too deeply, or uses anchors or
        tags.
    """
    root = _compose(path)
    lines: dict[Keys, int] = {}
    data = _value(path, root, (), lines, set()) if root is not None else None
    if not isinstance(data, dict):
        raise MalformedFileError(path, 1, "the file is not a mapping of keys to values", "a line such as edition: 2027")
    return EditionFile(path, data, lines)


def _compose(path: Path) -> Any:
    """Return the root node of a YAML file; None if the file has no value."""
    import yaml  # its import is slow, and importing the package needs no edition file

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = EDITION.read_file(path).decode("utf-8-sig")
        depth = 0
        for event in yaml.parse(text, Loader=loader):  # composing takes quadratic time in the depth
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                line = event.start_mark.line + 1 if event.start_mark else None
                raise MalformedFileError(
                    path, line, f"too many nested values, more than {_DEEPEST}", "the keys of an edition"
                )
        return yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context)
        raise MalformedFileError(path, mark.line + 1 if mark else None, problem, "YAML") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise MalformedFileError(path, None, printable(str(error).partition("\n")[0]), "YAML in UTF-8") from None


def _value(path: Path, node: Any, keys: Keys, lines: dict[Keys, int], seen: set[int]) -> Any:
    """Return the plain value of a node; notes its line under its keys."""
    line = node.start_mark.line + 1
    lines.setdefault(keys, line)
    if id(node) in seen:
        raise MalformedFileError(
            path, line, "YAML anchors are not supported", "values without anchors, or like: EDITION"
        )
    seen.add(id(node))
    kind = node.tag.removeprefix(_PREFIX)
    if kind not in _KINDS[node.id]:  # only a tag that the file states can differ from the form of the value
        raise MalformedFileError(
            path, line, f"the YAML tag {printable(node.tag)} is not supported", "a value without a tag"
        )
    if node.id == "mapping":
        result = {}
        for key, child in _entries(path, node):
            inner: Keys = (*keys, key)
            lines[inner] = child[0]
            result[key] = _value(path, child[1], inner, lines, seen)
        return result
    if node.id == "sequence":
        return [_value(path, child, (*keys, number), lines, seen) for number, child in enumerate(node.value)]
    return _scalar(kind, node.value)


def _scalar(kind: str, text: str) -> str | int | bool | None:
    """Return the plain value of a scalar. A text that is not of its kind stays a text, which the schema reports."""
    if kind == "null" and text.lower() in ("", "~", "null"):
        return None
    if kind == "bool" and text.lower() in _FLAGS:
        return _FLAGS[text.lower()]
    if kind == "int" and _PLAIN_INTEGER.fullmatch(text):
        return int(text)
    return text


def _entries(path: Path, node: Any) -> Iterator[tuple[str, tuple[int, Any]]]:
    """The entries of a mapping, each key with its line and its value's node."""
    known: dict[str, int] = {}
    for key_node, child in node.value:
        line = key_node.start_mark.line + 1
        if key_node.id != "scalar":
            raise MalformedFileError(path, line, f"a {key_node.id} is not a valid key", "a word followed by a colon")
        key = str(key_node.value)
        if key_node.tag != f"{_PREFIX}str" and not key.isdecimal():
            raise MalformedFileError(path, line, f"{printable(key)} is not a valid key", "a word followed by a colon")
        if key in known:
            raise MalformedFileError(
                path, line, f"the key {printable(key)} is already on line {known[key]}", "each key once"
            )
        known[key] = line
        yield key, (line, child)
