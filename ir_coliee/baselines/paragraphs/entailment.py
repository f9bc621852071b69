"""The learned baseline of task 2: the cases with their features, and the recipe for the role of their fragments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ir_coliee.baselines.finished_stages import FinishedStages
from ir_coliee.baselines.learned_baseline import Choices, LearnedBaseline
from ir_coliee.baselines.paragraphs.features import case_features
from ir_coliee.baselines.paragraphs.recipe import paragraph_recipe
from ir_coliee.baselines.paragraphs.roles import Role
from ir_coliee.baselines.recipes import FeatureTable, QueryBlock
from ir_coliee.baselines.training_data import TrainingData, shares_labels
from ir_coliee.datasets.folds import Folds, FragmentCases, by_block, decisions, edition_blocks, task1_splits
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError
from ir_coliee.releases.release import LocalRelease, fingerprint_of_base_cases, sources_of_decisions

_BLOCKS = 5  # if the number of cases that each edition added is not known
_FEATURES = "features of the paragraphs"


def prepare_paragraphs(split: Split, training: TrainingData, choices: Choices) -> LearnedBaseline:
    """Return the learned baseline of a split of task 2.

    Parameters
    ----------
    split : Split
        A split of task 2. In a train split, each block of cases is answered by a model fitted on the others.
    training : TrainingData
        The labelled cases.
    choices : Choices
        Not used: there is one recipe.
    """
    cases = LabelledCases(split, training)
    return LearnedBaseline(
        split,
        training,
        paragraph_recipe(cases.role),
        cases.train_blocks,
        cases.block,
        (_FEATURES,),
        notes=cases.notes,
        is_kept=cases.is_kept,
    )


@dataclass(frozen=True, eq=False)
class LabelledCases:
    """The cases of the train split and of the split to answer, with the features of their paragraphs.

    The features are computed together: those of train cases depend on the role of the fragments to answer, and document
    frequencies on the paragraphs of both.

    Attributes
    ----------
    split : Split
        The split to answer.
    training : TrainingData
        The labelled cases.
    """

    split: Split
    training: TrainingData

    @cached_property
    def role(self) -> Role:
        """The role of the fragments of the split to answer."""
        return Role.of(self._cases)

    @property
    def notes(self) -> tuple[str, ...]:
        """The role, where the words of paragraphs are searched, and why train cases are in equal blocks (if so)."""
        searched = " and ".join(split.id for split in self._task1) or "the base cases of other queries"
        notes = str(self.role), f"quotations of paragraphs were searched in {searched}"
        if self._edition_folds:
            return notes
        why = "how many of these each edition added is not known"
        return *notes, f"train cases are held out in equal blocks: {why}"

    def train_blocks(self) -> list[QueryBlock]:
        """Return the train cases: one block per added edition if their number is official, otherwise five equal blocks.

        If fragments are far, the features of train cases are computed without the fragment.

        Raises
        ------
        InsufficientTrainingDataError
            If there is only one case.
        """
        cases = self._train
        if len(cases.qids) < 2:
            raise InsufficientTrainingDataError("the train split has only one case, so none can be held out")
        folds = self._edition_folds or by_block(cases.qids, min(_BLOCKS, len(cases.qids)))
        table = _rows(self._table, 0, len(cases.docnos))
        tables = (table.of_queries(held) for _, held in folds.splits())
        return [QueryBlock(f"block {place}", of_block) for place, of_block in enumerate(tables) if len(of_block)]

    def block(self) -> QueryBlock:
        """Return the cases of the split to answer, which is not the train split."""
        number = len(self._train.docnos)
        return QueryBlock(self.split.name, _rows(self._table, number, len(self._table)))

    def is_kept(self) -> bool:
        """Return whether the features are kept from an earlier run."""
        return self._finished.has_table(_FEATURES)

    @cached_property
    def _train(self) -> FragmentCases:
        return FragmentCases.of(self.training.split)

    @cached_property
    def _cases(self) -> FragmentCases:
        """The cases of the split to answer."""
        return self._train if shares_labels(self.training.split, self.split) else FragmentCases.of(self.split)

    @cached_property
    def _edition_folds(self) -> Folds | None:
        """The train cases by the edition that added them, also those without a paragraph; None if this is not known."""
        qids = [qid for qid, _ in LocalRelease.open(self.training.split).queries()]
        try:
            sizes = edition_blocks(self.training.split)
        except ColieeError:
            return None
        return by_block(qids, sizes) if sum(sizes) == len(qids) else None

    @cached_property
    def _task1(self) -> list[Split]:
        return task1_splits(self.split)

    @cached_property
    def _finished(self) -> FinishedStages:
        sources = [sources_of_decisions(LocalRelease.open(split)) for split in self._task1]
        if any(files.is_encrypted for files in sources):
            return FinishedStages()  # keeps nothing
        base_cases = [fingerprint_of_base_cases(LocalRelease.open(each)) for each in (self.training.split, self.split)]
        searched = [files.fingerprint for files in sources]
        return FinishedStages(self.split, self.training, parameters=[*base_cases, *searched])

    @cached_property
    def _table(self) -> FeatureTable:
        """The features of the paragraphs of the train cases, followed by those of the split to answer."""
        return self._finished.table(_FEATURES, self._computed)

    def _computed(self) -> FeatureTable:
        cases, queries = self._train, self.role.query_texts(self._train, delete_fragment=True)
        if not shares_labels(self.training.split, self.split):
            to_answer = self.role.query_texts(self._cases, delete_fragment=False)
            queries = {family: [*texts, *to_answer[family]] for family, texts in queries.items()}
            cases += self._cases
        return case_features(cases, queries, decisions(self._task1) if self._task1 else None)


def _rows(table: FeatureTable, start: int, end: int) -> FeatureTable:
    return FeatureTable(table.qids[start:end], table.docnos[start:end], table.values[start:end], table.names)
