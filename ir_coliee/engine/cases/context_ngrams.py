"""Scores by the n-grams near suppressed citations: what a decision quotes where it cites."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ir_coliee.arrays import Hashes, Integers
from ir_coliee.engine.cases.citing_contexts import TokenSpans, citing_contexts
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores, vocabulary_hashes
from ir_coliee.engine.cases.token_sequences import TokenSequences
from ir_coliee.engine.shingles import HashedVocabulary, Tokens, count_shingles, shingle_hashes
from ir_coliee.engine.weightings import lucene_idf

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
    sequences = pool.sequences
    members = pool.members
    hashes = vocabulary_hashes(sequences)
    max_df = int(_MAX_SHARE * len(members) + _FREE_DF)
    ngrams, counts = count_shingles(_batches(sequences, members), hashes, size, min_df=2, max_df=max_df)
    idf = lucene_idf(np.diff(counts.indptr).astype(np.float64), len(members))
    texts = counts.tocsr()[np.searchsorted(members, pool.texts)]
    texts = sparse.csr_matrix((np.ones(texts.nnz), texts.indices, texts.indptr), shape=texts.shape)
    near = _ngrams_near_citations(pool, hashes, HashedVocabulary(ngrams, size))
    near.data = idf[near.indices]
    sums: Scores = (near @ texts.T).toarray() / np.sqrt(np.diff(texts.indptr) + _SMOOTHING)
    return sums.astype(np.float32)


def _batches(sequences: TokenSequences, texts: Integers) -> list[Tokens]:
    spans = (texts[first : first + _BATCH] for first in range(0, len(texts), _BATCH))
    whole = (TokenSpans(sequences.bounds[each], sequences.bounds[each + 1], np.arange(len(each) + 1)) for each in spans)
    return [Tokens(sequences.tokens[each.positions()], each.lengths.astype(np.int32)) for each in whole]


def _ngrams_near_citations(pool: TextPool, hashes: Hashes, vocabulary: HashedVocabulary) -> sparse.csr_matrix:
    """Return which n-grams of the vocabulary each query has near its citations."""
    contexts = citing_contexts(pool.sequences, pool.queries, _BEFORE, _AFTER, max_contexts=None)
    rows = [np.empty(0, dtype=np.int64)]
    for first, last in zip(contexts.bounds, contexts.bounds[1:]):
        spans = TokenSpans(contexts.starts[first:last], contexts.ends[first:last], np.array([0, last - first]))
        of_tokens = shingle_hashes(hashes[pool.sequences.tokens[spans.positions()]], vocabulary.words)
        owners = np.repeat(np.arange(len(spans)), spans.lengths)
        is_within = owners[: len(of_tokens)] == owners[len(owners) - len(of_tokens) :]
        columns = vocabulary.columns(np.unique(of_tokens[is_within]))
        rows.append(columns[columns >= 0])
    bounds = np.cumsum([len(row) for row in rows])
    numbers = np.concatenate(rows)
    return sparse.csr_matrix((np.ones(len(numbers)), numbers, bounds), shape=(len(rows) - 1, len(vocabulary)))
