"""The result of a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pandas as pd

from ir_coliee.display import Block, Heading, Table, displayed
from ir_coliee.transformers.candidates.cutoffs import Cutoff

_LEFT_OUT = "the run "


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
        The split that the model was fitted on, and the chosen cut-off.
    train_ranking : pandas.DataFrame or None
        The ranking of the train queries before the cut-off, each scored by a model that was fitted on other queries;
        None for classifiers, and without labelled train queries.
    labels : pandas.DataFrame or None
        The answers Y and N that belong to a run of task 3 in editions that ask for them.
    train_value : float or None
        The measure of the cut ranking of the train queries, that the cut-off is chosen by; None as ``train_ranking``.
    """

    tag: str
    answers: pd.DataFrame
    ranking: pd.DataFrame | None
    notes: list[str]
    train_ranking: pd.DataFrame | None = None
    labels: pd.DataFrame | None = None
    train_value: float | None = None

    def with_notes(self, notes: Iterable[str]) -> BaselineRun:
        """Return the run with further notes."""
        return self._replace(notes=[*self.notes, *notes])

    def display(self) -> Iterator[Block]:
        """Return the sizes, the first answers and the notes, as `ir_coliee.display` shows them."""
        yield Heading(f"run {self.tag}: {len(self.answers)} answers to {self.answers['qid'].nunique()} queries")
        yield Table.of_frame(self.answers[["qid", "docno", "score", "rank"]].head())
        yield from self.notes

    def __repr__(self) -> str:
        return f"<BaselineRun {self.tag}: {len(self.answers)} answers to {self.answers['qid'].nunique()} queries>"


def left_out_note(tags: str, reason: object) -> str:
    """Return the note that runs are left out; it goes with another run."""
    return f"{_LEFT_OUT}{tags} was left out: {reason}"


def is_on_another_run(note: str) -> bool:
    """Return whether a note of a run tells that another one is left out, see `left_out_note`."""
    return note.startswith(_LEFT_OUT)


def cutoff_kinds(cutoffs: Iterable[Cutoff]) -> str:
    """Name the kinds of cut-offs that were tried, for the notes of a run.

    Examples
    --------
    >>> from ir_coliee.transformers import RatioCutoff, TopK
    >>> cutoff_kinds([RatioCutoff(0.5), TopK(1), TopK(2)])
    'tried: RatioCutoff, TopK'
    """
    return f"tried: {', '.join(dict.fromkeys(type(cutoff).__name__ for cutoff in cutoffs))}"
