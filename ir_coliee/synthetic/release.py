"""What a made-up release is, and how it gets onto the disk: whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from ir_coliee.errors import ExistingFileError

Progress = Callable[[Iterable[int]], Iterable[int]]
#: A file's place below the folder of the release, with forward slashes, and its bytes.
ReleaseFile = tuple[str, bytes]


class SplitCounts(NamedTuple):
    """What a loader should count in a split: repeated gold once, questions that are not scored left out.

    ``qrels`` is 0 where the release has no answers, as before they are published.
    """

    queries: int
    docs: int
    qrels: int


class WrittenRelease(NamedTuple):
    """What a release holds.

    ``paths`` are the folders and files written, ``splits`` the counts by split id, ``irregularities`` the ids, file
    names or places at which each kind of irregularity was planted.
    """

    paths: list[Path]
    splits: dict[str, SplitCounts]
    irregularities: dict[str, tuple[str, ...]]


class Layout(Protocol):
    """Where the corpus of a split and its labels lie below the folder of the release."""

    @property
    def corpus(self) -> str: ...
    @property
    def labels(self) -> str: ...


@dataclass(frozen=True)
class Order:
    """What was asked for. All chance comes from ``random``, so that a seed fixes every byte."""

    scale: float
    random: np.random.Generator
    irregularities: bool
    progress: Progress

    def scaled(self, size: int, least: int = 3) -> int:
        """The share of a true size that is to be written."""
        return max(least, round(size * self.scale))


@dataclass
class Release:
    """A release before it is written.

    ``targets`` are the folders and files that it takes below the folder of the release; ``files`` fills
    ``splits`` and ``irregularities`` while it is consumed.
    """

    targets: list[str]
    files: Iterator[ReleaseFile]
    splits: dict[str, SplitCounts] = field(default_factory=dict)
    irregularities: dict[str, list[str]] = field(default_factory=dict)

    def plant(self, irregularity: str, *places: str) -> None:
        """Note that an irregularity was planted."""
        self.irregularities.setdefault(irregularity, []).extend(places)


def targets_of(layouts: Iterable[Layout]) -> list[str]:
    """What a release takes whose splits lie apart: each split's corpus, and its labels unless they are in there."""
    targets = []
    for layout in layouts:
        targets.append(layout.corpus)
        if not layout.labels.startswith(f"{layout.corpus}/"):
            targets.append(layout.labels)
    return targets


def write(release: Release, folder: Path, *, archive: bool) -> WrittenRelease:
    """Write a release into a folder, nothing over what is there. Raises `ExistingFileError`.

    All is written beside its place and moved there at the end, so that a stopped run leaves nothing that
    could be taken for a release or that stands in the way of the next run.
    """
    targets = _archives(release.targets) if archive else release.targets
    if os.path.lexists(folder) and not folder.is_dir():
        raise ExistingFileError(f"{folder} is there already and is no folder. Choose another, or move it away.")
    _refuse_taken(folder, targets)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=folder))
    try:
        (_write_archives if archive else _write_files)(release.files, unfinished)
        _refuse_taken(folder, targets)
        for target in targets:
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            (unfinished / target).rename(folder / target)
    finally:
        shutil.rmtree(unfinished)
    irregularities = {irregularity: tuple(places) for irregularity, places in release.irregularities.items()}
    return WrittenRelease([folder / target for target in targets], release.splits, irregularities)


def _archives(targets: list[str]) -> list[str]:
    """A zip for each top folder; files that lie in none stay as they are."""
    return list(dict.fromkeys(_archive_of(target) for target in targets))


def _archive_of(place: str) -> str:
    top = place.partition("/")[0]
    return top if "." in top else f"{top}.zip"


def _refuse_taken(folder: Path, targets: list[str]) -> None:
    if taken := next((folder / target for target in targets if os.path.lexists(folder / target)), None):
        raise ExistingFileError(f"{taken} is there already. Choose another folder, or move it away.")


def _write_files(files: Iterator[ReleaseFile], folder: Path) -> None:
    made = set()
    for place, data in files:
        path = folder / place
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        path.write_bytes(data)


def _write_archives(files: Iterator[ReleaseFile], folder: Path) -> None:
    with ExitStack() as stack:
        opened: dict[str, zipfile.ZipFile] = {}
        for place, data in files:
            if "/" not in place:
                (folder / place).write_bytes(data)
                continue
            name = _archive_of(place)
            if name not in opened:
                opened[name] = stack.enter_context(zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED))
            # the time of writing would make two archives of one seed differ
            opened[name].writestr(zipfile.ZipInfo(place), data, zipfile.ZIP_DEFLATED)
