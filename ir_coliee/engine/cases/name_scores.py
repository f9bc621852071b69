"""Scores of names: capitalised words that a query shares with the head of a decision, and mentions of its judge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.arrays import Floats, Integers, Numbers
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.token_sequences import TokenSequences

HEAD_TOKENS = 500
TOKENS_BEFORE_MARKER, TOKENS_AFTER_MARKER = 12, 8
MIN_LETTERS = 3
MIN_TEXTS, MAX_SHARE_OF_TEXTS = 2, 0.03
MAX_UNCAPITALISED = 0.3  # texts with the word uncapitalised, as a share of those that have it capitalised, plus one

_Scores = npt.NDArray[np.float32]


class NameScores(NamedTuple):
    """Scores by shared names, of each query (row) and text (column) of a pool.

    Attributes
    ----------
    full_head : float32 array
        Names of the whole query in the head of the text.
    near_head : float32 array
        Names near the query's suppressed citations in the head of the text.
    """

    full_head: _Scores
    near_head: _Scores


def name_scores(pool: TextPool) -> NameScores:
    """Score the texts of a pool by the names in their first 500 tokens that a query mentions.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.

    Notes
    -----
    The score is the sum of the inverse document frequency of each distinct name that is capitalised in both. A name is
    a word of three letters or more that is capitalised in at least two and at most 3 % of the texts (of few texts, in
    two), and uncapitalised in at most .3 times as many plus one. Near a citation are the 12 tokens before its marker
    and the 8 after it.
    """
    sequences, size = pool.sequences, len(pool.sequences.vocabulary)
    capitalised = _incidence((_written(sequences, text, capitalised=True) for text in pool.texts), size)
    uncapitalised = _incidence((_written(sequences, text, capitalised=False) for text in pool.texts), size)
    weights = _name_weights(sequences, len(pool.texts), capitalised.getnnz(axis=0), uncapitalised.getnnz(axis=0))
    heads = _incidence((_written(sequences, text, capitalised=True, end=HEAD_TOKENS) for text in pool.texts), size)
    heads.data = weights[heads.indices]
    whole = _incidence((_written(sequences, query, capitalised=True) for query in pool.queries), size)
    near = _incidence((_near_markers(sequences, query) for query in pool.queries), size)
    full_head, near_head = ((names @ heads.T).toarray().astype(np.float32) for names in (whole, near))
    return NameScores(full_head, near_head)


def judge_mentions(pool: TextPool) -> _Scores:
    """Count how often each query names the judge of each text; one less if it is the query's own judge.

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
            scores[row, texts_of_judge[judge]] = mentions[judge]
    return scores


def _written(sequences: TokenSequences, text: int, *, capitalised: bool, end: int | None = None) -> Numbers:
    """Distinct tokens among the first tokens of a text that are written with, or without, a capital."""
    first, last = sequences.bounds[text : text + 2]
    part = slice(first, last if end is None else min(first + end, last))
    return np.unique(sequences.tokens[part][sequences.capitalised[part] == capitalised])


def _near_markers(sequences: TokenSequences, text: int) -> Numbers:
    """Distinct capitalised tokens of a text near a marker."""
    first, last = sequences.bounds[text : text + 2]
    markers = sequences.markers[slice(*sequences.marker_bounds[text : text + 2])]
    near = sequences.capitalised[first:last]
    is_near = np.zeros(last - first, np.bool_)
    for marker in markers:
        is_near[max(0, marker - TOKENS_BEFORE_MARKER) : marker + TOKENS_AFTER_MARKER] = True
    return np.unique(sequences.tokens[first:last][near & is_near])


def _incidence(sets: Iterable[Numbers], size: int) -> sparse.csr_matrix:
    """The matrix of which set (row) has which token (column)."""
    rows = list(sets)
    ends = np.cumsum([0, *map(len, rows)])
    tokens = np.concatenate([*rows, np.empty(0, np.int32)])
    return sparse.csr_matrix((np.ones(len(tokens)), tokens, ends), shape=(len(rows), size))


def _name_weights(sequences: TokenSequences, num_texts: int, capitalised: Integers, uncapitalised: Integers) -> Floats:
    """Inverse document frequency of each token that is a name; 0 for other tokens."""
    letters = np.array([sum(map(str.isalpha, token)) for token in sequences.vocabulary], np.int64)
    are_names = (
        (letters >= MIN_LETTERS)
        & (capitalised >= MIN_TEXTS)
        & (capitalised <= max(MIN_TEXTS, MAX_SHARE_OF_TEXTS * num_texts))
        & (uncapitalised <= MAX_UNCAPITALISED * capitalised + 1)
    )
    idf = np.log1p((num_texts - capitalised + 0.5) / (capitalised + 0.5))
    return np.where(are_names, idf, 0.0)
