"""Finds the user's copy of an edition under the data folder.

The data folder is ``$COLIEE_HOME`` (one folder, or several joined by the system's path separator),
else ``$IR_DATASETS_HOME/coliee``, else ``~/.ir_datasets/coliee``. Files are found by name at any
depth; nothing in the folder is ever changed. The edition ``sample`` lies in this package.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ir_coliee.datasets.releases import FIRST_MADE_UP_NUMBER, SAMPLE, Part
from ir_coliee.errors import AmbiguousCopyError, ColieeError, MissingCopyError, MissingLabelsError

ORGANISERS = "https://coliee.org"

_SAMPLE_FOLDER = Path(__file__).parent / SAMPLE
_LITTER = {"__MACOSX", ".cache"}
_BROWSER_SUFFIX = re.compile(r" ?\(\d+\)(?=(?:\.[a-z]+)?$)")
_YEAR_OF_RELEASE = re.compile(r"(?:coliee|task).*?(20[12]\d)", re.IGNORECASE)
_ROLES = {
    "corpus": "folder of documents",
    "labels": "label file",
    "articles": "civil code",
    "instances": "tort instances",
}


def data_folders() -> list[Path]:
    """The folders in which copies are looked for, in order. They need not exist."""
    named = [folder for folder in os.environ.get("COLIEE_HOME", "").split(os.pathsep) if folder]
    if named:
        try:
            return [Path(folder).expanduser() for folder in named]
        except RuntimeError as error:
            raise ColieeError(f"COLIEE_HOME={os.environ['COLIEE_HOME']!r}: {error}") from None
    ir_datasets_home = os.environ.get("IR_DATASETS_HOME")
    home = Path(ir_datasets_home) if ir_datasets_home else Path.home() / ".ir_datasets"
    return [home / "coliee"]


def find(part: Part, role: str) -> Path:
    """Where the file or folder of this role lies in the user's copy.

    Any of the accepted names serves, the first in the table's order first; a ``clean_`` in front and a
    browser's ``(1)`` behind do no harm. A name below a folder that bears another edition's year is passed
    over. Raises `MissingCopyError`, which names the edition, the data folder, the accepted names and the
    way to obtain the data.
    """
    path = _first(part, role)
    if path is None:
        raise _missing(part, role)
    return path


def is_made_up(part: Part) -> bool:
    """Whether the part is fictional: the sample, or cases with the numbers that synthetic releases have."""
    if part.edition == SAMPLE:
        return True
    corpus = _first(part, "corpus") if "corpus" in part.files else None
    if corpus is None:
        return False
    numbers = [int(path.stem) for path in corpus.iterdir() if path.stem.isdecimal()]
    return min(numbers, default=0) >= FIRST_MADE_UP_NUMBER


def missing_files(part: Part) -> list[str]:
    """The accepted names of each file or folder of the part that is not there, joined by "or"."""
    return [" or ".join(names) for role, names in part.files.items() if _first(part, role) is None]


def _first(part: Part, role: str) -> Path | None:
    names = part.files[role]
    for folder in [_SAMPLE_FOLDER] if part.edition == SAMPLE else data_folders():
        key = folder, names, part.edition
        path, name = _found.get(key, (None, ""))
        # while only a lesser name is there, the file with labels for instance may still come
        if path is None or not path.exists() or name != names[0]:
            path, name = _search(folder, names, part.edition, want_folder=role == "corpus")
        if path is not None:
            _found[key] = path, name
            return path
    return None


#: Where names were found before, so that opening a document store does not walk the disk again.
_found: dict[tuple[Path, tuple[str, ...], str], tuple[Path, str]] = {}


def _search(folder: Path, names: tuple[str, ...], edition: str, *, want_folder: bool) -> tuple[Path | None, str]:
    """The path of the first of the names that is there, and the name. Raises `AmbiguousCopyError`."""
    listing = _listing(folder)
    matches = {
        name: [
            path
            for path, is_folder in listing.get(name, ())
            if is_folder == want_folder and not _is_of_another_edition(path.parent.relative_to(folder), edition)
        ]
        for name in names
    }
    name = next((name for name in names if matches[name]), None)
    if name is None:
        return None, ""
    # a link is no second copy
    paths = list({os.path.realpath(path): path for path in reversed(matches[name])}.values())[::-1]
    if want_folder:
        # a folder unpacked into a folder of its own name is found twice, and is one
        outer = [path for path in paths if path.parent not in paths]
        _refuse_rivals(outer)
        return _entered(outer[0]), name
    if len({path.read_bytes() for path in paths}) > 1:
        _refuse_rivals(paths)
    return paths[0], name


def _refuse_rivals(paths: list[Path]) -> None:
    if len(paths) > 1:
        raise AmbiguousCopyError(
            f"Several copies of one name: {', '.join(map(str, paths))}. "
            f"Set COLIEE_HOME to the folder of the one you want."
        )


Listing = dict[str, list[tuple[Path, bool]]]
_kept_listings: dict[Path, Listing] | None = None


@contextmanager
def listed_once() -> Iterator[None]:
    """Within this, each data folder is listed once: for a report on many parts."""
    global _kept_listings
    _kept_listings = {}
    try:
        yield
    finally:
        _kept_listings = None


def _listing(folder: Path) -> Listing:
    """All files and folders below a folder, by plain name, with whether they are folders."""
    if _kept_listings is not None and folder in _kept_listings:
        return _kept_listings[folder]
    listing: Listing = {}
    for parent, subfolders, files in _walk(folder):
        for names, is_folder in ((subfolders, True), (files, False)):
            for name in names:
                listing.setdefault(_plain(name), []).append((parent / name, is_folder))
    if _kept_listings is not None:
        _kept_listings[folder] = listing
    return listing


def _plain(name: str) -> str:
    """A file name without what participants' tools add to it."""
    return (_BROWSER_SUFFIX.sub("", name) if "(" in name else name).removeprefix("clean_")


def _is_of_another_edition(path: Path, edition: str) -> bool:
    years = [year for folder in path.parts for year in _YEAR_OF_RELEASE.findall(folder)]
    return bool(years) and edition not in years


def _entered(folder: Path) -> Path:
    """Where the documents lie: in the folder, in a folder of its own name, or in ``cases`` or ``corpus``."""
    inner = [folder / name for name in (folder.name, "cases", "corpus")]
    real = os.path.realpath(folder)
    found = (path for path in inner if path.is_dir() and not real.startswith(os.path.realpath(path)))
    deeper = next(found, None)
    return folder if deeper is None else _entered(deeper)


def _walk(folder: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    """`os.walk` in sorted order, through links but never round in a circle, past litter."""
    seen = set()
    for parent, subfolders, files in os.walk(folder, followlinks=True):
        real = os.path.realpath(parent)
        subfolders[:] = [] if real in seen else sorted(set(subfolders) - _LITTER)
        seen.add(real)
        yield Path(parent), subfolders, files


def _missing(part: Part, role: str) -> MissingCopyError:
    folders = " or ".join(map(str, data_folders()))
    what = _ROLES.get(role, f"file of the questions of {role}")
    documents_are_here = role == "labels" and _first(part, "corpus") is not None
    return (MissingLabelsError if documents_are_here else MissingCopyError)(
        f"{part.id}: the {what} of COLIEE {part.edition} is not in {folders}. "
        f"Accepted names, at any depth below it: {', '.join(part.files[role])}. "
        f"Unpack there what the organisers mailed, or set COLIEE_HOME to the folder that holds it. "
        f"The organisers give the data to participants who sign their memorandum: {ORGANISERS}."
    )
