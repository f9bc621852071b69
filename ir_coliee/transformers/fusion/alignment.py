"""Arrange several rankings side by side, and turn fused scores back into one ranking."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.frames import (
    Floats,
    Integers,
    best_first,
    check_ids,
    check_is_frame,
    first_occurrences,
    number_grouped_ids,
    number_ids,
    ranks_from_0,
    sort_results,
)


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
        Results with the columns qid, docno and score, and optionally rank, which orders equal scores. If a ranking
        contains an item twice, only the better rank is used.

    Returns
    -------
    AlignedRankings

    Raises
    ------
    TypeError
        If the rankings are not a list or tuple.
    ValueError
        If there is no ranking.
    ColieeError
        If an id is missing or is not a string.
    pyterrier.validate.InputValidationError
        If a ranking lacks a column.
    """
    if not isinstance(rankings, Sequence) or isinstance(rankings, str):
        kind = type(rankings).__name__
        raise TypeError(f"rankings must be a list of data frames, such as [a, b], got a value of type {kind}.")
    if not rankings:
        raise ValueError("rankings must contain at least one ranking, got none.")
    ordered = [sort_results(_validated(ranking)) for ranking in rankings]
    common = [column for column in ordered[0].columns if all(column in each.columns for each in ordered[1:])]
    rows = pd.concat([each[common] for each in ordered], ignore_index=True)
    queries, qids = number_grouped_ids(rows["qid"])
    docs, docnos = number_ids(rows["docno"])
    order_of_docs = np.empty(len(docnos), dtype=np.int64)
    order_of_docs[np.argsort(docnos)] = np.arange(len(docnos))
    pairs = queries * len(docnos) + docs
    pair_numbers = pd.factorize(pairs)[0]
    is_first = first_occurrences(pairs, len(qids) * len(docnos))
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
    check_is_frame("each ranking", ranking, "qid, docno and score")
    pt.validate.result_frame(ranking, extra_columns=["score"])
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
    pairs = pairs[best_first(aligned.queries[pairs], scores[pairs], ties[pairs])]
    results = aligned.frame.iloc[aligned.first_rows[pairs]].reset_index(drop=True)
    frame: pd.DataFrame = results.assign(score=scores[pairs], rank=ranks_from_0(aligned.queries[pairs]))
    return frame


def highest_by_query(values: Floats, queries: Integers, number_of_queries: int) -> Floats:
    """Return the highest value of each query, -inf for a query without values."""
    highest = np.full(number_of_queries, -np.inf)
    np.maximum.at(highest, queries, values)
    return highest


def lowest_by_query(values: Floats, queries: Integers, number_of_queries: int) -> Floats:
    """Return the lowest value of each query, infinity for a query without values."""
    lowest = np.full(number_of_queries, np.inf)
    np.minimum.at(lowest, queries, values)
    return lowest


def divide_or_default(numerators: Floats, denominators: Floats, default: float) -> Floats:
    """Divide elementwise, with ``default`` where the denominator is 0."""
    ratios = np.full_like(numerators, default)
    return np.divide(numerators, denominators, out=ratios, where=denominators != 0)
