"""The blocks of the recipe of task 3: folds of whole exam years, and the questions to answer."""

from __future__ import annotations

from functools import cached_property
from threading import Lock

import numpy as np
import pandas as pd

from ir_coliee.baselines.articles.article_questions import ArticleQuestions
from ir_coliee.baselines.articles.evidence import ArticleEvidence
from ir_coliee.baselines.articles.features import article_features
from ir_coliee.baselines.finished_stages import FinishedStages
from ir_coliee.baselines.recipes import FeatureTable, QueryBlock
from ir_coliee.baselines.training_data import TrainingData, topics
from ir_coliee.editions import Split
from ir_coliee.engine.articles.article_collection import ArticleCollection
from ir_coliee.frames import Booleans, Floats
from ir_coliee.text.statutes import exam_id
from ir_coliee.text.stems import Stems

#: The stages in which features are computed.
TRAIN_FEATURES, FEATURES = "features of the train questions", "features of the questions"


class ArticleBlocks:
    """The questions of a split and of its training data as blocks. They are read when they are first used.

    The features of train questions do not depend on the split to answer, so that they are kept for all splits.

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
        questions = self._train
        folds = questions.folds[questions.train]
        qids = [questions.qids[questions.train][folds == fold].tolist() for fold in range(questions.num_folds)]
        names = [", ".join(sorted({exam_id(qid).year or "no exam year" for qid in of_fold})) for of_fold in qids]
        table = self._finished.table(TRAIN_FEATURES, lambda: self._table(frozenset()))

        def block(fold: int) -> QueryBlock:
            def table_without(blocks: frozenset[str]) -> FeatureTable:
                return self._table(frozenset(map(names.index, blocks))).of_queries(qids[fold])

            return QueryBlock(names[fold], table.of_queries(qids[fold]), table_without=table_without)

        return [*map(block, range(len(names)))]

    def to_answer(self) -> QueryBlock:
        """Return the questions to answer."""

        def compute() -> FeatureTable:
            questions = self._questions(topics(self._split))
            return article_features(ArticleEvidence(questions, questions.to_answer, self._stems.analyser))

        finished = FinishedStages(self._split, self._training, parameters=self._stems.parameters)
        return QueryBlock("questions to answer", finished.table(FEATURES, compute))

    def row_weights(self, table: FeatureTable, _labels: Booleans) -> Floats:
        """Return 1 for the candidates of a question with a relevant article in the code, else 0."""
        questions = self._train
        return np.isin(table.qids, questions.qids[questions.labelled]).astype(np.float64)

    def is_kept(self) -> bool:
        """Return whether the features of the train questions are kept from an earlier run."""
        return self._finished.has_table(TRAIN_FEATURES)

    @cached_property
    def _finished(self) -> FinishedStages:
        return FinishedStages(self._training, parameters=self._stems.parameters)

    @cached_property
    def _train(self) -> ArticleQuestions:
        return self._questions(None)

    def _questions(self, to_answer: pd.DataFrame | None) -> ArticleQuestions:
        collection = ArticleCollection.of(self._split.id)
        return ArticleQuestions.of(collection, self._training.topics(), self._training.qrels(), to_answer)

    def _table(self, hidden: frozenset[int]) -> FeatureTable:
        """Return the features of the train questions without the labels of some folds. Threads may ask for them."""
        with self._lock:
            if self._evidence is None:
                self._evidence = ArticleEvidence(self._train, self._train.train, self._stems.analyser)
        if hidden not in self._tables:
            self._tables[hidden] = article_features(self._evidence, hidden)
        return self._tables[hidden]
