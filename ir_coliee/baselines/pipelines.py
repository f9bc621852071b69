"""The baseline pipelines of each task, and the plan of the runs of a split."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import pandas as pd

from ir_coliee.arguments import shown
from ir_coliee.baselines.answers import (
    align_statements,
    aligned_run,
    answer_statements,
    classify_answers,
    classify_claims,
)
from ir_coliee.baselines.articles import article_retrieval
from ir_coliee.baselines.baseline_run import BaselineRun
from ir_coliee.baselines.bm25 import bm25_baseline
from ir_coliee.baselines.cases.case_retrieval import prepare_cases
from ir_coliee.baselines.costs import COSTS, Estimate
from ir_coliee.baselines.learned_baseline import LearnedBaseline
from ir_coliee.baselines.paragraphs import paragraph_entailment
from ir_coliee.baselines.recipes.families import Ablation
from ir_coliee.baselines.training_data import (
    TrainingData,
    TrainingYears,
    training_data,
)
from ir_coliee.editions import Split
from ir_coliee.errors import (
    ColieeError,
    InsufficientTrainingDataError,
    MissingExtraError,
    MissingLabelsError,
    MissingReleaseError,
    printable,
)
from ir_coliee.progress import stage, stages
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.transformers import boosted_classifier


class Choices(NamedTuple):
    """The choices of a user among the recipes of a task.

    Attributes
    ----------
    recipe : str
        The name of the recipe.
    pool_features : bool
        Whether features may compare all queries of a test pool (task 1).
    """

    recipe: str = ""
    pool_features: bool = True


@dataclass(frozen=True)
class Pipeline:
    """A baseline pipeline that is fitted on labelled queries.

    Attributes
    ----------
    fit : callable
        Takes a split and its training data, and returns the runs.
    tags : tuple of str
        The tags of these runs.
    """

    fit: Callable[[Split, TrainingData], list[BaselineRun]]
    tags: tuple[str, ...]

    def run(self, split: Split, training: TrainingData, choices: Choices) -> list[BaselineRun]:
        """Return the runs. There is nothing to choose."""
        return self.fit(split, training)


@dataclass(frozen=True)
class RecipePipeline:
    """A baseline pipeline with recipes, whose names and costs are in `ir_coliee.baselines.costs`.

    Attributes
    ----------
    prepare : callable
        Takes a split, its training data and the choices, and returns the learned baseline, of which nothing is computed
        yet.
    default : str
        The recipe that is used if none is chosen.
    depends_on_split : bool
        Whether the features of train queries, and so their held-out ranking, depend on the split to answer.
    """

    prepare: Callable[[Split, TrainingData, Choices], LearnedBaseline]
    default: str
    depends_on_split: bool = False
    tags: ClassVar[tuple[str, ...]] = ("learned",)

    def run(self, split: Split, training: TrainingData, choices: Choices) -> list[BaselineRun]:
        """Return the run of the chosen recipe."""
        return self.prepare(split, training, choices).runs()


@dataclass(frozen=True)
class AnswerPipeline(Pipeline):
    """A pipeline of classifiers, and a recipe besides.

    Attributes
    ----------
    prepare : callable
        As of `RecipePipeline`.
    """

    prepare: Callable[[Split, TrainingData, Choices], LearnedBaseline]

    def run(self, split: Split, training: TrainingData, choices: Choices) -> list[BaselineRun]:
        """Return the runs of the classifiers, and that of the recipe or a note why it is left out."""
        first, *others = self.fit(split, training)
        try:
            return [first, *others, aligned_run(self.prepare(split, training, choices))]
        except (InsufficientTrainingDataError, MissingExtraError) as error:
            return [first.with_notes([f"the run {self.tags[-1]} was left out: {error}"]), *others]


_CLASSIFIERS = Pipeline(classify_answers, ("majority", "tfidf"))

#: The learned pipeline of each task. In tasks 1 to 3 there is BM25 besides.
PIPELINES: dict[str, Pipeline | RecipePipeline] = {
    "task1": RecipePipeline(prepare_cases, "lean"),
    "task2": RecipePipeline(paragraph_entailment, "standard", depends_on_split=True),
    "task3": RecipePipeline(article_retrieval, "standard"),
    "task4": AnswerPipeline(classify_answers, ("majority", "tfidf", "alignment"), align_statements),
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
    learned : Pipeline or RecipePipeline or None
        The pipeline to fit; None if it was not asked for, or is left out.
    notes : list of str
        The runs that are left out, with the reason.
    choices : Choices
        The choices among the recipes.
    estimate : Estimate or None
        What the recipe will take.
    """

    split: Split
    training: TrainingData | None
    learned: Pipeline | RecipePipeline | None
    notes: list[str]
    choices: Choices = Choices()
    estimate: Estimate | None = None

    @property
    def has_rankings(self) -> bool:
        """Whether the runs have rankings. One of them is then ``bm25``."""
        return self.split.task in _BM25_TASKS

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the runs. A run may still be left out if the labels are too few to fit a model."""
        return (("bm25",) if self.has_rankings else ()) + (self.learned.tags if self.learned else ())

    def shares_train_ranking(self, tag: str) -> bool:
        """Return whether a run has the same ranking of the train queries in the plans of other splits."""
        learned = self.learned
        return not (isinstance(learned, RecipePipeline) and learned.depends_on_split and tag in learned.tags)

    @property
    def _stages(self) -> list[str]:
        answers = [_ANSWERS] if self.split.submission.answers_file and self.training else []
        learned = [_title(self.learned)] if self.learned else []
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

    def ablation(self) -> Ablation:
        """Leave out each family of features of the recipe in turn.

        Returns
        -------
        Ablation
            The values on held-out train queries.

        Raises
        ------
        ColieeError
            If the task has no recipes, or the recipe is left out of the plan.
        InsufficientTrainingDataError
            If there are too few labels.
        """
        if not (isinstance(self.learned, RecipePipeline | AnswerPipeline) and self.training):
            advice = "Omit --fast (fast=)." if self.has_rankings else "This baseline has no recipe."
            reason = "; ".join(self.notes) or advice
            raise ColieeError(f"{self.split.id}: no features can be left out.\n{reason}")
        return self.learned.prepare(self.split, self.training, self.choices).ablation()

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
            with stage(_title(self.learned)):
                return self.learned.run(self.split, self.training, self.choices)
        except InsufficientTrainingDataError as error:
            if not self.has_rankings:
                raise
            notes.append(f"the run {_title(self.learned)} was left out: {error}")
            return []


def plan_baseline(
    split: Split,
    *,
    train: TrainingYears = "earlier",
    fast: bool = False,
    recipe: str | None = None,
    pool_features: bool = True,
    max_seconds: float | None = None,
) -> Plan:
    """Choose the pipelines to run for a split, and check all files that they need.

    Parameters
    ----------
    split : Split
        The split to answer.
    train, fast, recipe, pool_features, max_seconds
        As in `ir_coliee.baselines.run_baseline`.

    Returns
    -------
    Plan
        The pipelines with their training data.

    Raises
    ------
    ColieeError
        If the task does not have the recipe or the features.
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
    learned = PIPELINES[split.task]
    _check_choices(split, learned, recipe, pool_features, max_seconds)
    release = LocalRelease.open(split)
    _ = release.documents(), release.queries()  # raise the errors of missing and malformed files
    if split.task not in _BM25_TASKS:
        return Plan(split, training_data(split, train), learned, [])
    left_out = f"the run {_title(learned)} was left out"
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
    plan = Plan(split, training, learned, [])
    if not isinstance(learned, RecipePipeline):
        return plan
    return _with_recipe(plan, learned, training, recipe, pool_features, max_seconds)


def _check_choices(
    split: Split,
    learned: Pipeline | RecipePipeline,
    recipe: str | None,
    pool_features: bool,
    max_seconds: float | None,
) -> None:
    """Raise `ColieeError` for a choice that the task does not have."""
    baseline = f"The baseline of {split.id}"
    names = [*COSTS[split.task].of_recipe] if isinstance(learned, RecipePipeline) else []
    if recipe is not None and recipe not in names:
        exist = f"Its recipes: {', '.join(names)}." if names else "It has no recipes; omit --recipe (recipe=)."
        raise ColieeError(f"{baseline} has no recipe {printable(recipe)}.\n{exist}")
    if max_seconds is not None:
        if not 0 < max_seconds < math.inf:
            raise ColieeError(f"--max-seconds (max_seconds=) must be a number > 0, got {shown(max_seconds)}.")
        if not names:
            raise ColieeError(f"{baseline} has no recipes to choose from.\nOmit --max-seconds (max_seconds=).")
    if not pool_features and split.task != "task1":
        advice = "Omit --no-pool-features (pool_features=): it is for task 1."
        raise ColieeError(f"{baseline} has no features that compare all queries of a test pool.\n{advice}")


def _with_recipe(
    plan: Plan,
    learned: RecipePipeline,
    training: TrainingData,
    recipe: str | None,
    pool_features: bool,
    max_seconds: float | None,
) -> Plan:
    """Return the plan with the chosen recipe: the given one, the richest in ``max_seconds``, or the default."""
    costs, estimates = COSTS[plan.split.task], []
    unnamed = [name for name in costs.of_recipe if name not in costs.on_request]
    for name in [recipe or learned.default] if max_seconds is None or recipe else unnamed:
        choices = Choices(name, pool_features)
        is_kept = learned.prepare(plan.split, training, choices).is_kept()
        estimates.append(costs.estimate(name, [plan.split, *training.splits], is_kept=is_kept))
        if max_seconds is None or estimates[-1].seconds <= max_seconds:
            return plan._replace(choices=choices, estimate=estimates[-1])
    too_long = f"no recipe fits in {max_seconds:g} s ({'; '.join(map(str, estimates))})"
    return plan._replace(learned=None, notes=[*plan.notes, f"the run learned was left out: {too_long}"])


def _title(pipeline: Pipeline | RecipePipeline) -> str:
    """Return the tags of a pipeline in words."""
    return " and ".join(pipeline.tags)
