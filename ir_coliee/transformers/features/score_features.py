"""Features of the scores of candidates: within each query, and across the queries that share a candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.engine.group_statistics import GroupStatistics, fill_missing_scores, ratio_to_best
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers, integer_at_least, number_ids
from ir_coliee.transformers.features.base import FeatureTransformer


def checked_columns(names: Sequence[str]) -> list[str]:
    """Return the names of columns of scores as a list; raise `ValueError` if there is none, or one twice."""
    if isinstance(names, str) or not names:
        raise ValueError(f"scores must be a list of column names, at least one, got {names!r}.")
    if len(set(names)) < len(names):
        raise ValueError(f"scores must have each column name once, got {names!r}.")
    return list(names)


def score_values(results: pd.DataFrame, column: str, queries: Integers) -> Floats:
    """Return the scores of a column; missing and infinite ones are replaced by the lowest of their query.

    Raises `ColieeError` if a score is not a number. ``queries`` are the encoded query ids.
    """
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
    fewer candidates). A score that is missing or infinite is replaced by the query's lowest. A query's candidates are
    those in the frame.

    Parameters
    ----------
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.
    gap : int
        The rank k of the gap, >= 1. The recipe that the package's baselines follow uses 6 for task 1 and 2 for task 3.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "1", "docno": ["a", "b"], "bm25": [8.0, 2.0]})
    >>> ScoreFeatures(["bm25"])(run).features.tolist()
    [array([8., 1., 0., 6.]), array([2.  , 0.25, 1.  , 0.  ])]
    """

    LABEL = "Score features"

    def __init__(self, scores: Sequence[str] = ("score",), gap: int = 6) -> None:
        self.scores = checked_columns(scores)
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
                scores = score_values(results, column, queries)
                groups = GroupStatistics(queries, scores)
                yield from (scores, ratio_to_best(scores, groups.best(1)), groups.ranks, scores - groups.best(self.gap))

        return np.column_stack([*feature_columns()]).astype(np.float64)


class CrossQueryFeatures(FeatureTransformer):
    """Compute features that compare the scores of a candidate for different queries of the frame: R to R.

    The first feature is the number of queries that have the candidate. Four more features are computed for each column
    of scores: the rank of the query among these queries (the number of queries with a higher score for the candidate),
    the ratio of the score to the candidate's best score, the candidate's mean score, and its second best score (0 if
    only one query has it). A score that is missing or infinite is replaced by the query's lowest. Use them if documents
    are relevant to few queries, as in task 1: a candidate that is similar to every query is then rarely relevant to
    any.

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
        self.scores = checked_columns(scores)

    @property
    def feature_names(self) -> list[str]:
        """``queries``, and each column with ``_query_rank``, ``_query_ratio``, ``_query_mean``, ``_query_second``."""
        kinds = ("rank", "ratio", "mean", "second")
        return ["queries", *(f"{name}_query_{kind}" for name in self.scores for kind in kinds)]

    def columns(self) -> list[str]:
        """Return the columns of scores."""
        return self.scores

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features: the number of queries, and four for each column."""
        queries, candidates = number_ids(results["qid"])[0], number_ids(results["docno"])[0]
        sizes = np.bincount(candidates)[candidates]

        def feature_columns() -> Iterator[npt.NDArray[np.generic]]:
            yield sizes
            for column in self.scores:
                scores = score_values(results, column, queries)
                groups = GroupStatistics(candidates, scores)
                yield from (groups.ranks, ratio_to_best(scores, groups.best(1)), groups.means)
                yield np.where(sizes > 1, groups.best(2), 0)

        return np.column_stack([*feature_columns()]).astype(np.float64)
