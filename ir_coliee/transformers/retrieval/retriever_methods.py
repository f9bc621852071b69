"""The weightings as methods of an index, so that ``index.bm25()`` is a retriever."""

from __future__ import annotations

from typing import Any, Literal

from ir_coliee.engine.weightings import BM25, Dirichlet, JelinekMercer, SharedIdf, TfIdf, Weighting
from ir_coliee.transformers.retrieval.retriever import Retriever


class RetrieverMethods:
    """Base of indexes: a method for each weighting, all of which return a `Retriever` over the index.

    Each method takes the parameters of the weighting, and the options of `Retriever` (``num_results``,
    ``statistics``, ``threads``, ``backend``, ``verbose``) as keyword arguments.
    """

    def retriever(self: Any, weighting: Weighting, **options: Any) -> Retriever:
        """Return a retriever over this index with any weighting; ``options`` are those of `Retriever`."""
        return Retriever(self, weighting, **options)

    def bm25(
        self,
        *,
        k1: float = 1.2,
        b: float = 0.75,
        k3: float | None = None,
        idf: Literal["lucene", "robertson"] = "lucene",
        **options: Any,
    ) -> Retriever:
        """Return a BM25 retriever.

        Parameters
        ----------
        k1 : float, default 1.2
            Saturation of term frequencies, >= 0. For whole decisions as queries, 3 is known to work well.
        b : float, default 0.75
            Length normalisation, in [0, 1]. For whole decisions as queries, 1 is known to work well.
        k3 : float, optional
            Saturation of the query's term frequencies, >= 0. By default they are used as they are.
        idf : {"lucene", "robertson"}, default "lucene"
            The formula of the inverse document frequency; that of Lucene is never negative.
        **options
            Options of `Retriever`.
        """
        return self.retriever(BM25(k1, b, k3, idf), **options)

    def dirichlet(self, *, mu: float = 1000.0, **options: Any) -> Retriever:
        """Return a query-likelihood retriever with Dirichlet smoothing.

        Parameters
        ----------
        mu : float, default 1000
            The amount of smoothing, > 0. Anserini and PISA use 1000, Terrier 2500.
        **options
            Options of `Retriever`.
        """
        return self.retriever(Dirichlet(mu), **options)

    def jelinek_mercer(self, *, lambda_: float = 0.7, **options: Any) -> Retriever:
        """Return a query-likelihood retriever with Jelinek-Mercer smoothing.

        Parameters
        ----------
        lambda_ : float, default 0.7
            The weight of the collection's language model, in (0, 1).
        **options
            Options of `Retriever`.
        """
        return self.retriever(JelinekMercer(lambda_), **options)

    def tf_idf(self, *, tf: Literal["log", "count", "binary"] = "log", **options: Any) -> Retriever:
        """Return a retriever by the cosine of tf-idf vectors.

        Parameters
        ----------
        tf : {"log", "count", "binary"}, default "log"
            The weight of a term frequency: 1 + ln tf, tf itself, or 1 (the cosine of sets weighted by idf).
        **options
            Options of `Retriever`.
        """
        return self.retriever(TfIdf(tf), **options)

    def shared_idf(self, **options: Any) -> Retriever:
        """Return a retriever by the summed idf of the terms that query and document share.

        Parameters
        ----------
        **options
            Options of `Retriever`.
        """
        return self.retriever(SharedIdf(), **options)
