"""Recipes: what is learned from candidates with features, how, and how rankings are cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import pandas as pd

from ir_coliee.baselines.recipes.feature_table import FeatureTable
from ir_coliee.baselines.recipes.learners import Learner
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.frames import Booleans, Floats, shown
from ir_coliee.measures import ColieeMeasure
from ir_coliee.transformers.candidates.cutoffs import Cutoff

MIN_BLOCKS_OF_TWO_ROUNDS = 3  # one block is held out from both rounds, and the first round needs two more

#: Returns the weight of each row in learning, from a table and its labels; rows of weight 0 are left out.
RowWeights: TypeAlias = Callable[[FeatureTable, Booleans], Floats]


class Cut(Protocol):
    """A way to choose a cut-off."""

    def __call__(self, runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> Cutoff:
        """Choose a cut-off.

        Parameters
        ----------
        runs : sequence of pandas.DataFrame
            The held-out run of each block: ``qid``, ``docno``, ``score`` (the probability) and ``rank``.
        gold : pandas.DataFrame
            The gold of their queries: ``qid``, ``docno`` and ``label``.

        Returns
        -------
        Cutoff
            The cut-off for runs of other queries.
        """


@dataclass(frozen=True)
class BestCutoff:
    """The cut-off with the best value on held-out queries; if values are equal, the first.

    Attributes
    ----------
    measure : ColieeMeasure
        The measure.
    cutoffs : tuple of Cutoff
        The cut-offs to try, at least one.
    """

    measure: ColieeMeasure
    cutoffs: tuple[Cutoff, ...]

    def __post_init__(self) -> None:
        """Raise `ColieeError` if there is nothing to try."""
        if not self.cutoffs:
            raise ColieeError("cutoffs must be at least one cut-off, got none.\nFor example (TopK(1), TopK(2)).")

    def __call__(self, runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> Cutoff:
        """Choose a cut-off, see `Cut`."""
        return fit_cutoff(pd.concat(runs, ignore_index=True), gold, self.measure, self.cutoffs).cutoff


@dataclass(frozen=True)
class GivenCutoff:
    """One cut-off for all data: no label chooses it.

    Attributes
    ----------
    cutoff : Cutoff
        The cut-off.
    """

    cutoff: Cutoff

    def __call__(self, runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> Cutoff:
        """Return the cut-off, see `Cut`."""
        return self.cutoff


@dataclass(frozen=True)
class Recipe:
    """How the probability of candidates is learned, and how rankings by it are cut.

    Attributes
    ----------
    name : str
        The name, by which users choose among the recipes of a task.
    learners : tuple of Learner
        The learners. The probability is the mean of theirs.
    cut : Cut
        Chooses the cut-off on held-out queries.
    measure : ColieeMeasure
        The official measure, for held-out values.
    row_weights : callable, optional
        The weight of each train candidate; a candidate of weight 0 is not learned from. None: all have the weight 1.
    second_round : bool
        Whether the same learners are fitted a second time, on features of the first round's probabilities besides. The
        probability is then the mean of both rounds. It needs at least three blocks.
    nested_learners : tuple of Learner, optional
        Cheaper learners for the first rounds that leave out two blocks, which only serve the held-out value of a second
        round. None: the learners of the recipe.
    """

    name: str
    learners: tuple[Learner, ...]
    cut: Cut
    measure: ColieeMeasure
    row_weights: RowWeights | None = None
    second_round: bool = False

    def __post_init__(self) -> None:
        """Raise `ColieeError` if there is nothing to learn or to cut by."""
        if not self.learners:
            raise ColieeError("learners must be at least one learner, got none.\nFor example (BoostedLearner(),).")
        if not callable(self.cut):
            raise ColieeError(f"cut must be BestCutoff, GivenCutoff or a function, got {shown(self.cut)}.")

    nested_learners: tuple[Learner, ...] | None = None
