"""What a query and each document of its pool have in common, term by term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.weightings import Floats, Integers

_TOGETHER = 64  # pools whose rows are fetched at once


class SharedTerms(NamedTuple):
    """For each document of a pool: how many different terms it shares with the query, and the sum of their idf."""

    terms: Floats
    idf: Floats


def shared_terms(
    counts: sparse.csr_matrix, query_vectors: sparse.csr_matrix, pools: Sequence[Integers], idf: Floats
) -> Iterator[SharedTerms]:
    """The terms that each query shares with the documents of its pool: rows of ``counts`` (documents x terms).

    ``query_vectors``: queries x terms. ``idf``: of each term.

    >>> counts = sparse.csr_matrix([[1, 2, 0], [0, 1, 1]])
    >>> next(shared_terms(counts, sparse.csr_matrix([[3, 0, 1]]), [np.array([0, 1])], np.array([1.0, 2.0, 4.0])))
    SharedTerms(terms=array([1., 1.]), idf=array([1., 4.]))
    """
    of_query = np.zeros(counts.shape[1], dtype=np.float64)
    wanted = np.zeros(counts.shape[1], dtype=np.bool_)
    for start in range(0, len(pools), _TOGETHER):
        batch = pools[start : start + _TOGETHER]
        rows = counts[np.concatenate(batch)]
        ends = np.cumsum([0, *map(len, batch)])
        for place, documents in enumerate(batch):
            query = slice(*query_vectors.indptr[start + place : start + place + 2])
            terms = query_vectors.indices[query]
            wanted[terms], of_query[terms] = True, idf[terms]
            bounds = rows.indptr[ends[place] : ends[place + 1] + 1]
            occurring = rows.indices[bounds[0] : bounds[-1]]
            hits = np.flatnonzero(wanted[occurring])
            owners = np.searchsorted(bounds - bounds[0], hits, side="right") - 1
            wanted[terms] = False
            count = np.bincount(owners, minlength=len(documents)).astype(np.float64)
            yield SharedTerms(count, np.bincount(owners, of_query[occurring[hits]], len(documents)).astype(np.float64))
