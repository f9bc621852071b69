"""The base class of retrievers of noticed cases by one family of evidence."""

from __future__ import annotations

import warnings
from typing import ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_split
from ir_coliee.engine.cases.case_collection import CaseCollection, case_collection
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.errors import ColieeError, ColieeWarning, printable, printable_list
from ir_coliee.frames import Integers, check_ids, integer_at_least, number_ids, sort_results, take_rows
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.candidates.filters import task1_id
from ir_coliee.transformers.retrieval.query_vectors import query_column

Self = TypeVar("Self", bound="CaseEvidenceRetriever")

_ADVICE = "Queries should be whole decisions as they are distributed, not cleaned."


class CaseEvidenceRetriever(BaseTransformer):
    """Base of retrievers that score the distinct texts of a split of task 1 for query decisions: Q to R, R to R.

    For a frame of queries (Q), it returns the ``num_results`` best documents whose text scores above 0, except the
    query's own: the one whose id is the ``qid``. Equal scores are ordered by document id. For a frame of results (R),
    it returns the same rows with new scores; a document that would never be retrieved scores 0. Statistics such as
    document frequencies are those of all texts of the split and of the queries of the frame.

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

    Attributes
    ----------
    NOTHING_FOUND : str
        What a query without result lacks, for the warning that counts such queries.
    """

    LABEL = "Case evidence"
    NOTHING_FOUND: ClassVar[str] = "match no decision"

    def __init__(self, dataset: Dataset, *, num_results: int = 1000, verbose: bool = False) -> None:
        self.dataset = task1_id(dataset)
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.verbose = verbose

    def scores(self, pool: TextPool) -> npt.NDArray[np.float32]:
        """Return the scores of a pool, as an array of shape (num_queries, num_texts)."""
        raise NotImplementedError

    def fuse_rank_cutoff(self: Self, k: int) -> Self | None:
        """Return a retriever with ``k`` results, with which PyTerrier replaces ``retriever % k``."""
        if k >= self.num_results:
            return self
        return type(self)(**{**self.arguments(), "num_results": k})  # type: ignore[arg-type]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve documents for queries (Q to R), or rescore results (R to R).

        Parameters
        ----------
        inp : pandas.DataFrame
            Has ``qid`` and ``query``, the whole text of a decision; for rescoring also ``docno``. Of several rows of a
            query, the text of the first is used.

        Returns
        -------
        pandas.DataFrame
            Has the columns of the queries, ``docno``, ``score`` and ``rank``.

        Raises
        ------
        ColieeError
            If a row has no id, a query is not a string, or a document is not in the split.
        """
        with pt.validate.any(inp, context=self) as frame:
            frame.query_frame(extra_columns=["query"], mode="retrieve")
            frame.result_frame(extra_columns=["query"], mode="rescore")
        check_ids(inp)
        queries = inp.drop_duplicates("qid", ignore_index=True)
        docnos, scores = self._document_scores(queries)
        if frame.mode == "retrieve":
            return self._best_documents(queries, docnos, scores)
        of_rows = scores[number_ids(inp["qid"])[0], self._columns(docnos, inp["docno"])].astype(np.float64)
        ordered = sort_results(inp.drop(columns="rank", errors="ignore").assign(score=of_rows))
        best: pd.DataFrame = ordered[ordered["rank"] < self.num_results].reset_index(drop=True)
        return best

    def _best_documents(
        self, queries: pd.DataFrame, docnos: pd.Index[str], scores: npt.NDArray[np.float32]
    ) -> pd.DataFrame:
        sizes = np.count_nonzero(scores, axis=1).clip(max=self.num_results)
        if len(unanswered := queries["qid"].to_numpy(object)[sizes == 0]):
            message = f"{len(unanswered)} of {len(queries)} queries {self.NOTHING_FOUND} and get no result"
            warnings.warn(f"{message}: {printable_list([*unanswered])}. {_ADVICE}", ColieeWarning, 4)
        best = [np.argsort(-row, kind="stable")[:size] for row, size in zip(scores, sizes)]
        rows, columns = np.repeat(np.arange(len(queries)), sizes), np.concatenate([np.empty(0, np.int64), *best])
        results = take_rows(queries.drop(columns=["score", "rank"], errors="ignore"), rows)
        return results.assign(
            docno=docnos.to_numpy()[columns],
            score=scores[rows, columns].astype(np.float64),
            rank=np.concatenate([np.empty(0, np.int64), *map(np.arange, sizes)]),
        )

    def _columns(self, docnos: pd.Index[str], documents: pd.Series[str]) -> Integers:
        """Return the column of each document; raise `ColieeError` for one that the split does not have."""
        columns = docnos.get_indexer(pd.Index(documents, dtype=object)).astype(np.int64)
        if (unknown := columns < 0).any():
            docno = printable(str(documents[unknown].iloc[0]))
            raise ColieeError(f"The document {docno} is not in {self.dataset}. Check that results are of this split.")
        return columns

    def _document_scores(self, queries: pd.DataFrame) -> tuple[pd.Index[str], npt.NDArray[np.float32]]:
        """Return the sorted ids of the documents, and their scores of at least 0 for each query."""
        query_column(queries[["qid", "query"]])  # each text is a string
        with stage(self.LABEL, verbose=self.verbose):
            collection = self._collection()
            order = np.argsort(queries["qid"].to_numpy(object), kind="stable")  # scores are the same in any order
            sequences, numbers = collection.with_texts(queries["query"].iloc[order], as_split(self.dataset).year)
            docnos = pd.Index(sorted(collection.documents), dtype=object)
            texts, text_of_document = np.unique(collection.text_numbers(docnos), return_inverse=True)
            scores = np.zeros((0, len(texts)), np.float32)
            if len(queries):
                scores = self.scores(TextPool(sequences, numbers, texts))[np.argsort(order)].clip(min=0)
        of_documents = scores[:, text_of_document]
        own = docnos.get_indexer(pd.Index(queries["qid"], dtype=object))
        of_documents[own >= 0, own[own >= 0]] = 0
        return docnos, of_documents

    def _collection(self) -> CaseCollection:
        collection = case_collection(LocalRelease.open(self.dataset), verbose=self.verbose)
        return self._cached(collection, lambda: collection)  # it is in use as long as this transformer is
