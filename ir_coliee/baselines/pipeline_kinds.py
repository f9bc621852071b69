"""The kinds of baseline pipelines: fitted classifiers, recipes to choose from, and both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from ir_coliee.baselines.answers import aligned_run
from ir_coliee.baselines.baseline_run import BaselineRun, left_out_note
from ir_coliee.baselines.learned_baseline import Choices, LearnedBaseline
from ir_coliee.baselines.training_data import TrainingData
from ir_coliee.editions import Split
from ir_coliee.errors import InsufficientTrainingDataError, MissingExtraError


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
    prepare, default
        As of `RecipePipeline`. Its run is the last one.
    """

    prepare: Callable[[Split, TrainingData, Choices], LearnedBaseline]
    default: str

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
