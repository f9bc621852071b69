"""Editions of COLIEE: what the organisers handed out each year, read from ``etc/editions/*.yaml``.

An edition has splits; a `Split` states which files it consists of, in which layout and label format, how many
queries, documents and gold labels it has, by which measure it was ranked, and how a run of it is submitted. Code that
differs between editions asks the split for a property and never for its year.

A user adds an edition as ``$COLIEE_HOME/editions/2027.yaml``. The files of this package are read when a split is first
asked for, those of a user when an id names one of their editions or when everything is listed. A mistake in a user's
file therefore does not affect the editions of this package.
"""

from __future__ import annotations

import contextlib
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import ir_datasets

from ir_coliee.editions.edition import TASK_NAMES as TASK_NAMES
from ir_coliee.editions.edition import Count as Count
from ir_coliee.editions.edition import Edition as Edition
from ir_coliee.editions.edition import Split as Split
from ir_coliee.editions.edition import SubmissionForm as SubmissionForm
from ir_coliee.editions.edition import collection_id as collection_id
from ir_coliee.editions.files import EDITION_NAME, EditionFile, build_edition, read_edition_file
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError, UnknownIdError, printable

#: The folder of the edition files of this package, and the name of a user's folder below a data folder.
BUILT_IN_FOLDER = Path(__file__).parents[1] / "etc" / "editions"
USER_FOLDER = "editions"

# The data folders, in which local releases and a user's own editions are searched.


def data_folders() -> list[Path]:
    """Return the folders below which local releases are searched, in order.

    Returns
    -------
    list of pathlib.Path
        The folders in ``$COLIEE_HOME``, joined there by the system's path separator; else ``$IR_DATASETS_HOME/coliee``,
        else ``~/.ir_datasets/coliee``. They need not exist.

    Raises
    ------
    ColieeError
        If a folder begins with ``~`` and the home folder of that user is unknown.
    """
    named = [folder for folder in os.environ.get("COLIEE_HOME", "").split(os.pathsep) if folder.strip()]
    if named:
        try:
            return [Path(folder.strip()).expanduser() for folder in named]
        except RuntimeError as error:
            raise ColieeError(f"COLIEE_HOME={os.environ['COLIEE_HOME']!r}: {error}") from None
    return [ir_datasets_folder()]


def ir_datasets_folder() -> Path:
    """Return our folder in the folder of ir_datasets; neither needs to exist, and none is created."""
    home = os.environ.get("IR_DATASETS_HOME")
    return (Path(home) if home else Path.home() / ".ir_datasets") / "coliee"


# --- files -----------------------------------------------------------------------------------------

#: The user's edition files that are read: path, size and time of the last change of each.
UserFiles: TypeAlias = tuple[tuple[Path, int, int], ...]


@cache
def _built_in_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in BUILT_IN_FOLDER.glob("*.y*ml")))


@lru_cache(maxsize=100)
def _edition(name: str, user_files: UserFiles = ()) -> Edition:
    """Return an edition, which is built again if one of the user's files has changed."""
    paths = {path.stem: path for path, *_ in user_files}

    def read(name: str) -> EditionFile:
        return _built_in_file(name) if name in _built_in_names() else _user_file(paths[name])

    return build_edition(read(name), read)


@cache
def _built_in_file(name: str) -> EditionFile:
    return read_edition_file(BUILT_IN_FOLDER / f"{name}.yaml")


def _user_file(path: Path) -> EditionFile:
    from ir_coliee.editions.schema import validate_edition_file  # the import of pydantic is slow

    try:
        file = read_edition_file(path)
    except OSError as error:
        raise MalformedFileError(path, None, f"it cannot be read ({error.strerror})", "a readable YAML file") from None
    validate_edition_file(file)
    return file


def _user_files() -> UserFiles:
    """Return the user's edition files, one for each name, the first data folder first. Warn of those not read."""
    files: dict[str, tuple[Path, int, int]] = {}
    for folder in data_folders():
        try:
            paths = sorted((folder / USER_FOLDER).glob("*.yaml"))
        except OSError as error:  # a folder above it that is not permitted, or a name that is too long
            problem = f"{printable(str(folder / USER_FOLDER))} cannot be read ({error.strerror})"
            raise ColieeError(f"{problem}.\nCheck COLIEE_HOME, and the permissions of that folder.") from None
        for path in paths:
            if path.stem in _built_in_names():
                reason = "this version of ir_coliee has its edition"
                warnings.warn(f"{path} is not read: {reason}. Rename or delete it.", ColieeWarning, stacklevel=2)
            else:
                status = path.stat() if path.exists() else path.lstat()
                files.setdefault(path.stem, (path, status.st_size, status.st_mtime_ns))
    return tuple(files.values())


# --- editions --------------------------------------------------------------------------------------


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
        return _edition(name)
    if not EDITION_NAME.fullmatch(name):
        return None
    files = _user_files()
    return _edition(name, files) if name in {path.stem for path, *_ in files} else None


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
    files = _user_files()
    own = {name: _edition(name, files) for name in sorted(path.stem for path, *_ in files)}
    return {**{name: _edition(name) for name in _built_in_names()}, **own}


def built_in_editions() -> list[Edition]:
    """Return the editions whose files come with this package, without reading a user's files."""
    return [_edition(name) for name in _built_in_names()]


def is_of_package(name: str) -> bool:
    """Return whether the file of an edition comes with this package."""
    return name in _built_in_names()


def _readable_editions() -> list[Edition]:
    """Return all editions, except those of a user whose files have a mistake."""
    found, files = built_in_editions(), _user_files()
    for path, *_ in files:
        with contextlib.suppress(MalformedFileError):
            found.append(_edition(path.stem, files))
    return found


def readable_splits() -> list[Split]:
    """Return all splits, except those of a user's editions whose file has a mistake.

    Returns
    -------
    list of Split
        The splits, for searches that must not fail because of a mistake in an unrelated edition.
    """
    return [split for found in _readable_editions() for split in found.splits.values()]


def labelled_later(split: Split) -> Split | None:
    """Return the split of the next edition whose train split has the queries of a split, with their labels.

    Parameters
    ----------
    split : Split
        A split, for example a test whose labels were not published with it.

    Returns
    -------
    Split or None
        The split of the exam year, in the same language if the edition has it, or the train split that continues the
        split; None if no later edition is known to have the queries.

    Examples
    --------
    >>> labelled_later(SPLITS["coliee/task4/2025/ja/test"]), labelled_later(SPLITS["coliee/task1/2026/test"])
    (<Split coliee/task4/2026/ja/r06>, None)
    """
    later = [
        other
        for other in readable_splits()
        if other.task == split.task and other.year > split.year and other.train_of_edition is not None
        if split.id in other.continues or (other.train is None and other.exam_years == split.exam_years)
    ]
    return min(later, key=lambda other: (other.year, other.language != split.language), default=None)


class _OfEditions(Mapping[str, Split]):
    """A mapping that each edition has, of all editions. Looking an id up reads only the files of its edition."""

    def __init__(self, of_edition: Callable[[Edition], Mapping[str, Split]]) -> None:
        self._of_edition = of_edition

    def __getitem__(self, dataset_id: str) -> Split:
        match = re.fullmatch(r"coliee/[^/]+/([^/]+)(?:/.*)?", dataset_id)
        found = edition(match[1]) if match else None
        if found is None:
            raise KeyError(dataset_id)
        return self._of_edition(found)[dataset_id]

    def __iter__(self) -> Iterator[str]:
        return (dataset_id for found in editions().values() for dataset_id in self._of_edition(found))

    def __len__(self) -> int:
        return sum(1 for _ in self)


#: Every split by id, a user's own editions included.
SPLITS: Mapping[str, Split] = _OfEditions(lambda edition: edition.splits)

#: Every collection of articles by id; the value is a split with that collection.
COLLECTIONS: Mapping[str, Split] = _OfEditions(lambda edition: edition.collections)


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
    found = split_behind(dataset_id)
    if found is None:
        raise unknown_id(dataset_id)
    if not dataset_id.startswith(found.id):
        problem = f"{dataset_id} is a collection of articles without queries"
        raise ColieeError(f"{problem}.\nPass one of its splits, for example {found.id}.")
    return found


def split_behind(dataset_id: str) -> Split | None:
    """Return the split that an id, its view with all fields (``…/full``) or a collection of articles comes from.

    Collections may have the deleted articles as well (``…/deleted``). None for an id that is none of these.
    """
    return SPLITS.get(dataset_id.removesuffix("/full")) or COLLECTIONS.get(dataset_id.removesuffix("/deleted"))


def splits_below(dataset_id: str) -> list[Split]:
    """Return the splits whose ids begin with an id, such as ``coliee/task1`` or ``coliee/pilot/2025``.

    Examples
    --------
    >>> [split.id for split in splits_below("coliee/task1/2026")]
    ['coliee/task1/2026/train', 'coliee/task1/2026/test']
    """
    below = f"{dataset_id}/"
    return [split for each in _readable_editions() for name, split in each.splits.items() if name.startswith(below)]


def unknown_id(dataset_id: str) -> UnknownIdError:
    """Return the error for an id that no edition has.

    Parameters
    ----------
    dataset_id : str
        The unknown id.

    Returns
    -------
    UnknownIdError
        The error, with up to three of the nearest known ids, and where the file of an unknown year was searched.
    """
    found = sorted(_readable_editions(), key=lambda found: found.year if found.name.isdecimal() else 0, reverse=True)
    known = [name for each in found for name in (*each.splits, *each.collections)]
    match = re.fullmatch(r"coliee/[^/]+/(20[0-9]{2})(?:/.*)?", dataset_id)
    searched = ""
    if match and match[1] not in {each.name for each in found}:
        folders = ", ".join(str(folder / USER_FOLDER) for folder in data_folders())
        searched = f"The edition file {match[1]}.yaml was not found in {folders}."
    return UnknownIdError(dataset_id, nearest_ids(dataset_id, known), searched)


def id_segments(dataset_id: str) -> list[str]:
    """Return the segments of a dataset id in lower case, without the prefixes that all ids have.

    Examples
    --------
    >>> id_segments("irds:coliee/task3/2025/en/r05"), id_segments("Task1 2025")
    (['task3', '2025', 'en', 'r05'], ['task1', '2025'])
    """
    return [segment for segment in re.findall(r"[^\W_]+", dataset_id.lower()) if segment not in ("irds", "coliee")]


_MOST_LESS_ALIKE = 0.2  # in the share of common segments


def nearest_ids(dataset_id: str, known: Iterable[str]) -> list[str]:
    """Return the known ids that an unknown id probably means.

    Parameters
    ----------
    dataset_id : str
        The unknown id.
    known : iterable of str
        The known ids; of equally near ones the first are returned.

    Returns
    -------
    list of str
        Up to three ids, the nearest first; none if none has a segment of the unknown one. They share the most segments
        with it, in any order, and are spelled alike.

    Examples
    --------
    >>> known = ["coliee/task3/2025/en/test", "coliee/task3/2025/ja/test", "coliee/task3/2026/ja/test"]
    >>> nearest_ids("coliee/task3/2025/test", known)
    ['coliee/task3/2025/en/test', 'coliee/task3/2025/ja/test']
    >>> nearest_ids("coliee/2026/task3/ja/tset", known)[0]
    'coliee/task3/2026/ja/test'
    """
    segments = {*id_segments(dataset_id)}
    common = {name: segments.intersection(id_segments(name)) for name in known}
    shares = {name: len(common[name]) / len(segments.union(id_segments(name))) for name in common if common[name]}
    nearest = [name for name, share in shares.items() if share >= max(shares.values()) - _MOST_LESS_ALIKE]
    return sorted(nearest, key=lambda n: shares[n] + SequenceMatcher(None, dataset_id, n).ratio(), reverse=True)[:3]


def dataset_ids() -> list[str]:
    """Return the ids of all datasets, those of a user's own editions included.

    Returns
    -------
    list of str
        The id of each split, and of each collection of articles with its view that has the deleted articles too. The
        views of splits with all fields (``…/full``) are not among them.

    Raises
    ------
    MalformedFileError
        If a user's edition file has a mistake.
    """
    return [dataset_id for edition in editions().values() for dataset_id in edition.dataset_ids]


# Conversion of the dataset argument of public functions (an id, or an ir_datasets or PyTerrier dataset).


#: A dataset id, an ir_datasets dataset, a PyTerrier dataset, or a split.
Dataset: TypeAlias = Any


def as_dataset_id(dataset: Dataset) -> str:
    """Return the ir_datasets id of a dataset argument. Ids that begin with ``coliee/`` are checked when they are used.

    Parameters
    ----------
    dataset : str or Split or ir_datasets.Dataset or pyterrier.datasets.Dataset
        An id such as ``coliee/task1/2025/test`` (with PyTerrier's prefixes ``irds:`` or ``coliee:``, too), or a dataset
        that was loaded with ir_datasets or PyTerrier. Views such as ``…/full`` and collections of articles keep their
        own id.

    Returns
    -------
    str
        The id, by which the dataset can be stored and compared.

    Raises
    ------
    UnknownIdError
        For an id of neither COLIEE nor ir_datasets.
    ColieeError
        If the argument is not a dataset.

    Examples
    --------
    >>> as_dataset_id("coliee:task3/sample/en"), as_dataset_id("irds:coliee/task1/sample/test/full")
    ('coliee/task3/sample/en', 'coliee/task1/sample/test/full')
    """
    if isinstance(dataset, Split):
        return dataset.id
    if isinstance(dataset, str):
        return _without_prefix(dataset)
    if callable(load := getattr(dataset, "irds_ref", None)):  # PyTerrier's wrapper of an ir_datasets dataset
        dataset = load()
    if callable(dataset_id := getattr(dataset, "dataset_id", None)):
        return str(dataset_id())
    problem = f"A dataset of the type {type(dataset).__name__} is not supported"
    raise ColieeError(f"{problem}.\nPass an id such as 'coliee/task1/sample/test', or a loaded dataset.")


def id_with_records(dataset: Dataset) -> str:
    """Return the id of a dataset argument; raise `UnknownIdError` for one above those of splits, such as coliee/task1.

    Such an id has documentation, but neither documents nor queries.
    """
    return require_records(as_dataset_id(dataset))


def require_records(dataset_id: str) -> str:
    """Return a word; raise `UnknownIdError` if it is an id of COLIEE that has neither documents nor queries."""
    if f"{dataset_id}/".startswith("coliee/") and split_behind(dataset_id) is None:
        raise unknown_id(dataset_id)
    return dataset_id


def _without_prefix(name: str) -> str:
    """Return an id without PyTerrier's prefix. Raises `UnknownIdError` for an id of neither COLIEE nor ir_datasets."""
    if name.startswith("coliee:"):
        return f"coliee/{name.removeprefix('coliee:').removeprefix('coliee/')}"
    dataset_id = name.removeprefix("irds:")
    if not dataset_id.startswith("coliee/"):
        try:
            ir_datasets.registry[dataset_id]
        except KeyError:
            raise unknown_id(dataset_id) from None
    return dataset_id


def as_split(dataset: Dataset) -> Split:
    """Return the split of a dataset argument.

    Parameters
    ----------
    dataset : str or Split or ir_datasets.Dataset or pyterrier.datasets.Dataset
        As in `as_dataset_id`.

    Returns
    -------
    Split

    Raises
    ------
    UnknownIdError
        For an id that this package does not have.
    ColieeError
        For the id of a collection without queries, or if the argument is not a dataset.

    Examples
    --------
    >>> import ir_datasets
    >>> as_split(ir_datasets.load("coliee/task3/sample/en/test")).id
    'coliee/task3/sample/en/test'
    >>> as_split("coliee:task3/sample/en/test").id
    'coliee/task3/sample/en/test'
    """
    return dataset if isinstance(dataset, Split) else split(as_dataset_id(dataset))


def id_of_task(dataset: Dataset, task: str) -> str:
    """Return the id of a split of a task. Raises the errors of `as_split`, and `ValueError` for another task."""
    found = as_split(dataset)
    if found.task != task:
        raise ValueError(f"dataset must be a split of {task.replace('task', 'task ')}, got {found.id}.")
    return found.id


# Selection of dataset ids by words, as the filters of ``ir_coliee list`` and ``status``.


def select_ids(words: Sequence[str]) -> list[str]:
    """Return the dataset ids that have all of the given words.

    Parameters
    ----------
    words : sequence of str
        Segments of ids in any order, such as ``2026``, ``task1``, ``test`` or ``r05``. An id stands for its segments.
        Without words, all ids are returned.

    Returns
    -------
    list of str
        The ids, in the order of the editions.

    Raises
    ------
    ColieeError
        If a word is not a segment of any id, or no id has all of them. The message names the nearest.
    MalformedFileError
        If a user's edition file has a mistake.

    Examples
    --------
    >>> select_ids(["2026", "task1"])
    ['coliee/task1/2026/train', 'coliee/task1/2026/test']
    """
    segments_of = {name: set(id_segments(name)) for name in dataset_ids()}
    wanted = [segment for word in words for segment in id_segments(word.removesuffix("/full"))]
    known = set[str]().union(*segments_of.values())
    for segment in wanted:
        if segment not in known:
            nearest = get_close_matches(segment, sorted(known, reverse=True)) or ["task1", "2026", "test", "r05"]
            raise ColieeError(f"No dataset id contains {printable(segment)!r}.\nThere are: {', '.join(nearest)}, …")
    found = [name for name, segments in segments_of.items() if segments.issuperset(wanted)]
    if not found:
        wish = " ".join(wanted)
        nearest = nearest_ids(wish, segments_of) or ["shown by `ir_coliee list --json`"]
        raise ColieeError(f"No dataset id contains all of {wish}.\nThe nearest are: {', '.join(nearest)}.")
    return found
