"""Scores by n-grams that a query shares with a text: judgments quote each other and describe the same law alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import (
    BIGRAMS,
    NGrams,
    Scores,
    pool_terms,
    products,
    unit_rows,
    weighted,
)
from ir_coliee.engine.weightings import lucene_idf

_FREE_DF, _MAX_SHARE = 20, 0.02  # an n-gram of a quotation is in at most 2 % of the texts; 20 are always allowed


class BigramVectors(NamedTuple):
    """Vectors of length 1 with the idf of the bigrams of content words.

    The bigrams that a single member of the pool has are one column, which has the length of their vector.

    Attributes
    ----------
    queries, texts : csr_matrix
        The rows of the queries and of the texts of a pool; equal columns.
    """

    queries: sparse.csr_matrix
    texts: sparse.csr_matrix


def bigram_vectors(pool: TextPool, max_share: float = 1.0) -> BigramVectors:
    """Return the vectors of a pool by the bigrams of content words.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    max_share : float, default=1
        The largest document frequency of a bigram, as a share of the members.

    Returns
    -------
    BigramVectors
        A vector without a bigram is empty.
    """
    num_members = len(pool.members)
    max_df = max_share * num_members
    bigrams = pool_terms(pool, BIGRAMS).within(2, max_df)
    weights = lucene_idf(bigrams.df, num_members)[bigrams.members.indices]
    idf_alone = lucene_idf(np.ones(1), num_members) if max_df >= 1 else np.zeros(1)
    alone = sparse.csr_matrix(sparse.diags(np.sqrt(bigrams.alone) * idf_alone))
    alone.eliminate_zeros()
    vectors = sparse.hstack([weighted(bigrams.members, weights), alone], format="csr")
    return BigramVectors(*pool.rows_of(unit_rows(vectors)))


def bigram_cosine(pool: TextPool) -> Scores:
    """Score texts by the cosine of the idf of the distinct bigrams of content words, see `bigram_vectors`.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.

    Returns
    -------
    float32 array, queries x texts
        Cosines, in [0, 1].
    """
    return products(*bigram_vectors(pool))


def shared_ngram_idf(pool: TextPool, size: int) -> Scores:
    """Score texts by the sum of the idf of the n-grams that they share with a query.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    size : int
        The number of words of an n-gram.

    Returns
    -------
    float32 array, queries x texts
        Sums of at least 0.

    Notes
    -----
    N-grams have all words and a document frequency from 2 to 2 % of the members, or 20 where that is more.
    idf = ln(1 + (N - df + .5) / (df + .5)).
    """
    num_members = len(pool.members)
    max_df = max(_FREE_DF, _MAX_SHARE * num_members)
    ngrams = pool_terms(pool, NGrams(size)).within(2, max_df)
    queries, texts = pool.rows_of(ngrams.members)
    return products(weighted(queries, lucene_idf(ngrams.df, num_members)[queries.indices]), texts)


def num_rare_ngrams(pool: TextPool, size: int = 5, max_df: int = 5) -> Scores:
    """Score texts by the number of rare n-grams that they share with a query.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    size : int, default=5
        The number of words of an n-gram.
    max_df : int, default=5
        The largest document frequency.

    Returns
    -------
    float32 array, queries x texts
        Numbers of at least 0.
    """
    queries, texts = pool.rows_of(pool_terms(pool, NGrams(size)).within(2, max_df).members)
    return products(weighted(queries, np.ones(queries.nnz)), texts)
