"""`TextPool`: the queries and the candidate texts among which scores are computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ir_coliee.engine.cases.token_sequences import TokenSequences
from ir_coliee.frames import Integers


@dataclass(frozen=True, eq=False)
class TextPool:
    """Queries and candidate texts. All statistics, such as document frequencies and ranks, are those of the pool.

    Attributes
    ----------
    sequences : TokenSequences
        The texts of the collection.
    queries : int64 array
        The number of the text of each query.
    texts : int64 array
        The numbers of the candidate texts, each once. A score does not leave out the query's own text.
    """

    sequences: TokenSequences
    queries: Integers
    texts: Integers

    @cached_property
    def members(self) -> Integers:
        """The numbers of the texts of the pool, each once and ascending: the candidate texts and the queries' texts.

        What a query shares with a single candidate text has a document frequency of 2.
        """
        return np.union1d(self.queries, self.texts).astype(np.int64)

    def rows_of(self, members: sparse.csr_matrix) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
        """Return the rows of the queries and the rows of the texts of a matrix with a row for each member."""
        queries, texts = (members[np.searchsorted(self.members, each)] for each in (self.queries, self.texts))
        return queries, texts
