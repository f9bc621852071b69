"""Synthetic releases in the true layout of an edition, for tests, benchmarks and dry runs.

All texts are invented, and the sizes are those of the edition. Relevant items share words with their query, so that
retrieval can find them. The same seed gives the same bytes. The section ``synthetic`` of an edition file describes the
form of its releases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from ir_coliee.editions import Dataset, Split, as_dataset_id, edition, nearest_ids, readable_splits
from ir_coliee.errors import ColieeError, ExistingFileError, printable
from ir_coliee.synthetic.candidate_pools import pool_release
from ir_coliee.synthetic.case_entailment import case_entailment_release
from ir_coliee.synthetic.flat_corpora import flat_release
from ir_coliee.synthetic.release import Release, Settings, SplitCounts
from ir_coliee.synthetic.statute_packages import statute_release
from ir_coliee.synthetic.tort_instances import tort_release
from ir_coliee.synthetic.writing import WrittenRelease, write

__all__ = ["SplitCounts", "WrittenRelease", "splits_of_release", "write_release"]

#: Returns the release of each layout. Both subtasks of the pilot, and all statute tasks, have the same files.
_RELEASES: Mapping[str, Callable[[Sequence[Split], Settings], Release]] = MappingProxyType(
    {
        "flat": flat_release,
        "pools": pool_release,
        "cases": case_entailment_release,
        "pairs": statute_release,
        "simple pairs": statute_release,
        "JSON Lines": tort_release,
    }
)


def write_release(
    dataset: Dataset,
    folder: Path | str,
    *,
    scale: float = 1.0,
    seed: int = 0,
    irregularities: bool = False,
    archive: bool = False,
    verbose: bool = False,
) -> WrittenRelease:
    """Write a synthetic release of an edition, with its train and its test split.

    Tasks 3, 4 and 5 of an edition and language use the same files and are written together. The same applies to both
    subtasks of the pilot.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The id of an edition (``coliee/task1/2025``, ``coliee/task3/2025/en``), or one of its splits.
    folder : path
        The folder to write into. It is created if it does not exist.
    scale : float, optional
        Share of the true size, in (0, 1]. Candidate pools shrink with it.
    seed : int, optional
        Seed of all random choices, at least 0.
    irregularities : bool, optional
        Whether to plant the irregularities that the edition file lists.
    archive : bool, optional
        Whether to write each folder as a ZIP archive.
    verbose : bool, optional
        Whether to show progress.

    Returns
    -------
    WrittenRelease
        Paths, counts and planted irregularities.

    Raises
    ------
    ExistingFileError
        If a file or folder of the release exists already.
    ColieeError
        If the id names no edition that can be written, or if the scale or the seed is out of range.
    """
    splits = splits_of_release(as_dataset_id(dataset))
    if not 0 < scale <= 1:
        raise ColieeError(f"scale must be a number in (0, 1], got {scale!r}.")
    if seed < 0:
        raise ColieeError(f"seed must be an integer >= 0, got {seed!r}.")
    settings = Settings(scale, np.random.default_rng(seed), irregularities, verbose)
    release = _RELEASES[splits[0].layout](splits, settings)
    try:
        return write(release, Path(folder), archive=archive)
    except ExistingFileError as error:
        tasks = [*dict.fromkeys(split.task for split in splits)]
        if len(tasks) == 1:
            raise
        note = f"{', '.join(tasks)} have the same files: a release that was written for one of them serves all."
        raise ExistingFileError(f"{error}\n{note}") from None


def splits_of_release(dataset_id: str) -> list[Split]:
    """Return the train and test splits of the release to which an id belongs, which are written together.

    Parameters
    ----------
    dataset_id : str
        The id of an edition, or of one of its splits.

    Returns
    -------
    list of Split
        The splits.

    Raises
    ------
    ColieeError
        If the id names no release, or several.

    Examples
    --------
    >>> [split.id for split in splits_of_release("coliee/task1/2025/test")]
    ['coliee/task1/2025/train', 'coliee/task1/2025/test']
    """
    segments = dataset_id.split("/")
    found = edition(segments[2]) if len(segments) > 2 else None
    splits = found.splits.values() if found else ()
    prefix = f"{dataset_id.removesuffix('/full').removesuffix('/deleted')}/"
    releases = _releases(split for split in splits if f"{split.id}/".startswith(prefix))
    if len(releases) > 1:  # one for each language
        named = " or ".join(f"{dataset_id}/{release.rpartition('/')[2]}" for release in sorted(releases))
        raise ColieeError(f"{printable(dataset_id)!r} names a release in each language.\nAdd the language: {named}.")
    if len(releases) != 1:
        known = sorted(sorted(_releases(readable_splits())), key=lambda name: name.split("/")[2], reverse=True)
        nearest = nearest_ids(dataset_id, known) or ["coliee/task1/2025", "coliee/task3/2025/en", "coliee/pilot/2025"]
        raise ColieeError(
            f"{printable(dataset_id)!r} is not a release that can be written.\n"
            f"Pass a task and edition that is not built in, for example {', '.join(nearest)}."
        )
    return [split for split in splits if split.name in ("train", "test") and _release_id(split) in releases]


def _releases(splits: Iterable[Split]) -> set[str]:
    """The ids of the releases to which splits belong, without those that come with this package."""
    return {_release_id(split) for split in splits if not split.is_built_in}


def _release_id(split: Split) -> str:
    """The common id of the splits of a release; that of task 3 for the statute tasks."""
    if split.exam_years:
        return f"coliee/task3/{split.edition}/{split.language}"
    return "/".join(split.id.split("/")[:3])
