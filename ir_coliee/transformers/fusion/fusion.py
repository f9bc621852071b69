"""Several rankings into one: sums, reciprocal ranks, what all accept, what a later one fills in.

Each is a function on frames of results and a transformer around it, whose arguments are the pipelines. What comes
out is in our one order, with qid, docno, score, rank and the columns that all rankings have; those are of the first
ranking that has the item. An item that a ranking has twice counts once, where it stands first. A score that is no
finite number is none. Queries come in the order in which the rankings bring them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError
from ir_coliee.frames import (
    Floats,
    Integers,
    best_first,
    check_ids,
    first_occurrences,
    number_grouped_ids,
    number_ids,
    ranks_from_0,
    sort_results,
)
from ir_coliee.transformers.base import BaseTransformer

#: How the scores of a ranking are brought to one scale, query by query.
Normalisation: TypeAlias = Literal["minmax", "max", "z", "rank"]
NORMALISATIONS: tuple[Normalisation, ...] = ("minmax", "max", "z", "rank")


class Aligned(NamedTuple):
    """Rankings side by side: an item of a query that any of them has is a row.

    ``frame``: all rankings below each other, the columns that all have, but score and rank; ``places``: where each item
    stands in it first. ``queries``: the number of each item's query, counted from 0 in order of appearance. ``docs``:
    the place of its docno among all, sorted. ``scores``: a row for each item, a column for each ranking; NaN where the
    ranking does not have the item, or no finite score for it. ``ranks``: the same, from 0, items without a score last;
    infinity where the ranking does not have the item.
    """

    frame: pd.DataFrame
    places: Integers
    queries: Integers
    docs: Integers
    scores: Floats
    ranks: Floats


def align(rankings: Sequence[pd.DataFrame]) -> Aligned:
    """Bring rankings side by side. Needs the columns qid, docno and score; raises PyTerrier's validation error.

    Raises `ColieeError` for a docno that is missing or not of one kind with the others, `ValueError` for no rankings.
    """
    if not rankings:
        raise ValueError("there is no ranking to fuse")
    ordered = [sort_results(_checked(ranking)) for ranking in rankings]
    common = [column for column in ordered[0].columns if all(column in each.columns for each in ordered[1:])]
    rows = pd.concat([each[common] for each in ordered], ignore_index=True)
    queries, qids = number_grouped_ids(rows["qid"])
    docs, docnos = number_ids(rows["docno"])
    order_of_docs = np.empty(len(docnos), dtype=np.int64)
    try:
        order_of_docs[np.argsort(docnos)] = np.arange(len(docnos))
    except TypeError as error:
        raise ColieeError(f"The docnos cannot be put in order ({error}). Read ids as strings.") from None
    pairs = queries * len(docnos) + docs
    items = pd.factorize(pairs)[0]
    first = first_occurrences(pairs, len(qids) * len(docnos))
    shape = int(first.sum()), len(ordered)
    scores, ranks = np.full(shape, np.nan), np.full(shape, np.inf)
    bounds = np.cumsum([0, *map(len, ordered)])
    for column, (start, end) in enumerate(itertools.pairwise(bounds)):
        # the last of equal places is what stays: so from behind
        own = items[start:end][::-1]
        scores[own, column] = rows["score"].to_numpy(np.float64)[start:end][::-1]
        ranks[own, column] = rows["rank"].to_numpy(np.float64)[start:end][::-1]
    scores[~np.isfinite(scores)] = np.nan
    places = np.flatnonzero(first)
    frame = rows.drop(columns=["score", "rank"])
    return Aligned(frame, places, queries[places], order_of_docs[docs[places]], scores, ranks)


def _checked(ranking: pd.DataFrame) -> pd.DataFrame:
    pt.validate.result_frame(ranking, extra_columns=["score"])
    check_ids(ranking)
    return ranking


def normalised(aligned: Aligned, by: Normalisation | None) -> Floats:
    """The scores of each ranking and query on one scale, NaN where there is none.

    ``minmax``: (s - least) / (best - least), 1 where all are equal. ``max``: s / best; where the best is not positive,
    best / s, as our cut-offs take the share of the best. ``z``: (s - mean) / standard deviation, 0 where all are equal.
    ``rank``: (n - rank) / n with n items and ranks from 0, Borda's count as a share (J. A. Aslam and M. Montague,
    Models for metasearch, SIGIR 2001). None: the scores as they are. What equal scores and best scores that are not
    positive give is ours. Raises `ValueError` for another name.
    """
    if by is not None and by not in NORMALISATIONS:
        raise ValueError(f"no normalisation {by!r}; there are {', '.join(NORMALISATIONS)}, and None")
    columns = [
        _normalised(aligned.scores[:, c], aligned.ranks[:, c], aligned.queries, by)
        for c in range(aligned.scores.shape[1])
    ]
    return np.stack(columns, axis=1)


def _normalised(scores: Floats, ranks: Floats, queries: Integers, by: Normalisation | None) -> Floats:
    """The scores of one ranking."""
    number = int(queries.max(initial=-1)) + 1
    there = np.isfinite(ranks) if by == "rank" else ~np.isnan(scores)
    s, q = scores[there], queries[there]
    result = np.full(len(scores), np.nan)
    n = np.bincount(q, minlength=number)
    if by is None:
        result[there] = s
        return result
    if by == "rank":
        result[there] = (n[q] - ranks[there]) / n[q]
        return result
    best, least = _of_each(np.maximum, s, q, number)[q], _of_each(np.minimum, s, q, number)[q]
    if by == "minmax":
        result[there] = _ratio(s - least, best - least, 1.0)
    elif by == "max":
        result[there] = np.where(best > 0, _ratio(s, best, 1.0), _ratio(best, s, 1.0))
    else:
        mean = (np.bincount(q, s, number) / n.clip(1))[q]
        variance = (np.bincount(q, (s - mean) ** 2, number) / n.clip(1))[q]
        result[there] = np.where(best == least, 0.0, _ratio(s - mean, np.sqrt(variance), 0.0))
    return result


def _of_each(choose: np.ufunc, scores: Floats, queries: Integers, number: int) -> Floats:
    """The best or the least score of each query."""
    chosen = np.full(number, -np.inf if choose is np.maximum else np.inf)
    choose.at(chosen, queries, scores)
    return chosen


def _ratio(numerators: Floats, denominators: Floats, otherwise: float) -> Floats:
    """The ratios, ``otherwise`` where the denominator is 0."""
    whole = np.full_like(numerators, otherwise)
    return np.divide(numerators, denominators, out=whole, where=denominators != 0)


def summands(aligned: Aligned, normalise: Normalisation | None = "minmax", missing: float | None = None) -> Floats:
    """What each ranking (column) gives to the sum of each row, before its weight; as of `weighted_sum`."""
    scores = normalised(aligned, normalise)
    absent = np.isnan(scores)
    if missing is not None or normalise in ("minmax", "max", "rank"):
        scores[absent] = missing or 0.0
        return scores
    number = int(aligned.queries.max(initial=-1)) + 1
    for column, none in zip(scores.T, absent.T):
        least = _of_each(np.minimum, column[~none], aligned.queries[~none], number)
        least[np.isinf(least)] = 0.0  # the ranking has nothing for the query
        column[none] = least[aligned.queries[none]]
    return scores


def weighted_sum(
    rankings: Sequence[pd.DataFrame],
    weights: Sequence[float] | None = None,
    normalise: Normalisation | None = "minmax",
    missing: float | None = None,
) -> pd.DataFrame:
    """The weighted sum of the scores of rankings, on one scale: see `WeightedSum`.

    >>> a = pd.DataFrame({"qid": "1", "docno": ["d1", "d2", "d3"], "score": [9.0, 5.0, 1.0]})
    >>> b = pd.DataFrame({"qid": "1", "docno": ["d2", "d4"], "score": [0.8, 0.2]})
    >>> weighted_sum([a, b], [1.0, 2.0])[["docno", "score"]].values.tolist()
    [['d2', 2.5], ['d1', 1.0], ['d3', 0.0], ['d4', 0.0]]
    """
    aligned = align(rankings)
    return _fused(aligned, summands(aligned, normalise, missing) @ _weights(weights, len(rankings)))


def reciprocal_rank(rankings: Sequence[pd.DataFrame], k: float = 60) -> pd.DataFrame:
    """The sum of 1 / (k + rank) over the rankings that have the item, with ranks from 1: see `ReciprocalRank`.

    >>> a = pd.DataFrame({"qid": "1", "docno": ["d1", "d2"], "score": [9.0, 5.0]})
    >>> reciprocal_rank([a, a], k=1).score.round(4).tolist()
    [1.0, 0.6667]
    """
    _smoothing(k)
    aligned = align(rankings)
    return _fused(aligned, (1 / (k + 1 + aligned.ranks)).sum(axis=1))


def agreement(rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """What all of the answer sets have, by their mean score; where that is nothing, one of them: see `Agreement`.

    >>> a = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["d1", "d2", "d1"], "score": [0.9, 0.6, 0.7]})
    >>> b = pd.DataFrame({"qid": ["1", "2"], "docno": ["d2", "d3"], "score": [0.8, 0.9]})
    >>> agreement([a, b])[["qid", "docno"]].values.tolist()
    [['1', 'd2'], ['2', 'd3']]
    """
    aligned = align(rankings)
    there, rows = np.isfinite(aligned.ranks), np.arange(len(aligned.queries))
    by_all = there.all(axis=1)
    number = int(aligned.queries.max(initial=-1)) + 1
    shares = np.bincount(aligned.queries, by_all, number) > 0
    confidence = np.where(there, np.where(np.isnan(aligned.scores), np.finfo(np.float64).min, aligned.scores), -np.inf)
    best = np.stack([_of_each(np.maximum, column, aligned.queries, number) for column in confidence.T], axis=1)
    chosen = best.argmax(axis=1)[aligned.queries]
    known = ~np.isnan(aligned.scores)
    mean = _ratio(np.where(known, aligned.scores, 0.0).sum(axis=1), known.sum(axis=1).astype(np.float64), np.nan)
    shared = shares[aligned.queries]
    scores = np.where(shared, mean, aligned.scores[rows, chosen])
    return _fused(aligned, scores, np.where(shared, by_all, there[rows, chosen]))


def backfill(rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Each query's items from the first ranking that has any for it: see `Backfill`.

    >>> a = pd.DataFrame({"qid": ["1"], "docno": ["d1"], "score": [9.0]})
    >>> b = pd.DataFrame({"qid": ["1", "2"], "docno": ["d2", "d3"], "score": [0.8, 0.9]})
    >>> backfill([a, b])[["qid", "docno"]].values.tolist()
    [['1', 'd1'], ['2', 'd3']]
    """
    aligned = align(rankings)
    there, rows = np.isfinite(aligned.ranks), np.arange(len(aligned.queries))
    number = int(aligned.queries.max(initial=-1)) + 1
    answers = np.stack([np.bincount(aligned.queries, column, number) > 0 for column in there.T], axis=1)
    chosen = answers.argmax(axis=1)[aligned.queries]
    return _fused(aligned, aligned.scores[rows, chosen], there[rows, chosen], aligned.ranks[rows, chosen])


def _fused(
    aligned: Aligned, scores: Floats, kept: npt.NDArray[np.bool_] | None = None, ranks: Floats | None = None
) -> pd.DataFrame:
    """The items that are kept by their scores; equal ones by ``ranks``, without them by docno."""
    items = np.arange(len(scores)) if kept is None else np.flatnonzero(kept)
    ties = aligned.docs if ranks is None else ranks
    items = items[best_first(aligned.queries[items], scores[items], ties[items])]
    results = aligned.frame.iloc[aligned.places[items]].reset_index(drop=True)
    return results.assign(score=scores[items], rank=ranks_from_0(aligned.queries[items]))


def _weights(weights: Sequence[float] | None, number: int) -> Floats:
    """The weights, by default all 1. Raises `ValueError` for another number of them and for what is not finite."""
    given = np.ones(number) if weights is None else np.asarray(weights, dtype=np.float64)
    if given.shape != (number,) or not np.isfinite(given).all():
        raise ValueError(f"weights={weights!r} are not {number} finite numbers, one for each ranking")
    return given


def _smoothing(k: float) -> float:
    """The k of reciprocal ranks. Raises `ValueError` below 0 and for what is not finite."""
    if not 0 <= k < np.inf:
        raise ValueError(f"k={k!r} is not a number from 0")
    return k


class _Fusion(BaseTransformer):
    """Base of the fusions: the input goes to each of the pipelines, what they return becomes one ranking."""

    def __init__(self, *transformers: pt.Transformer) -> None:
        if not transformers or not all(isinstance(each, pt.Transformer) for each in transformers):
            raise ValueError(f"{type(self).__name__} needs transformers, one or more, as its first arguments")
        self.transformers = transformers

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """One ranking of several."""
        raise NotImplementedError

    @property
    def schematic(self) -> dict[str, str]:
        """How PyTerrier draws the pipelines, side by side."""
        return {**super().schematic, "inner_pipelines_mode": "linked"}

    def transform_inputs(self) -> list[list[str]]:
        """What all of the pipelines need together: each of one way to feed them."""
        ways = [pt.inspect.transformer_inputs(each) for each in self.transformers]
        return [list(dict.fromkeys(itertools.chain.from_iterable(way))) for way in itertools.product(*ways)]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Run the pipelines and fuse what they return. All must return the columns qid, docno and score."""
        try:
            return self.fuse([each.transform(inp) for each in self.transformers])
        except pt.validate.InputValidationError as error:
            raise pt.validate.InputValidationError(f"in {self!r}: {error.args[0]}", error.modes) from error

    def arguments(self) -> dict[str, object]:
        """Return the pipelines and the constructor's keyword arguments."""
        return {"transformers": self.transformers, **super().arguments()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([*map(repr, self.transformers), *self.changed_arguments()])})"


class WeightedSum(_Fusion):
    """Adds up the scores of several pipelines, on one scale and weighted. On frames: `weighted_sum`.

    `ir_coliee.evaluation.weight_search.search_weights` finds weights.

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
        """``weights``: one for each pipeline; None for 1. ``normalise``: see `normalised`. ``missing``: what a ranking
        gives, before its weight, to an item that it does not have a score for. By default 0; with ``z`` and without
        normalisation, where 0 is not the least, its least to an item of the query, 0 where it has none for it.
        """
        super().__init__(*transformers)
        _weights(weights, len(transformers))
        if normalise is not None and normalise not in NORMALISATIONS:
            raise ValueError(f"no normalisation {normalise!r}; there are {', '.join(NORMALISATIONS)}, and None")
        if missing is not None and not np.isfinite(missing):
            raise ValueError(f"missing={missing!r} is not a finite number")
        self.weights = weights
        self.normalise = normalise
        self.missing = missing

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """_Fusion.fuse"""
        return weighted_sum(rankings, self.weights, self.normalise, self.missing)


class ReciprocalRank(_Fusion):
    """Adds up 1 / (k + rank), with ranks from 1, over the pipelines that return an item. On frames: `reciprocal_rank`.

    Source: G. V. Cormack, C. L. A. Clarke and S. Büttcher, Reciprocal rank fusion outperforms Condorcet and individual
    rank learning methods, SIGIR 2009. (pyterrier-alpha's counts ranks from 0 and keeps 1000 items.)

    >>> a = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d1", "d2"], "score": [9.0, 5.0]}))
    >>> b = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d2"], "score": [0.8]}))
    >>> ReciprocalRank(a, b)(pd.DataFrame({"qid": ["1"]})).docno.tolist()
    ['d2', 'd1']
    """

    LABEL = "Reciprocal rank"

    def __init__(self, *transformers: pt.Transformer, k: float = 60) -> None:
        """``k``: from 0."""
        super().__init__(*transformers)
        self.k = _smoothing(k)

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """_Fusion.fuse"""
        return reciprocal_rank(rankings, self.k)


class Agreement(_Fusion):
    """Keeps what all pipelines return; where they share nothing, what the most confident one does.

    The pipelines end with a cut-off: what they return is what they accept. The most confident one for a query is that
    with the highest score, of equal ones the first; so the scores must be of one scale, probabilities say. The
    items that all return get the mean of their scores, which is ours. The rule is UONLP's at COLIEE 2023, for two
    classifiers. On frames: `agreement`.

    >>> a = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d1", "d2"], "score": [0.9, 0.6]}))
    >>> b = pt.Transformer.from_df(pd.DataFrame({"qid": "1", "docno": ["d2"], "score": [0.8]}))
    >>> Agreement(a, b)(pd.DataFrame({"qid": ["1"]})).docno.tolist()
    ['d2']
    """

    LABEL = "Agreement"

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """_Fusion.fuse"""
        return agreement(rankings)


class Backfill(_Fusion):
    """Takes each query's items from the first pipeline that returns any: a later one only fills what is unanswered.

    The rule is CAPTAIN's in task 3 of COLIEE 2023. On frames: `backfill`.

    >>> a = pt.Transformer.from_df(pd.DataFrame({"qid": ["1"], "docno": ["d1"], "score": [9.0]}))
    >>> b = pt.Transformer.from_df(pd.DataFrame({"qid": ["1", "2"], "docno": ["d2", "d3"], "score": [0.8, 0.9]}))
    >>> Backfill(a, b)(pd.DataFrame({"qid": ["1", "2"]})).docno.tolist()
    ['d1', 'd3']
    """

    LABEL = "Backfill"

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """_Fusion.fuse"""
        return backfill(rankings)
