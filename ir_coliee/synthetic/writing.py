"""Writing a synthetic release to disk, completely or not at all."""

from __future__ import annotations

import filecmp
import itertools
import os
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from ir_coliee.display import Block, Details, Table, displayed
from ir_coliee.errors import ExistingFileError
from ir_coliee.storage import delete_abandoned, one_at_a_time, unfinished_folder, writing
from ir_coliee.synthetic.release import Release, ReleaseFile, SplitCounts


@displayed
class WrittenRelease(NamedTuple):
    """A synthetic release on disk.

    Attributes
    ----------
    paths : list of Path
        Folders and files that were written.
    splits : dict of str to SplitCounts
        Counts by split id.
    irregularities : dict of str to tuple of str
        The ids, file names or paths at which each kind of irregularity was planted.
    """

    paths: list[Path]
    splits: dict[str, SplitCounts]
    irregularities: dict[str, tuple[str, ...]]

    def display(self) -> Iterator[Block]:
        """Return the counts, the paths and the irregularities, as `ir_coliee.display` shows them."""
        yield Table(["id", *SplitCounts._fields], [[name, *counts] for name, counts in self.splits.items()])
        yield from (f"wrote {path}" for path in self.paths)
        planted = [[kind, ", ".join(places)] for kind, places in self.irregularities.items()]
        yield Details(f"{len(planted)} kinds of irregularities", Table(["irregularity", "places"], planted))

    def __repr__(self) -> str:
        return str(self)


def write(release: Release, folder: Path, *, archive: bool) -> WrittenRelease:
    """Write a release into a folder without overwriting anything.

    All files are written to an unfinished folder inside ``folder`` and moved into place at the end. A call that was
    stopped therefore leaves nothing that could be mistaken for a release, and can be repeated.

    Parameters
    ----------
    release : Release
        The release.
    folder : Path
        The folder to write into. It is created if it does not exist.
    archive : bool
        Whether to write a ZIP archive for each top-level folder.

    Returns
    -------
    WrittenRelease
        Paths, counts and planted irregularities.

    Raises
    ------
    ExistingFileError
        If a target exists already, or if ``folder`` is a file.
    ColieeError
        If the folder cannot be written.
    """
    targets = _archive_names(release.targets) if archive else release.targets
    if os.path.lexists(folder) and not folder.is_dir():
        raise ExistingFileError(f"{folder} exists and is not a folder. Choose another folder or move the file away.")
    delete_abandoned(folder)
    first = list(itertools.takewhile(lambda target: os.path.lexists(folder / target), targets))
    compared = first if len(first) < len(targets) else []  # a call that was stopped has written the first ones
    _check_not_taken(folder, [target for target in targets if target not in compared])
    with writing(folder):
        _write_and_move(release.files, folder, targets, archive=archive)
    irregularities = {name: tuple(places) for name, places in release.irregularities.items()}
    return WrittenRelease([folder / target for target in targets], release.splits, irregularities)


def _write_and_move(files: Iterator[ReleaseFile], folder: Path, targets: list[str], *, archive: bool) -> None:
    """Write the files into an unfinished folder, and move those that are missing into place."""
    with unfinished_folder(folder) as unfinished:
        (_write_archives if archive else _write_files)(files, unfinished)
        with one_at_a_time(folder):
            missing = [target for target in targets if not _is_same(unfinished / target, folder / target)]
            _check_not_taken(folder, missing)
            for target in missing:
                (folder / target).parent.mkdir(parents=True, exist_ok=True)
                (unfinished / target).rename(folder / target)


def _archive_names(targets: list[str]) -> list[str]:
    """Return one archive for each top-level folder; files outside of folders keep their names."""
    return list(dict.fromkeys(_archive_name(target) for target in targets))


def _archive_name(place: str) -> str:
    top = place.partition("/")[0]
    return top if "." in top else f"{top}.zip"


def _check_not_taken(folder: Path, targets: list[str]) -> None:
    if taken := next((folder / target for target in targets if os.path.lexists(folder / target)), None):
        raise ExistingFileError(f"{taken} exists already.\nChoose another folder or move it away.")


def _is_same(one: Path, other: Path) -> bool:
    """Return whether two files, or the files in two folders, have the same content."""
    if not (one.is_dir() and other.is_dir()):
        return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)
    names = os.listdir(one)
    return sorted(names) == sorted(os.listdir(other)) and all(_is_same(one / name, other / name) for name in names)


def _write_files(files: Iterator[ReleaseFile], folder: Path) -> None:
    created = set()
    for place, data in files:
        path = folder / place
        if path.parent not in created:
            path.parent.mkdir(parents=True, exist_ok=True)
            created.add(path.parent)
        path.write_bytes(data)


def _write_archives(files: Iterator[ReleaseFile], folder: Path) -> None:
    with ExitStack() as stack:
        archives: dict[str, zipfile.ZipFile] = {}
        for place, data in files:
            if "/" not in place:
                (folder / place).write_bytes(data)
                continue
            name = _archive_name(place)
            if name not in archives:
                archives[name] = stack.enter_context(zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED))
            # a fixed time stamp, because the time of writing would make two archives of one seed differ
            archives[name].writestr(zipfile.ZipInfo(place), data, zipfile.ZIP_DEFLATED)
