"""The ids of all datasets of this package's editions, in a file that importing the package reads.

Parsing the edition files would take longer than the rest of the import.

After a change of an edition file of the package, run ``python -m ir_coliee.editions`` to write the file again. A user's
own editions need no such file, because their ids are found when they are looked up.
"""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.editions.catalogue import BUILT_IN_FOLDER, built_in_editions, editions
from ir_coliee.editions.edition import Edition
from ir_coliee.unfinished_folders import replace_file

INDEX_FILE = BUILT_IN_FOLDER / "ids.txt"


def dataset_ids() -> list[str]:
    """Return the ids of all datasets, those of a user's own editions included.

    Returns
    -------
    list of str
        The id of each split and of its view with all fields, and of each collection of articles with its view that
        has the deleted articles too.

    Raises
    ------
    MalformedFileError
        If a user's edition file has a mistake.
    """
    return [dataset_id for edition in editions().values() for dataset_id in _ids(edition)]


def _ids(edition: Edition) -> Iterator[str]:
    for split_id in edition.splits:
        yield split_id
        yield f"{split_id}/full"
    for collection in edition.collections:
        yield collection
        yield f"{collection}/deleted"


def indexed_ids() -> list[str]:
    """Return the ids of all datasets of this package's editions.

    Returns
    -------
    list of str
        The ids in the file of ids, or those of the edition files if there is no such file yet.
    """
    try:
        return INDEX_FILE.read_text(encoding="ascii").split()
    except FileNotFoundError:
        return _current_ids()


def write_index() -> None:
    """Write the file of ids from the edition files of this package."""
    replace_file(INDEX_FILE, "".join(f"{dataset_id}\n" for dataset_id in _current_ids()).encode("ascii"))


def _current_ids() -> list[str]:
    return [dataset_id for edition in built_in_editions() for dataset_id in _ids(edition)]
