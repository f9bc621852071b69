"""Fusion of answer sets: the items that all systems accept, or the answers of the first system with any answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ir_coliee.transformers.fusion.alignment import (
    align_rankings,
    divide_or_default,
    fused_ranking,
    highest_by_query,
)
from ir_coliee.transformers.fusion.base import Fusion


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
    highest = np.stack([highest_by_query(column, aligned.queries, number) for column in confidences.T], axis=1)
    most_confident = highest.argmax(axis=1)[aligned.queries]
    sums, counts = np.where(known, aligned.scores, 0.0).sum(axis=1), known.sum(axis=1).astype(np.float64)
    means = divide_or_default(sums, counts, np.nan)
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
    FUNCTION = "agreement"

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
    FUNCTION = "backfill"

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Take each query's items from the first ranking that has any; see `backfill`."""
        return backfill(rankings)
