"""Four features of each score, which compare a candidate with the other texts of its query and with other queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from ir_coliee.engine.cases.pool_kinds import KINDS
from ir_coliee.engine.group_statistics import GroupStatistics
from ir_coliee.frames import Floats, Integers, number_ids, ratios
from ir_coliee.transformers.features.base import FeatureTransformer
from ir_coliee.transformers.features.score_features import checked_columns, score_values


class PoolFeatures(FeatureTransformer):
    """Compute four features of each score of a candidate, within its query and across the queries: R to R.

    For each column of scores these are the ratio to the query's best score, the rank in the query (the number of the
    query's candidates with a higher score), the rank of the query (the number of queries with a higher score for this
    candidate), and the ratio to the candidate's best score over all queries. A ratio to a best score that is not
    positive is 0. A score that is missing or infinite is replaced by the query's lowest.

    The recipe of task 1 uses each score in these kinds alone: values themselves mean something else in another pool.
    The two kinds across queries help if each document is relevant to few queries, as in the test splits of COLIEE,
    which consist of queries and their noticed cases. A library of decisions has no such property.

    Only queries in the frame are compared: pass the candidates of all queries of a split at once, not in batches.

    Parameters
    ----------
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.

    See Also
    --------
    ScoreFeatures, CrossQueryFeatures : More features of the same kinds, and the scores themselves.
    ir_coliee.engine.cases.pool_kinds.pool_kinds : The same features of matrices of scores.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "bm25": [4.0, 2.0, 8.0]})
    >>> PoolFeatures(["bm25"])(run).features.tolist()
    [array([1. , 0. , 1. , 0.5]), array([0.5, 1. , 0. , 1. ]), array([1., 0., 0., 1.])]
    """

    LABEL = "Pool features"

    def __init__(self, scores: Sequence[str] = ("score",)) -> None:
        self.scores = checked_columns(scores)

    @property
    def feature_names(self) -> list[str]:
        """The name of each column with ``_ratio``, ``_rank``, ``_query_rank`` and ``_query_ratio``."""
        return [f"{name}_{kind}" for name in self.scores for kind in KINDS]

    def columns(self) -> list[str]:
        """Return the columns of scores."""
        return self.scores

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features, four for each column."""
        queries, candidates = number_ids(results["qid"])[0], number_ids(results["docno"])[0]

        def feature_columns() -> Iterator[Floats | Integers]:
            for column in self.scores:
                scores = score_values(results, column, queries)
                of_query, of_candidate = GroupStatistics(queries, scores), GroupStatistics(candidates, scores)
                yield from (ratios(scores, of_query.best(1)), of_query.ranks)
                yield from (of_candidate.ranks, ratios(scores, of_candidate.best(1)))

        return np.column_stack([*feature_columns()]).astype(np.float64)
