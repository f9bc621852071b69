"""The baseline pipelines of each task, and the plan of the runs of a split."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pandas as pd

from ir_coliee.baselines.answer_classification import answer_statements, classify_answers, classify_claims
from ir_coliee.baselines.article_retrieval import retrieve_articles
from ir_coliee.baselines.baseline_run import BaselineRun
from ir_coliee.baselines.bm25 import bm25_baseline
from ir_coliee.baselines.case_retrieval import retrieve_cases
from ir_coliee.baselines.paragraph_entailment import find_entailing_paragraphs
from ir_coliee.baselines.training_data import (
    TrainingData,
    TrainingYears,
    training_data,
)
from ir_coliee.editions import Split
from ir_coliee.errors import InsufficientTrainingDataError, MissingExtraError, MissingLabelsError, MissingReleaseError
from ir_coliee.progress import stage, stages
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.transformers import boosted_classifier


class Pipeline(NamedTuple):
    """A baseline pipeline that is fitted on labelled queries.

    Attributes
    ----------
    run : callable
        Takes a split and its training data, and returns the runs.
    tags : tuple of str
        The tags of these runs.
    """

    run: Callable[[Split, TrainingData], list[BaselineRun]]
    tags: tuple[str, ...]

    @property
    def title(self) -> str:
        """The tags in words."""
        return " and ".join(self.tags)


_CLASSIFIERS = Pipeline(classify_answers, ("majority", "tfidf"))

#: The learned pipeline of each task. In tasks 1 to 3 there is BM25 besides.
PIPELINES: dict[str, Pipeline] = {
    "task1": Pipeline(retrieve_cases, ("learned",)),
    "task2": Pipeline(find_entailing_paragraphs, ("learned",)),
    "task3": Pipeline(retrieve_articles, ("learned",)),
    "task4": _CLASSIFIERS,
    "task5": _CLASSIFIERS,
    "prediction": _CLASSIFIERS,
    "rationale": Pipeline(classify_claims, ("tfidf",)),
}
_BM25_TASKS = ("task1", "task2", "task3")
_ANSWERS = "answers Y and N"


class Plan(NamedTuple):
    """The pipelines to run for a split. Its files have been checked.

    Attributes
    ----------
    split : Split
        The split to answer.
    training : TrainingData or None
        The labelled queries that the pipelines are fitted on.
    learned : Pipeline or None
        The pipeline to fit; None if it was not asked for, or is left out.
    notes : list of str
        The runs that are left out, with the reason.
    """

    split: Split
    training: TrainingData | None
    learned: Pipeline | None
    notes: list[str]

    @property
    def has_rankings(self) -> bool:
        """Whether the runs have rankings. One of them is then ``bm25``."""
        return self.split.task in _BM25_TASKS

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the runs. A run may still be left out if the labels are too few to fit a model."""
        return (("bm25",) if self.has_rankings else ()) + (self.learned.tags if self.learned else ())

    @property
    def _stages(self) -> list[str]:
        answers = [_ANSWERS] if self.split.submission.answers_file and self.training else []
        learned = [self.learned.title] if self.learned else []
        return [*answers, *learned, *(["bm25"] if self.has_rankings else [])]

    def run(self) -> list[BaselineRun]:
        """Run the pipelines.

        Returns
        -------
        list of BaselineRun
            The runs. If a model cannot be fitted, its runs are left out, and the notes of the first run give the
            reason.
        """
        notes: list[str] = []
        with stages(f"baseline {self.split.id}", self._stages):
            labels = self._answers(notes)
            runs = self._learned_runs(notes)
            if self.has_rankings:  # last, because it can reuse the indexes of the learned pipeline
                with stage("bm25"):
                    runs = [*bm25_baseline(self.split, self.training), *runs]
        first, *others = (run._replace(labels=labels) for run in runs)
        return [first.with_notes(notes), *others]

    def _answers(self, notes: list[str]) -> pd.DataFrame | None:
        """Return the answers Y and N, if the edition asks for them, and add a note on them."""
        if not (self.split.submission.answers_file and self.training):
            return None
        try:
            with stage(_ANSWERS):
                labels, note = answer_statements(self.split, self.training)
        except (InsufficientTrainingDataError, MissingLabelsError) as error:
            notes.append(f"the answers Y and N were left out: {error}")
            return None
        notes.append(note)
        return labels

    def _learned_runs(self, notes: list[str]) -> list[BaselineRun]:
        """Return the runs of the learned pipeline, or if there is another one, add a note why they are left out."""
        if not (self.learned and self.training):
            return []
        try:
            with stage(self.learned.title):
                return self.learned.run(self.split, self.training)
        except InsufficientTrainingDataError as error:
            if not self.has_rankings:
                raise
            notes.append(f"the run {self.learned.title} was left out: {error}")
            return []


def plan_baseline(split: Split, *, train: TrainingYears = "earlier", fast: bool = False) -> Plan:
    """Choose the pipelines to run for a split, and check all files that they need.

    Parameters
    ----------
    split : Split
        The split to answer.
    train, fast
        As in `ir_coliee.baselines.run_baseline`.

    Returns
    -------
    Plan
        The pipelines with their training data.

    Raises
    ------
    MissingReleaseError
        If the local release is missing; in tasks without BM25, also if that of the train split is.
    InsufficientTrainingDataError
        If there are no labelled queries to fit a model on, in tasks without BM25.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> plan_baseline(split("coliee/task1/sample/test")).tags
    ('bm25', 'learned')
    """
    release = LocalRelease.open(split)
    _ = release.documents(), release.queries()  # raise the errors of missing and malformed files
    learned = PIPELINES[split.task]
    if split.task not in _BM25_TASKS:
        return Plan(split, training_data(split, train), learned, [])
    left_out = f"the run {learned.title} was left out"
    try:
        training = training_data(split, train)
    except (InsufficientTrainingDataError, MissingReleaseError) as error:
        reason = f"no labelled train queries were found: {str(error).splitlines()[0]}"
        return Plan(split, None, None, [reason if fast else f"{left_out}: {reason}"])
    if fast:
        return Plan(split, training, None, [])
    try:
        boosted_classifier()
    except MissingExtraError as error:
        return Plan(split, training, None, [f"{left_out}: {error}"])
    return Plan(split, training, learned, [])
