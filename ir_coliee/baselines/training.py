"""The labelled queries that a baseline is fitted on, and the runs that it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias, get_args

import pandas as pd
import pyterrier as pt

from ir_coliee.datasets.folds import edition_blocks
from ir_coliee.display import Block, Heading, Table, WarningText, displayed
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError
from ir_coliee.evaluation.gold import gold
from ir_coliee.frames import one_of
from ir_coliee.releases.release import LocalRelease

#: The exam years that an exam year of the train split is answered from.
TrainingYears: TypeAlias = Literal["earlier", "all-but"]


def topics(split: Split) -> pd.DataFrame:
    """Load the queries of a split in PyTerrier's form: ``qid`` and ``query``."""
    return pt.get_dataset(f"irds:{split.id}").get_topics()


def qrels(split: Split) -> pd.DataFrame:
    """Load the gold labels of a split in PyTerrier's form: ``qid``, ``docno`` and ``label``."""
    return gold(split).rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})


def train_split(split: Split) -> Split:
    """Return the labelled split that a model for ``split`` is fitted on; for a train split, the split itself.

    Raises `ColieeError` if there is none, for example for one exam year of the train split.
    """
    if split.train is None:
        raise ColieeError(
            f"{split.id} is part of the train split, so no queries are left to fit a model on.\n"
            "Use the test or the train split."
        )
    return split.train


@dataclass(frozen=True)
class TrainingData:
    """The labelled queries that the baselines of a split are fitted on.

    Attributes
    ----------
    split : Split
        The train split.
    exam_years : tuple of str or None
        The exam years whose questions are used; None if all queries of the train split are.
    """

    split: Split
    exam_years: tuple[str, ...] | None = None

    @property
    def splits(self) -> tuple[Split, ...]:
        """The splits with these queries, and with no file of other exam years."""
        return (self.split,) if self.exam_years is None else self.split.of_exam_years(self.exam_years)

    def load(self, read: Callable[[Split], pd.DataFrame]) -> pd.DataFrame:
        """Return the rows that a function reads from each of the splits."""
        return pd.concat(map(read, self.splits), ignore_index=True)

    def topics(self) -> pd.DataFrame:
        """Load the queries, as the function `topics` does."""
        return self.load(topics)

    def qrels(self) -> pd.DataFrame:
        """Load the gold labels, as the function `qrels` does. The files are read once."""
        return self._qrels.copy()

    @cached_property
    def _qrels(self) -> pd.DataFrame:
        return self.load(qrels)

    def __str__(self) -> str:
        if self.exam_years is None:
            return self.split.id
        first, last = self.exam_years[0], self.exam_years[-1]
        years = first if first == last else f"{first} to {last}"
        without = [year for year in self.split.exam_years if first < year < last and year not in self.exam_years]
        return f"{years}{' without ' if without else ''}{', '.join(without)} of {self.split.id}"


def training_data(split: Split, train: TrainingYears = "earlier") -> TrainingData:
    """Find the labelled queries that a model for a split may be fitted on, and check their files.

    Parameters
    ----------
    split : Split
        Any split.
    train : {"earlier", "all-but"}
        For an exam year of the train split: the years before it, as in the edition of that year, or all other years.
        Other splits have the whole train split.

    Returns
    -------
    TrainingData
        The labelled queries; for a train split, its own.

    Raises
    ------
    ColieeError
        If ``train`` is "all-but" and the split is not an exam year of the train split.
    InsufficientTrainingDataError
        If the edition has no train split, or no other exam year, or none before that of the split.
    MissingReleaseError, MissingLabelsError
        If files of these queries are missing.
    MalformedFileError
        If one of these files breaks its format.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> str(training_data(split("coliee/task3/sample/en/test")))
    'coliee/task3/sample/en/train'
    """
    choice = one_of("train", train, get_args(TrainingYears))
    if choice == "all-but" and (split.train is not None or split.name == "train"):
        raise ColieeError(
            f"--train all-but is for an exam year of a train split; {split.id} is none.\n"
            "Omit --train (train=): the whole train split is used."
        )
    of_edition = split.train_of_edition
    if of_edition is None:
        raise InsufficientTrainingDataError(f"{split.id}: the edition has no train split")
    training = TrainingData(of_edition, None if split.train else _years(split, of_edition, choice))
    for release in map(LocalRelease.open, training.splits):
        _ = release.documents(), release.queries(), release.qrels()  # raise the errors of missing and malformed files
    return training


def _years(split: Split, train: Split, choice: TrainingYears) -> tuple[str, ...]:
    """Return the exam years of the train split that an exam year of it is answered from."""
    first = min(split.exam_years)
    others = [year for year in train.exam_years if year not in split.exam_years]
    years = tuple(year for year in others if year < first or choice == "all-but")
    if not years:
        advice = ".\n--train all-but (train=) takes the later ones." if others else ""
        raise InsufficientTrainingDataError(f"{train.id} has no exam year before {first}{advice}")
    return years


def added_queries(train: Split, num_queries: int) -> list[int] | None:
    """Return how many of the queries of a train split each edition added; None if this is not known.

    It is not known either if the split has another number of queries than officially.
    """
    try:
        sizes = edition_blocks(train)
    except ColieeError:
        return None
    return sizes if sum(sizes) == num_queries else None


def shares_labels(train: Split, split: Split) -> bool:
    """Return whether ``split`` is scored with the labels that the model is fitted on: both have the same files."""
    return train.files == split.files


def optimism_note(train: Split, split: Split) -> str:
    """Return a clause on the bias of figures on ``split`` for a model fitted on ``train``, empty if there is none."""
    if not shares_labels(train, split):
        return ""
    return "; fitted on the labels that it is scored with, so the figures are optimistic"


def held_out_note(train: Split, split: Split, group: str, *, cutoff_is_given: bool = False) -> str:
    """Return a clause on the bias of figures on ``split`` for held-out queries and a cut-off fitted on ``train``.

    Parameters
    ----------
    train, split : Split
        The split that the model is fitted on, and the split that it answers. If they have different labels, the clause
        is empty.
    group : str
        The queries that are held out together, such as ``exam year``.
    cutoff_is_given : bool
        Whether the cut-off is given instead of fitted, so that nothing is optimistic.
    """
    if not shares_labels(train, split):
        return ""
    bias = "" if cutoff_is_given else ", but the cut-off is fitted on all: optimistic"
    return f"; each {group} is scored by a model of the others{bias}"


@displayed
class BaselineRun(NamedTuple):
    """A run of a baseline.

    Attributes
    ----------
    tag : str
        The run tag: ``bm25``, ``learned``, ``majority``, ``tfidf`` or ``alignment``.
    answers : pandas.DataFrame
        The answer set: ``qid``, ``docno``, ``score`` and ``rank``.
    ranking : pandas.DataFrame or None
        The ranking before the cut-off; None for classifiers, which rank nothing.
    notes : list of str
        How the model was fitted and the cut-off chosen.
    train_ranking : pandas.DataFrame or None
        The ranking of the train queries before the cut-off, each scored by a model that was fitted on other queries;
        None for classifiers, and without labelled train queries.
    labels : pandas.DataFrame or None
        The answers Y and N that belong to a run of task 3 in editions that ask for them.
    train_value : float or None
        The measure of the cut ranking of the train queries, that the cut-off is chosen by; None as ``train_ranking``.
    warnings : list of str
        Signs that the run is of little use, and the runs that are left out.
    """

    tag: str
    answers: pd.DataFrame
    ranking: pd.DataFrame | None
    notes: list[str]
    train_ranking: pd.DataFrame | None = None
    labels: pd.DataFrame | None = None
    train_value: float | None = None
    warnings: Sequence[str] = ()

    def with_warnings(self, warnings: Iterable[str]) -> BaselineRun:
        """Return the run with further warnings."""
        return self._replace(warnings=[*self.warnings, *warnings])

    def display(self) -> Iterator[Block]:
        """Return the warnings, the sizes, the first answers and the notes, as `ir_coliee.display` shows them."""
        yield Heading(f"run {self.tag}: {len(self.answers)} answers to {self.answers['qid'].nunique()} queries")
        yield from map(WarningText, self.warnings)
        yield Table.of_frame(self.answers[["qid", "docno", "score", "rank"]].head())
        yield from self.notes

    def __repr__(self) -> str:
        return f"<BaselineRun {self.tag}: {len(self.answers)} answers to {self.answers['qid'].nunique()} queries>"


def left_out_note(tag: str, reason: object) -> str:
    """Return the warning that a run is left out; it goes with another run."""
    return f"the run {tag} was left out: {reason}"
