"""Task 4 by alignment: statements are compared with the articles that they are judged by.

The recipe was developed for this package; its lists of cue words are not tuned. It is the mean of a logistic regression
and of gradient boosting over features of the alignment, answers of similar past statements, and cue words. Gradient
boosting also has the difference of a statement's alignment from the mean of its siblings, the other questions of the
same exam and number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import ir_datasets
import numpy as np
import pandas as pd

from ir_coliee.baselines.answers.chance import HeldOutAnswers, held_out_groups, more_frequent_answer
from ir_coliee.baselines.baseline_run import BaselineRun
from ir_coliee.baselines.finished_stages import FinishedStages
from ir_coliee.baselines.learned_baseline import Choices, LearnedBaseline
from ir_coliee.baselines.recipes import BoostedLearner, FeatureTable, GivenCutoff, LogisticLearner, QueryBlock, Recipe
from ir_coliee.baselines.training_data import TrainingData
from ir_coliee.editions import Split
from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.engine.articles.siblings import group_sizes, sibling_means
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.frames import Floats, sort_results
from ir_coliee.measures import AnswerAccuracy
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers import AlignmentFeatures, PastAnswerFeatures, TopK
from ir_coliee.transformers.features import feature_matrix

_FEATURES = "features of the statements"
_TRAIN_FEATURES = "features of the train statements"
_COMPARED = 40  # features of the alignment, which are compared with those of the siblings


ALIGNMENT = Recipe(
    "alignment",
    learners=(
        LogisticLearner(c=0.003, signed_log=False, without=("siblings",)),
        BoostedLearner(
            rounds=120, rate=0.03, leaves=6, rows_per_leaf=20, rows=0.8, columns=0.4, l2=0.0, bins=63, seeds=3
        ),
    ),
    cut=GivenCutoff(TopK(1)),  # the more probable answer
    measure=AnswerAccuracy,
)


def prepare_statements(split: Split, training: TrainingData, choices: Choices) -> LearnedBaseline:
    """Return the learned baseline of a split of task 4.

    Parameters
    ----------
    split : Split
        A split of task 4. In a train split, each exam year is answered by a model fitted on the others.
    training : TrainingData
        The labelled statements.
    choices : Choices
        Not used: there is one recipe.
    """
    statements = LabelledStatements(split, training)
    return LearnedBaseline(
        split,
        training,
        ALIGNMENT,
        statements.train_blocks,
        statements.block,
        (_TRAIN_FEATURES, _FEATURES),
        group=statements.group,
        is_kept=statements.is_kept,
    )


class AnswerBlock(QueryBlock):
    """Statements with one row each, of the candidate Y, whose probability decides between Y and N."""

    def run(self, probabilities: Floats) -> pd.DataFrame:
        """Return both answers of each statement: ``qid``, ``docno``, ``score``, ``text_id`` and ``rank``."""
        qids = self.table.qids
        answers = [
            pd.DataFrame({"qid": qids, "docno": docno, "score": scores, "text_id": docno})
            for docno, scores in (("N", 1 - probabilities), ("Y", probabilities))
        ]
        return sort_results(pd.concat(answers, ignore_index=True))


@dataclass(frozen=True, eq=False)
class LabelledStatements:
    """The statements of the train split and of the split to answer, with their features.

    Attributes
    ----------
    split : Split
        The split to answer.
    training : TrainingData
        The labelled statements.
    """

    split: Split
    training: TrainingData

    @property
    def group(self) -> str:
        """What is held out together."""
        return "exam year" if {*self._groups} == {exam_id(qid).year for qid in self._train["qid"]} else "fifth"

    def train_blocks(self) -> list[AnswerBlock]:
        """Return the train statements: one block per exam year, or five if there are not several years.

        Raises
        ------
        InsufficientTrainingDataError
            If the statements to answer have no articles.
        """
        if not self._asked["text"].str.strip().any():
            raise InsufficientTrainingDataError(f"{self.split.id} has no articles with its statements")
        aligned = FinishedStages(self.training).table(_TRAIN_FEATURES, lambda: self._aligned(self._train))
        return [self._block(name, aligned.of_queries(qids)) for name, qids in self._groups.items()]

    def block(self) -> AnswerBlock:
        """Return the statements of the split to answer, which is not the train split."""
        return self._block(
            self.split.name, FinishedStages(self.split).table(_FEATURES, lambda: self._aligned(self._asked))
        )

    def is_kept(self) -> bool:
        """Return whether the features of the train statements are kept from an earlier run."""
        return FinishedStages(self.training).has_table(_TRAIN_FEATURES)

    def _aligned(self, statements: pd.DataFrame) -> FeatureTable:
        return alignment_table(statements, self.split.language)

    def _block(self, name: str, table: FeatureTable) -> AnswerBlock:
        def with_past(left_out: frozenset[str] = frozenset()) -> FeatureTable:
            values = self._past(left_out)
            columns = np.array([values[qid] for qid in table.qids]).T
            return table.with_features(dict(zip(self._past_features.feature_names, columns)))

        return AnswerBlock(name, with_past(), table_without=with_past)

    @cached_property
    def _train(self) -> pd.DataFrame:
        return self.training.load(statements_with_articles)

    @cached_property
    def _asked(self) -> pd.DataFrame:
        return statements_with_articles(self.split)

    @cached_property
    def _groups(self) -> dict[str, list[str]]:
        return held_out_groups(self._train["qid"].tolist())

    @property
    def _past_features(self) -> PastAnswerFeatures:
        return PastAnswerFeatures(self.split.language)

    @cached_property
    def _past(self) -> Callable[[frozenset[str]], dict[str, Floats]]:
        """Compute the answers of past statements for each statement, without the labels of some blocks."""
        train, gold = self._train, self.training.qrels()
        everything = pd.concat([train, self._asked], ignore_index=True).drop_duplicates("qid")

        @cache
        def past(left_out: frozenset[str]) -> dict[str, Floats]:
            unused = [qid for name in left_out for qid in self._groups[name]]
            found = self._past_features.fit(train[~train["qid"].isin(unused)], gold)(everything)
            return dict(zip(found["qid"], found["features"]))

        return past


def statements_with_articles(split: Split) -> pd.DataFrame:
    """Read the statements of a split of task 4, with their articles.

    Parameters
    ----------
    split : Split
        A split of task 4.

    Returns
    -------
    pandas.DataFrame
        ``qid``, ``query`` (the statement), ``text`` (its articles) and ``docno``, which is Y.
    """
    rows = [(q.query_id, q.statement, q.t1, "Y") for q in ir_datasets.load(f"{split.id}/full").queries_iter()]
    return pd.DataFrame(rows, columns=["qid", "query", "text", "docno"])


def alignment_table(statements: pd.DataFrame, language: str) -> FeatureTable:
    """Compute the features of statements without labels, each exam year by itself.

    Parameters
    ----------
    statements : pandas.DataFrame
        The result of `statements_with_articles`.
    language : {"en", "ja"}
        Their language.

    Returns
    -------
    FeatureTable
        The features of `AlignmentFeatures`, and in the family ``siblings`` the first 40 of them minus their mean over
        the other questions of the same exam and number, 0 without such questions.
    """
    features = AlignmentFeatures(language)
    names = features.feature_names
    years = statements["qid"].map(lambda qid: exam_id(qid).year)
    tables = []
    for _, rows in statements.groupby(years.to_numpy(), sort=False):
        values = feature_matrix(features(rows))
        groups = ExamQuestions.of(rows["qid"].tolist()).groups
        compared = values[:, :_COMPARED]
        differences = np.where(group_sizes(groups)[:, None] > 1, compared - sibling_means(compared, groups), 0.0)
        siblings = {f"siblings.{name}": column for name, column in zip(names, differences.T)}
        columns = dict(zip(names, values.T)) | siblings
        tables.append(FeatureTable.of(rows["qid"].tolist(), rows["docno"].tolist(), columns))
    return FeatureTable.concatenated(tables)


def aligned_run(baseline: LearnedBaseline) -> BaselineRun:
    """Answer the statements of a split of task 4.

    Parameters
    ----------
    baseline : LearnedBaseline
        The result of `prepare_statements`.

    Returns
    -------
    BaselineRun
        The run ``alignment``, with a note that compares its answers to held-out train questions with chance.

    Raises
    ------
    InsufficientTrainingDataError
        If there are too few labels, or no articles.
    MissingExtraError
        If LightGBM or scikit-learn is not installed.
    """
    [run] = baseline.runs()
    assert run.train_ranking is not None
    held_out = HeldOutAnswers(run.train_ranking, baseline.training.qrels())
    chance = held_out.note(baseline.split.measure, "the more frequent answer", more_frequent_answer(held_out.gold))
    return BaselineRun("alignment", run.answers, None, [*run.notes, chance])
