"""The gold of the case-law tasks in its forms: JSON since 2020, XML in 2018 and 2019, a text file a case in 2019.

Each reader gives what is written: query to items, without ``.txt``, with repeats, in the order of the file.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from ir_coliee.errors import ColieeWarning, MalformedFileError, shown
from ir_coliee.releases.folders import Folder
from ir_coliee.releases.layouts import is_number, number, numbered_folders
from ir_coliee.releases.reading import Readable, read_json, read_text, read_xml

Labels = dict[str, tuple[str, ...]]

_JSON = 'an object such as {"900001.txt": ["900002.txt"]}, or a list of names where labels are not published'
_XML = "an <entry> or <instance> for each query, with its answers in <cases_noticed> or <entailing_paragraphs>"
_INSTANCE_PREFIX = re.compile(r"t[12]-")
# the prefix of a path is that of the organisers' disk, with either separator
_NAMED_FILE = re.compile(r"(?:.*[/\\])?([^/\\]+)\.txt")
_NAMED_FOLDER = re.compile(r"(?:.*[/\\])?([^/\\]+)[/\\][^/\\]+\.txt")


def read_json_labels(file: Readable) -> Labels:
    """Labels from JSON.

    Accepts lists, comma strings and both in one file; a list of names, or empty lists, where the
    labels are not published: the items are then empty. Raises `MalformedFileError`.
    """
    content = read_json(file, _JSON)
    if isinstance(content, list):
        content = {query: [] for query in content} if all(isinstance(query, str) for query in content) else None
    if not isinstance(content, dict):
        raise MalformedFileError(file, None, "neither an object nor a list of names", _JSON)
    labels: Labels = {}
    for query, value in content.items():
        if _stem(query) in labels:
            message = f"{file}: query {shown(_stem(query))} is given in two spellings, the last counts"
            warnings.warn(message, ColieeWarning, stacklevel=2)
        labels[_stem(query)] = _items(file, query, value)
    return labels


def _items(file: Readable, query: str, value: Any) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        problem = f"the value of {shown(query)} is neither a list of names nor a string"
        raise MalformedFileError(file, None, problem, _JSON)
    return tuple(_stem(name) for name in names if name.strip())


def _stem(name: str) -> str:
    return name.strip().removesuffix(".txt")


def read_xml_labels(file: Readable, *, listed: Callable[[str], Sequence[str]] | None = None) -> Labels:
    """Labels from XML, by the folder of the query; a query without the answer element has no items.

    An answer is the ``id`` of an item, whose name is that of the file which its element names. With ``listed``, which
    gives the names in a query's folder, it is the position of an item, from 1, as in task 2 of 2018; where the
    elements do not name those files, it is a position among them. Raises `MalformedFileError`.
    """
    labels: Labels = {}
    root, lines = read_xml(file, _XML)
    for element in root.iter():
        if element.tag in ("entry", "instance"):
            folder = _query_folder(file, lines[element], element)
            if folder in labels:
                message = f"{file}, line {lines[element]}: query {shown(folder)} is given again, the last counts"
                warnings.warn(message, ColieeWarning, stacklevel=2)
            labels[folder] = tuple(_answers(element, listed(folder) if listed else None))
    if not labels:
        raise MalformedFileError(file, None, "no query in it", _XML)
    return labels


def _query_folder(file: Readable, line: int, instance: Element) -> str:
    """The name of the query's folder; where it is not the instance's id, the folder counts."""
    id_ = _INSTANCE_PREFIX.sub("", instance.get("id", "").strip())
    paths = (_text(inner) for inner in instance.iter() if inner.tag in ("fact", "query", "base_case", "case_contents"))
    folder = next((match[1] for match in map(_NAMED_FOLDER.fullmatch, paths) if match), id_)
    if not folder:
        raise MalformedFileError(file, line, "a query without id and without a path", _XML)
    if is_number(id_) and is_number(folder) and int(id_) != int(folder):
        message = f"{file}, line {line}: the query of id {id_} lies in folder {folder}; the folder counts"
        warnings.warn(message, ColieeWarning, stacklevel=2)
    return folder


def _answers(instance: Element, listed: Sequence[str] | None) -> Iterable[str]:
    written = [_text(inner) for inner in instance.iter() if inner.tag in ("cases_noticed", "entailing_paragraphs")]
    items = [inner for inner in instance.iter() if inner.tag in ("candidate_case", "paragraph")]
    ids = [item.get("id", "").strip() for item in items]
    names: Sequence[str] = [_named_file(item) or id_ for item, id_ in zip(items, ids)]
    if listed is None:
        by_number = {number(id_): name for id_, name in zip(ids, names)}
    else:
        if len(names) == len(listed) and not set(map(number, names)) <= set(map(number, listed)):
            names = listed
        by_number = {position: name for position, name in enumerate(names, start=1) if name}
    for answer in re.split(r"[,\s]+", ",".join(written)):
        if answer:
            yield by_number.get(number(_stem(answer)), _stem(answer))


def _named_file(item: Element) -> str:
    """The name of the file that an item's element names by its path; empty where it holds something else."""
    match = _NAMED_FILE.fullmatch(_text(item))
    return match[1] if match else ""


def _text(element: Element) -> str:
    return (element.text or "").strip()


def read_gold_of_cases(corpus: Folder, names: tuple[str, ...]) -> Labels:
    """Labels from the text files of these names in the case folders, an item on each line."""
    return {
        case.name: tuple(_stem(line) for line in read_text(file).split("\n") if line.strip())
        for case in numbered_folders(corpus)
        for file in case.files()
        if file.name in names
    }
