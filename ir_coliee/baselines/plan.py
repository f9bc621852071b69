"""The learned baseline of a split: candidates from a task, learned from by a recipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from ir_coliee.baselines.kept import FinishedStages
from ir_coliee.baselines.recipes import GivenCutoff, HeldOut, QueryBlock, Recipe
from ir_coliee.baselines.recipes.fitting import Ablation, ablation
from ir_coliee.baselines.training import TrainingData, held_out_note, shares_labels
from ir_coliee.display import Block, Heading, Table, displayed
from ir_coliee.editions import Split
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.progress import stages
from ir_coliee.transformers.candidates.cutoffs import Cutoff

# The result of a baseline.


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


_HELD_OUT, _FIT = "held-out queries", "final fit"
_FAMILIES_NOTED = 3


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


@dataclass(frozen=True, eq=False)
class LearnedBaseline:
    """A recipe on the candidates of a split and of its train queries.

    Attributes
    ----------
    split : Split
        The split to answer. In a train split, each block of queries is answered by models fitted on the others.
    training : TrainingData
        The labelled queries.
    recipe : Recipe
        The recipe.
    train_blocks : callable
        Returns the candidates of the train queries, in blocks.
    block : callable
        Returns the candidates of the split. It is not called for a train split.
    stages : tuple of str
        The names of the stages of these two.
    group : str
        What the blocks are, in the singular, for notes.
    whole_ranking : callable, optional
        Takes a split and its run, and returns the ranking with further items below the candidates.
    notes : tuple of str
        Further notes of the run.
    parameters : tuple
        Values that the candidates depend on besides the data, such as results of another baseline.
    """

    split: Split
    training: TrainingData
    recipe: Recipe
    train_blocks: Callable[[], Sequence[QueryBlock]]
    block: Callable[[], QueryBlock]
    stages: tuple[str, ...]
    group: str = "block"
    whole_ranking: Callable[[Split, pd.DataFrame], pd.DataFrame] | None = None
    notes: tuple[str, ...] = ()
    parameters: tuple[object, ...] = ()

    def runs(self) -> list[BaselineRun]:
        """Fit the recipe on the train queries, and rank and cut the candidates of the split.

        Returns
        -------
        list of BaselineRun
            The run ``learned``.

        Raises
        ------
        InsufficientTrainingDataError
            If there are too few labels.
        MissingExtraError
            If the library of a learner is not installed.
        MissingReleaseError
            If the local release is missing.
        """
        gold, finished = self.training.qrels(), FinishedStages(self.training, parameters=self.parameters)
        with stages("learned", [*self.stages, _HELD_OUT, _FIT]):
            blocks = self.train_blocks()
            block = None if shares_labels(self.training.split, self.split) else self.block()
            with self._named_next_step():
                scored = finished.held_out(_HELD_OUT, self.recipe, blocks, gold)
            cutoff = scored.cutoff
            final = FinishedStages(self.training, self.split, parameters=self.parameters).final_fit(_FIT, scored, block)
            runs = (block.run(final.probabilities),) if block else scored.runs
            answers = pd.concat(map(cutoff, runs), ignore_index=True)  # a cut-off may compare all queries of a block
            ranking = self._ranking(self.split, pd.concat(runs, ignore_index=True))
            train_ranking = self._ranking(self.training.split, scored.run) if block else ranking
        notes = [self._note(scored), _note_on_features(final.importances), *self.notes]
        return [BaselineRun("learned", answers, ranking, notes, train_ranking, train_value=scored.value)]

    def held_out(self) -> HeldOut:
        """Return the train queries with the scores of models of the other blocks; raises what `runs` raises."""
        finished, gold = FinishedStages(self.training, parameters=self.parameters), self.training.qrels()
        with stages(f"recipe {self.recipe.name}", [*self.stages, _HELD_OUT]), self._named_next_step():
            return finished.held_out(_HELD_OUT, self.recipe, self.train_blocks(), gold)

    def check_ablation(self) -> None:
        """Raise `ColieeError` if this baseline has no features to leave out."""

    def ablation(self) -> Ablation:
        """Return the held-out values without each family of features; raises what `runs` raises."""
        with stages("ablation", [*self.stages]), self._named_next_step():
            found = ablation(self.recipe, self.train_blocks(), self.training.qrels())
        return found._replace(group=self.group)

    @contextmanager
    def _named_next_step(self) -> Iterator[None]:
        """Add the next step to the error that there are too few labels."""
        try:
            yield
        except InsufficientTrainingDataError as error:
            audit = f"`ir_coliee audit {self.training.split.id}` checks its files."
            raise InsufficientTrainingDataError(f"{error}\n{audit}") from None

    def _ranking(self, split: Split, run: pd.DataFrame) -> pd.DataFrame:
        return self.whole_ranking(split, run) if self.whole_ranking else run

    def _note(self, scored: HeldOut) -> str:
        learners = " and ".join(learner.title for learner in self.recipe.learners)
        is_given = isinstance(self.recipe.cut, GivenCutoff)
        how = f"{'two rounds' if scored.first else 'one round'} of {learners}"
        value, blocks = f"{self.recipe.measure} {scored.value:.4f}", f"held-out {self.group}s"
        cut = f"not fitted to data; {value} on {blocks}" if is_given else f"chosen on {blocks} ({value})"
        return (
            f"recipe {self.recipe.name}, fitted on {self.training} in {how}; cut-off {scored.cutoff}, {cut}"
            f"{held_out_note(self.training.split, self.split, self.group, cutoff_is_given=is_given)}"
        )


def _note_on_features(features: pd.DataFrame) -> str:
    shares = features.groupby("family")["share"].sum().sort_values(ascending=False, kind="stable")
    named = ", ".join(f"{family} {share:.0%}" for family, share in shares.head(_FAMILIES_NOTED).items())
    return f"{len(features)} features; the families with the largest shares of the models: {named}"
