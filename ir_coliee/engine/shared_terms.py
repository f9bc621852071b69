"""Terms that a query and each document of its pool have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.pool_scoring import fetched
from ir_coliee.frames import Floats, Integers


class SharedTerms(NamedTuple):
    """Shared terms of a query with each document of its pool.

    Attributes
    ----------
    terms : float64 array
        Number of different shared terms.
    idf : float64 array
        Sum of their idf.
    """

    terms: Floats
    idf: Floats


def shared_terms(
    counts: sparse.csr_matrix, query_vectors: sparse.csr_matrix, pools: Sequence[Integers], idf: Floats
) -> Iterator[SharedTerms]:
    """Terms that each query shares with the documents of its pool.

    Parameters
    ----------
    counts : csr_matrix, documents x terms
        Term counts of the collection.
    query_vectors : csr_matrix, queries x terms
        Terms of the queries.
    pools : sequence of int64 array
        Row numbers of the documents of each query's pool.
    idf : float64 array
        Inverse document frequency of each term.

    Yields
    ------
    SharedTerms
        One for each query, in order.

    Examples
    --------
    >>> counts = sparse.csr_matrix([[1, 2, 0], [0, 1, 1]])
    >>> next(shared_terms(counts, sparse.csr_matrix([[3, 0, 1]]), [np.array([0, 1])], np.array([1.0, 2.0, 4.0])))
    SharedTerms(terms=array([1., 1.]), idf=array([1., 4.]))
    """
    of_query = np.zeros(counts.shape[1], dtype=np.float64)
    wanted = np.zeros(counts.shape[1], dtype=np.bool_)
    for place, pool in enumerate(fetched(counts, pools)):
        terms = query_vectors.indices[query_vectors.indptr[place] : query_vectors.indptr[place + 1]]
        wanted[terms], of_query[terms] = True, idf[terms]
        hits = np.flatnonzero(wanted[pool.terms])
        owners = np.searchsorted(pool.bounds, hits, side="right") - 1
        wanted[terms] = False
        documents = len(pool.bounds) - 1
        count = np.bincount(owners, minlength=documents).astype(np.float64)
        yield SharedTerms(count, np.bincount(owners, of_query[pool.terms[hits]], documents).astype(np.float64))
