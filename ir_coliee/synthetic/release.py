"""A synthetic release before it is written: its files, counts and irregularities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ir_coliee.progress import progress

#: Path of a file below the folder of the release, with forward slashes, and its bytes.
ReleaseFile = tuple[str, bytes]


class SplitCounts(NamedTuple):
    """Counts that a loader should find in a split.

    Attributes
    ----------
    queries : int
        Number of queries, without the questions that are not scored.
    docs : int
        Number of documents.
    qrels : int
        Number of distinct gold labels; 0 if the release has no answers, as before their publication.
    """

    queries: int
    docs: int
    qrels: int


@dataclass(frozen=True)
class Settings:
    """The options of a call.

    Attributes
    ----------
    scale : float
        Share of the true size, in (0, 1].
    random : numpy.random.Generator
        The only random number generator, so that a seed determines every byte.
    irregular : bool
        Whether to plant the irregularities that the edition lists.
    verbose : bool
        Whether to show progress.
    """

    scale: float
    random: np.random.Generator
    irregular: bool
    verbose: bool

    def numbers(self, size: int, target: str, unit: str) -> Iterator[int]:
        """Return the numbers of what is written, from 0, and show progress.

        Parameters
        ----------
        size : int
            How many numbers.
        target : str
            The id of the split, or the name of the file.
        unit : str
            What is numbered, in the plural.

        Returns
        -------
        iterator of int
            The numbers.
        """
        return progress(range(size), f"writing {target}", unit=unit, verbose=self.verbose)

    def scaled(self, size: float, minimum: int = 3) -> int:
        """Scale a true size.

        Parameters
        ----------
        size : float
            Size of the real release.
        minimum : int, optional
            Smallest size that is returned.

        Returns
        -------
        int
            The scaled size, rounded, at least ``minimum``.
        """
        return max(minimum, round(size * self.scale))


@dataclass
class Release:
    """A release before it is written.

    Attributes
    ----------
    targets : list of str
        Folders and files that the release occupies below its folder.
    files : iterator of (str, bytes)
        The files; consuming it fills ``splits`` and ``irregularities``.
    splits : dict of str to SplitCounts
        Counts by split id.
    irregularities : dict of str to list of str
        The ids, file names or paths at which each kind of irregularity was planted.
    """

    targets: list[str]
    files: Iterator[ReleaseFile] = field(default_factory=lambda: iter(()))
    splits: dict[str, SplitCounts] = field(default_factory=dict)
    irregularities: dict[str, list[str]] = field(default_factory=dict)

    def plant(self, irregularity: str, *places: str) -> None:
        """Record that an irregularity was planted.

        Parameters
        ----------
        irregularity : str
            A name that the edition file lists below ``irregularities``.
        *places : str
            Ids, file names or paths at which it was planted.
        """
        self.irregularities.setdefault(irregularity, []).extend(places)
