"""How similar the paragraphs of two cases are, all pairs of them, as features."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.engine.histograms import pair_histograms
from ir_coliee.engine.scoring import Floats
from ir_coliee.engine.weightings import TfIdf, document_weights, query_weights
from ir_coliee.transformers.base import at_least
from ir_coliee.transformers.features import FeatureTransformer
from ir_coliee.transformers.passages import Cases, query_members
from ir_coliee.transformers.retrieval import QUERY_COLUMNS

if TYPE_CHECKING:
    from ir_coliee.transformers.lexical_index import LexicalIndex


class SimilarityHistogram(FeatureTransformer):
    """The histogram of the similarities of all pairs of paragraphs, one of the query and one of the case (UA 2023).

    UA compared embeddings; here it is the cosine of tf-idf vectors (see `ir_coliee.engine.weightings.TfIdf`), made from
    an index of paragraphs such as `paragraph_corpus` gives. A query is text, which is taken apart at its paragraph
    marks, a case of the index (``query_docno``), or weighted tokens (``query_toks``), which are one paragraph. A
    paragraph without a known term is similar to none. Raises `ColieeError` for a case that has no paragraph in the
    index.

    >>> from ir_coliee.transformers import LexicalIndex, paragraph_corpus
    >>> decision = {"docno": "900001", "text": "[1]\\nA lamp.\\n[2]\\nThe gate."}
    >>> pairs = pd.DataFrame({"qid": ["1"], "query": ["A lamp."], "docno": ["900001"]})
    >>> SimilarityHistogram(LexicalIndex.build(paragraph_corpus([decision])), bins=4)(pairs).features.tolist()
    [array([0.5, 0. , 0. , 0.5])]
    """

    LABEL = "Histogram"

    def __init__(
        self,
        index: LexicalIndex,
        *,
        bins: int = 10,
        limits: tuple[float, float] = (0.0, 1.0),
        norm: Literal["l1"] | None = "l1",
        tf: Literal["log", "count", "binary"] = "log",
    ) -> None:
        """Parameters.

        ``bins`` of equal width between the ``limits``; what lies beyond a limit counts in the outermost bin. ``norm``:
        ``l1`` gives shares of all pairs, None their numbers. Limits and norm are ours: UA does not give theirs.
        ``tf``: as of `ir_coliee.transformers.TfIdf`.
        """
        if not (math.isfinite(limits[0]) and math.isfinite(limits[1]) and limits[0] < limits[1]):
            raise ValueError(f"limits={limits!r} are not two finite numbers, the lower first")
        if norm not in ("l1", None):
            raise ValueError(f"norm={norm!r} is neither 'l1' nor None")
        self.index = index
        self.bins = at_least("bins", bins, 1)
        self.limits = limits
        self.norm = norm
        self.tf = tf
        TfIdf(tf)  # refuses what is none

    @property
    def feature_names(self) -> list[str]:
        """Of each bin ``similarity_`` and its lower edge."""
        return [f"similarity_{edge:g}" for edge in np.linspace(*self.limits, self.bins + 1)[:-1]]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Put the features of each row behind those that it has."""
        with pt.validate.any(inp, context=self) as frame:
            for column in QUERY_COLUMNS:
                frame.result_frame(extra_columns=[column], mode=f"by {column}")
        return super().transform(inp)

    def values(self, results: pd.DataFrame) -> Floats:
        """FeatureTransformer.values"""
        cases, weights = self._kept((self.index, self.tf), self._weighted_cases)
        queries = list(results.groupby("qid", sort=False, observed=True).indices.values())
        vectors, bounds = query_members(self.index, cases, results.iloc[[rows[0] for rows in queries]])
        documents = cases.numbers(results["docno"])
        found = pair_histograms(
            query_weights(TfIdf(self.tf), vectors, cases.collection),
            bounds,
            weights,
            [cases.members(documents[rows]) for rows in queries],
            bins=self.bins,
            limits=self.limits,
        )
        histograms = np.empty((len(results), self.bins))
        for rows, of_query in zip(queries, found):
            histograms[rows] = of_query
        return histograms / histograms.sum(axis=1, keepdims=True) if self.norm else histograms

    def _weighted_cases(self) -> tuple[Cases, sparse.csr_matrix]:
        """The paragraphs case by case, and the weights of their terms in the order of the index."""
        cases = Cases(self.index)
        return cases, document_weights(TfIdf(self.tf), self.index.counts, self.index.lengths, cases.collection)
