"""Finds the user's copy of an edition under the data folder.

The data folder is ``$COLIEE_HOME`` (one folder, or several joined by the system's path separator),
else ``$IR_DATASETS_HOME/coliee``, else ``~/.ir_datasets/coliee``. Files are found by name at any
depth; nothing in the folder is ever changed. The edition ``sample`` lies in this package.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ir_coliee.datasets.releases import SAMPLE, Part
from ir_coliee.errors import MissingCopyError, MissingLabelsError

ORGANISERS = "https://coliee.org"

_SAMPLE_FOLDER = Path(__file__).parent / SAMPLE
_LITTER = {"__MACOSX", ".cache"}
_ROLES = {
    "corpus": "folder of documents",
    "labels": "label file",
    "articles": "civil code",
    "pairs": "questions",
    "instances": "tort instances",
}


def data_folders() -> list[Path]:
    """The folders in which copies are looked for, in order. They need not exist."""
    named = os.environ.get("COLIEE_HOME")
    if named:
        return [Path(folder).expanduser() for folder in named.split(os.pathsep) if folder]
    ir_datasets_home = os.environ.get("IR_DATASETS_HOME")
    home = Path(ir_datasets_home) if ir_datasets_home else Path.home() / ".ir_datasets"
    return [home / "coliee"]


def find(part: Part, role: str, name: str | None = None) -> Path:
    """Where the file or folder of this role lies in the user's copy.

    ``name`` asks for one of the part's names (an exam year's file); by default any of them serves,
    the first in the table's order first. A folder that holds a folder of its own name, as archives
    unpack, is entered once. Raises `MissingCopyError`, which names the edition, the data folder, the
    accepted names and the way to obtain the data.
    """
    names = (name,) if name else part.files[role]
    path = _first(part, names, want_folder=role == "corpus")
    if path is None:
        raise _missing(part, role, names)
    return path


def missing_files(part: Part) -> list[str]:
    """The names of the files or folders of the part that are not there, the organisers' own names.

    Labels are among them where they are needed to know the queries, and where they are published.
    """
    return [names[0] for role, names in _wanted(part) if _first(part, names, want_folder=role == "corpus") is None]


def needed_files(part: Part) -> int:
    """How many files or folders make up the part."""
    return len(_wanted(part))


def _wanted(part: Part) -> list[tuple[str, tuple[str, ...]]]:
    """Role and accepted names of each file or folder; of the pair files every single one is wanted."""
    wanted = [(role, names) for role, names in part.files.items() if role != "pairs"]
    return wanted + [("pairs", (name,)) for name in part.files.get("pairs", ())]


def _first(part: Part, names: tuple[str, ...], *, want_folder: bool) -> Path | None:
    """The path of the first of the names that is there; of equal names the first in walking order."""
    for folder in [_SAMPLE_FOLDER] if part.edition == SAMPLE else data_folders():
        known = _found.get((folder, names))
        if known is None or not known.exists():
            known = _search(folder, names, want_folder)
        if known is not None:
            _found[folder, names] = known
            return known
    return None


#: Where names were found before, so that opening a document store does not walk the disk again.
_found: dict[tuple[Path, tuple[str, ...]], Path] = {}


def _search(folder: Path, names: tuple[str, ...], want_folder: bool) -> Path | None:
    matches: dict[str, Path] = {}
    for parent, subfolders, files in _walk(folder):
        for name in set(names).intersection(subfolders if want_folder else files):
            matches.setdefault(name, parent / name)
    path = next((matches[name] for name in names if name in matches), None)
    if path is not None and want_folder and (path / path.name).is_dir():
        return path / path.name
    return path


def _walk(folder: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    """`os.walk` in sorted order, through links but never round in a circle, past litter."""
    seen = set()
    for parent, subfolders, files in os.walk(folder, followlinks=True):
        real = os.path.realpath(parent)
        subfolders[:] = [] if real in seen else sorted(set(subfolders) - _LITTER)
        seen.add(real)
        yield Path(parent), subfolders, files


def _missing(part: Part, role: str, names: tuple[str, ...]) -> MissingCopyError:
    folders = " or ".join(map(str, data_folders()))
    corpus_is_here = role == "labels" and _first(part, part.files["corpus"], want_folder=True) is not None
    return (MissingLabelsError if corpus_is_here else MissingCopyError)(
        f"{part.id}: the {_ROLES[role]} of COLIEE {part.edition} is not in {folders}. "
        f"Accepted names, at any depth below it: {', '.join(names)}. "
        f"Unpack there what the organisers mailed, or set COLIEE_HOME to the folder that holds it. "
        f"The organisers give the data to participants who sign their memorandum: {ORGANISERS}."
    )
