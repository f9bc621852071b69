"""The base class of retrievers of noticed cases by one family of evidence."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import integer_at_least, true_or_false
from ir_coliee.arrays import Integers
from ir_coliee.editions import Dataset, as_split
from ir_coliee.engine.cases.case_collection import CaseCollection, case_collection
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.frames import check_ids, take_rows, text_values
from ir_coliee.progress import stage
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.candidates.filters import task1_id

Self = TypeVar("Self", bound="CaseEvidenceRetriever")


class CaseEvidenceRetriever(BaseTransformer):
    """Base of retrievers that score the distinct texts of a split of task 1 for query decisions: Q to R.

    A subclass implements `scores`. Its constructor passes the arguments of this one on.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved. They are read once, and their tokens are kept in the cache of
        the data folder.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.
    """

    LABEL = "Case evidence"

    def __init__(self, dataset: Dataset, *, num_results: int = 1000, verbose: bool = False) -> None:
        self.dataset = task1_id(dataset)
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.verbose = true_or_false("verbose", verbose)

    def scores(self, pool: TextPool) -> npt.NDArray[np.float32]:
        """Return the scores of a pool, as an array of shape (num_queries, num_texts)."""
        raise NotImplementedError

    def fuse_rank_cutoff(self: Self, k: int) -> Self | None:
        """Return a retriever with ``k`` results, with which PyTerrier replaces ``retriever % k``."""
        if k >= self.num_results:
            return self
        return type(self)(**{**self.arguments(), "num_results": k})  # type: ignore[arg-type]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve the documents whose texts score above 0, best first, equal scores by document id.

        Statistics such as document frequencies are those of the distinct texts of the split. Every document that has a
        text is returned, except the query's own: the one whose id is the ``qid``.

        Parameters
        ----------
        inp : pandas.DataFrame
            Has ``qid`` and ``query``, the whole text of a decision.

        Returns
        -------
        pandas.DataFrame
            Has the columns of the queries, ``docno``, ``score`` and ``rank``.

        Raises
        ------
        ColieeError
            If a row has no id, or a query is not a string.
        """
        pt.validate.query_frame(inp, extra_columns=["query"], context=self)
        check_ids(inp)
        queries = inp.drop_duplicates("qid", ignore_index=True)
        with stage(self.LABEL, verbose=self.verbose):
            collection = self._collection()
            year = as_split(self.dataset).year
            sequences, numbers = collection.with_texts(text_values(queries, "query"), year)
            docnos = np.array(sorted(collection.documents), dtype=object)
            texts, text_of_file = np.unique(collection.text_numbers(docnos), return_inverse=True)
            scores = self.scores(TextPool(sequences, numbers, texts))
        found = [_best(row[text_of_file], docnos == qid, self.num_results) for row, qid in zip(scores, queries["qid"])]
        rows = np.repeat(np.arange(len(queries)), [len(files) for files, _ in found])
        results = take_rows(queries.drop(columns=["score", "rank"], errors="ignore"), rows)
        return results.assign(
            docno=np.concatenate([np.empty(0, object), *(docnos[files] for files, _ in found)]),
            score=np.concatenate([np.empty(0), *(values for _, values in found)]),
            rank=np.concatenate([np.empty(0, np.int64), *(np.arange(len(files)) for files, _ in found)]),
        )

    def _collection(self) -> CaseCollection:
        collection = case_collection(LocalRelease.open(self.dataset), verbose=self.verbose)
        return self._cached(collection, lambda: collection)  # it is in use as long as this transformer is


def _best(
    scores: npt.NDArray[np.float32], own: npt.NDArray[np.bool_], num_results: int
) -> tuple[Integers, npt.NDArray[np.float64]]:
    """Return the positions and scores of the best files of a query, in order of score, then position."""
    order = np.argsort(-scores, kind="stable")
    best = order[(scores[order] > 0) & ~own[order]][:num_results]
    return best, scores[best].astype(np.float64)
