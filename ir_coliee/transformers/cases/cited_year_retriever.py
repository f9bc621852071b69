"""Retrieval of decisions whose year a query names near a citation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.year_scores import year_near
from ir_coliee.transformers.cases.base import CaseEvidenceRetriever


class CitedYearRetriever(CaseEvidenceRetriever):
    """Score decisions by the number of the query's citing contexts that name their year: Q to R, R to R.

    A context has the 12 tokens before and the 10 tokens after a suppressed citation. The year of a decision is the
    latest that it mentions.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Examples
    --------
    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["mine"], "query": ["In 2003, as <FRAGMENT_SUPPRESSED> says, it was so."]})
    >>> CitedYearRetriever("coliee/task1/sample/test")(query).docno.tolist()
    ['900532', '900608']
    """

    LABEL = "Cited years"
    NOTHING_FOUND = "have no year of a decision near a suppressed citation"

    def scores(self, pool: TextPool) -> npt.NDArray[np.float32]:
        """Return the scores of a pool, see `ir_coliee.engine.cases.year_scores.year_near`."""
        return year_near(pool)
