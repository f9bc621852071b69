"""Fit a ranker of noticed cases on a train split of task 1.

The number of rounds and the kind of cut-off are chosen on held-out blocks of consecutive train queries. Each edition
appends a block of queries to the train split, so a held-out block resembles the queries of a new edition.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pandas as pd

from ir_coliee.baselines.case_candidates import CaseSearch
from ir_coliee.baselines.case_ranker_storage import CaseRankerState
from ir_coliee.baselines.fitted_case_ranker import (
    SECOND_ROUND_FEATURES,
    FittedCaseRanker,
    load_booster,
    with_probabilities,
    with_second_round_features,
)
from ir_coliee.baselines.gradient_boosting import boosted_ranker
from ir_coliee.baselines.training_data import InsufficientTrainingDataError, topics
from ir_coliee.datasets.folds import Folds, by_block
from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.evaluation.encoded_run import encode_run
from ir_coliee.measures import MicroF1
from ir_coliee.progress import progress
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.transformers import ExpectedFCutoff, RatioCutoff, ThresholdCutoff
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.features import feature_matrix, feature_names
from ir_coliee.transformers.training_labels import check_both_classes, result_labels

_BLOCKS = 3
_MIN_BLOCKS_FOR_TWO_ROUNDS = 3  # one block is held out from both rounds, and the first round needs two more

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


class TrainingRound(NamedTuple):
    """The training data of a round.

    Attributes
    ----------
    candidates : pandas.DataFrame
        Candidates with ``features``.
    names : tuple of str
        The names of the features.
    """

    candidates: pd.DataFrame
    names: tuple[str, ...]


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
    queries = topics(search.split)
    if len(queries) < 2:
        raise InsufficientTrainingDataError(f"{search.split.id} has only one query, so none can be held out")
    filters, share = search.best_filters(queries, gold)
    candidates = (search.candidates(filters) >> search.features)(queries)
    folds = by_block(queries["qid"].tolist(), min(_BLOCKS, len(queries)))
    try:
        configurations = _configurations(candidates, feature_names(search.features), gold, folds)
        values = [held_out_value(each, gold, folds) for each in configurations]
        best = configurations[values.index(max(values))]
        rounds = _in_threads(lambda each: fit_trees(each, gold), best.rounds, "fitting on all queries")
    except MissingExtraError:
        raise
    except ColieeError as error:
        raise InsufficientTrainingDataError(f"{search.split.id} is too small: {error}") from None
    cutoff, found = fit_cutoff(best.run, gold, MicroF1, best.cutoffs)
    if not found > 0:
        raise InsufficientTrainingDataError(f"no noticed case is found on {search.split.id}")
    state = CaseRankerState(
        features=best.rounds[0].names,
        rounds=tuple(rounds),
        filters=filters,
        share=share,
        cutoff=cutoff,
        value=max(values),
        split=search.split.id,
        fingerprint=LocalRelease.open(search.split).fingerprint,
    )
    return FittedCaseRanker(state)


def _configurations(
    candidates: pd.DataFrame, names: Sequence[str], gold: pd.DataFrame, folds: Folds
) -> list[Configuration]:
    """Return all configurations to try, the simplest first."""
    first = TrainingRound(candidates, tuple(names))
    run = held_out_first_round(first, gold, folds)
    scored: list[tuple[tuple[TrainingRound, ...], pd.DataFrame]] = [((first,), run)]
    if len(set(folds.values())) >= _MIN_BLOCKS_FOR_TWO_ROUNDS:
        rounds = (first, _second_round(run, names))
        scored.append((rounds, held_out_second_round(first, run, gold, folds)))
    return [Configuration(rounds, run, cutoffs) for rounds, run in scored for cutoffs in CUTOFFS]


def _second_round(run: pd.DataFrame, names: Sequence[str]) -> TrainingRound:
    return TrainingRound(with_second_round_features(run), (*names, *SECOND_ROUND_FEATURES))


def held_out_first_round(first: TrainingRound, gold: pd.DataFrame, folds: Folds) -> pd.DataFrame:
    """Score each block by a first round that was fitted on the other blocks.

    Parameters
    ----------
    first : TrainingRound
        Candidates of all queries.
    gold : pandas.DataFrame
        The gold of the queries.
    folds : Folds
        The block of each query.

    Returns
    -------
    pandas.DataFrame
        The candidates with the probability as ``score``.
    """

    def scored(fold: tuple[list[str], list[str]]) -> pd.DataFrame:
        train, held_out = (_of_queries(first.candidates, queries) for queries in fold)
        return with_probabilities(held_out, load_booster(fit_trees(TrainingRound(train, first.names), gold)), held_out)

    run: pd.DataFrame = pd.concat(_in_threads(scored, [*folds.splits()], "fitting"), ignore_index=True)
    return run


def held_out_second_round(first: TrainingRound, run: pd.DataFrame, gold: pd.DataFrame, folds: Folds) -> pd.DataFrame:
    """Score each block by two rounds that were fitted without the labels of the block.

    Parameters
    ----------
    first : TrainingRound
        Candidates of all queries.
    run : pandas.DataFrame
        The result of `held_out_first_round`.
    gold : pandas.DataFrame
        The gold of the queries.
    folds : Folds
        The block of each query; at least three blocks.

    Returns
    -------
    pandas.DataFrame
        The candidates with the probability as ``score``. The second round is fitted on scores of first rounds that were
        also fitted without the block.
    """
    blocks = []
    for train, held_out in folds.splits():
        train_folds = Folds({qid: folds[qid] for qid in train})
        train_first = TrainingRound(_of_queries(first.candidates, train), first.names)
        second = _second_round(held_out_first_round(train_first, gold, train_folds), first.names)
        candidates = _of_queries(run, held_out)
        booster = load_booster(fit_trees(second, gold))
        blocks.append(with_probabilities(candidates, booster, with_second_round_features(candidates)))
    return pd.concat(blocks, ignore_index=True)


def _of_queries(rows: pd.DataFrame, queries: Sequence[str]) -> pd.DataFrame:
    selected: pd.DataFrame = rows[rows["qid"].isin(queries)].reset_index(drop=True)
    return selected


def fit_trees(training: TrainingRound, gold: pd.DataFrame) -> str:
    """Fit gradient boosting on candidates.

    Parameters
    ----------
    training : TrainingRound
        Candidates with features.
    gold : pandas.DataFrame
        The gold of their queries.

    Returns
    -------
    str
        The trees in LightGBM's text format, which preserves all values exactly.

    Raises
    ------
    ColieeError
        If the candidates are all relevant, or all not relevant.
    """
    labels = result_labels(training.candidates, gold)
    check_both_classes(labels)
    features = feature_matrix(training.candidates)
    learner = boosted_ranker(training.candidates).learner
    fitted = learner.fit(features, labels > 0, feature_name=[*training.names])
    trees: str = fitted.booster_.model_to_string()
    return trees


def _in_threads(function: Callable[[Any], Any], tasks: Sequence[Any], description: str) -> list[Any]:
    """Run independent fits in threads, one per core. Each fit uses one thread, so results are reproducible."""
    with ThreadPoolExecutor(min(len(tasks), os.cpu_count() or 1)) as threads:
        results = threads.map(function, tasks)
        return list(progress(results, description, total=len(tasks), unit="models"))


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
