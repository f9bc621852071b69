"""Transformers that combine several rankings into one, and the same as functions of frames of results.

`WeightedSum`, `ReciprocalRank`, `Agreement` and `Backfill` fuse the rankings of pipelines. The functions
`weighted_sum`, `reciprocal_rank`, `agreement` and `backfill` do the same for frames of results.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee import frames
from ir_coliee.frames import Floats, Integers, check_ids, check_number, sort_results
from ir_coliee.transformers.base import BaseTransformer, check_ranking_or_set, common_inputs


class AlignedRankings(NamedTuple):
    """Several rankings side by side, with a row for each pair of query and item that any of them returns.

    Attributes
    ----------
    frame : pandas.DataFrame
        The concatenated rows of all rankings, with their common columns except score and rank.
    first_rows : numpy.ndarray of shape (n_pairs,)
        The position in ``frame`` at which each pair first occurs.
    queries : numpy.ndarray of shape (n_pairs,)
        The index of each pair's query. Queries are numbered from 0 in order of appearance.
    docs : numpy.ndarray of shape (n_pairs,)
        The index of each pair's docno in the sorted list of all docnos.
    scores : numpy.ndarray of shape (n_pairs, n_rankings)
        The score of each pair in each ranking; NaN where the ranking has no finite score for it.
    ranks : numpy.ndarray of shape (n_pairs, n_rankings)
        The rank of each pair in each ranking, counted from 0. Items without a score have the last ranks. The value is
        infinity if the ranking does not return the pair.
    """

    frame: pd.DataFrame
    first_rows: Integers
    queries: Integers
    docs: Integers
    scores: Floats
    ranks: Floats

    @property
    def number_of_queries(self) -> int:
        """The number of different queries."""
        return int(self.queries.max(initial=-1)) + 1


def align_rankings(rankings: Sequence[pd.DataFrame]) -> AlignedRankings:
    """Arrange rankings side by side.

    Parameters
    ----------
    rankings : sequence of pandas.DataFrame
        Results with the columns qid, docno and score, and optionally rank, which orders equal scores. The scores of a
        set, which has none, fall by 1 from rank to rank. If a ranking contains an item twice, only the better rank is
        used.

    Returns
    -------
    AlignedRankings

    Raises
    ------
    ValueError
        If there is no ranking.
    ColieeError
        If an id is missing or is not a string.
    pyterrier.validate.InputValidationError
        If a ranking lacks a column.
    """
    if len(rankings) == 0:
        raise ValueError("rankings must contain at least one ranking, got none.")
    ordered = [sort_results(frames.with_scores(_validated(ranking))) for ranking in rankings]
    common = [column for column in ordered[0].columns if all(column in each.columns for each in ordered[1:])]
    rows = pd.concat([each[common] for each in ordered], ignore_index=True)
    queries, qids = frames.number_grouped_ids(rows["qid"])
    docs, docnos = frames.number_ids(rows["docno"])
    order_of_docs = np.empty(len(docnos), dtype=np.int64)
    order_of_docs[np.argsort(docnos)] = np.arange(len(docnos))
    pairs = queries * len(docnos) + docs
    pair_numbers = pd.factorize(pairs)[0]
    is_first = frames.first_occurrences(pairs, len(qids) * len(docnos))
    shape = int(is_first.sum()), len(ordered)
    scores, ranks = np.full(shape, np.nan), np.full(shape, np.inf)
    bounds = np.cumsum([0, *map(len, ordered)])
    for column, (start, end) in enumerate(itertools.pairwise(bounds)):
        # of repeated positions numpy stores the last value, which in reverse order is the better rank
        rows_of_ranking = pair_numbers[start:end][::-1]
        scores[rows_of_ranking, column] = rows["score"].to_numpy(np.float64)[start:end][::-1]
        ranks[rows_of_ranking, column] = rows["rank"].to_numpy(np.float64)[start:end][::-1]
    scores[~np.isfinite(scores)] = np.nan
    first_rows = np.flatnonzero(is_first)
    frame = rows.drop(columns=["score", "rank"])
    return AlignedRankings(frame, first_rows, queries[first_rows], order_of_docs[docs[first_rows]], scores, ranks)


def _validated(ranking: pd.DataFrame) -> pd.DataFrame:
    frames.check_is_frame("each ranking", ranking, "qid, docno and score")
    check_ranking_or_set(ranking, None)
    check_ids(ranking)
    return ranking


def fused_ranking(
    aligned: AlignedRankings,
    scores: Floats,
    *,
    selected: npt.NDArray[np.bool_] | None = None,
    ranks: Floats | None = None,
) -> pd.DataFrame:
    """Turn fused scores into one ranking.

    Parameters
    ----------
    aligned : AlignedRankings
        The rankings that were fused.
    scores : numpy.ndarray of shape (n_pairs,)
        The fused scores.
    selected : numpy.ndarray of bool, optional
        The pairs that are returned. None for all.
    ranks : numpy.ndarray of shape (n_pairs,), optional
        Ranks that break ties between equal scores. By default, ties are broken by docno in ascending order.

    Returns
    -------
    pandas.DataFrame
        The columns that all rankings have, with the new score and rank. Other values come from the first ranking that
        contains the pair. Queries are in order of their first appearance in the rankings.
    """
    pairs = np.arange(len(scores)) if selected is None else np.flatnonzero(selected)
    ties = aligned.docs if ranks is None else ranks
    pairs = pairs[frames.best_first(aligned.queries[pairs], scores[pairs], ties[pairs])]
    results = aligned.frame.iloc[aligned.first_rows[pairs]].reset_index(drop=True)
    return results.assign(score=scores[pairs], rank=frames.ranks_from_0(aligned.queries[pairs]))


def _highest_by_query(values: Floats, queries: Integers, number_of_queries: int) -> Floats:
    """Return the highest value of each query, -inf for a query without values."""
    highest = np.full(number_of_queries, -np.inf)
    np.maximum.at(highest, queries, values)
    return highest


def _divide(numerators: Floats, denominators: Floats, default: float) -> Floats:
    """Divide elementwise, with ``default`` where the denominator is 0."""
    ratios = np.full_like(numerators, default)
    return np.divide(numerators, denominators, out=ratios, where=denominators != 0)


#: A method that brings the scores of a ranking to one scale, query by query.
Normalisation: TypeAlias = Literal["minmax", "max", "z", "rank"]
NORMALISATIONS: tuple[Normalisation, ...] = ("minmax", "max", "z", "rank")


def complete_scores(
    aligned: AlignedRankings, method: Normalisation | None = "minmax", missing: float | None = None
) -> Floats:
    """Bring the scores of each ranking and query to one scale and fill in missing ones, so that they can be added.

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
    missing : float, optional
        The normalised score of a pair for which a ranking has no score. The default is 0 with ``minmax``, ``max`` and
        ``rank``. With ``z`` and None, 0 is not the lowest value, so the default is the lowest score that the ranking
        gives for the query, or 0 if it returns nothing for the query.

    Returns
    -------
    numpy.ndarray of shape (n_pairs, n_rankings)
        The completed scores, without NaN.

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
    frames.one_of("normalise", method, (*NORMALISATIONS, None))
    queries, number = aligned.queries, aligned.number_of_queries
    completed = np.empty_like(aligned.scores)
    for column, (scores, ranks) in enumerate(zip(aligned.scores.T, aligned.ranks.T)):
        present = np.isfinite(ranks) if method == "rank" else ~np.isnan(scores)
        s, q = scores[present], queries[present]
        normalised = _normalised(s, ranks[present], q, number, method)
        if missing is not None or method in ("minmax", "max", "rank"):
            completed[:, column] = missing or 0.0
        else:
            lowest = -_highest_by_query(-normalised, q, number)
            lowest[np.isinf(lowest)] = 0.0  # the ranking returns nothing for the query
            completed[:, column] = lowest[queries]
        completed[present, column] = normalised
    return completed


def _normalised(s: Floats, ranks: Floats, q: Integers, number: int, method: Normalisation | None) -> Floats:
    """Normalise the scores of the items of a ranking, of which ``q`` are the queries."""
    if method is None:
        return s
    n = np.bincount(q, minlength=number)
    if method == "rank":
        return (n[q] - ranks) / n[q]
    highest, lowest = _highest_by_query(s, q, number)[q], -_highest_by_query(-s, q, number)[q]
    if method == "minmax":
        return _divide(s - lowest, highest - lowest, 1.0)
    if method == "max":
        return np.where(highest > 0, _divide(s, highest, 1.0), _divide(highest, s, 1.0))
    mean = (np.bincount(q, s, number) / n.clip(1))[q]
    variance = (np.bincount(q, (s - mean) ** 2, number) / n.clip(1))[q]
    return np.where(highest == lowest, 0.0, _divide(s - mean, np.sqrt(variance), 0.0))


class Fusion(BaseTransformer):
    """Base class of fusion transformers: run several pipelines on the same input and fuse their results.

    A subclass defines `fuse`. The result has the common columns of all rankings. Values other than score and rank come
    from the first ranking that contains the item. If a ranking contains an item twice, only the better rank is used. A
    score that is not finite is treated as missing. Queries are in order of their first appearance in the rankings.

    Parameters
    ----------
    *transformers : pyterrier.Transformer
        The pipelines, at least one.

    """

    def __init__(self, *transformers: pt.Transformer) -> None:
        if not transformers:
            raise ValueError(f"{type(self).__name__} needs at least one transformer, got none.")
        for each in transformers:
            frames.instance_of(
                "each positional argument", each, pt.Transformer, "a transformer (functions fuse data frames)"
            )
        self.transformers = transformers

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Fuse rankings, one from each pipeline, into one."""
        raise NotImplementedError

    @property
    def schematic(self) -> dict[str, Any]:
        """How PyTerrier draws the transformer: the pipelines side by side."""
        return {**super().schematic, "inner_pipelines_mode": "linked"}

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns that all pipelines together need, one list for each different combination."""
        return common_inputs(self.transformers)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Run the pipelines and fuse their results. Each pipeline must return the columns qid, docno and score."""
        try:
            return self.fuse([each.transform(inp) for each in self.transformers])
        except pt.validate.InputValidationError as error:
            raise pt.validate.InputValidationError(f"in {self!r}: {error.args[0]}", error.modes) from error

    def arguments(self) -> dict[str, object]:
        """Return the pipelines and the constructor's keyword arguments."""
        return {"transformers": self.transformers, **super().arguments()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([*map(repr, self.transformers), *self.shown_arguments()])})"


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
        See `ir_coliee.transformers.fusion.complete_scores`.
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
        raise ValueError(f"weights must be {number} finite numbers, one for each ranking, got {weights!r}.") from None
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
        See `ir_coliee.transformers.fusion.complete_scores`.
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
        self.normalise = frames.one_of("normalise", normalise, (*NORMALISATIONS, None))
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

    def __init__(self, *transformers: pt.Transformer, k: float = 60) -> None:
        super().__init__(*transformers)
        self.k = _check_smoothing(k)

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Add up the reciprocal ranks of the rankings; see `reciprocal_rank`."""
        return reciprocal_rank(rankings, self.k)


def agreement(rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Keep the items that all answer sets contain, or the most confident answer set if they share none.

    Parameters
    ----------
    rankings : sequence of pandas.DataFrame
        Answer sets: results after a cut-off, with the columns qid, docno and score. Scores must be on one scale, for
        example probabilities.

    Returns
    -------
    pandas.DataFrame
        For each query, the shared items with the mean of their scores. If a query has no shared items, the items of the
        answer set with the highest score are returned; if several have the same highest score, those of the first.

    Raises
    ------
    ValueError
        If there is no ranking.

    See Also
    --------
    Agreement : The same as a transformer.

    Examples
    --------
    >>> a = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["d1", "d2", "d1"], "score": [0.9, 0.6, 0.7]})
    >>> b = pd.DataFrame({"qid": ["1", "2"], "docno": ["d2", "d3"], "score": [0.8, 0.9]})
    >>> agreement([a, b])[["qid", "docno"]].values.tolist()
    [['1', 'd2'], ['2', 'd3']]
    """
    aligned = align_rankings(rankings)
    number, rows = aligned.number_of_queries, np.arange(len(aligned.queries))
    present, known = np.isfinite(aligned.ranks), ~np.isnan(aligned.scores)
    in_all = present.all(axis=1)
    has_shared = (np.bincount(aligned.queries, in_all, number) > 0)[aligned.queries]
    confidences = np.where(present, np.where(known, aligned.scores, np.finfo(np.float64).min), -np.inf)
    highest = np.stack([_highest_by_query(column, aligned.queries, number) for column in confidences.T], axis=1)
    most_confident = highest.argmax(axis=1)[aligned.queries]
    sums, counts = np.where(known, aligned.scores, 0.0).sum(axis=1), known.sum(axis=1).astype(np.float64)
    means = _divide(sums, counts, np.nan)
    scores = np.where(has_shared, means, aligned.scores[rows, most_confident])
    selected = np.where(has_shared, in_all, present[rows, most_confident])
    return fused_ranking(aligned, scores, selected=selected)


def backfill(rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Take each query's items from the first ranking that returns any for it.

    Parameters
    ----------
    rankings : sequence of pandas.DataFrame
        Results with the columns qid, docno and score, in order of preference.

    Returns
    -------
    pandas.DataFrame
        The results of each query, with the scores of the ranking that they come from.

    Raises
    ------
    ValueError
        If there is no ranking.

    See Also
    --------
    Backfill : The same as a transformer.

    Examples
    --------
    >>> a = pd.DataFrame({"qid": ["1"], "docno": ["d1"], "score": [9.0]})
    >>> b = pd.DataFrame({"qid": ["1", "2"], "docno": ["d2", "d3"], "score": [0.8, 0.9]})
    >>> backfill([a, b])[["qid", "docno"]].values.tolist()
    [['1', 'd1'], ['2', 'd3']]
    """
    aligned = align_rankings(rankings)
    present, rows = np.isfinite(aligned.ranks), np.arange(len(aligned.queries))
    number = aligned.number_of_queries
    answers = np.stack([np.bincount(aligned.queries, column, number) > 0 for column in present.T], axis=1)
    chosen = answers.argmax(axis=1)[aligned.queries]
    return fused_ranking(
        aligned, aligned.scores[rows, chosen], selected=present[rows, chosen], ranks=aligned.ranks[rows, chosen]
    )


class Agreement(Fusion):
    """Keep the items that all pipelines return, or those of the most confident pipeline if they share none.

    Each pipeline should end with a cut-off, so that it returns the items that it accepts. The most confident pipeline
    for a query is the one with the highest score, or the first of several with the same score, so scores must be on one
    scale, for example probabilities. Shared items get the mean of their scores. UONLP used this rule for two
    classifiers at COLIEE 2023; the mean was chosen for this package.

    Parameters
    ----------
    *transformers : pyterrier.Transformer
        The pipelines, at least one.

    See Also
    --------
    agreement : The same for frames of results.

    Examples
    --------
    >>> import pyterrier as pt
    >>> a = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d1", "d2"], "score": [0.9, 0.6]}))
    >>> b = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d2"], "score": [0.8]}))
    >>> Agreement(a, b)(pd.DataFrame({"qid": ["1"]})).docno.tolist()
    ['d2']
    """

    LABEL = "Agreement"

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Keep the items that all rankings contain; see `agreement`."""
        return agreement(rankings)


class Backfill(Fusion):
    """Take each query's items from the first pipeline that returns any for it.

    Later pipelines answer only the queries that the earlier ones leave unanswered. CAPTAIN used this rule in task 3 of
    COLIEE 2023.

    Parameters
    ----------
    *transformers : pyterrier.Transformer
        The pipelines, in order of preference.

    See Also
    --------
    backfill : The same for frames of results.

    Examples
    --------
    >>> import pyterrier as pt
    >>> a = pt.Transformer.from_df(pd.DataFrame({"qid": ["1"], "docno": ["d1"], "score": [9.0]}))
    >>> b = pt.Transformer.from_df(pd.DataFrame({"qid": ["1", "2"], "docno": ["d2", "d3"], "score": [0.8, 0.9]}))
    >>> Backfill(a, b)(pd.DataFrame({"qid": ["1", "2"]})).docno.tolist()
    ['d1', 'd3']
    """

    LABEL = "Backfill"

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Take each query's items from the first ranking that has any; see `backfill`."""
        return backfill(rankings)
