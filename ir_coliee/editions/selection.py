"""Selection of dataset ids by words, as the filters of ``ir_coliee list`` and ``status``."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from ir_coliee.editions.catalogue import COLLECTIONS, SPLITS
from ir_coliee.editions.index import dataset_ids
from ir_coliee.editions.nearest_ids import id_parts, nearest_ids
from ir_coliee.editions.split import Split
from ir_coliee.editions.tasks import LANGUAGES
from ir_coliee.errors import ColieeError, printable


def select_ids(words: Sequence[str], *, language: str | None = None) -> list[str]:
    """Return the dataset ids that have all of the given words, without the views with all fields (``…/full``).

    Parameters
    ----------
    words : sequence of str
        Parts of ids in any order, such as ``2026``, ``task1``, ``test`` or ``r05``. An id stands for its parts. Without
        words, all ids are returned.
    language : str, optional
        ``en`` or ``ja``: return only datasets in this language.

    Returns
    -------
    list of str
        The ids, in the order of the editions.

    Raises
    ------
    ColieeError
        If a word is not a part of any id, or no id has all of them. The message names the nearest.
    MalformedFileError
        If a user's edition file has a mistake.

    Examples
    --------
    >>> select_ids(["2026", "task1"])
    ['coliee/task1/2026/train', 'coliee/task1/2026/test']
    >>> select_ids(["sample", "test", "task3"], language="ja")
    ['coliee/task3/sample/ja/test']
    """
    parts_of = {name: set(id_parts(name)) for name in dataset_ids() if not name.endswith("/full")}
    wanted = [part for word in words for part in id_parts(word)]
    known = set[str]().union(*parts_of.values())
    for part in wanted:
        if part not in known:
            nearest = get_close_matches(part, sorted(known, reverse=True)) or ["task1", "2026", "test", "r05"]
            raise ColieeError(f"No dataset id has the part {printable(part)!r}.\nThere are: {', '.join(nearest)}, …")
    if language not in (None, *LANGUAGES):
        raise ColieeError(f"language must be {' or '.join(LANGUAGES)}, got {printable(str(language))!r}.")
    found = [name for name, parts in parts_of.items() if parts.issuperset(wanted)]
    if language:
        found = [name for name in found if _split_of(name).language == language]
    if not found:
        parts = " ".join([*wanted, *([language] if language else [])])
        nearest = nearest_ids(parts, parts_of)
        raise ColieeError(f"No dataset id has all of the parts {parts}.\nThe nearest are: {', '.join(nearest)}.")
    return found


def _split_of(dataset_id: str) -> Split:
    return SPLITS.get(dataset_id) or COLLECTIONS[dataset_id.removesuffix("/deleted")]
