"""Selection of the best terms of long queries."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Literal

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import Collection
from ir_coliee.frames import Floats, Integers, check_ids, check_share, instance_of, one_of
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.indexes import LexicalIndex
from ir_coliee.transformers.retrieval.retriever import INPUT_COLUMNS, query_frequencies, term_names

CountedUnit = Literal["terms", "tokens"]

_OWN_SHARE, _ITERATIONS = 0.1, 50  # of the parsimonious model


def kl_informativeness(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """Contribution of each term to the divergence of the query from the collection: P(t|Q) ln(P(t|Q) / P(t|C)) [1].

    This is the informativeness of [1]. Their phraseness, the other component, is 0 for single terms.

    Examples
    --------
    >>> collection = Collection(2, 8.0, np.array([2.0, 1.0]), np.array([7.0, 1.0]))
    >>> kl_informativeness(sparse.csr_matrix([[3.0, 1.0]]), collection).round(3).tolist()
    [-0.116, 0.173]
    """
    share = queries.data / row_sums(queries)[_rows(queries)]
    return share * np.log(share / _background(queries, collection))


def parsimonious_model(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """P(t|Q) of the parsimonious model, in which the collection explains frequent terms [2].

    Notes
    -----
    The start is P(t|Q) = tf / |Q|. Each step computes e(t) = tf lambda P(t|Q) / ((1 - lambda) P(t|C) + lambda P(t|Q)),
    then P(t|Q) = e(t) / sum of e. The share lambda of the query's own model is 0.1, after 50 steps.

    Examples
    --------
    >>> collection = Collection(2, 8.0, np.array([2.0, 1.0]), np.array([7.0, 1.0]))
    >>> query = sparse.csr_matrix([[3.0, 1.0]])
    >>> parsimonious_model(query, collection).round(3).tolist()
    [0.0, 1.0]
    """
    rows, tf = _rows(queries), queries.data.astype(np.float64)
    by_collection = (1 - _OWN_SHARE) * _background(queries, collection)
    model: Floats = tf / row_sums(queries)[rows]
    for _ in range(_ITERATIONS):
        by_query = _OWN_SHARE * model
        expected = tf * by_query / (by_query + by_collection)
        model = expected / np.bincount(rows, weights=expected, minlength=queries.shape[0])[rows]
    return model


def idf(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """Inverse document frequency ln(N / df) [3]."""
    return np.log(collection.documents / np.maximum(collection.df[queries.indices], 1))


def select_terms(
    queries: sparse.csr_matrix, scores: Floats, share: float, of: CountedUnit = "terms"
) -> sparse.csr_matrix:
    """Keep the best terms of each query; among equal scores the first terms.

    Parameters
    ----------
    queries : csr_matrix, queries x terms
        Term frequencies.
    scores : float64 array
        Score of each term frequency.
    share : float
        Share of the terms to keep.
    of : {"terms", "tokens"}
        Whether it is a share of the query's distinct terms or of its tokens. Halves are rounded up, and a query with a
        term keeps at least one.

    Returns
    -------
    csr_matrix, queries x terms

    Examples
    --------
    >>> query = sparse.csr_matrix([[4.0, 1.0, 2.0, 1.0, 1.0]])
    >>> select_terms(query, np.array([0.1, 0.9, 0.3, 0.9, 0.9]), 0.5).toarray().tolist()
    [[0.0, 1.0, 0.0, 1.0, 1.0]]
    """
    rows, distinct = _rows(queries), np.diff(queries.indptr)
    counted = distinct if of == "terms" else row_sums(queries)
    sizes = np.maximum(np.floor(share * counted + 0.5), 1)
    order = np.lexsort((-scores, rows))  # stable: ties are ordered by term
    places = np.arange(queries.nnz) - queries.indptr[rows]
    selected = np.sort(order[places < sizes[rows]])
    bounds = np.concatenate([[0], np.cumsum(np.bincount(rows[selected], minlength=queries.shape[0]))])
    return sparse.csr_matrix((queries.data[selected], queries.indices[selected], bounds), shape=queries.shape)


def _rows(queries: sparse.csr_matrix) -> Integers:
    """Row number of each term frequency."""
    return np.arange(queries.shape[0]).repeat(np.diff(queries.indptr))


def _background(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """P(t|C) of each term of the queries."""
    return np.maximum(collection.cf[queries.indices], 1) / collection.tokens


#: How informative each term of the queries is, by name.
_SCORES: dict[str, Callable[[sparse.csr_matrix, Collection], Floats]] = {
    "kli": kl_informativeness,
    "idf": idf,
    "tf-idf": lambda queries, collection: queries.data * idf(queries, collection),
    "plm": parsimonious_model,
}


class SelectTerms(BaseTransformer):
    """Keep the best terms of a query, with their frequencies in it, as ``query_toks``: Q to Q, R to R.

    Rows, their order and other columns are kept. A query is read from the first of ``query_toks``, ``query_docno`` and
    ``query`` that the frame has; in a frame of results, from the first row of each query.

    Parameters
    ----------
    index : LexicalIndex
        The index whose terms and statistics are used.
    share : float, default 0.4
        The share of terms to keep, in (0, 1].
    by : {"kli", "idf", "tf-idf", "plm"}, default "kli"
        The score of a term. ``"kli"``: its KL informativeness, P(t|Q) ln(P(t|Q) / P(t|C)) [1]_. ``"idf"``: ln(N / df)
        [2]_. ``"tf-idf"``: tf ln(N / df) [3]_. ``"plm"``: its probability in the parsimonious language model of the
        query [4]_, with a weight of the query's own model of 0.1, after 50 iterations (both chosen for this package).
    share_of : {"terms", "tokens"}, default "terms"
        Whether the share is of the query's distinct terms or of its tokens.

    Notes
    -----
    The best share of terms at COLIEE 2022 was 40 % by KL informativeness, with BM25 (k1 = 2.8, b = 0.9); by the
    parsimonious model it was 50 %. In 2021, 10 % of the tokens was best; this package takes that as the number of
    distinct terms to keep, not as the sum of their frequencies. Halves are rounded
    up, at least one term is kept, and among equal scores the first terms in the order of the index.

    References
    ----------
    .. [1] T. Tomokiyo and M. Hurst, A language model approach to keyphrase extraction, 2003; for case retrieval
       D. Locke, G. Zuccon and H. Scells, 2017.
    .. [2] B. Koopman, L. Cripwell and G. Zuccon, 2017, as IDF-r; for case retrieval Locke, Zuccon and Scells, 2017.
    .. [3] G. Salton and C. Buckley, Term-weighting approaches in automatic text retrieval, 1988.
    .. [4] D. Hiemstra, S. Robertson and H. Zaragoza, Parsimonious language models for information retrieval, 2004.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> query = pd.DataFrame({"qid": ["1"], "query": ["the lamp and the lamp"]})
    >>> SelectTerms(index, share=0.5)(query).query_toks.tolist()
    [{'lamp': 2.0}]
    """

    LABEL = "Select terms"

    def __init__(
        self,
        index: LexicalIndex,
        share: float = 0.4,
        *,
        by: Literal["kli", "idf", "tf-idf", "plm"] = "kli",
        share_of: CountedUnit = "terms",
    ) -> None:
        self.index = instance_of("index", index, TermCounts, "a LexicalIndex")
        self.share = check_share("share", share)
        self.by = one_of("by", by, tuple(_SCORES))
        self.share_of = one_of("share_of", share_of, ("terms", "tokens"))

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add ``query_toks``; raise `ColieeError` for a query without an id or text, or with an unknown document."""
        with pt.validate.any(inp, context=self) as frame:
            for column in INPUT_COLUMNS:
                frame.columns(includes=["qid", column], mode=column)
        check_ids(inp)
        query_of_row = pd.factorize(inp["qid"])[0] if "docno" in inp.columns else np.arange(len(inp))
        _, first_rows = np.unique(query_of_row, return_index=True)
        frequencies = query_frequencies(self.index, inp.iloc[first_rows])
        scores = _SCORES[self.by](frequencies, self.index.collection)
        selected = select_terms(frequencies, scores, self.share, self.share_of)
        names, weights = term_names(self.index.vocabulary, selected.indices.tolist()), selected.data.tolist()
        bounds = pairwise(selected.indptr.tolist())
        tokens = [dict(zip(names[start:end], weights[start:end])) for start, end in bounds]
        query_toks = pd.Series([tokens[query] for query in query_of_row], dtype=object)
        return inp.reset_index(drop=True).assign(query_toks=query_toks)
