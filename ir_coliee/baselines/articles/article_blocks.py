"""The blocks of the recipe of task 3: folds of whole exam years, and the questions to answer."""

from __future__ import annotations

from functools import cached_property
from threading import Lock

from ir_coliee.baselines.articles.article_questions import ArticleQuestions
from ir_coliee.baselines.articles.evidence import ArticleEvidence
from ir_coliee.baselines.articles.features import article_features
from ir_coliee.baselines.finished_stages import FinishedStages
from ir_coliee.baselines.recipes import FeatureTable, QueryBlock
from ir_coliee.baselines.training_data import TrainingData
from ir_coliee.editions import Split
from ir_coliee.text.statutes import exam_id
from ir_coliee.text.stems import Stems

#: The stage in which features are computed.
FEATURES = "features of the questions"


class ArticleBlocks:
    """The questions of a split and of its training data as blocks. They are read when they are first used.

    Parameters
    ----------
    split : Split
    training : TrainingData
    stems : Stems
    """

    def __init__(self, split: Split, training: TrainingData, stems: Stems) -> None:
        self._split = split
        self._training = training
        self._stems = stems
        self._evidence: ArticleEvidence | None = None
        self._tables: dict[frozenset[int], FeatureTable] = {}
        self._lock = Lock()

    def train(self) -> list[QueryBlock]:
        """Return a block for each fold of exam years.

        Raises
        ------
        InsufficientTrainingDataError
            If the training data are of one exam year.
        """
        names = [self._exam_years(fold) for fold in range(self._questions.folds.max() + 1)]
        fold_of = {name: fold for fold, name in enumerate(names)}

        def block(name: str, fold: int) -> QueryBlock:
            def table_without(blocks: frozenset[str]) -> FeatureTable:
                return self._rows(self._table_without(frozenset(fold_of[each] for each in blocks)), fold)

            return QueryBlock(name, self._rows(self._table, fold), table_without=table_without)

        return [block(name, fold) for name, fold in fold_of.items()]

    def asked(self) -> QueryBlock:
        """Return the questions to answer."""
        return QueryBlock("questions to answer", self._rows(self._table, -1))

    def is_kept(self) -> bool:
        """Return whether the features are kept from an earlier run."""
        return self._finished.has_table(FEATURES)

    @cached_property
    def _questions(self) -> ArticleQuestions:
        return ArticleQuestions.read(self._split, self._training)

    @cached_property
    def _finished(self) -> FinishedStages:
        return FinishedStages(self._split, self._training, parameters=self._stems.parameters)

    @cached_property
    def _table(self) -> FeatureTable:
        return self._finished.table(FEATURES, lambda: self._table_without(frozenset()))

    def _table_without(self, folds: frozenset[int]) -> FeatureTable:
        """Return the features of all questions without the labels of some folds. Several threads may ask for them."""
        with self._lock:
            if self._evidence is None:
                self._evidence = ArticleEvidence(self._questions, self._stems.analyser)
        if folds not in self._tables:
            self._tables[folds] = article_features(self._evidence, folds)
        return self._tables[folds]

    def _rows(self, table: FeatureTable, fold: int) -> FeatureTable:
        return table.of_queries(self._questions.qids[self._questions.folds == fold].tolist())

    def _exam_years(self, fold: int) -> str:
        years = {exam_id(qid).year or "no exam year" for qid in self._questions.qids[self._questions.folds == fold]}
        return ", ".join(sorted(years))
