"""Retrieval of decisions whose judge a query mentions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ir_coliee.engine.cases.name_scores import judge_mentions
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.transformers.cases.base import CaseEvidenceRetriever


class JudgeMentionRetriever(CaseEvidenceRetriever):
    """Score decisions by how often the query names their judge as "Justice X" or "X J.": Q to R, R to R.

    The judge of a decision is named in its header or behind ``[1]``, see
    `ir_coliee.text.case_properties.case_properties`. The query's own judge counts one less.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    Many queries name no judge of a decision and get no result. If no query of a `pt.Experiment` gets one, PyTerrier
    ends it with "topics, but no results": use the scores with others, in `ScoreColumns` or a fusion.

    Examples
    --------
    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["mine"], "query": ["I agree with Ferrault J. and Obuya J.: Justice Ferrault"]})
    >>> judges = JudgeMentionRetriever("coliee/task1/sample/test", num_results=3)
    >>> judges(query)[["docno", "score"]].values.tolist()
    [['900754', 2.0], ['900795', 2.0], ['900862', 1.0]]
    """

    LABEL = "Judge mentions"
    NOTHING_FOUND = "name no judge of a decision"

    def scores(self, pool: TextPool) -> npt.NDArray[np.float32]:
        """Return the scores of a pool, see `ir_coliee.engine.cases.name_scores.judge_mentions`."""
        return judge_mentions(pool)
