"""Retrieval of decisions by the names that a query mentions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ir_coliee.editions import Dataset
from ir_coliee.engine.cases.name_scores import shared_names
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.transformers.cases.base import CaseEvidenceRetriever


class NameRetriever(CaseEvidenceRetriever):
    """Score decisions by the rare names in their first 500 tokens that the query mentions: Q to R, R to R.

    Organisers suppress citations, but what surrounds them may still name the parties of the cited decision, which
    stand at the beginning of that decision. A score is the sum of the inverse document frequency of the shared names.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.
    near_citations : bool, default False
        Whether a name must stand within 12 tokens before or 8 after a suppressed citation of the query.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.

    A name is a word of three letters or more that is capitalised in at least two and at most 3 % of the distinct texts,
    queries included (of few texts, in two), and uncapitalised in at most .3 times as many plus one. The definition is
    our own.

    Examples
    --------
    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["mine"], "query": ["Dorrenkamp sued Tolland Tramways."]})
    >>> NameRetriever("coliee/task1/sample/test")(query)[["docno", "score"]].round(3).values.tolist()
    [['900593', 5.16], ['900532', 2.58]]
    """

    LABEL = "Names"
    NOTHING_FOUND = "mention no rare name of a decision"

    def __init__(
        self, dataset: Dataset, *, near_citations: bool = False, num_results: int = 1000, verbose: bool = False
    ) -> None:
        super().__init__(dataset, num_results=num_results, verbose=verbose)
        self.near_citations = near_citations

    def scores(self, pool: TextPool) -> npt.NDArray[np.float32]:
        """Return the scores of a pool, see `ir_coliee.engine.cases.name_scores.shared_names`."""
        return shared_names(pool, near_citations=self.near_citations)
