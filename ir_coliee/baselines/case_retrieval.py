"""Task 1 with gradient boosting over lexical scores, quotations and competition between queries.

The fitted ranker is cached in the data folder, like indexes. It is fitted again if the local release has changed.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pandas as pd

from ir_coliee._version import __version__
from ir_coliee.baselines.baseline_run import BaselineRun
from ir_coliee.baselines.case_candidates import ANALYSERS, CaseSearch
from ir_coliee.baselines.case_ranker_fitting import fit_case_ranker
from ir_coliee.baselines.case_ranker_storage import FORMAT_VERSION, CaseRankerState, write_state
from ir_coliee.baselines.fitted_case_ranker import FittedCaseRanker
from ir_coliee.baselines.training_data import TrainingData, optimism_note, shares_labels, topics
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, ColieeHint
from ir_coliee.releases import cache
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.source_files import SourceFiles
from ir_coliee.text.analysers import analyser_version
from ir_coliee.transformers import boosted_classifier

_CACHE_NAME = "ranker"


def retrieve_cases(split: Split, training: TrainingData) -> list[BaselineRun]:
    """Rank candidate decisions by a model that is fitted on the train split, and cut the ranking.

    Parameters
    ----------
    split : Split
        A split of task 1.
    training : TrainingData
        The labelled queries.

    Returns
    -------
    list of BaselineRun
        The run ``learned``.

    Raises
    ------
    InsufficientTrainingDataError
        If there are no labels, or too few.
    MissingExtraError
        If LightGBM is not installed.
    MissingReleaseError
        If the local release is missing.
    """
    train, gold = training.split, training.qrels()
    queries = topics(split)
    boosted_classifier()  # raises MissingExtraError before the long computation
    with ThreadPoolExecutor(1) as thread:
        search = thread.submit(CaseSearch, split)
        fit = partial(_fit, train, gold, search if shares_labels(train, split) else None)
        ranker = _cached(train, fit)
        found = search.result()
        run = (found.candidates(ranker.filters) >> found.features >> ranker)(queries)
    run = run.drop(columns=["features", *found.names])
    return [BaselineRun("learned", ranker.cutoff(run), run, _notes(ranker.state, optimism_note(train, split)))]


def _fit(train: Split, gold: pd.DataFrame, search: Future[CaseSearch] | None) -> FittedCaseRanker:
    return fit_case_ranker(search.result() if search else CaseSearch(train), gold)


def _cached(train: Split, fit: Callable[[], FittedCaseRanker]) -> FittedCaseRanker:
    """Read the fitted ranker of the train split from the cache, or fit it and write it to the cache.

    Data from password-protected archives are never cached. A damaged entry is ignored with a `ColieeHint`.
    """
    files = LocalRelease.open(train).sources
    if files.is_encrypted:
        return fit()
    key = _cache_key(train, files)
    try:
        if entry := cache.find(_CACHE_NAME, key, files.origin):
            return FittedCaseRanker(entry)
    except ColieeError as error:
        message = f"A damaged cache entry is ignored. Delete the cache with `ir_coliee purge`.\n{error}"
        warnings.warn(message, ColieeHint, stacklevel=2)
    ranker = fit()
    cache.entry(_CACHE_NAME, key, files.origin, partial(write_state, ranker.state))
    return ranker


def _cache_key(train: Split, files: SourceFiles) -> str:
    """Return a cache key that depends on the training data, the code, and the libraries that affect the fit."""
    import lightgbm

    versions = (
        FORMAT_VERSION,
        __version__,
        lightgbm.__version__,
        unicodedata.unidata_version,
        *map(analyser_version, ANALYSERS),
    )
    return cache.key_of((train.id, files.fingerprint, *versions))


def _notes(state: CaseRankerState, optimism: str) -> list[str]:
    rounds = "one round" if len(state.rounds) == 1 else "two rounds"
    return [
        f"fitted on {state.split} in {rounds}; cut-off {state.cutoff.describe()}, "
        f"chosen on held-out blocks of queries (MicroF1 {state.value:.4f}){optimism}",
        f"candidates: {state.filters}; share of the latest train queries' noticed cases among them: {state.share:.3f}",
    ]
