"""`TextPool`: the queries and the candidate texts among which scores are computed."""

from __future__ import annotations

from typing import NamedTuple

from ir_coliee.arrays import Integers
from ir_coliee.engine.cases.token_sequences import TokenSequences


class TextPool(NamedTuple):
    """Queries and candidate texts. All statistics, such as document frequencies and ranks, are those of ``texts``.

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
