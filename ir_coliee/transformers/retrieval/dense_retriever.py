"""Exact retrieval by embeddings, and rescoring of candidate pools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.engine.dense_scoring import dense_ranking, dense_scores
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers, check_ids, instance_of, integer_at_least
from ir_coliee.models.embedders.embedder import Embeddings
from ir_coliee.progress import progress
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.dense_index import DenseIndex
from ir_coliee.transformers.retrieval.query_vectors import query_column
from ir_coliee.transformers.retrieval.result_frames import ranked_results, rescore


class DenseRetriever(BaseTransformer):
    """Retrieve documents by the similarity of embeddings, or rescore the candidates of each query: Q to R, R to R.

    The similarity is the dot product, which is the cosine for embeddings of length 1. Of texts that are embedded in
    several windows, the most similar windows count. Every document is scored, so the ranking is exact. Equal scores
    are ordered by document id.

    Parameters
    ----------
    index : DenseIndex
        The collection.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Examples
    --------
    >>> from ir_coliee.models import Embedder
    >>> from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
    >>> from ir_coliee.transformers import DenseIndex, DenseRetriever
    >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate"}]
    >>> index = DenseIndex.build(corpus, Embedder(tiny_checkpoint("encoder")))
    >>> DenseRetriever(index, num_results=1).search("a gate")[["docno", "rank"]].values.tolist()
    [['900002', 0]]
    """

    LABEL = "Dense retriever"

    def __init__(self, index: DenseIndex, *, num_results: int = 1000, verbose: bool = False) -> None:
        self.index = instance_of("index", index, DenseIndex, "a DenseIndex")
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.verbose = verbose

    def fuse_rank_cutoff(self, k: int) -> DenseRetriever | None:
        """Return a retriever with ``k`` results, with which PyTerrier replaces ``retriever % k``."""
        if k >= self.num_results:
            return self
        return DenseRetriever(self.index, num_results=k, verbose=self.verbose)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve documents for queries (Q to R), or rescore results (R to R).

        Parameters
        ----------
        inp : pandas.DataFrame
            Has ``qid`` and ``query``; for rescoring also ``docno``.

        Raises
        ------
        ColieeError
            If a row has no id, a query is not a string, or a document is not in the index.
        """
        with pt.validate.any(inp, context=self) as frame:
            frame.query_frame(extra_columns=["query"], mode="retrieve")
            frame.result_frame(extra_columns=["query"], mode="rescore")
        check_ids(inp)
        if frame.mode == "retrieve":
            rankings = [dense_ranking(scores, self.num_results) for scores in self._scores(inp)]
            return ranked_results(inp, self.index.docnos, rankings)
        ordered = rescore(inp, lambda pools: self._pool_scores(inp, pools))
        best: pd.DataFrame = ordered[ordered["rank"] < self.num_results].reset_index(drop=True)
        return best

    def _scores(self, queries: pd.DataFrame) -> Iterator[Floats]:
        """Yield the scores of all documents for each query, while progress is shown."""
        embedded, documents = self._embedded(queries), self.index.embeddings
        scores = dense_scores(embedded.vectors, embedded.counts, documents.vectors, documents.counts)
        yield from progress(scores, self.LABEL, total=len(queries), unit="queries", verbose=self.verbose)

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        """Yield the scores of each pool, which is given by its rows in ``results``."""
        rows = self._document_rows(results["docno"])
        queries = self._embedded(results.iloc[[pool[0] for pool in pools]])
        documents = self.index.embeddings
        ends, query_ends = np.cumsum(documents.counts), np.cumsum(queries.counts)
        for pool, start, stop in zip(pools, [0, *query_ends], query_ends):
            counts = documents.counts[rows[pool]]
            windows = np.concatenate([np.arange(ends[row] - documents.counts[row], ends[row]) for row in rows[pool]])
            query = queries.vectors[start:stop]
            yield from dense_scores(query, np.array([len(query)]), documents.vectors[windows], counts)

    def _embedded(self, queries: pd.DataFrame) -> Embeddings:
        query_column(queries[["qid", "query"]])
        return self.index.embedder.embed_queries(queries["query"].tolist())

    def _document_rows(self, docnos: pd.Series) -> Integers:
        rows = {docno: row for row, docno in enumerate(self.index.docnos)}
        if unknown := next((docno for docno in docnos if docno not in rows), None):
            raise ColieeError(
                f"Document {printable(str(unknown))} is not in the index.\nRescore documents of the indexed dataset."
            )
        return np.array([rows[docno] for docno in docnos], dtype=np.int64)
