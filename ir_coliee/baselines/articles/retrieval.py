"""The learned baseline of task 3."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from threading import Lock

import numpy as np
import pandas as pd

from ir_coliee.baselines.articles.evidence import article_features
from ir_coliee.baselines.bm25 import RANKING_LENGTH, bm25_ranker
from ir_coliee.baselines.kept import kept_table
from ir_coliee.baselines.learned import Choices, LearnedBaseline
from ir_coliee.baselines.recipes import BoostedLearner, FeatureTable, GivenCutoff, LogisticLearner, QueryBlock, Recipe
from ir_coliee.baselines.recipes.fitting import Ablation
from ir_coliee.baselines.training import BaselineRun, TrainingData, topics
from ir_coliee.editions import LANGUAGE_NAMES, SPLITS, Split
from ir_coliee.engine.articles.collection import ArticleCollection, ArticleQuestions
from ir_coliee.engine.articles.evidence import ArticleEvidence
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.frames import Booleans, Floats, sort_results
from ir_coliee.measures import MacroF2
from ir_coliee.progress import stage, stages
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.statutes import exam_id
from ir_coliee.text.stems import Stems
from ir_coliee.transformers import ExpectedFCutoff

# The recipe of task 3: its learners and its cut.


#: As many of the one to five best articles as have the highest expected F2, by the probabilities of the 14 best.
CUTOFF = ExpectedFCutoff(2.0, average="macro", min_items=1, max_items=5, depth=14)

STANDARD = Recipe(
    "standard",
    learners=(
        BoostedLearner(
            num_iterations=150,
            learning_rate=0.06,
            num_leaves=8,
            min_data_in_leaf=60,
            feature_fraction=0.25,
            lambda_l2=10.0,
        ),
        LogisticLearner(c=0.02, signed_log=True),
    ),
    cut=GivenCutoff(CUTOFF),
    measure=MacroF2,
)


# The questions as blocks: folds of whole exam years, and the questions to answer.

#: The stages in which features are computed.
TRAIN_FEATURES, FEATURES = "features of the train questions", "features of the questions"
#: The name of the recipe.
BOTH_LANGUAGES = "both-languages"
_TRANSDUCTIVE = (
    "the questions of an exam are used together, without labels: those of the same number ask about one subject, and "
    "all count for the frequencies of terms"
)


class ArticleBaseline(LearnedBaseline):
    """The questions of a split of task 3 and of its training data.

    In a train split, each exam year is answered by models that were fitted on other years. The features of train
    questions do not depend on the split to answer, so that they are kept for all splits. With the recipe
    ``both-languages`` the run is made of the questions and articles of both languages. The ranking contains the
    candidates, followed by other articles in the order of BM25, up to 100 articles.

    Raises
    ------
    ColieeError
        For both languages, if the edition has one or forbids using both.
    InsufficientTrainingDataError
        If the training data are of one exam year.
    MissingReleaseError
        If files of the other language are missing.
    """

    feature_stages = (TRAIN_FEATURES, FEATURES)
    recipes = ("standard", BOTH_LANGUAGES)
    group = "exam year"

    def __init__(self, split: Split, training: TrainingData, choices: Choices | None = None) -> None:
        super().__init__(split, training, choices)
        check_exam_years(training)
        both = self.choices.recipe == BOTH_LANGUAGES
        self._other = ArticleBaseline(*other_language(split, training)) if both else None
        self._stems = Stems.of(split.language)
        self._evidence: ArticleEvidence | None = None
        self._tables: dict[frozenset[int], FeatureTable] = {}
        self._lock = Lock()

    @property
    def recipe(self) -> Recipe:
        """The recipe of one language."""
        return replace(STANDARD, row_weights=self.row_weights)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the questions of an exam share, and the stems."""
        return (_TRANSDUCTIVE, *self._stems.notes)

    def whole_ranking(self, split: Split, run: pd.DataFrame) -> pd.DataFrame:
        """Return the run of a split, followed by other articles."""
        return long_list(split, topics(split) if split == self.split else self.training.topics(), run)

    def run(self) -> BaselineRun:
        """Fit the recipe; with both languages, rank and cut by the mean probability of a model for each.

        Raises what `LearnedBaseline.run` raises.
        """
        if self._other is None:
            return super().run()
        names = [LANGUAGE_NAMES[each.split.language] for each in (self, self._other)]
        with stages("both languages", names):
            with stage(names[0]):
                own = super().run()
            with stage(names[1]):
                other = self._other.run()
        docnos = set(ArticleCollection.of(self.split.id).docnos)
        run, train_run = (
            mean_of_languages(_candidates(of_own, docnos), _candidates(of_other, docnos))
            for of_own, of_other in ((own.ranking, other.ranking), (own.train_ranking, other.train_ranking))
        )
        value = fit_cutoff(train_run, self.training.qrels(), self.recipe.measure, [CUTOFF]).value
        shared = len({*run["qid"]} & {*_candidates(other.ranking, docnos)["qid"]})
        note = (
            f"recipe {BOTH_LANGUAGES}: the mean of the probabilities of the {names[0]} and the {names[1]} model for "
            f"{shared} of {run['qid'].nunique()} questions, whose ids are in both releases ({self.recipe.measure} "
            f"{value:.4f} on held-out exam years); cut-off {CUTOFF}; to be submitted for {names[0]}"
        )
        of_models = [f"{name}: {text}" for name, one in zip(names, (own, other)) for text in one.notes]
        ranking, train_ranking = self.whole_ranking(self.split, run), self.whole_ranking(self.training.split, train_run)
        return BaselineRun(self.tag, CUTOFF(run), ranking, [note, *of_models], train_ranking, train_value=value)

    def ablation(self) -> Ablation:
        """Return the ablation of the model of one language; raises `ColieeError` for both."""
        if self._other:
            raise ColieeError(f"--ablate is for the model of one language.\nOmit --recipe {BOTH_LANGUAGES}.")
        return super().ablation()

    def train_blocks(self) -> list[QueryBlock]:
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
        table = kept_table(TRAIN_FEATURES, lambda: self._table(frozenset()), [self.training], *self._stems.parameters)

        def block_of(fold: int) -> QueryBlock:
            def table_without(blocks: frozenset[str]) -> FeatureTable:
                return self._table(frozenset(map(names.index, blocks))).of_queries(qids[fold])

            return QueryBlock(names[fold], table.of_queries(qids[fold]), table_without=table_without)

        return [*map(block_of, range(len(names)))]

    def block(self) -> QueryBlock:
        """Return the questions to answer."""

        def compute() -> FeatureTable:
            questions = self._questions(topics(self.split))
            return article_features(ArticleEvidence(questions, questions.to_answer, self._stems.analyser))

        table = kept_table(FEATURES, compute, [self.split, self.training], *self._stems.parameters)
        return QueryBlock("questions to answer", table)

    def row_weights(self, table: FeatureTable, _labels: Booleans) -> Floats:
        """Return 1 for the candidates of a question with a relevant article in the code, else 0."""
        questions = self._train
        return np.isin(table.qids, questions.qids[questions.labelled]).astype(np.float64)

    @cached_property
    def _train(self) -> ArticleQuestions:
        return self._questions(None)

    def _questions(self, to_answer: pd.DataFrame | None) -> ArticleQuestions:
        collection = ArticleCollection.of(self.split.id)
        return ArticleQuestions.of(collection, self.training.topics(), self.training.qrels(), to_answer)

    def _table(self, hidden: frozenset[int]) -> FeatureTable:
        """Return the features of the train questions without the labels of some folds. Threads may ask for them."""
        with self._lock:
            if self._evidence is None:
                self._evidence = ArticleEvidence(self._train, self._train.train, self._stems.analyser)
        if hidden not in self._tables:
            self._tables[hidden] = article_features(self._evidence, hidden)
        return self._tables[hidden]


# Task 3 from both languages: the mean of the probabilities of an English and a Japanese model.


def other_language(split: Split, training: TrainingData) -> tuple[Split, TrainingData]:
    """Return the split of the other language and its training data of the same exam years, and check their files.

    Parameters
    ----------
    split : Split
        A split of task 3.
    training : TrainingData
        Its training data.

    Returns
    -------
    tuple of Split and TrainingData

    Raises
    ------
    ColieeError
        If the edition has one language, or if its rules forbid using both languages of a question.
    MissingReleaseError
        If files of the other language are missing.
    MissingLabelsError
        If its training data have no labels.
    """
    advice = "Choose the recipe standard: omit --recipe (recipe=)."
    if split.submission.one_language:
        raise ColieeError(f"{split.id}: a run of this edition must not use both languages of a question.\n{advice}")
    found = [
        SPLITS.get(each.id.replace(f"/{each.language}/", f"/{language}/"))
        for each in (split, training.split)
        for language in LANGUAGE_NAMES
        if language != each.language
    ]
    if not (found[0] and found[1]):
        raise ColieeError(f"{split.id}: the edition has one language only.\n{advice}")
    other, of_training = found[0], TrainingData(found[1], training.exam_years)
    for release in map(LocalRelease.open, (other, *of_training.splits)):
        _ = release.documents(), release.queries()  # raise the errors of missing and malformed files
    for release in map(LocalRelease.open, of_training.splits):
        _ = release.qrels()
    return other, of_training


def mean_of_languages(own: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of the probabilities of two runs.

    Parameters
    ----------
    own, other : pandas.DataFrame
        ``qid``, ``docno`` and ``score``, a probability. An article that a run lacks has the probability 0.

    Returns
    -------
    pandas.DataFrame
        ``qid``, ``docno``, ``score`` and ``rank`` of the questions of the first run; those that the second run lacks
        keep their probabilities.

    Examples
    --------
    >>> own = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "score": [0.75, 0.25, 0.5]})
    >>> mean_of_languages(own, pd.DataFrame({"qid": ["1", "3"], "docno": ["b", "a"], "score": [0.75, 1.0]}))
      qid docno  score  rank
    0   1     b  0.500     0
    1   1     a  0.375     1
    2   2     a  0.500     0
    """
    columns = ["qid", "docno", "score"]
    both = pd.concat([own[columns], other.loc[other["qid"].isin(own["qid"]), columns]])
    sums = both.groupby(["qid", "docno"], sort=False, as_index=False)["score"].sum()
    return sort_results(sums.assign(score=sums["score"] / (1 + sums["qid"].isin(other["qid"]))))


def _candidates(ranking: pd.DataFrame | None, docnos: Collection[str]) -> pd.DataFrame:
    """Return the articles of a ranking that have a probability and are in the code of the split."""
    assert ranking is not None
    candidates: pd.DataFrame = ranking[(ranking["score"] >= 0) & ranking["docno"].isin(docnos)]
    return candidates


def check_exam_years(training: TrainingData) -> None:
    """Raise `InsufficientTrainingDataError` if the training data are of one exam year, so that none can be held out."""
    if len({exam_id(qid).year for qid in training.topics()["qid"]}) > 1:
        return
    advice = "Choose a split whose train split has several exam years."
    if training.split.is_built_in:
        advice = "Try: ir_coliee synth coliee/task3/2025/en --out synthetic --scale 0.02"
    elif training.exam_years:
        advice = "--train all-but (train=) takes the later ones as well."
    raise InsufficientTrainingDataError(f"{training} has only one exam year, so none can be held out.\n{advice}")


def long_list(split: Split, questions: pd.DataFrame, run: pd.DataFrame) -> pd.DataFrame:
    """Rank other articles in the order of BM25 behind the articles of a run.

    Parameters
    ----------
    split : Split
        The split with the articles.
    questions : pandas.DataFrame
        The questions: ``qid`` and ``query``.
    run : pandas.DataFrame
        ``qid``, ``docno`` and ``score``, a probability.

    Returns
    -------
    pandas.DataFrame
        ``qid``, ``docno``, ``score`` and ``rank``; up to 100 articles of each question. The score of an article that
        the run lacks is negative.
    """
    ranked = bm25_ranker(split)(questions)
    candidates = pd.MultiIndex.from_frame(run[["qid", "docno"]])
    others = ranked[~pd.MultiIndex.from_frame(ranked[["qid", "docno"]]).isin(candidates)]
    columns = ["qid", "docno", "score"]
    below = others[columns].assign(score=-1.0 - others["rank"])
    ordered = sort_results(pd.concat([run[columns], below], ignore_index=True))
    shortened: pd.DataFrame = ordered[ordered["rank"] < RANKING_LENGTH].reset_index(drop=True)
    return shortened
