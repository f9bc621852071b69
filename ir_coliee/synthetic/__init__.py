"""Synthetic releases in the true layout of an edition, for tests, benchmarks and dry runs.

All texts are invented, and the sizes are those of the edition. Relevant items share words with their query, so that
retrieval can find them. The same seed gives the same bytes.
"""

from __future__ import annotations

import filecmp
import os
import zipfile
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from ir_coliee.editions import Dataset, Split, as_dataset_id, edition, nearest_ids, readable_splits
from ir_coliee.errors import ColieeError, ExistingFileError, printable
from ir_coliee.progress import progress
from ir_coliee.storage import one_at_a_time, unfinished_folder, writing
from ir_coliee.synthetic.case_law import case_law_files, case_law_targets
from ir_coliee.synthetic.statutes import statute_files, statute_folder, tort_files, tort_folder


def write_release(
    dataset: Dataset,
    out: Path | str,
    *,
    scale: float = 1.0,
    seed: int = 0,
    archive: bool = False,
    verbose: bool = False,
) -> list[Path]:
    """Write a synthetic release of an edition, with its train and its test split.

    Tasks 3, 4 and 5 of an edition and language use the same files and are written together. The same applies to both
    subtasks of the pilot. The release is written completely or not at all; if it exists already with the same content,
    nothing is changed.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The id of an edition (``coliee/task1/2025``, ``coliee/task3/2025/en``), or one of its splits.
    out : path
        The folder to write into. It is created if it does not exist.
    scale : float, optional
        Share of the true size, in (0, 1]. Candidate pools shrink with it.
    seed : int, optional
        Seed of all random choices, at least 0.
    archive : bool, optional
        Whether to write each folder as a ZIP archive.
    verbose : bool, optional
        Whether to show progress.

    Returns
    -------
    list of Path
        Its folders and files.

    Raises
    ------
    ExistingFileError
        If a file or folder of the release exists with other content.
    ColieeError
        If the id names no edition that can be written, if the scale or the seed is out of range, or if the folder
        cannot be written.
    """
    splits = splits_of_release(as_dataset_id(dataset))
    if not 0 < scale <= 1:
        raise ColieeError(f"scale must be a number in (0, 1], got {scale!r}.")
    folder = Path(out)
    random = np.random.default_rng(seed)
    if splits[0].exam_years:
        targets, files = [statute_folder(splits[0])], statute_files(splits, scale, random)
    elif splits[0].layout == "JSON Lines":
        targets, files = [tort_folder(splits[0])], tort_files(splits, scale, random)
    else:
        targets, files = case_law_targets(splits), case_law_files(splits, scale, random)
    if archive:
        targets = [*dict.fromkeys(_archive_name(target) for target in targets)]
    name = splits[0].id.rpartition("/")[0]
    with writing(folder), unfinished_folder(folder) as unfinished:
        _write(progress(files, f"writing {name}", unit="files", verbose=verbose), unfinished, archive=archive)
        with one_at_a_time(folder):
            changed = [target for target in targets if not _is_same(unfinished / target, folder / target)]
            if taken := next(filter(os.path.lexists, (folder / target for target in changed)), None):
                raise ExistingFileError(f"{taken} already exists with other content.\nChoose another folder.")
            for target in changed:
                (folder / target).parent.mkdir(parents=True, exist_ok=True)
                (unfinished / target).rename(folder / target)
    return [folder / target for target in targets]


def _archive_name(target: str) -> str:
    top = target.partition("/")[0]
    return top if "." in top else f"{top}.zip"


def _write(files: Iterable[tuple[str, str]], folder: Path, *, archive: bool) -> None:
    with ExitStack() as stack:
        archives: dict[str, zipfile.ZipFile] = {}
        for place, text in files:
            if archive and "/" in place:
                name = _archive_name(place)
                if name not in archives:
                    archives[name] = stack.enter_context(zipfile.ZipFile(folder / name, "w"))
                entry = zipfile.ZipInfo(place)  # with a fixed time, so that two archives of one seed are the same
                entry.external_attr = 0o644 << 16
                archives[name].writestr(entry, text, zipfile.ZIP_DEFLATED)
            else:
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                (folder / place).write_bytes(text.encode())


def _is_same(one: Path, other: Path) -> bool:
    """Return whether two files, or the files in two folders, have the same content."""
    if other.is_symlink() or not (one.is_dir() and other.is_dir()):
        return not other.is_symlink() and other.is_file() and filecmp.cmp(one, other, shallow=False)
    names = os.listdir(one)
    return sorted(names) == sorted(os.listdir(other)) and all(_is_same(one / name, other / name) for name in names)


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
        problem = f"{printable(dataset_id)!r} is not a release that can be written"
        raise ColieeError(f"{problem}.\nPass a task and edition that is not built in, such as {', '.join(nearest)}.")
    return [split for split in splits if split.name in ("train", "test") and _release_id(split) in releases]


def _releases(splits: Iterable[Split]) -> set[str]:
    """The ids of the releases to which splits belong, without those that come with this package."""
    return {_release_id(split) for split in splits if not split.is_built_in}


def _release_id(split: Split) -> str:
    """The common id of the splits of a release; that of task 3 for the statute tasks."""
    if split.exam_years:
        return f"coliee/task3/{split.edition}/{split.language}"
    return "/".join(split.id.split("/")[:3])
