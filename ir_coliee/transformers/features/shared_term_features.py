"""Features of the terms that a query and a candidate share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.engine.shared_terms import shared_terms
from ir_coliee.engine.weightings import lucene_idf
from ir_coliee.frames import Floats, Integers, instance_of
from ir_coliee.transformers.features.base import FeatureTransformer, rows_by_query
from ir_coliee.transformers.retrieval.query_vectors import QUERY_COLUMNS, document_rows, query_frequencies

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex


class SharedTermFeatures(FeatureTransformer):
    """Compute features of the terms that query and candidate share, with one or several indexes: R to R.

    For each index these are the number of different terms that are shared, the sum of their idf (as `SharedIdf`), and
    their number as a share of the query's and of the candidate's different terms (0 if there are none). The indexes
    may be of words and of shingles of several lengths. Queries are read in the same way as by `Retriever`; terms that
    the index does not contain are ignored.

    Parameters
    ----------
    indexes : mapping of str to LexicalIndex
        The indexes, at least one, by the prefix of their feature names.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "d1", "text": "a lamp"}, {"docno": "d2", "text": "a gate, a road"}])
    >>> pairs = pd.DataFrame({"qid": "1", "query": "The lamp of a gate", "docno": ["d1", "d2"]})
    >>> [row.round(2).tolist() for row in SharedTermFeatures({"words": index})(pairs).features]
    [[2.0, 0.88, 0.67, 1.0], [2.0, 0.88, 0.67, 0.67]]
    """

    LABEL = "Shared terms"

    def __init__(self, indexes: Mapping[str, LexicalIndex]) -> None:
        instance_of("indexes", indexes, Mapping, "a dict from name to LexicalIndex")
        if not indexes:
            raise ValueError("indexes must contain at least one index, got {}.")
        self.indexes = indexes

    @property
    def feature_names(self) -> list[str]:
        """The name of each index with ``_shared``, ``_idf``, ``_of_query`` and ``_of_candidate``."""
        return [f"{name}_{kind}" for name in self.indexes for kind in ("shared", "idf", "of_query", "of_candidate")]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Append the features to each row. Raises `ColieeError` for a document that an index does not contain."""
        with pt.validate.any(inp, context=self) as frame:
            for column in QUERY_COLUMNS:
                frame.result_frame(extra_columns=[column], mode=f"by {column}")
        return super().transform(inp)

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features, four for each index."""
        pools = rows_by_query(results)
        return np.hstack([_index_features(index, results, pools) for index in self.indexes.values()])


def _index_features(index: LexicalIndex, results: pd.DataFrame, pools: Sequence[Integers]) -> Floats:
    """Return the features of one index; ``pools`` has the rows of each query."""
    documents = document_rows(index, results["docno"])
    queries = query_frequencies(index, results.iloc[[rows[0] for rows in pools]])
    idf = lucene_idf(index.collection.df, len(index))
    query_sizes, document_sizes = np.diff(queries.indptr), np.diff(index.counts.indptr)
    values = np.zeros((len(results), 4))
    shared_by_query = shared_terms(index.counts, queries, [documents[rows] for rows in pools], idf)
    for query, (rows, shared) in enumerate(zip(pools, shared_by_query)):
        values[rows, 0], values[rows, 1] = shared
        values[rows, 2] = shared.terms / max(query_sizes[query], 1)
    values[:, 3] = values[:, 0] / np.maximum(document_sizes[documents], 1)
    return values
