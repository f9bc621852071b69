"""Readers for the label formats of tasks 1 and 2: JSON (since 2020), XML (2018, 2019), a text file per case (2019).

Each reader returns the items of each query in the order of the file, without ``.txt`` and with repeats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.releases.folders import Folder
from ir_coliee.releases.layouts import is_number, number, numbered_folders
from ir_coliee.releases.reading import Readable, Warn, read_json, read_text, read_xml, warnings_about

#: Query to gold items.
Labels = dict[str, tuple[str, ...]]

_JSON = 'an object such as {"900001.txt": ["900002.txt"]}, or a list of names where labels are not published'
_XML = "an <entry> or <instance> for each query, with its answers in <cases_noticed> or <entailing_paragraphs>"
_INSTANCE_PREFIX = re.compile(r"t[12]-")
# paths begin with folders of the organisers' disk, and have either separator
_NAMED_FILE = re.compile(r"(?:.*[/\\])?([^/\\]+)\.txt")
_NAMED_FOLDER = re.compile(r"(?:.*[/\\])?([^/\\]+)[/\\][^/\\]+\.txt")


def read_json_labels(file: Readable) -> Labels:
    """Read labels from JSON.

    The items of a query are a list or a comma-separated string; a file may have both. A file whose labels are not
    published is a list of names, or has empty lists; the queries then have no items.

    Raises
    ------
    MalformedFileError
        If the file is neither an object of such items nor a list of names.
    """
    content = read_json(file, _JSON)
    if isinstance(content, list):
        content = {query: [] for query in content} if all(isinstance(query, str) for query in content) else None
    if not isinstance(content, dict):
        raise MalformedFileError(file, None, "neither an object nor a list of names", _JSON)
    labels: Labels = {}
    with warnings_about(file) as warn:
        for query, value in content.items():
            if _stem(query) in labels:
                warn(None, f"query {printable(_stem(query))} is given in two spellings; the last one is used")
            labels[_stem(query)] = _items(file, query, value)
    return labels


def _items(file: Readable, query: str, value: Any) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        problem = f"the value of {printable(query, 30)} is neither a list of names nor a string"
        raise MalformedFileError(file, None, problem, _JSON)
    return tuple(_stem(name) for name in names if name.strip())


def _stem(name: str) -> str:
    return name.strip().removesuffix(".txt")


def read_xml_labels(file: Readable, *, item_names: Callable[[str], Sequence[str]] | None = None) -> Labels:
    """Read labels from XML, by the name of the query's folder. A query without answer element has no items.

    Parameters
    ----------
    file : Readable
    item_names : callable, optional
        Function that returns the names of the items in a query's folder. By default, an answer is the ``id`` of an item
        element, and the item has the name of the file in that element. With ``item_names``, an answer is the position
        of an item element, counted from 1, as in task 2 of 2018; if the elements do not name the files of the folder,
        it is a position among these files.

    Raises
    ------
    MalformedFileError
        If the file is not well-formed, or has no query.
    """
    labels: Labels = {}
    root, lines = read_xml(file, _XML)
    with warnings_about(file) as warn:
        for element in root.iter():
            if element.tag in ("entry", "instance"):
                folder = _query_folder(file, lines[element], element, warn)
                if folder in labels:
                    warn(lines[element], f"query {printable(folder)} is repeated; the last one is used")
                labels[folder] = tuple(_answers(element, item_names(folder) if item_names else None))
    if not labels:
        raise MalformedFileError(file, None, "the file has no query", _XML)
    return labels


def _query_folder(file: Readable, line: int, instance: Element, warn: Warn) -> str:
    """Return the name of the query's folder; if it differs from the id of the instance, the folder is used."""
    id_ = _INSTANCE_PREFIX.sub("", instance.get("id", "").strip())
    paths = (_text(inner) for inner in instance.iter() if inner.tag in ("fact", "query", "base_case", "case_contents"))
    folder = next((match[1] for match in map(_NAMED_FOLDER.fullmatch, paths) if match), id_)
    if not folder:
        raise MalformedFileError(file, line, "the query has neither an id nor a path", _XML)
    if is_number(id_) and is_number(folder) and int(id_) != int(folder):
        warn(line, f"the query with the id {id_} lies in folder {folder}; the folder is used")
    return folder


def _answers(instance: Element, item_names: Sequence[str] | None) -> Iterable[str]:
    written = [_text(inner) for inner in instance.iter() if inner.tag in ("cases_noticed", "entailing_paragraphs")]
    items = [inner for inner in instance.iter() if inner.tag in ("candidate_case", "paragraph")]
    ids = [item.get("id", "").strip() for item in items]
    names: Sequence[str] = [_named_file(item) or id_ for item, id_ in zip(items, ids)]
    if item_names is None:
        by_number = {number(id_): name for id_, name in zip(ids, names)}
    else:
        if len(names) == len(item_names) and not set(map(number, names)) <= set(map(number, item_names)):
            names = item_names
        by_number = {position: name for position, name in enumerate(names, start=1) if name}
    for answer in re.split(r"[,\s]+", ",".join(written)):
        if answer:
            yield by_number.get(number(_stem(answer)), _stem(answer))


def _named_file(item: Element) -> str:
    """Return the name of the file whose path is in an item's element; empty if it has another content."""
    match = _NAMED_FILE.fullmatch(_text(item))
    return match[1] if match else ""


def _text(element: Element) -> str:
    return (element.text or "").strip()


def read_gold_of_cases(corpus: Folder, names: tuple[str, ...]) -> Labels:
    """Read labels from the text files of these names in the case folders, an item on each line."""
    return {
        case.name: tuple(_stem(line) for line in read_text(file).split("\n") if line.strip())
        for case in numbered_folders(corpus)
        for file in case.files()
        if file.name in names
    }
