"""BM25 over a lexical index: retrieval from the whole collection, rescoring of candidate pools."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.errors import ColieeError
from ir_coliee.transformers.base import Declared, at_least, in_order, shown_if

if TYPE_CHECKING:
    from ir_coliee.transformers.lexical_index import LexicalIndex

Floats = npt.NDArray[np.float64]

_BATCH = 64  # queries scored at once: the scores of a batch stay small beside the index


def bm25_weights(counts: sparse.csr_matrix, lengths: Floats, *, k1: float, b: float) -> sparse.csr_matrix:
    """The BM25 weight of every term in every document, from counts (documents x terms).

    idf * tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length)) with idf = ln(1 + (N - df + .5) / (df + .5)),
    the idf of Lucene, which is never negative. Document frequencies and the mean length are taken from
    the documents given. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009.
    """
    n_docs = counts.shape[0]
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    idf = np.log1p((n_docs - df + 0.5) / (df + 0.5))
    mean = lengths.mean() if n_docs else 0.0
    norm = k1 * (1 - b + b * lengths / mean) if mean else np.full(n_docs, k1)
    tf = counts.data.astype(np.float64)
    weights = idf[counts.indices] * tf * (k1 + 1) / (tf + np.repeat(norm, np.diff(counts.indptr)))
    return sparse.csr_matrix((weights, counts.indices, counts.indptr), shape=counts.shape)


class BM25(Declared):
    """BM25 with the query's term frequencies kept, so that a whole decision can be the query.

    On a frame of queries (qid, query) it retrieves ``num_results`` documents of the collection; on a
    frame of results (qid, query, docno) it scores these documents alone. A query without a known term
    has no result when retrieving, and scores 0 when rescoring.
    """

    LABEL = "BM25"

    def __init__(
        self,
        index: LexicalIndex,
        *,
        k1: float = 1.2,
        b: float = 0.75,
        num_results: int = 1000,
        statistics: Literal["collection", "pool"] = "collection",
        verbose: bool = False,
    ) -> None:
        """Parameters.

        ``k1``, from 0, and ``b``, in [0, 1]: saturation and length normalisation; for whole-case queries 3
        and 1 are known to work well. ``num_results``: at most so many documents a query, from 1.
        ``statistics``: whether rescoring takes document frequencies and the mean length from the
        collection or from each query's own pool. ``verbose``: show a progress bar.
        """
        if statistics not in ("collection", "pool"):
            raise ValueError(f"statistics={statistics!r} is neither 'collection' nor 'pool'")
        if not 0 <= k1 < math.inf:
            raise ValueError(f"k1={k1!r} is not a finite number from 0")
        if not 0 <= b <= 1:
            raise ValueError(f"b={b!r} is not in [0, 1]")
        self.index = index
        self.k1 = k1
        self.b = b
        self.num_results = at_least("num_results", num_results, 1)
        self.statistics = statistics
        self.verbose = verbose

    def fuse_rank_cutoff(self, k: int) -> BM25 | None:
        """Let PyTerrier push ``% k`` into the retrieval."""
        if k >= self.num_results:
            return self
        return BM25(**{**self._arguments(), "num_results": k})  # type: ignore[arg-type]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve (Q to R) or rescore (R to R). Raises `ColieeError` for a query without an id or a text."""
        with pt.validate.any(inp, context=self) as frame:
            frame.query_frame(extra_columns=["query"], mode="retrieve")
            frame.result_frame(extra_columns=["query"], mode="rescore")
        _refuse_gaps(inp)
        return self._retrieve(inp) if frame.mode == "retrieve" else self._rescore(inp)

    def _weights(self) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
        """The weights by document and by term."""

        def make() -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
            by_document = bm25_weights(self.index.counts, self.index.lengths, k1=self.k1, b=self.b)
            return by_document, by_document.T.tocsr()

        return self._kept((self.index, self.k1, self.b), make)

    def _retrieve(self, queries: pd.DataFrame) -> pd.DataFrame:
        _, by_term = self._weights()
        found: list[tuple[npt.NDArray[np.int64], Floats]] = []
        starts = range(0, len(queries), _BATCH)
        for start in pt.tqdm(starts, desc="BM25", unit="batch", **shown_if(self.verbose)):
            texts = queries["query"].iloc[start : start + _BATCH]
            scores = (self.index.query_vectors(texts) @ by_term).tocsr()
            for row in range(scores.shape[0]):
                span = slice(scores.indptr[row], scores.indptr[row + 1])
                found.append(best(scores.indices[span], scores.data[span], self.num_results))
        sizes = [len(documents) for documents, _ in found]
        # texts stay objects that the rows share: a string column would copy a decision into every row
        columns = {
            name: pd.Series(queries[name].to_numpy(dtype=object).repeat(sizes), dtype=object)
            for name in queries.columns
            if name not in ("score", "rank")
        }
        return pd.DataFrame(
            {
                **columns,
                "docno": self.index.docnos[_joined([documents for documents, _ in found], np.int64)],
                "score": _joined([scores for _, scores in found], np.float64),
                "rank": _joined([np.arange(size) for size in sizes], np.int64),
            }
        )

    def _rescore(self, results: pd.DataFrame) -> pd.DataFrame:
        scores = np.zeros(len(results))
        groups = results.groupby("qid", sort=False, observed=True).indices.values()
        queries = results["query"].to_numpy(dtype=object)
        for rows in pt.tqdm(groups, desc="BM25", unit="query", **shown_if(self.verbose)):
            documents = self.index.positions(results["docno"].iloc[rows])
            if self.statistics == "pool":
                weights = bm25_weights(
                    self.index.counts[documents], self.index.lengths[documents], k1=self.k1, b=self.b
                )
            else:
                weights = self._weights()[0][documents]
            vector = self.index.query_vectors([queries[rows[0]]])
            scores[rows] = (weights @ vector.T).toarray().ravel()
        ordered = in_order(results.drop(columns="rank", errors="ignore").assign(score=scores))
        return ordered[ordered["rank"] < self.num_results].reset_index(drop=True)


def _refuse_gaps(queries: pd.DataFrame) -> None:
    for row, (qid, text) in enumerate(zip(queries["qid"], queries["query"])):
        if pd.isna(qid):
            raise ColieeError(f"The query in row {row} has no id (qid). Read ids as strings.")
        if not isinstance(text, str):
            raise ColieeError(f"Query {qid}: its text is of the type {type(text).__name__}; a string is needed.")


def best(documents: npt.NDArray[np.int64], scores: Floats, k: int) -> tuple[npt.NDArray[np.int64], Floats]:
    """The ``k`` best documents and their scores: score descending, ties by document number ascending."""
    if len(documents) > k:
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        keep = scores >= least
        documents, scores = documents[keep], scores[keep]
    order = np.lexsort((documents, -scores))[:k]
    return documents[order].astype(np.int64), scores[order]


def _joined(arrays: list[npt.NDArray[np.generic]], dtype: type) -> npt.NDArray[np.generic]:
    return np.concatenate([np.empty(0, dtype=dtype), *arrays]).astype(dtype)
