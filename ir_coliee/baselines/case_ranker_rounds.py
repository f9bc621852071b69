"""The rounds of the ranker of noticed cases: training data, fits, and scores of held-out queries."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import pandas as pd

from ir_coliee.baselines.boosted_trees import BoostedTrees
from ir_coliee.baselines.fitted_case_ranker import (
    SECOND_ROUND_FEATURES,
    with_probabilities,
    with_second_round_features,
)
from ir_coliee.baselines.gradient_boosting import boosted_ranker
from ir_coliee.datasets.folds import Folds
from ir_coliee.errors import ColieeError
from ir_coliee.progress import progress
from ir_coliee.transformers.features import feature_matrix
from ir_coliee.transformers.training_labels import check_both_classes, result_labels

T = TypeVar("T")
R = TypeVar("R")


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


def second_round(run: pd.DataFrame, names: Sequence[str]) -> TrainingRound:
    """Return the training data of a second round.

    Parameters
    ----------
    run : pandas.DataFrame
        The result of `held_out_first_round`.
    names : sequence of str
        The names of the features of the first round.

    Returns
    -------
    TrainingRound
        The candidates with further features of the first round's probabilities.
    """
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
        return with_probabilities(held_out, fit_trees(TrainingRound(train, first.names), gold).booster(), held_out)

    run: pd.DataFrame = pd.concat(in_threads(scored, [*folds.splits()], "fitting"), ignore_index=True)
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
        second = second_round(held_out_first_round(train_first, gold, train_folds), first.names)
        candidates = _of_queries(run, held_out)
        booster = fit_trees(second, gold).booster()
        blocks.append(with_probabilities(candidates, booster, with_second_round_features(candidates)))
    return pd.concat(blocks, ignore_index=True)


def _of_queries(rows: pd.DataFrame, queries: Sequence[str]) -> pd.DataFrame:
    selected: pd.DataFrame = rows[rows["qid"].isin(queries)].reset_index(drop=True)
    return selected


def fit_trees(training: TrainingRound, gold: pd.DataFrame) -> BoostedTrees:
    """Fit gradient boosting on candidates.

    Parameters
    ----------
    training : TrainingRound
        Candidates with features.
    gold : pandas.DataFrame
        The gold of their queries.

    Returns
    -------
    BoostedTrees
        The trees, with every digit of their numbers.

    Raises
    ------
    ColieeError
        If the candidates are all relevant, or all not relevant, or if the version of LightGBM is not known.
    """
    labels = result_labels(training.candidates, gold)
    check_both_classes(labels)
    features = feature_matrix(training.candidates)
    learner = boosted_ranker(training.candidates).learner
    fitted = learner.fit(features, labels > 0, feature_name=[*training.names])
    try:
        return BoostedTrees.parse(fitted.booster_.model_to_string())
    except ValueError as error:
        problem = f"The trees of this version of LightGBM are not known: {error}"
        raise ColieeError(f"{problem}.\nInstall another version: pip install 'lightgbm<5'.") from None


def in_threads(function: Callable[[T], R], tasks: Sequence[T], description: str) -> list[R]:
    """Run independent fits in threads, one per core. Each fit uses one thread, so results are reproducible.

    Parameters
    ----------
    function : callable
        Makes a fit.
    tasks : sequence
        The arguments of the fits.
    description : str
        The description of the progress bar.

    Returns
    -------
    list
        The results, in the order of the tasks.
    """
    with ThreadPoolExecutor(min(len(tasks), os.cpu_count() or 1)) as threads:
        results = threads.map(function, tasks)
        return list(progress(results, description, total=len(tasks), unit="models"))
