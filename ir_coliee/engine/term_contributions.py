"""The parts of a score: what each shared term, and the document's length, adds to it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.weightings import Collection, Weighting, document_weights, query_weights
from ir_coliee.frames import Floats


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
        Statistics of the collection or of a pool, see `statistics_of`. As in `ir_coliee.engine.pool_scoring`, query
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
