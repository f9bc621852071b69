"""Frames of results, made from rankings or from new scores of results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.engine.scoring import Ranking
from ir_coliee.errors import ColieeError
from ir_coliee.frames import Floats, Integers, sort_results


def ranked_results(
    queries: pd.DataFrame, item_ids: npt.NDArray[np.object_], rankings: Sequence[Ranking]
) -> pd.DataFrame:
    """Return the results of queries.

    Parameters
    ----------
    queries : pandas.DataFrame
        Its columns are repeated for each result, except score and rank.
    item_ids : numpy.ndarray of str
        The ids of the items that the rankings number.
    rankings : sequence of Ranking
        The ranking of each query.
    """
    sizes = np.array([len(ranking.documents) for ranking in rankings], dtype=np.int64)
    scores = _concatenate((ranking.scores for ranking in rankings), np.float64)
    _check_finite(scores)
    # texts stay objects that the rows share: a string column would duplicate a decision into every row
    columns = {
        name: pd.Series(queries[name].to_numpy(dtype=object).repeat(sizes), dtype=object)
        for name in queries.columns
        if name not in ("score", "rank")
    }
    results: pd.DataFrame = pd.DataFrame(
        {
            **columns,
            "docno": item_ids[_concatenate((ranking.documents for ranking in rankings), np.int64)],
            "score": scores,
            "rank": _concatenate(map(np.arange, sizes), np.int64),
        },
        copy=False,  # the arrays are used by this frame only
    )
    return results


def rescore(results: pd.DataFrame, scores_of_pools: Callable[[Sequence[Integers]], Iterable[Floats]]) -> pd.DataFrame:
    """Return results with new scores, sorted by them.

    Parameters
    ----------
    results : pandas.DataFrame
        Has ``qid`` and ``docno``.
    scores_of_pools : callable
        Takes the row numbers of each query's results, and yields their scores.
    """
    scores = np.zeros(len(results))
    indices = results.groupby("qid", sort=False, observed=True).indices
    if pools := [np.asarray(rows, dtype=np.int64) for rows in indices.values()]:
        for rows, pool_scores in zip(pools, scores_of_pools(pools)):
            scores[rows] = pool_scores
    _check_finite(scores)
    return sort_results(results.drop(columns="rank", errors="ignore").assign(score=scores))


def _check_finite(scores: Floats) -> None:
    if not np.isfinite(scores).all():
        raise ColieeError("A score is not a finite number. Check the parameters of the weighting for extreme values.")


def _concatenate(arrays: Iterable[npt.NDArray[np.generic]], dtype: type) -> npt.NDArray[Any]:
    return np.concatenate([np.empty(0, dtype=dtype), *arrays]).astype(dtype, copy=False)
