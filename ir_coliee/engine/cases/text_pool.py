"""`TextPool`: the queries and the candidate texts among which scores are computed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ir_coliee.arrays import Integers
from ir_coliee.engine.cases.token_sequences import TokenSequences


class TextPool(NamedTuple):
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

    @property
    def members(self) -> Integers:
        """The numbers of the texts of the pool, each once and ascending: the candidate texts and the queries' texts.

        What a query shares with a single candidate text has a document frequency of 2.
        """
        return np.union1d(self.queries, self.texts).astype(np.int64)
