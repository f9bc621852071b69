"""All editions and their splits: those of this package, and a user's own below the data folders.

The files of this package are read when a split is first asked for, those of a user when an id names one of their
editions or when everything is listed. A mistake in a user's file therefore does not affect the editions of this
package.
"""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from ir_coliee.editions.data_folders import data_folders
from ir_coliee.editions.edition import Edition, build_edition, collection_id
from ir_coliee.editions.nearest_ids import nearest_ids
from ir_coliee.editions.schema import EDITION_NAME, validate_edition_file
from ir_coliee.editions.split import Split
from ir_coliee.editions.yaml_reader import EditionFile, read_edition_file
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError, UnknownIdError, printable

#: The folder of the edition files of this package, and the name of a user's folder below a data folder.
BUILT_IN_FOLDER = Path(__file__).parents[1] / "etc" / "editions"
USER_FOLDER = "editions"

_SPLITS_NAMED = 3
_IN_ID = re.compile(r"coliee/[^/]+/([^/]+)(?:/.*)?")
_YEAR_IN_ID = re.compile(r"coliee/[^/]+/(20[0-9]{2})(?:/.*)?")


# --- files -----------------------------------------------------------------------------------------


@cache
def _built_in_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in BUILT_IN_FOLDER.glob("*.yaml")))


@cache
def _built_in_file(name: str) -> EditionFile:
    return _valid_file(BUILT_IN_FOLDER / f"{name}.yaml")


def _valid_file(path: Path) -> EditionFile:
    file = read_edition_file(path)
    validate_edition_file(file)
    return file


_user_files: dict[Path, tuple[tuple[int, int], EditionFile]] = {}


def _user_file(path: Path) -> EditionFile:
    """Return a user's edition file, which is read again if it has changed."""
    try:
        stat = path.stat()
        state = stat.st_mtime_ns, stat.st_size
        if path not in _user_files or _user_files[path][0] != state:
            _user_files[path] = state, _valid_file(path)
    except OSError as error:
        raise MalformedFileError(path, None, f"it cannot be read ({error.strerror})", "a readable YAML file") from None
    return _user_files[path][1]


def _user_paths() -> dict[str, Path]:
    """Return the user's edition files by name, the first data folder first. Warn of files that are not read."""
    paths = [path for folder in data_folders() for path in _yaml_files(folder / USER_FOLDER)]
    by_name: dict[str, Path] = {}
    for path in reversed(paths):
        if reason := _why_ignored(path):
            warnings.warn(f"{path} is not read: {reason}", ColieeWarning, stacklevel=2)
        else:
            by_name[path.stem] = path
    return by_name


def _yaml_files(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob("*.y*ml"))
    except OSError as error:  # a folder above it that is not permitted, or a name that is too long
        problem = f"{printable(str(folder))} cannot be read ({error.strerror})"
        raise ColieeError(f"{problem}.\nCheck COLIEE_HOME, and the permissions of that folder.") from None


def _why_ignored(path: Path) -> str:
    if path.suffix != ".yaml":
        return f"rename it to {path.stem}.yaml."
    if path.stem in _built_in_names():  # a user's description that a later version of the package contains
        return f"this version of ir_coliee contains COLIEE {path.stem}. Delete the file, or rename it and its edition."
    return ""


def _file(name: str) -> EditionFile | None:
    if name in _built_in_names():
        return _built_in_file(name)
    path = _user_paths().get(name)
    return _user_file(path) if path else None


# --- editions --------------------------------------------------------------------------------------


@cache
def _built_in_edition(name: str) -> Edition:
    return build_edition(_built_in_file(name), _file)


_user_editions: dict[Path, tuple[tuple[EditionFile, ...], Edition]] = {}


def _user_edition(path: Path) -> Edition:
    """Return a user's edition, which is built again if its file or an edition that it follows has changed."""
    used: list[EditionFile] = []

    def read(name: str) -> EditionFile | None:
        file = _file(name)
        used.extend([file] if file else [])
        return file

    file = _user_file(path)
    before = _user_editions.get(path)
    if before and before[0][0] is file and all(_file(other.path.stem) is other for other in before[0][1:]):
        return before[1]
    edition = build_edition(file, read)
    _user_editions[path] = (file, *used), edition
    return edition


def edition(name: str) -> Edition | None:
    """Return an edition.

    Parameters
    ----------
    name : str
        A year, or a word such as ``sample``.

    Returns
    -------
    Edition or None
        The edition; None if neither this package nor a data folder has a file of that name.

    Raises
    ------
    MalformedFileError
        If the user's file of the edition has a mistake.
    """
    if name in _built_in_names():
        return _built_in_edition(name)
    if not EDITION_NAME.fullmatch(name):
        return None
    path = _user_paths().get(name)
    return _user_edition(path) if path else None


def editions() -> dict[str, Edition]:
    """Return all editions by name: those of this package, then a user's own.

    Returns
    -------
    dict of str to Edition
        The editions.

    Raises
    ------
    MalformedFileError
        If a user's edition file has a mistake.
    """
    own = {name: _user_edition(path) for name, path in sorted(_user_paths().items())}
    return {**{name: _built_in_edition(name) for name in _built_in_names()}, **own}


def built_in_editions() -> list[Edition]:
    """Return the editions whose files come with this package, without reading a user's files."""
    return [_built_in_edition(name) for name in _built_in_names()]


def is_of_package(name: str) -> bool:
    """Return whether the file of an edition comes with this package."""
    return name in _built_in_names()


def _readable_user_editions() -> list[Edition]:
    """Return a user's editions, except those whose files have a mistake."""
    found = []
    for path in _user_paths().values():
        with contextlib.suppress(MalformedFileError):
            found.append(_user_edition(path))
    return found


def readable_splits() -> list[Split]:
    """Return all splits, except those of a user's editions whose file has a mistake.

    Returns
    -------
    list of Split
        The splits, for searches that must not fail because of a mistake in an unrelated edition.
    """
    known = [*built_in_editions(), *_readable_user_editions()]
    return [split for found in known for split in found.splits.values()]


def _edition_of(dataset_id: str) -> Edition | None:
    match = _IN_ID.fullmatch(dataset_id)
    return edition(match[1]) if match else None


class _Splits(Mapping[str, Split]):
    """All splits by id. Looking one up reads only the files of its edition."""

    def __getitem__(self, dataset_id: str) -> Split:
        found = _edition_of(dataset_id)
        if found is None:
            raise KeyError(dataset_id)
        return found.splits[dataset_id]

    def __iter__(self) -> Iterator[str]:
        return (dataset_id for found in editions().values() for dataset_id in found.splits)

    def __len__(self) -> int:
        return sum(len(found.splits) for found in editions().values())


class _Collections(Mapping[str, Split]):
    """The collections of articles by id; the value is a split with that collection."""

    def __getitem__(self, dataset_id: str) -> Split:
        found = _edition_of(dataset_id)
        if found is None:
            raise KeyError(dataset_id)
        return found.collections[dataset_id]

    def __iter__(self) -> Iterator[str]:
        return (dataset_id for found in editions().values() for dataset_id in found.collections)

    def __len__(self) -> int:
        return sum(len(found.collections) for found in editions().values())


#: Every split by id, a user's own editions included.
SPLITS: Mapping[str, Split] = _Splits()

#: Every collection of articles by id; the value is a split with that collection.
COLLECTIONS: Mapping[str, Split] = _Collections()


# --- look-up ---------------------------------------------------------------------------------------


def split(dataset_id: str) -> Split:
    """Return the split of an id.

    Parameters
    ----------
    dataset_id : str
        An id such as ``coliee/task1/2025/test``; a view's id (``…/full``) gives the split of the view.

    Returns
    -------
    Split
        The split.

    Raises
    ------
    UnknownIdError
        If there is no such split. The error has the nearest known ids.
    ColieeError
        If the id is that of a collection, which has documents and no queries.
    MalformedFileError
        If the id belongs to a user's edition whose file has a mistake.

    Examples
    --------
    >>> split("coliee/task1/2025/test").counts["queries"]
    400
    """
    found = SPLITS.get(dataset_id.removesuffix("/full"))
    if found is not None:
        return found
    collection = dataset_id.removesuffix("/deleted")
    if collection in COLLECTIONS:
        of_edition = _edition_of(collection)
        splits = of_edition.splits.values() if of_edition else ()
        ids = [s.id for s in splits if s.task == "task3" and collection_id(s) == collection]
        names = ", ".join(sorted(ids, key=lambda name: not name.endswith(("/test", "/train")))[:_SPLITS_NAMED])
        raise ColieeError(
            f"{dataset_id} is a collection of articles without queries.\nPass one of its splits, for example {names}."
        )
    raise unknown_id(dataset_id)


def unknown_id(dataset_id: str) -> UnknownIdError:
    """Return the error for an id that no edition has.

    Parameters
    ----------
    dataset_id : str
        The unknown id.

    Returns
    -------
    UnknownIdError
        The error, with up to three of the nearest known ids.
    """
    of_year = [*built_in_editions(), *_readable_user_editions()]
    known_editions = sorted(of_year, key=lambda found: found.year if found.name.isdecimal() else 0, reverse=True)
    known = [name for found in known_editions for name in (*found.splits, *found.collections)]
    return UnknownIdError(dataset_id, nearest_ids(dataset_id, known), _searched(dataset_id))


def _searched(dataset_id: str) -> str:
    """Return where the file of the unknown year of an id was searched, and where a file of its name lies instead."""
    match = _YEAR_IN_ID.fullmatch(dataset_id)
    if match is None or match[1] in _built_in_names() or match[1] in _user_paths():
        return ""
    name = f"{match[1]}.yaml"
    searched = ", ".join(str(folder / USER_FOLDER) for folder in data_folders())
    elsewhere = [path for folder in data_folders() for place in ("", "*/") for path in folder.glob(f"{place}{name}")]
    found = f" Move {elsewhere[0]} there." if elsewhere else ""
    return f"The edition file {name} was not found in {searched}.{found}"
