"""Features of the scores of candidates: within the query, and across the queries that have the candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.arguments import integer_at_least
from ir_coliee.arrays import Floats, Integers
from ir_coliee.engine.group_statistics import GroupStatistics, fill_missing_scores, ratio_to_best
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import number_ids
from ir_coliee.transformers.features.base import FeatureTransformer


def _check_columns(names: Sequence[str]) -> list[str]:
    if isinstance(names, str) or not names:
        raise ValueError(f"scores must be a list of column names, at least one, got {names!r}.")
    return list(names)


def _score_values(results: pd.DataFrame, column: str, queries: Integers) -> Floats:
    try:
        scores = pd.to_numeric(results[column]).to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The column {printable(column)} must be numbers. {error}") from None
    return fill_missing_scores(np.where(np.isinf(scores), np.nan, scores), queries)


class ScoreFeatures(FeatureTransformer):
    """Compute features of each candidate's scores within its query: R to R.

    For each column of scores these are the score, its ratio to the query's best (see
    `ir_coliee.engine.group_statistics.ratio_to_best`), its rank (the number of the query's candidates with a higher
    score), and the gap to the k-th best (the score minus the query's k-th best score, or its lowest one where there are
    fewer candidates). A score that is missing or infinite counts as the query's lowest. A query's candidates are those
    in the frame.

    Parameters
    ----------
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.
    gap : int
        The k of the gap, from 1. The recipe that the package's baselines follow has 6 for task 1 and 2 for task 3.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "1", "docno": ["a", "b"], "bm25": [8.0, 2.0]})
    >>> ScoreFeatures(["bm25"])(run).features.tolist()
    [array([8., 1., 0., 6.]), array([2.  , 0.25, 1.  , 0.  ])]
    """

    LABEL = "Score features"

    def __init__(self, scores: Sequence[str] = ("score",), gap: int = 6) -> None:
        self.scores = _check_columns(scores)
        self.gap = integer_at_least("gap", gap, 1)

    @property
    def feature_names(self) -> list[str]:
        """The name of each column, alone and with ``_ratio``, ``_rank`` and ``_gap``."""
        return [f"{name}{kind}" for name in self.scores for kind in ("", "_ratio", "_rank", "_gap")]

    def columns(self) -> list[str]:
        """Return the columns of scores."""
        return self.scores

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features, four for each column."""
        queries = number_ids(results["qid"])[0]

        def feature_columns() -> Iterator[npt.NDArray[np.generic]]:
            for column in self.scores:
                scores = _score_values(results, column, queries)
                groups = GroupStatistics(queries, scores)
                yield from (scores, ratio_to_best(scores, groups.best(1)), groups.ranks, scores - groups.best(self.gap))

        return np.column_stack([*feature_columns()]).astype(np.float64)


class CrossQueryFeatures(FeatureTransformer):
    """Compute features that compare the queries of the frame that have the same candidate: R to R.

    The first feature is the number of queries that have the candidate. For each column of scores follow the rank of
    this query among them (how many score higher), its ratio to the candidate's best score, the candidate's mean score,
    and the candidate's second best score (0 where only one query has it). A score that is missing or infinite counts as
    the query's lowest. Where a decision is noticed by few queries only, a candidate that is similar to every query is
    rarely relevant to any.

    Only queries in the frame are compared: pass the candidates of all queries of a split at once, not in batches.

    Parameters
    ----------
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": ["1", "2"], "docno": "a", "bm25": [8.0, 2.0]})
    >>> CrossQueryFeatures(["bm25"])(run).features.tolist()
    [array([2., 0., 1., 5., 2.]), array([2.  , 1.  , 0.25, 5.  , 2.  ])]
    """

    LABEL = "Cross-query features"

    def __init__(self, scores: Sequence[str] = ("score",)) -> None:
        self.scores = _check_columns(scores)

    @property
    def feature_names(self) -> list[str]:
        """``queries``, and each column with ``_query_rank``, ``_query_ratio``, ``_query_mean``, ``_query_second``."""
        kinds = ("rank", "ratio", "mean", "second")
        return ["queries", *(f"{name}_query_{kind}" for name in self.scores for kind in kinds)]

    def columns(self) -> list[str]:
        """Return the columns of scores."""
        return self.scores

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features, one and four for each column."""
        queries, candidates = number_ids(results["qid"])[0], number_ids(results["docno"])[0]
        sizes = np.bincount(candidates)[candidates]

        def feature_columns() -> Iterator[npt.NDArray[np.generic]]:
            yield sizes
            for column in self.scores:
                scores = _score_values(results, column, queries)
                groups = GroupStatistics(candidates, scores)
                yield from (groups.ranks, ratio_to_best(scores, groups.best(1)), groups.means)
                yield np.where(sizes > 1, groups.best(2), 0)

        return np.column_stack([*feature_columns()]).astype(np.float64)
