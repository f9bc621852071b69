"""Scores by the n-grams near suppressed citations: what a decision quotes where it cites."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ir_coliee.engine.cases.citing_contexts import TokenSpans, citing_contexts
from ir_coliee.engine.cases.ngram_rows import ngram_rows
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores, columns, products, vocabulary_hashes, weighted
from ir_coliee.engine.cases.token_sequences import TokenSequences
from ir_coliee.engine.shingles import Tokens
from ir_coliee.engine.weightings import lucene_idf
from ir_coliee.frames import Integers

_BEFORE, _AFTER = 40, 60  # tokens before and after a marker
_FREE_DF, _MAX_SHARE = 20, 0.02  # an n-gram is in at most 2 % of the texts and 20 more
_SMOOTHING = 50  # added to the number of n-grams of a text
_BATCH = 256  # texts that are counted at a time


def context_ngram_scores(pool: TextPool, size: int) -> Scores:
    """Score the texts of a pool by the n-grams near the suppressed citations of a query that they have.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    size : int
        Number of words of an n-gram.

    Returns
    -------
    float32 array, queries x texts
        Scores of at least 0.

    Notes
    -----
    The sum of the idf of the distinct n-grams in the 40 tokens before and the 60 after a marker that the text has,
    divided by the square root of the number of n-grams of the text plus 50. N-grams have a document frequency from 2
    to 2 % of the distinct texts of the pool, queries included, plus 20. idf = ln(1 + (N - df + .5) / (df + .5)).

    Examples
    --------
    >>> sequences = TokenSequences.of(["The brass lamp, <FRAGMENT_SUPPRESSED>.", "A brass lamp.", "A brass gate."])
    >>> context_ngram_scores(TextPool(sequences, np.array([0]), np.array([1, 2])), 2).round(3)
    array([[0.065, 0.   ]], dtype=float32)
    """
    sequences, members = pool.sequences, pool.members
    contexts = citing_contexts(sequences, pool.queries, _BEFORE, _AFTER, max_contexts=None)
    starts = np.concatenate([sequences.bounds[members], contexts.starts])
    ends = np.concatenate([sequences.bounds[members + 1], contexts.ends])
    rows = ngram_rows(_batches(sequences, starts, ends), vocabulary_hashes(sequences), size).shared
    df = np.bincount(rows[: len(members)].indices, minlength=rows.shape[1])
    kept = (df >= 2) & (df <= _MAX_SHARE * len(members) + _FREE_DF)
    rows = columns(rows, kept)
    texts = rows[np.searchsorted(members, pool.texts)]
    near = _of_queries(rows[len(members) :], contexts.bounds)
    idf = lucene_idf(df[kept].astype(np.float64), len(members))
    sums = products(weighted(near, idf[near.indices]), texts)
    scores: Scores = (sums / np.sqrt(np.diff(texts.indptr) + _SMOOTHING)).astype(np.float32)
    return scores


def _batches(sequences: TokenSequences, starts: Integers, ends: Integers) -> list[Tokens]:
    """Return the tokens of spans, each of which is counted as a text."""
    batches = []
    for first in range(0, len(starts), _BATCH):
        some = slice(first, first + _BATCH)
        spans = TokenSpans(starts[some], ends[some], np.arange(len(starts[some]) + 1))
        batches.append(Tokens(sequences.tokens[spans.positions()], spans.lengths.astype(np.int32)))
    return batches


def _of_queries(rows: sparse.csr_matrix, bounds: Integers) -> sparse.csr_matrix:
    """Return which n-grams each query has in any of its contexts."""
    contexts = np.arange(rows.shape[0])
    owned = sparse.csr_matrix((np.ones(len(contexts)), contexts, bounds), (len(bounds) - 1, len(contexts)))
    of_queries: sparse.csr_matrix = (owned @ rows).sign()
    return of_queries
