"""Scores by single words: BM25 of a query's most informative words, and the TF-IDF cosine.

References
----------
[1] S. Robertson and H. Zaragoza. The Probabilistic Relevance Framework: BM25 and Beyond. 2009.
[2] T. Tomokiyo and M. Hurst. A Language Model Approach to Keyphrase Extraction. 2003.
"""

from __future__ import annotations

import numpy as np

from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import WORDS, Scores, pool_terms, products, unit_rows, weighted
from ir_coliee.engine.term_selection import kl_informativeness, select_terms
from ir_coliee.engine.weightings import BM25, Collection, document_weights, lucene_idf

_BM25 = BM25(k1=3.0, b=1.0)


def informative_bm25(pool: TextPool, share: float = 0.4) -> Scores:
    """Score texts by BM25 with k1 = 3 and b = 1 [1] of the most informative words of each query.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    share : float, default=.4
        The share of a query's distinct words that is used: the words that contribute most to the Kullback-Leibler
        divergence of the query from the pool [2], of equal ones those that occur first in the collection.

    Returns
    -------
    float32 array, queries x texts
        Scores of at least 0.
    """
    words = pool_terms(pool, WORDS)
    queries, texts = pool.rows_of(words.members)
    lengths = np.asarray(words.members.sum(axis=1), dtype=np.float64).ravel()
    collection = Collection.of(words.members.indices, words.members.data, lengths, len(words.df))
    queries = weighted(queries, queries.data.astype(np.float64))
    queries = select_terms(queries, kl_informativeness(queries, collection), share)
    lengths_of_texts = pool.sequences.lengths[pool.texts].astype(np.float64)
    return products(queries, document_weights(_BM25, texts, lengths_of_texts, collection))


def tfidf_cosine(pool: TextPool) -> Scores:
    """Score texts by the cosine of vectors with the weights (1 + ln tf) idf.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.

    Returns
    -------
    float32 array, queries x texts
        Cosines, in [0, 1].

    Notes
    -----
    idf = ln(1 + (N - df + .5) / (df + .5)).
    """
    words = pool_terms(pool, WORDS)
    idf = lucene_idf(words.df, len(pool.members))
    weights = (1 + np.log(words.members.data)) * idf[words.members.indices]
    return products(*pool.rows_of(unit_rows(weighted(words.members, weights))))
