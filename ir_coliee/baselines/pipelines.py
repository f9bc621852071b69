"""The baseline pipelines of each task, and the plan of the runs of a split."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ir_coliee.baselines.answers import (
    QuestionAnswers,
    aligned_run,
    answer_statements,
    classify_answers,
    classify_claims,
    prepare_statements,
)
from ir_coliee.baselines.articles import prepare_articles
from ir_coliee.baselines.articles.gated import SHORT, gated_runs
from ir_coliee.baselines.bm25 import bm25_baseline
from ir_coliee.baselines.cases import prepare_cases
from ir_coliee.baselines.paragraphs import prepare_paragraphs
from ir_coliee.baselines.plan import BaselineRun, Choices, LearnedBaseline, left_out_note
from ir_coliee.baselines.recipes.fitting import Ablation
from ir_coliee.baselines.training import TrainingData, TrainingYears, training_data
from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import (
    ColieeError,
    InsufficientTrainingDataError,
    MissingExtraError,
    MissingLabelsError,
    MissingReleaseError,
    printable,
)
from ir_coliee.progress import stage, stages
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers.features.learning import lightgbm_library

# The kinds of baseline pipelines: fitted classifiers, recipes to choose from, and both.


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
    """A baseline pipeline with one or more recipes.

    Attributes
    ----------
    prepare : callable
        Takes a split, its training data and the choices, and returns the learned baseline, of which nothing is computed
        yet.
    recipes : tuple of str
        The names of the recipes; the first is used if none is chosen.
    depends_on_split : bool
        Whether the features of train queries, and so their held-out ranking, depend on the split to answer.
    """

    prepare: Callable[[Split, TrainingData, Choices], LearnedBaseline]
    recipes: tuple[str, ...]
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
    prepare, recipes
        As of `RecipePipeline`. Its run is the last one.
    """

    prepare: Callable[[Split, TrainingData, Choices], LearnedBaseline]
    recipes: tuple[str, ...]

    @property
    def classifiers(self) -> Pipeline:
        """The pipeline without the recipe."""
        return Pipeline(self.fit, self.tags[:-1])

    def run(self, split: Split, training: TrainingData, choices: Choices) -> list[BaselineRun]:
        """Return the runs of the classifiers, and that of the recipe or a note why it is left out."""
        first, *others = self.fit(split, training)
        try:
            return [first, *others, aligned_run(self.prepare(split, training, choices))]
        except (InsufficientTrainingDataError, MissingExtraError) as error:
            return [first.with_notes([left_out_note(self.tags[-1], error)]), *others]


def check_choices(
    split: Split,
    learned: Pipeline | RecipePipeline,
    recipe: str | None,
    pool_features: bool,
    fast: bool,
) -> None:
    """Raise `ColieeError` for a choice that the task of a split does not have, or that ``fast`` excludes."""
    baseline = f"The baseline of {split.id}"
    names = learned.recipes if isinstance(learned, RecipePipeline | AnswerPipeline) else ()
    if recipe is not None and recipe not in names:
        exist = f"Its recipes: {', '.join(names)}." if names else "It has no recipes; omit --recipe (recipe=)."
        raise ColieeError(f"{baseline} has no recipe {printable(repr(recipe), 40)}.\n{exist}")
    if not pool_features and split.task != "task1":
        advice = "Omit --no-pool-features (pool_features=): it is for task 1."
        raise ColieeError(f"{baseline} has no features that compare all queries of a test pool.\n{advice}")
    if fast and not names:
        raise ColieeError(f"{baseline} has no recipe to leave out.\nOmit --fast (fast=).")
    if fast and (recipe is not None or not pool_features):
        advice = "Omit --fast (fast=), or the options of the recipe."
        raise ColieeError(f"--fast (fast=) runs nothing that follows a recipe.\n{advice}")


_CLASSIFIERS = Pipeline(classify_answers, ("majority", "tfidf"))

#: The learned pipeline of each task. Where it ranks candidates by a recipe, in tasks 1 to 3, there is BM25 besides.
PIPELINES: dict[str, Pipeline | RecipePipeline] = {
    "task1": RecipePipeline(prepare_cases, ("standard",)),
    "task2": RecipePipeline(prepare_paragraphs, ("standard",), depends_on_split=True),
    "task3": RecipePipeline(prepare_articles, ("standard", "both-languages")),
    "task4": AnswerPipeline(classify_answers, ("majority", "tfidf", "alignment"), prepare_statements, ("alignment",)),
    "task5": _CLASSIFIERS,
    "prediction": _CLASSIFIERS,
    "rationale": Pipeline(classify_claims, ("tfidf",)),
}
_ANSWERS = "answers Y and N"
_ANSWERED = "answers from the articles"


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
    """

    split: Split
    training: TrainingData | None
    learned: Pipeline | RecipePipeline | None
    notes: list[str]
    choices: Choices = Choices()

    @property
    def has_rankings(self) -> bool:
        """Whether the runs have rankings. One of them is then ``bm25``."""
        return isinstance(PIPELINES[self.split.task], RecipePipeline)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the runs. A run may still be left out if the labels are too few to fit a model."""
        learned = self.learned.tags if self.learned else ()
        short = (SHORT,) if learned and self.split.submission.answers_file else ()
        return (("bm25",) if self.has_rankings else ()) + short + learned

    def shares_train_ranking(self, tag: str) -> bool:
        """Return whether a run has the same ranking of the train queries in the plans of other splits."""
        learned = self.learned
        return not (isinstance(learned, RecipePipeline) and learned.depends_on_split and tag in learned.tags)

    @property
    def _stages(self) -> list[str]:
        answers = [_ANSWERS] if self.split.submission.answers_file and self.training else []
        learned = [_title(self.learned)] if self.learned else []
        bm25 = ["bm25"] if self.has_rankings else []
        return [*answers, *learned, *bm25, *([_ANSWERED] if answers else [])]

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
            answers = self._answers(notes)
            runs = self._learned_runs(notes)
            if self.has_rankings:  # last, because it can reuse the indexes of the learned pipeline
                with stage("bm25"):
                    [bm25] = bm25_baseline(self.split, self.training)
                runs = [bm25, *runs]
                if answers and self.training:
                    with stage(_ANSWERED):
                        runs = gated_runs(self.split, self.training, runs, answers)
                runs = [runs[0], *(run.with_notes(_note_on_worse_run(run, runs[0])) for run in runs[1:])]
        first, *others = runs
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
            As of `ablated`.
        InsufficientTrainingDataError
            If there are too few labels.
        """
        return self.ablated().ablation()

    def ablated(self) -> LearnedBaseline:
        """Return the baseline whose features are left out. Nothing is computed yet.

        Returns
        -------
        LearnedBaseline
            The learned baseline.

        Raises
        ------
        ColieeError
            If the task has no recipes, the recipe is left out of the plan, or has no features to leave out.
        """
        if not (isinstance(self.learned, RecipePipeline | AnswerPipeline) and self.training):
            advice = "Omit --fast (fast=)." if self.has_rankings else "This baseline has no recipe."
            reason = "; ".join(self.notes) or advice
            raise ColieeError(f"{self.split.id}: there is nothing to ablate.\n{reason}")
        baseline = self.learned.prepare(self.split, self.training, self.choices)
        baseline.check_ablation()
        return baseline

    def _answers(self, notes: list[str]) -> QuestionAnswers | None:
        """Return the answers Y and N from the statements, if the edition asks for them, or add a note on why not."""
        if not (self.split.submission.answers_file and self.training):
            return None
        try:
            with stage(_ANSWERS):
                return answer_statements(self.split, self.training)
        except (InsufficientTrainingDataError, MissingLabelsError) as error:
            notes.append(f"the answers Y and N were left out: {error}")
            return None

    def _learned_runs(self, notes: list[str]) -> list[BaselineRun]:
        """Return the runs of the learned pipeline, or if there is another one, add a note why they are left out."""
        if not (self.learned and self.training):
            return []
        try:
            with stage(_title(self.learned)):
                return self.learned.run(self.split, self.training, self.choices)
        except (InsufficientTrainingDataError, MissingExtraError) as error:
            if not self.has_rankings:
                raise
            notes.append(left_out_note(self.learned.tags[-1], error))
            return []


def plan_baseline(
    dataset: Dataset,
    *,
    train: TrainingYears = "earlier",
    fast: bool = False,
    recipe: str | None = None,
    pool_features: bool = True,
) -> Plan:
    """Choose the pipelines to run for a split, and check all files that they need.

    Parameters
    ----------
    dataset, train, fast, recipe, pool_features
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
    >>> plan_baseline("coliee/task1/sample/test").tags
    ('bm25', 'learned')
    """
    split = as_split(dataset)
    learned = PIPELINES[split.task]
    check_choices(split, learned, recipe, pool_features, fast)
    release = LocalRelease.open(split)
    _ = release.documents(), release.queries()  # raise the errors of missing and malformed files
    try:
        training = training_data(split, train)
    except (InsufficientTrainingDataError, MissingReleaseError) as error:
        if not isinstance(learned, RecipePipeline):
            raise
        reason = f"no labelled train queries were found: {_reason(error)}"
        return Plan(split, None, None, [reason if fast else left_out_note(learned.tags[-1], reason)])
    if not isinstance(learned, RecipePipeline | AnswerPipeline):
        return Plan(split, training, learned, [])
    others = learned.classifiers if isinstance(learned, AnswerPipeline) else None
    if fast:
        return Plan(split, training, others, [])
    choices = Choices(recipe or learned.recipes[0], pool_features)
    try:
        lightgbm_library()
        learned.prepare(split, training, choices)  # raises the errors of too few labels
    except (InsufficientTrainingDataError, MissingExtraError) as error:
        return Plan(split, training, others, [left_out_note(learned.tags[-1], error)])
    return Plan(split, training, learned, [], choices)


def _note_on_worse_run(run: BaselineRun, bm25: BaselineRun) -> list[str]:
    """Return a note on a run that is worse than BM25 on the train queries, where one is expected to be better."""
    if run.train_value is None or bm25.train_value is None or run.train_value >= bm25.train_value:
        return []
    values = f"{run.train_value:.4f}, by models of other queries, against {bm25.train_value:.4f}"
    return [f"the {run.tag} run is worse than {bm25.tag} on the train queries ({values}; no cut-off is held out)"]


def _reason(error: ColieeError) -> str:
    """Return an error as a part of a note: that of missing files without the list of files that were expected."""
    lines = str(error).splitlines()
    return lines[0] if isinstance(error, MissingReleaseError) else " ".join(lines)


def _title(pipeline: Pipeline | RecipePipeline) -> str:
    """Return the tags of a pipeline in words."""
    return " and ".join(pipeline.tags)
