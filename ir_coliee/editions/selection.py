"""Selection of dataset ids by words, as the filters of ``ir_coliee list`` and ``status``."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from ir_coliee.editions.catalogue import COLLECTIONS, SPLITS
from ir_coliee.editions.index import dataset_ids
from ir_coliee.editions.nearest_ids import id_segments, nearest_ids
from ir_coliee.editions.split import Split
from ir_coliee.editions.tasks import LANGUAGES
from ir_coliee.errors import ColieeError, printable


def select_ids(words: Sequence[str], *, language: str | None = None) -> list[str]:
    """Return the dataset ids that have all of the given words, without the views with all fields (``…/full``).

    Parameters
    ----------
    words : sequence of str
        Segments of ids in any order, such as ``2026``, ``task1``, ``test`` or ``r05``. An id stands for its segments.
        Without words, all ids are returned.
    language : str, optional
        ``en`` or ``ja``: return only datasets in this language.

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
    >>> select_ids(["sample", "test", "task3"], language="ja")
    ['coliee/task3/sample/ja/test']
    """
    segments_of = {name: set(id_segments(name)) for name in dataset_ids() if not name.endswith("/full")}
    wanted = [segment for word in words for segment in id_segments(word.removesuffix("/full"))]
    known = set[str]().union(*segments_of.values())
    for segment in wanted:
        if segment not in known:
            nearest = get_close_matches(segment, sorted(known, reverse=True)) or ["task1", "2026", "test", "r05"]
            raise ColieeError(f"No dataset id contains {printable(segment)!r}.\nThere are: {', '.join(nearest)}, …")
    if language not in (None, *LANGUAGES):
        raise ColieeError(f"language must be {' or '.join(LANGUAGES)}, got {printable(str(language))!r}.")
    found = [name for name, segments in segments_of.items() if segments.issuperset(wanted)]
    if language:
        found = [name for name in found if _split_of(name).language == language]
    if not found:
        wish = " ".join([*wanted, *([language] if language else [])])
        nearest = nearest_ids(wish, segments_of) or ["shown by `ir_coliee list`"]
        raise ColieeError(f"No dataset id contains all of {wish}.\nThe nearest are: {', '.join(nearest)}.")
    return found


def _split_of(dataset_id: str) -> Split:
    return SPLITS.get(dataset_id) or COLLECTIONS[dataset_id.removesuffix("/deleted")]
