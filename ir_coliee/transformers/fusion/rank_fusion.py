"""Rank fusion: add up the scores, or the reciprocal ranks, of several rankings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.frames import Floats, check_number
from ir_coliee.transformers.fusion.alignment import align_rankings, fused_ranking
from ir_coliee.transformers.fusion.base import Fusion
from ir_coliee.transformers.fusion.normalisation import Normalisation, check_normalisation, complete_scores


def weighted_sum(
    rankings: Sequence[pd.DataFrame],
    weights: Sequence[float] | None = None,
    normalise: Normalisation | None = "minmax",
    missing: float | None = None,
) -> pd.DataFrame:
    """Add up the weighted scores of rankings on one scale (CombSUM).

    Parameters
    ----------
    rankings : sequence of pandas.DataFrame
        Results with the columns qid, docno and score.
    weights : sequence of float, optional
        One finite weight for each ranking. By default, all weights are 1.
    normalise : {'minmax', 'max', 'z', 'rank'} or None
        See `ir_coliee.transformers.fusion.normalise_scores`.
    missing : float, optional
        The normalised score, before its weight, of an item for which a ranking has no score. The default is 0; with
        ``z`` and None it is the lowest score that the ranking gives for the query, or 0 if it returns nothing for the
        query.

    Returns
    -------
    pandas.DataFrame
        All items that any ranking returns, in descending order of the sum. Equal sums are sorted by docno.

    Raises
    ------
    ValueError
        If there is no ranking, or if the weights or the normalisation are invalid.

    See Also
    --------
    WeightedSum : The same as a transformer.
    ir_coliee.evaluation.fusion.search_weights : Search for the best weights.

    Examples
    --------
    >>> a = pd.DataFrame({"qid": "1", "docno": ["d1", "d2", "d3"], "score": [9.0, 5.0, 1.0]})
    >>> b = pd.DataFrame({"qid": "1", "docno": ["d2", "d4"], "score": [0.8, 0.2]})
    >>> weighted_sum([a, b], [1.0, 2.0])[["docno", "score"]].values.tolist()
    [['d2', 2.5], ['d1', 1.0], ['d3', 0.0], ['d4', 0.0]]
    """
    aligned = align_rankings(rankings)
    return fused_ranking(aligned, complete_scores(aligned, normalise, missing) @ check_weights(weights, len(rankings)))


def reciprocal_rank(rankings: Sequence[pd.DataFrame], k: float = 60) -> pd.DataFrame:
    """Fuse rankings by reciprocal rank fusion: add up 1 / (k + rank), with ranks from 1.

    Parameters
    ----------
    rankings : sequence of pandas.DataFrame
        Results with the columns qid, docno and score.
    k : float
        The smoothing constant, >= 0.

    Returns
    -------
    pandas.DataFrame
        All items that any ranking returns, in descending order of the sum. Equal sums are sorted by docno. A ranking
        that does not return an item adds 0.

    Raises
    ------
    ValueError
        If there is no ranking, or if ``k`` is out of range.

    See Also
    --------
    ReciprocalRank : The same as a transformer.

    References
    ----------
    .. [1] G. V. Cormack, C. L. A. Clarke and S. Büttcher, Reciprocal rank fusion outperforms Condorcet and individual
       rank learning methods, SIGIR 2009.

    Examples
    --------
    >>> a = pd.DataFrame({"qid": "1", "docno": ["d1", "d2"], "score": [9.0, 5.0]})
    >>> reciprocal_rank([a, a], k=1).score.round(4).tolist()
    [1.0, 0.6667]
    """
    _check_smoothing(k)
    aligned = align_rankings(rankings)
    return fused_ranking(aligned, (1 / (k + 1 + aligned.ranks)).sum(axis=1))


def check_weights(weights: Sequence[float] | None, number: int) -> Floats:
    """Return the weights of some rankings, or ones for None. Raises `ValueError` if they are not usable.

    One weight must be positive, because otherwise the items that no ranking returns high would be the best. Scores are
    written as 32-bit numbers, which limits the sum.
    """
    try:
        values = np.ones(number) if weights is None else np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.full(number, np.nan)
    if values.shape != (number,) or not np.isfinite(values).all():
        raise ValueError(f"weights must be {number} finite numbers, one for each ranking, got {weights!r}.")
    if not (values > 0).any():
        raise ValueError(f"weights must contain a number > 0, got {weights!r}.")
    if (np.abs(values) > np.finfo(np.float32).max / number).any():
        raise ValueError(f"weights must have a sum that is a 32-bit number, got {weights!r}.")
    return values


def _check_smoothing(k: float) -> float:
    return check_number("k", k, "a finite number >= 0", lambda number: 0 <= number < np.inf)


class WeightedSum(Fusion):
    """Add up the weighted scores of several pipelines on one scale (CombSUM).

    Parameters
    ----------
    *transformers : pyterrier.Transformer
        The pipelines, at least one.
    weights : sequence of float, optional
        One finite weight for each pipeline. By default, all weights are 1.
    normalise : {'minmax', 'max', 'z', 'rank'} or None
        See `ir_coliee.transformers.fusion.normalise_scores`.
    missing : float, optional
        The normalised score, before its weight, of an item for which a ranking has no score. The default is 0; with
        ``z`` and None it is the lowest score that the ranking gives for the query, or 0 if it returns nothing for the
        query.

    See Also
    --------
    weighted_sum : The same for frames of results.
    ir_coliee.evaluation.fusion.search_weights : Search for the best weights.

    Examples
    --------
    >>> a = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d1", "d2"], "score": [9.0, 5.0]}))
    >>> b = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d2"], "score": [0.8]}))
    >>> WeightedSum(a, b, weights=(1.0, 2.0))(pd.DataFrame({"qid": ["1"]})).docno.tolist()
    ['d2', 'd1']
    """

    LABEL = "Weighted sum"
    FUNCTION = "weighted_sum"

    def __init__(
        self,
        *transformers: pt.Transformer,
        weights: Sequence[float] | None = None,
        normalise: Normalisation | None = "minmax",
        missing: float | None = None,
    ) -> None:
        super().__init__(*transformers)
        check_weights(weights, len(transformers))
        if missing is not None:
            check_number("missing", missing, "a finite number or None")
        self.weights = weights
        self.normalise = check_normalisation(normalise)
        self.missing = missing

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Add up the scores of the rankings; see `weighted_sum`."""
        return weighted_sum(rankings, self.weights, self.normalise, self.missing)


class ReciprocalRank(Fusion):
    """Fuse the rankings of several pipelines by reciprocal rank fusion: add up 1 / (k + rank), with ranks from 1.

    Unlike pyterrier-alpha's ``RRFusion``, ranks are counted from 1 and all items are returned.

    Parameters
    ----------
    *transformers : pyterrier.Transformer
        The pipelines, at least one.
    k : float
        The smoothing constant, >= 0.

    See Also
    --------
    reciprocal_rank : The same for frames of results.

    References
    ----------
    .. [1] G. V. Cormack, C. L. A. Clarke and S. Büttcher, Reciprocal rank fusion outperforms Condorcet and individual
       rank learning methods, SIGIR 2009.

    Examples
    --------
    >>> a = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d1", "d2"], "score": [9.0, 5.0]}))
    >>> b = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d2"], "score": [0.8]}))
    >>> ReciprocalRank(a, b)(pd.DataFrame({"qid": ["1"]})).docno.tolist()
    ['d2', 'd1']
    """

    LABEL = "Reciprocal rank"
    FUNCTION = "reciprocal_rank"

    def __init__(self, *transformers: pt.Transformer, k: float = 60) -> None:
        super().__init__(*transformers)
        self.k = _check_smoothing(k)

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Add up the reciprocal ranks of the rankings; see `reciprocal_rank`."""
        return reciprocal_rank(rankings, self.k)
