"""Selection of the most informative terms of long queries: scores of terms, and the best-scored share of them.

A query is a row of term frequencies (queries x terms) with its terms in ascending order. Scores are arrays parallel to
the ``data`` of this matrix. A `Collection` has the statistics of terms. A term that does not occur in the collection is
treated as occurring once, as in the background model of [1].

Sources: [1] Tomokiyo and Hurst, A Language Model Approach to Keyphrase Extraction, 2003. [2] Hiemstra, Robertson and
Zaragoza, Parsimonious Language Models for Information Retrieval, 2004. [3] Spärck Jones, A Statistical Interpretation
of Term Specificity, 1972. [4] Salton and Buckley, Term-Weighting Approaches in Automatic Text Retrieval, 1988.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.weightings import Collection, Weighting, document_weights, query_weights
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


# The parts of a score: what each shared term, and the document's length, adds to it.


class TermContributions(NamedTuple):
    """The parts of the score of a document for a query, which add up to it.

    Attributes
    ----------
    terms : integer array
        Numbers of the shared terms, ascending.
    query_tf : float64 array
        Frequency, or given weight, of each term in the query.
    document_tf : float64 array
        Frequency of each term in the document.
    df : float64 array
        Document frequency of each term.
    contributions : float64 array
        What each term adds to the score.
    of_length : float or None
        What the length of the document adds to the score; None where it adds nothing by itself.
    """

    terms: npt.NDArray[np.integer[Any]]
    query_tf: Floats
    document_tf: Floats
    df: Floats
    contributions: Floats
    of_length: float | None

    @property
    def score(self) -> float:
        """The sum of all parts."""
        return float(self.contributions.sum()) + (self.of_length or 0.0)


def term_contributions(
    weighting: Weighting, query: sparse.csr_matrix, document: sparse.csr_matrix, collection: Collection
) -> TermContributions:
    """Split the score of a document for a query into the parts of their shared terms.

    Parameters
    ----------
    weighting : Weighting
        The formula.
    query : csr_matrix, 1 x terms
        Term frequencies, or given weights.
    document : csr_matrix, 1 x terms
        Term counts.
    collection : Collection
        Statistics of the collection or of a pool, see `statistics_of`. As in `ir_coliee.engine.pools`, query
        terms that none of its documents has are left out.

    Returns
    -------
    TermContributions

    Examples
    --------
    >>> from ir_coliee.engine.weightings import SharedIdf
    >>> counts = sparse.csr_matrix([[1, 2, 0], [0, 1, 1]])
    >>> parts = term_contributions(SharedIdf(), counts[[0]], counts[[1]], statistics_of(counts))
    >>> parts.terms.tolist(), parts.contributions.round(4).tolist(), round(parts.score, 4)
    ([1], [0.1823], 0.1823)
    """
    query = _columns(query, collection.df[query.indices] > 0)
    lengths = row_sums(document)
    of_query = query_weights(weighting, query, collection)
    of_document = document_weights(weighting, document, lengths, collection)
    terms, in_query, in_document = np.intersect1d(query.indices, document.indices, return_indices=True)
    by_length = weighting.length_weights(lengths)
    return TermContributions(
        terms,
        query.data[in_query].astype(np.float64),
        document.data[in_document].astype(np.float64),
        collection.df[terms],
        of_query.data[in_query] * of_document.data[in_document],
        None if by_length is None else float(row_sums(of_query)[0] * by_length[0]),
    )


def statistics_of(counts: sparse.csr_matrix) -> Collection:
    """Return the statistics of some documents (documents x terms), as if there were no others.

    Examples
    --------
    >>> statistics_of(sparse.csr_matrix([[1, 2, 0], [0, 1, 1]])).df.tolist()
    [1.0, 2.0, 1.0]
    """
    return Collection.of(counts.indices, counts.data, row_sums(counts), counts.shape[1])


def _columns(vector: sparse.csr_matrix, kept: npt.NDArray[np.bool_]) -> sparse.csr_matrix:
    data, terms = vector.data[kept], vector.indices[kept]
    return sparse.csr_matrix((data, terms, [0, len(data)]), shape=vector.shape)
