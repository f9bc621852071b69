"""Candidate pools: the items from which the answer of a query must be chosen."""

from __future__ import annotations

import warnings

import ir_datasets
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.errors import ColieeWarning, printable
from ir_coliee.frames import check_ids, share_strings, sort_results
from ir_coliee.transformers.base import BaseTransformer


class CandidatePool(BaseTransformer):
    """Retrieve all items of each query's pool with score 0, or keep the results that are in the pool: Q to R, R to R.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A dataset with ``scoreddocs``.

    Warns
    -----
    ColieeWarning
        If no query has a pool in the dataset, so that nothing is returned.

    Examples
    --------
    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp may be lent."]})
    >>> CandidatePool("coliee/task4/sample/en/test")(query).docno.tolist()
    ['Y', 'N']
    >>> run = pd.DataFrame({"qid": "R99-01-A", "docno": ["X", "N"], "score": [2.0, 1.0]})
    >>> CandidatePool("coliee/task4/sample/en/test")(run).docno.tolist()
    ['N']
    """

    LABEL = "Pool"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = as_dataset_id(dataset)
        if not ir_datasets.load(self.dataset).has_scoreddocs():
            raise ValueError(
                f"{self.dataset} has no candidate pools: its queries are answered from the whole collection."
            )

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns of queries and of results. A pool alone does not need the text of a query."""
        return [["qid", "query"], ["qid"], ["qid", "docno", "score"]]

    def _pools(self) -> pd.DataFrame:
        dataset = ir_datasets.load(self.dataset)
        pairs = [(pair.query_id, pair.doc_id) for pair in dataset.scoreddocs_iter()]
        frame: pd.DataFrame = pd.DataFrame(pairs, columns=["qid", "docno"]).assign(score=0.0)
        return frame

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve the pools. A query without a pool has no result. Results need the columns qid, docno and score."""
        with pt.validate.any(inp, context=self) as mode:
            mode.query_frame()
            mode.result_frame(extra_columns=["score"])
        check_ids(inp)
        pools = self._pools()
        if len(inp) and not inp["qid"].isin(pools["qid"]).any():
            message = f"No query has a pool in {self.dataset} (the first is {printable(inp['qid'].iloc[0])})"
            warnings.warn(f"{message}, so there are no results.", ColieeWarning, stacklevel=3)
        if "docno" in inp.columns:
            pairs = pd.MultiIndex.from_frame(pools[["qid", "docno"]])
            return sort_results(inp[pd.MultiIndex.from_frame(inp[["qid", "docno"]]).isin(pairs)])
        queries = share_strings(inp.drop(columns=["score", "rank"], errors="ignore"))
        results = queries.merge(pools, on="qid")
        frame: pd.DataFrame = results.assign(rank=results.groupby("qid", sort=False, observed=True).cumcount())
        return frame
