"""Exclusive sharing: what a query has in common with a text and with hardly any other member of the pool."""

from __future__ import annotations

from typing import Literal

from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import BIGRAMS, WORDS, NGrams, Scores, pool_terms, products, weighted
from ir_coliee.frames import one_of

Unit = Literal["words", "bigrams", "ngrams"]
UNITS: tuple[Unit, ...] = ("words", "bigrams", "ngrams")

_KINDS = {"words": WORDS, "bigrams": BIGRAMS, "ngrams": NGrams(5)}
_MAX_DF, _EXPONENT = 12, -1.5


def exclusive_sharing(pool: TextPool, unit: Unit) -> Scores:
    """Score texts by what they share with a query and with few other members of the pool.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    unit : {"words", "bigrams", "ngrams"}
        What is shared: words, bigrams of content words, or 5-grams of all words.

    Returns
    -------
    float32 array, queries x texts
        Scores of at least 0.

    Notes
    -----
    The score is the sum of (df - 1)^-1.5 over what both have, of a document frequency from 2 to 12: 1 for what no third
    member has, .35 for what one third member has, .03 for what ten have. The measure was developed for this package.

    Examples
    --------
    >>> import numpy as np
    >>> from ir_coliee.engine.cases.token_sequences import TokenSequences
    >>> sequences = TokenSequences.of(["a lamp at the gate", "a lamp", "the gate", "a well"])
    >>> exclusive_sharing(TextPool(sequences, np.array([0]), np.array([1, 2, 3])), "words").round(2)
    array([[1.35, 2.  , 0.35]], dtype=float32)
    """
    one_of("unit", unit, UNITS)
    shared = pool_terms(pool, _KINDS[unit]).within(2, _MAX_DF)
    queries, texts = pool.rows_of(shared.members)
    weights = (shared.df - 1) ** _EXPONENT
    return products(weighted(queries, weights[queries.indices]), texts.sign())
