"""Scores of names: capitalised words that a query shares with the head of a decision, and mentions of its judge."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.cases.citing_contexts import TokenSpans
from ir_coliee.engine.cases.computed_once import computed_once
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores, capitalised_counts, columns, products, weighted, word_counts
from ir_coliee.engine.cases.token_sequences import TokenSequences
from ir_coliee.engine.weightings import lucene_idf
from ir_coliee.frames import Booleans, Integers

HEAD_TOKENS = 500
TOKENS_BEFORE_MARKER, TOKENS_AFTER_MARKER = 12, 8
MIN_LETTERS = 3
MIN_TEXTS, MAX_SHARE_OF_TEXTS = 2, 0.03
MAX_UNCAPITALISED = 0.3  # texts with the word uncapitalised, as a share of those that have it capitalised, plus one


def shared_names(pool: TextPool, *, near_citations: bool = False) -> Scores:
    """Score the texts of a pool by the names in their first 500 tokens that a query mentions.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    near_citations : bool, default=False
        Whether only the names near the query's suppressed citations count.

    Returns
    -------
    float32 array, queries x texts
        Sums of at least 0.

    Notes
    -----
    The score is the sum of the inverse document frequency of each distinct name that is capitalised in both. A name is
    a word of three letters or more that is capitalised in at least two and at most 3 % of the members of the pool,
    queries included (of few, in two), and uncapitalised in at most .3 times as many plus one. Near a citation are the
    12 tokens before its marker and the 8 after it.
    """
    names = _names(pool)
    if near_citations:
        written = _capitalised(pool.sequences, _near_markers(pool.sequences, pool.queries))
    else:
        written = capitalised_counts(pool.sequences)[pool.queries].sign()
    return products(columns(written, names.are_names), names.heads)


def judge_mentions(pool: TextPool) -> Scores:
    """Count how often each query names the judge of each text; one less, if not 0, if it is the query's own judge.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.

    Returns
    -------
    float32 array
        One row per query, one column per text; 0 for a text whose judge is unknown.
    """
    properties = pool.sequences.properties
    texts_of_judge = defaultdict(list)
    for column, text in enumerate(pool.texts):
        if judge := properties[text].judge:
            texts_of_judge[judge].append(column)
    scores = np.zeros((len(pool.queries), len(pool.texts)), np.float32)
    for row, query in enumerate(pool.queries):
        mentions = Counter(properties[query].judges_mentioned)
        mentions.subtract([properties[query].judge])
        for judge in mentions.keys() & texts_of_judge.keys():
            scores[row, texts_of_judge[judge]] = max(mentions[judge], 0)
    return scores


class _Names(NamedTuple):
    """Which words are names, and the names in the head of each text of a pool, with their idf."""

    are_names: Booleans
    heads: sparse.csr_matrix


@computed_once
def _names(pool: TextPool) -> _Names:
    sequences, num_members = pool.sequences, len(pool.members)
    counts = capitalised_counts(sequences)[pool.members]
    capitalised = counts.getnnz(axis=0)
    uncapitalised = (word_counts(sequences)[pool.members] - counts).getnnz(axis=0)
    are_names = (
        _are_long(sequences)
        & (capitalised >= MIN_TEXTS)
        & (capitalised <= max(MIN_TEXTS, MAX_SHARE_OF_TEXTS * num_members))
        & (uncapitalised <= MAX_UNCAPITALISED * capitalised + 1)
    )
    starts, ends = sequences.bounds[pool.texts], sequences.bounds[pool.texts + 1]
    whole = TokenSpans(starts, np.minimum(starts + HEAD_TOKENS, ends), np.arange(len(starts) + 1))
    heads = columns(_capitalised(sequences, whole), are_names)
    idf = lucene_idf(capitalised[are_names].astype(np.float64), num_members)
    return _Names(are_names, weighted(heads, idf[heads.indices]))


@computed_once
def _are_long(sequences: TokenSequences) -> Booleans:
    """Return for each token of the vocabulary whether it has at least three letters."""
    return np.array([sum(map(str.isalpha, token)) >= MIN_LETTERS for token in sequences.vocabulary], np.bool_)


def _near_markers(sequences: TokenSequences, texts: Integers) -> TokenSpans:
    """Return the tokens near each marker of texts."""
    bounds = sequences.marker_bounds
    numbers = np.diff(bounds)[texts]
    ends = np.concatenate([[0], np.cumsum(numbers)])
    markers = TokenSpans(bounds[texts], bounds[texts + 1], ends).positions()
    firsts, lasts = (np.repeat(sequences.bounds[each], numbers) for each in (texts, texts + 1))
    places = firsts + sequences.markers[markers]
    starts, stops = places - TOKENS_BEFORE_MARKER, places + TOKENS_AFTER_MARKER
    return TokenSpans(np.maximum(starts, firsts), np.minimum(stops, lasts), ends)


def _capitalised(sequences: TokenSequences, spans: TokenSpans) -> sparse.csr_matrix:
    """Return which tokens are capitalised in the spans of each text, as 1 (texts x vocabulary)."""
    positions = spans.positions()
    texts = np.repeat(np.arange(len(spans.bounds) - 1), np.diff(spans.bounds))
    rows = np.repeat(texts, spans.lengths)[sequences.capitalised[positions]]
    tokens = sequences.tokens[positions[sequences.capitalised[positions]]]
    shape = len(spans.bounds) - 1, len(sequences.vocabulary)
    return sparse.csr_matrix((np.ones(len(tokens)), (rows, tokens)), shape=shape).sign()
