"""Texts of queries from another dataset, such as the same questions in Japanese."""

from __future__ import annotations

import ir_datasets
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import check_ids
from ir_coliee.transformers.base import BaseTransformer


class QueriesFromDataset(BaseTransformer):
    """Replace the text of each query by its text in another dataset, such as the same question in Japanese: Q to Q.

    Use it to search an index in another language with the same queries. The column ``query_toks``, which was computed
    from the previous text, is dropped.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A dataset whose queries have the same ids.

    Examples
    --------
    >>> questions = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> QueriesFromDataset("coliee/task3/sample/ja/test")(questions)["query"].str.contains("質").tolist()
    [True]
    """

    LABEL = "Queries from dataset"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = as_dataset_id(dataset)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Replace the texts; raise `ColieeError` for a query that is not in the dataset."""
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        texts = self._cached(tuple(self.arguments().values()), self._texts)
        if (unknown := ~inp["qid"].isin(texts.keys()).to_numpy()).any():
            query = printable(str(inp["qid"].iloc[unknown.argmax()]))
            raise ColieeError(f"{self.dataset} has no query {query}. Use the topics of this dataset.")
        queries = pd.Series([texts[qid] for qid in inp["qid"]], index=inp.index, dtype=object)
        without_tokens = inp.drop(columns="query_toks", errors="ignore")
        replaced: pd.DataFrame = without_tokens.assign(query=queries).reset_index(drop=True)
        return replaced

    def _texts(self) -> dict[str, str]:
        return {query.query_id: query.default_text() for query in ir_datasets.load(self.dataset).queries_iter()}
