"""Fit a ranker of noticed cases on a train split of task 1.

The number of rounds and the kind of cut-off are chosen on held-out blocks of consecutive train queries. Each edition
appends a block of queries to the train split, so a held-out block resembles the queries of a new edition.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import pandas as pd

from ir_coliee.baselines.case_candidates import CandidateFilters, CaseSearch
from ir_coliee.baselines.case_ranker_rounds import (
    TrainingRound,
    fit_trees,
    held_out_first_round,
    held_out_second_round,
    in_threads,
    second_round,
)
from ir_coliee.baselines.case_ranker_storage import (
    CandidateChoices,
    CaseRankerState,
    read_choices,
    write_choices,
    write_state,
)
from ir_coliee.baselines.finished_stages import FinishedStages
from ir_coliee.baselines.fitted_case_ranker import FittedCaseRanker
from ir_coliee.baselines.training_data import topics
from ir_coliee.datasets.folds import Folds, by_block
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.evaluation.encoded_run import encode_run
from ir_coliee.measures import MicroF1
from ir_coliee.progress import stage
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.transformers import ExpectedFCutoff, RatioCutoff, ThresholdCutoff
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.features import feature_names

_BLOCKS = 3
_MIN_BLOCKS_FOR_TWO_ROUNDS = 3  # one block is held out from both rounds, and the first round needs two more

#: The stages of fitting, in order.
STAGES = (
    "indexes and filters of the train queries",
    "features of the train queries",
    "first round on held-out blocks",
    "second round on held-out blocks",
    "cut-off and final fits",
)
_CHOICES, _FEATURES, _FIRST, _SECOND, _FINAL = STAGES

#: Kinds of cut-offs. The first one belongs to the recipe and is preferred if values are equal.
CUTOFFS: tuple[Sequence[Cutoff], ...] = (
    [ThresholdCutoff(percent / 100, min_items=1, max_items=10) for percent in (10, *range(2, 61))],
    [
        RatioCutoff(ratio, threshold=percent / 100, min_items=1, max_items=10)
        for ratio in (0.1, 0.2, 0.3, 0.4, 0.5)
        for percent in range(2, 41, 2)
    ],
    [ExpectedFCutoff(1.0, average="micro", min_items=1, max_items=10)],
)


class Configuration(NamedTuple):
    """A choice of rounds and of a kind of cut-off, with the scores of held-out train queries.

    Attributes
    ----------
    rounds : tuple of TrainingRound
        The training data of each round.
    run : pandas.DataFrame
        All train queries, each scored by models that were fitted on other blocks.
    cutoffs : sequence of Cutoff
        The cut-offs of one kind.
    """

    rounds: tuple[TrainingRound, ...]
    run: pd.DataFrame
    cutoffs: Sequence[Cutoff]


class CaseRankerFitting:
    """The fitting of a ranker, stage by stage. A stage is computed when its result is first needed.

    Parameters
    ----------
    search : CaseSearch
        The search in the train split.
    gold : pandas.DataFrame
        The gold of the split: ``qid``, ``docno`` and ``label``.
    finished : FinishedStages, optional
        Keeps the results of the stages. By default nothing is kept.
    """

    def __init__(self, search: CaseSearch, gold: pd.DataFrame, finished: FinishedStages | None = None) -> None:
        self._search, self._gold = search, gold
        self._finished = finished or FinishedStages()

    @cached_property
    def ranker(self) -> FittedCaseRanker:
        """The ranker, with its filters and its cut-off. Raises the errors of `fit_case_ranker`."""
        return self._finished.result(
            _FINAL, self.fit, lambda ranker, folder: write_state(ranker.state, folder), FittedCaseRanker, kind="ranker"
        )

    @property
    def held_out_run(self) -> pd.DataFrame:
        """The train queries, each scored by as many rounds as the ranker has, fitted on other blocks."""
        return self._first_run if len(self.ranker.state.rounds) == 1 else self._second_run

    def fit(self) -> FittedCaseRanker:
        """Fit the ranker."""
        if len(self._queries) < 2:
            raise InsufficientTrainingDataError(f"{self._search.split.id} has only one query, so none can be held out")
        try:
            configurations = self._configurations()
            with stage(_FINAL):
                return FittedCaseRanker(self._fit_best(configurations))
        except InsufficientTrainingDataError as error:
            raise InsufficientTrainingDataError(f"{self._search.split.id} is too small: {error}") from None

    def _fit_best(self, configurations: Sequence[Configuration]) -> CaseRankerState:
        values = [held_out_value(each, self._gold, self._folds) for each in configurations]
        best = configurations[values.index(max(values))]
        rounds = in_threads(lambda each: fit_trees(each, self._gold), best.rounds, "fitting on all queries")
        cutoff, found = fit_cutoff(best.run, self._gold, MicroF1, best.cutoffs)
        if not found > 0:
            raise InsufficientTrainingDataError("no noticed case is found among the candidates")
        return CaseRankerState(
            features=best.rounds[0].names,
            rounds=tuple(rounds),
            filters=self._choices.filters,
            share=self._choices.share,
            cutoff=cutoff,
            value=max(values),
            split=self._search.split.id,
            fingerprint=LocalRelease.open(self._search.split).fingerprint,
        )

    def _configurations(self) -> list[Configuration]:
        """Return all configurations to try, the simplest first."""
        scored: list[tuple[tuple[TrainingRound, ...], pd.DataFrame]] = [((self._first,), self._first_run)]
        if self._has_two_rounds:
            second = second_round(self._with_features(self._first_run), self._first.names)
            scored.append(((self._first, second), self._second_run))
        return [Configuration(rounds, run, cutoffs) for rounds, run in scored for cutoffs in CUTOFFS]

    @property
    def _has_two_rounds(self) -> bool:
        return len(set(self._folds.values())) >= _MIN_BLOCKS_FOR_TWO_ROUNDS

    @cached_property
    def _queries(self) -> pd.DataFrame:
        return topics(self._search.split)

    @cached_property
    def _folds(self) -> Folds:
        return by_block(self._queries["qid"].tolist(), min(_BLOCKS, len(self._queries)))

    @cached_property
    def _choices(self) -> CandidateChoices:
        def choose() -> CandidateChoices:
            with stage(_CHOICES):
                filters, share = self._search.best_filters(self._queries, self._gold)
                return CandidateChoices(filters, share, tuple(feature_names(self._search.features)))

        return self._finished.result(_CHOICES, choose, write_choices, read_choices, kind="choices")

    @cached_property
    def _first(self) -> TrainingRound:
        filters, names = self._choices.filters, self._choices.features
        candidates = self._finished.rows(
            _FEATURES,
            lambda: case_features(self._search, filters, self._queries),
            *filters,
            num_features=len(names),
        )
        return TrainingRound(candidates, names)

    @cached_property
    def _first_run(self) -> pd.DataFrame:
        return self._finished.rows(
            _FIRST, lambda: held_out_first_round(self._first, self._gold, self._folds).drop(columns="features")
        )

    @cached_property
    def _second_run(self) -> pd.DataFrame:
        def scored() -> pd.DataFrame:
            run = self._with_features(self._first_run)
            return held_out_second_round(self._first, run, self._gold, self._folds).drop(columns="features")

        return self._finished.rows(_SECOND, scored)

    def _with_features(self, run: pd.DataFrame) -> pd.DataFrame:
        joined: pd.DataFrame = run.merge(self._first.candidates[["qid", "docno", "features"]], on=["qid", "docno"])
        return joined


def case_features(search: CaseSearch, filters: CandidateFilters, queries: pd.DataFrame) -> pd.DataFrame:
    """Find the candidates of queries and compute their features.

    Parameters
    ----------
    search : CaseSearch
        The search in the split of the queries.
    filters : CandidateFilters
        The decisions to exclude.
    queries : pandas.DataFrame
        All queries of the split, because they compete for decisions.

    Returns
    -------
    pandas.DataFrame
        The candidates with ``features``.
    """
    found: pd.DataFrame = (search.candidates(filters) >> search.features)(queries)
    return found


def fit_case_ranker(search: CaseSearch, gold: pd.DataFrame) -> FittedCaseRanker:
    """Fit a ranker on all queries of a split.

    Parameters
    ----------
    search : CaseSearch
        The search in the train split.
    gold : pandas.DataFrame
        The gold of the split: ``qid``, ``docno`` and ``label``.

    Returns
    -------
    FittedCaseRanker
        The ranker, with its filters and its cut-off.

    Raises
    ------
    InsufficientTrainingDataError
        If the split has too few queries or labels to fit a model and to hold queries out.
    MissingExtraError
        If LightGBM is not installed.
    """
    return CaseRankerFitting(search, gold).ranker


def held_out_value(configuration: Configuration, gold: pd.DataFrame, folds: Folds) -> float:
    """Evaluate a configuration by cross-validation of its cut-off.

    Parameters
    ----------
    configuration : Configuration
        The scores of held-out queries, and the cut-offs to choose from.
    gold : pandas.DataFrame
        The gold of the queries.
    folds : Folds
        The block of each query.

    Returns
    -------
    float
        The micro F1 if each block is cut by the best cut-off of the other blocks.
    """

    def cut(fold: tuple[list[str], list[str]]) -> pd.DataFrame:
        train, held_out = (configuration.run[configuration.run["qid"].isin(queries)] for queries in fold)
        train_gold = gold[gold["qid"].isin(fold[0])]
        answers: pd.DataFrame = fit_cutoff(train, train_gold, MicroF1, configuration.cutoffs).cutoff(held_out)
        return answers

    encoded = encode_run(pd.concat(map(cut, folds.splits())), gold)
    return float(MicroF1.aggregate(encoded.true_positives(encoded.lengths), encoded.lengths, encoded.relevant))
