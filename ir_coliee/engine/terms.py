"""Selection of the most informative terms of long queries: scores of terms, and the best-scored share of them.

A query is a row of term frequencies (queries x terms) with its terms in ascending order. Scores are arrays parallel to
the ``data`` of this matrix. A `Collection` has the statistics of terms. A term that does not occur in the collection is
treated as occurring once, as in the background model of [1].

Sources: [1] Tomokiyo and Hurst, A Language Model Approach to Keyphrase Extraction, 2003. [2] Hiemstra, Robertson and
Zaragoza, Parsimonious Language Models for Information Retrieval, 2004. [3] Spärck Jones, A Statistical Interpretation
of Term Specificity, 1972. [4] Salton and Buckley, Term-Weighting Approaches in Automatic Text Retrieval, 1988.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy import sparse

from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.weightings import Collection
from ir_coliee.frames import Floats, Integers

CountedUnit = Literal["terms", "tokens"]


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
    informativeness: Floats = share * np.log(share / _background(queries, collection))
    return informativeness


def parsimonious_model(
    queries: sparse.csr_matrix, collection: Collection, *, lambda_: float, iterations: int
) -> Floats:
    """P(t|Q) of the parsimonious model, in which the collection explains frequent terms [2].

    Parameters
    ----------
    queries : csr_matrix, queries x terms
        Term frequencies.
    collection : Collection
        Statistics of the collection.
    lambda_ : float
        Share of the query's own model, in (0, 1].
    iterations : int
        Number of EM steps.

    Notes
    -----
    The start is P(t|Q) = tf / |Q|. Each step computes e(t) = tf lambda P(t|Q) / ((1 - lambda) P(t|C) + lambda P(t|Q)),
    then P(t|Q) = e(t) / sum of e.

    Examples
    --------
    >>> collection = Collection(2, 8.0, np.array([2.0, 1.0]), np.array([7.0, 1.0]))
    >>> query = sparse.csr_matrix([[3.0, 1.0]])
    >>> parsimonious_model(query, collection, lambda_=0.1, iterations=1).round(3).tolist()
    [0.589, 0.411]
    """
    rows, tf = _rows(queries), queries.data.astype(np.float64)
    by_collection = (1 - lambda_) * _background(queries, collection)
    model: Floats = tf / row_sums(queries)[rows]
    for _ in range(iterations):
        by_query = lambda_ * model
        expected = tf * by_query / (by_query + by_collection)
        model = expected / np.bincount(rows, weights=expected, minlength=queries.shape[0])[rows]
    return model


def idf(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """Inverse document frequency ln(N / df) [3]."""
    values: Floats = np.log(collection.documents / np.maximum(collection.df[queries.indices], 1))
    return values


def tf_idf(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """Product of term frequency and idf: tf ln(N / df) [4]."""
    weights: Floats = queries.data * idf(queries, collection)
    return weights


def select_terms(
    queries: sparse.csr_matrix,
    scores: Floats,
    share: float,
    of: CountedUnit = "terms",
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
    shares: Floats = np.maximum(collection.cf[queries.indices], 1) / collection.tokens
    return shares
