"""The layouts of the case-law releases: by what a folder of each can be told.

``flat``: the decisions ``NNNNNN.txt`` in one folder. ``pools``: a folder for each query, with its
candidates. ``cases``: a folder for each query, with the paragraphs of the noticed case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

from ir_coliee.releases.folders import File, Folder

#: The folder in which each query's items lie.
ITEMS = {"pools": "candidates", "cases": "paragraphs"}

_NO_DOCUMENTS = ("*.json", "*.xml", "mapping.txt", "*_id_mapping*.txt")
_LONGEST_NUMBER = 100  # far beyond all ids, and far below what Python refuses to read as a number
_DEEPEST = 5  # levels between a release's top folder and its documents: four in 2018


def by_number(name: str) -> tuple[int, str]:
    """Sorting key of ids that are numbers of varying width."""
    return int(name), name


def is_number(name: str) -> bool:
    """Whether a name is a number in ASCII digits."""
    return name.isascii() and name.isdecimal() and len(name) <= _LONGEST_NUMBER


def number(name: str) -> int | str:
    """A name as a number, so that paddings agree; a name that is none as it is."""
    return int(name) if is_number(name) else name


def numbered_files(folder: Folder) -> list[File]:
    """The text files of a folder that are named by a number, in the order of the numbers."""
    return [File(folder, f"{stem}.txt") for _, stem in sorted((int(stem), stem) for stem in _numbers(folder))]


def _numbers(folder: Folder) -> Iterator[str]:
    stems = (name.removesuffix(".txt") for name in folder.file_names() if name.endswith(".txt"))
    return filter(is_number, stems)


def numbered_folders(folder: Folder) -> list[Folder]:
    """The folders in a folder that are named by a number, in the order of the numbers."""
    return sorted((inner for inner in folder.folders() if is_number(inner.name)), key=lambda f: by_number(f.name))


def _is_flat(folder: Folder) -> bool:
    return next(_numbers(folder), None) is not None


def _has(items: str) -> Callable[[Folder], bool]:
    return lambda folder: any(inner.name == items for case in numbered_folders(folder)[:3] for inner in case.folders())


_TESTS: dict[str, Callable[[Folder], bool]] = {
    "flat": _is_flat,
    "pools": _has(ITEMS["pools"]),
    "cases": _has(ITEMS["cases"]),
}


def documents_in(folder: Folder, layout: str) -> list[Folder]:
    """Where documents in this layout lie: the folder itself, else the nearest ones below it, at most a few levels down.

    A release is often unpacked into a folder of its own name, or lies in ``cases`` or ``corpus``.
    """
    level = [folder]
    for _ in range(_DEEPEST):
        if found := [inner for inner in level if _TESTS[layout](inner)]:
            return found
        level = [inner for outer in level for inner in outer.folders() if not is_number(inner.name)]
    return []


def count_documents(folder: Folder, layout: str) -> int:
    """The number of documents in a folder of this layout."""
    if layout == "flat":
        return len(numbered_files(folder))
    return sum(len(item_files(case, layout)) for case in numbered_folders(folder))


def items_of(case: Folder, layout: str) -> list[Folder]:
    """The folder of a query's items, in a list; empty where it is missing."""
    return [inner for inner in case.folders() if inner.name == ITEMS[layout]]


def item_files(case: Folder, layout: str) -> list[File]:
    """The files of a query's items, in the order of their numbers, whatever else is in their names."""
    return [file for inner in items_of(case, layout) for file in numbered_files(inner) or _named_otherwise(inner)]


def _named_otherwise(folder: Folder) -> list[File]:
    files = [file for file in folder.files() if not any(fnmatchcase(file.name, name) for name in _NO_DOCUMENTS)]
    return sorted(files, key=lambda file: re.sub(r"\d+", lambda digits: digits[0].zfill(_LONGEST_NUMBER), file.name))
