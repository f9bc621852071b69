"""Score normalisation: bring the scores of several rankings to one scale, query by query."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from ir_coliee.frames import Floats, Integers, one_of
from ir_coliee.transformers.fusion.alignment import (
    AlignedRankings,
    divide_or_default,
    highest_by_query,
    lowest_by_query,
)

#: A method that brings the scores of a ranking to one scale, query by query.
Normalisation: TypeAlias = Literal["minmax", "max", "z", "rank"]
NORMALISATIONS: tuple[Normalisation, ...] = ("minmax", "max", "z", "rank")


def check_normalisation(method: Normalisation | None) -> Normalisation | None:
    """Return ``method``; raise `ValueError` if it is neither None nor one of `NORMALISATIONS`."""
    return one_of("normalise", method, (*NORMALISATIONS, None))


def normalise_scores(aligned: AlignedRankings, method: Normalisation | None) -> Floats:
    """Bring the scores of each ranking and query to one scale.

    Parameters
    ----------
    aligned : AlignedRankings
        Rankings side by side, as `align_rankings` returns them.
    method : {'minmax', 'max', 'z', 'rank'} or None
        With the scores s of the items that a ranking returns for a query:

        * ``minmax``: (s - lowest) / (highest - lowest); 1 if all scores are equal.
        * ``max``: s / highest; highest / s if the highest score is not positive, as in `RatioCutoff`.
        * ``z``: (s - mean) / standard deviation; 0 if all scores are equal.
        * ``rank``: (n - rank) / n for n items with ranks from 0, which is the Borda count [1]_ divided by n.
        * None: the scores are not changed.

    Returns
    -------
    numpy.ndarray of shape (n_pairs, n_rankings)
        NaN where a ranking has no score for the pair.

    Raises
    ------
    ValueError
        If the method is unknown.

    Notes
    -----
    The values for equal scores and for highest scores that are not positive were chosen for this package.

    References
    ----------
    .. [1] J. A. Aslam and M. Montague, Models for metasearch, SIGIR 2001.
    """
    check_normalisation(method)
    columns = [
        _normalise_ranking(aligned.scores[:, column], aligned.ranks[:, column], aligned.queries, method)
        for column in range(aligned.scores.shape[1])
    ]
    return np.stack(columns, axis=1)


def _normalise_ranking(scores: Floats, ranks: Floats, queries: Integers, method: Normalisation | None) -> Floats:
    number = int(queries.max(initial=-1)) + 1
    present = np.isfinite(ranks) if method == "rank" else ~np.isnan(scores)
    s, q = scores[present], queries[present]
    result = np.full(len(scores), np.nan)
    n = np.bincount(q, minlength=number)
    if method is None:
        result[present] = s
        return result
    if method == "rank":
        result[present] = (n[q] - ranks[present]) / n[q]
        return result
    highest, lowest = highest_by_query(s, q, number)[q], lowest_by_query(s, q, number)[q]
    if method == "minmax":
        result[present] = divide_or_default(s - lowest, highest - lowest, 1.0)
    elif method == "max":
        of_positive, of_others = divide_or_default(s, highest, 1.0), divide_or_default(highest, s, 1.0)
        result[present] = np.where(highest > 0, of_positive, of_others)
    else:
        mean = (np.bincount(q, s, number) / n.clip(1))[q]
        variance = (np.bincount(q, (s - mean) ** 2, number) / n.clip(1))[q]
        result[present] = np.where(highest == lowest, 0.0, divide_or_default(s - mean, np.sqrt(variance), 0.0))
    return result


def complete_scores(
    aligned: AlignedRankings, method: Normalisation | None = "minmax", missing: float | None = None
) -> Floats:
    """Normalise scores and fill in missing ones, so that the scores of all rankings can be added.

    Parameters
    ----------
    aligned : AlignedRankings
        Rankings side by side, as `align_rankings` returns them.
    method : {'minmax', 'max', 'z', 'rank'} or None
        See `normalise_scores`.
    missing : float, optional
        The normalised score of a pair for which a ranking has no score. The default is 0 with ``minmax``, ``max`` and
        ``rank``. With ``z`` and None, 0 is not the lowest value, so the default is the lowest score that the ranking
        gives for the query, or 0 if it returns nothing for the query.

    Returns
    -------
    numpy.ndarray of shape (n_pairs, n_rankings)
        The completed scores, without NaN.
    """
    scores = normalise_scores(aligned, method)
    absent = np.isnan(scores)
    if missing is not None or method in ("minmax", "max", "rank"):
        scores[absent] = missing or 0.0
        return scores
    for column, is_absent in zip(scores.T, absent.T):
        lowest = lowest_by_query(column[~is_absent], aligned.queries[~is_absent], aligned.number_of_queries)
        lowest[np.isinf(lowest)] = 0.0  # the ranking returns nothing for the query
        column[is_absent] = lowest[aligned.queries[is_absent]]
    return scores
