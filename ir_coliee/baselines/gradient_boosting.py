"""Gradient boosting over candidates, with a cut-off that is chosen on held-out queries.

The learned baselines of tasks 2 and 3 use `held_out_run` and `best_cutoff`; all three use `boosted_ranker`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers import LearnedRanker, boosted_classifier, out_of_fold
from ir_coliee.transformers.candidates.cutoffs import Cutoff

_ROWS_PER_LEAF = 60  # of a large train split
_LEAVES = 100  # a small train split gets smaller leaves, so that there can be this many


class HeldOutRun(NamedTuple):
    """Train queries, each scored by a model that was fitted on other queries, and the best cut-off for this run.

    Attributes
    ----------
    run : pandas.DataFrame
        The scored candidates.
    cutoff : Cutoff
        The cut-off with the best value on ``run``; if values are equal, the first.
    value : float
        The measure of ``run`` after ``cutoff``.
    """

    run: pd.DataFrame
    cutoff: Cutoff
    value: float


def boosted_ranker(candidates: pd.DataFrame) -> LearnedRanker:
    """Create a gradient boosting model with a leaf size suitable for the number of candidates.

    Parameters
    ----------
    candidates : pandas.DataFrame
        The candidates that the model will be fitted on.

    Returns
    -------
    LearnedRanker
        An unfitted transformer that scores candidates with features by their probability of being relevant.

    Raises
    ------
    MissingExtraError
        If LightGBM is not installed.

    Notes
    -----
    Only one thread is used. If other processes use the same cores, the threads of LightGBM wait for each other, and
    fitting takes ten times as long.
    """
    rows_per_leaf = max(1, min(_ROWS_PER_LEAF, len(candidates) // _LEAVES))
    return LearnedRanker(boosted_classifier(n_jobs=1, min_child_samples=rows_per_leaf))


def held_out_run(candidates: pd.DataFrame, gold: pd.DataFrame, folds: Mapping[str, object]) -> pd.DataFrame:
    """Score each fold by a model that was fitted on the other folds.

    Parameters
    ----------
    candidates : pandas.DataFrame
        Candidates of the train queries, with features.
    gold : pandas.DataFrame
        Gold of the train queries: ``qid``, ``docno`` and ``label``.
    folds : mapping of str to object
        The fold of each query.

    Returns
    -------
    pandas.DataFrame
        The scored candidates, without features.

    Raises
    ------
    InsufficientTrainingDataError
        If the other folds are too small to fit a model.
    MissingExtraError
        If LightGBM is not installed.
    """
    try:
        return out_of_fold(boosted_ranker(candidates), candidates, gold, folds).drop(columns="features")
    except InsufficientTrainingDataError as error:
        raise InsufficientTrainingDataError(f"the train split is too small: {error}") from None


def best_cutoff(run: pd.DataFrame, gold: pd.DataFrame, measure: ColieeMeasure, cutoffs: Sequence[Cutoff]) -> HeldOutRun:
    """Choose the cut-off of a run of held-out queries.

    Parameters
    ----------
    run : pandas.DataFrame
        The scored candidates of the train queries.
    gold : pandas.DataFrame
        Gold of the train queries: ``qid``, ``docno`` and ``label``.
    measure : ColieeMeasure
        The measure to optimise.
    cutoffs : sequence of Cutoff
        The cut-offs to try. If values are equal, the first is chosen.

    Returns
    -------
    HeldOutRun
        The run, the cut-off and its value.

    Raises
    ------
    InsufficientTrainingDataError
        If no cut-off keeps a relevant item.
    """
    fitted = fit_cutoff(run, gold[gold["qid"].isin(run["qid"])], measure, cutoffs)
    if not fitted.value > 0:
        raise InsufficientTrainingDataError("no relevant item is found on the train split")
    return HeldOutRun(run, fitted.cutoff, fitted.value)
