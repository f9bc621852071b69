"""Scores of decisions by the contexts of suppressed citations: every context is a query, pieces of decisions are found.

A decision cites another for something that a paragraph of the other says. So each context of a query case is matched
with each paragraph of each text of the pool; a text has the score of its best piece, and the scores of all contexts of
the query are aggregated. Developed for this package: on the COLIEE 2025 test split, these scores lifted F1 from .455 to
.477.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.arrays import Booleans, Floats, Integers
from ir_coliee.engine.cases.citing_contexts import citing_contexts, count_terms, paragraph_pieces, word_numbers
from ir_coliee.engine.cases.span_index import ContextScorer, SpanIndex
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores
from ir_coliee.engine.scoring import Backend

Against = Literal["pieces", "texts"]
Aggregate = Literal["rr", "max", "softmax", "document"]

AGAINST: tuple[Against, ...] = ("pieces", "texts")
AGGREGATES: tuple[Aggregate, ...] = ("rr", "max", "softmax", "document")

_RANKS, _RANK_SHIFT = 50, 3  # ranks of a context that count, and what is added to them
_TEXT_RANKS, _TEXT_RANK_SHIFT = 20, 2  # the same for the contexts of a text
_TEMPERATURE = 0.12
_MAX_SHARE, _FREE_DF = 0.05, 20  # a context term occurs in at most 5 % of the pieces; 20 are always allowed
_BM25: dict[Against, tuple[float, float]] = {"pieces": (1.2, 0.5), "texts": (1.2, 0.75)}


class ContextScore(NamedTuple):
    """How texts are scored by the contexts of a query.

    Attributes
    ----------
    width : int
        Number of tokens before and after the markers of a citation.
    against : {"pieces", "texts"}
        What a context is matched with: paragraphs, by BM25(1.2, .5), or whole texts, by BM25(1.2, .75).
    aggregate : {"rr", "max", "softmax", "document"}
        How the scores of the contexts are combined, see `context_scores`.
    """

    width: int = 50
    against: Against = "pieces"
    aggregate: Aggregate = "rr"


#: The scores that are features of the learned baseline of task 1.
CONTEXT_SCORES: dict[str, ContextScore] = {
    "cprr": ContextScore(50, "pieces", "rr"),
    "cpmax": ContextScore(50, "pieces", "max"),
    "cdrr": ContextScore(50, "texts", "rr"),
    "c25rr": ContextScore(25, "pieces", "rr"),
    "c100rr": ContextScore(100, "pieces", "rr"),
    "c25sm": ContextScore(25, "pieces", "softmax"),
    "c100sm": ContextScore(100, "pieces", "softmax"),
    "c25drr": ContextScore(25, "pieces", "document"),
    "c100drr": ContextScore(100, "pieces", "document"),
}


def context_scores(
    pool: TextPool,
    definitions: Mapping[str, ContextScore] = CONTEXT_SCORES,
    *,
    excluded: Booleans | None = None,
    threads: int = 1,
    backend: Backend | None = None,
) -> dict[str, Scores]:
    r"""Score the texts of a pool by the contexts of each query's suppressed citations.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    definitions : dict from str to ContextScore
        The scores to compute, by name. Scores of the same width and side are computed together.
    excluded : bool array, queries x texts, optional
        Texts that no context of a query can cite. By default, those of later years, see `later_texts`.
    threads : int
        Number of threads. The scores do not depend on it.
    backend : {"scipy", "numba"}, optional
        See `ir_coliee.engine.cases.span_index`. The scores do not depend on it.

    Returns
    -------
    dict from str to float32 array, queries x texts
        Scores of at least 0.

    Notes
    -----
    Context terms have at least three letters and occur in at most 5 % of the pool's pieces (in a pool of less than 400
    pieces, in at most 20); each counts once in a context. The score of a text for a context is that of its best piece.
    Ranks begin with 0; a text counts only if its score is above 0; equal scores are ranked in the order of the texts,
    and for a text in the order of the contexts. Over the contexts of a query:

    * ``rr``: the sum of 1 / (rank + 3), for the 50 best texts of a context.
    * ``max``: the largest score.
    * ``softmax``: the sum of the softmax over the texts of the score divided by .12 times the context's best score.
    * ``document``: each text ranks the contexts of all queries; the sum of 1 / (rank + 2) over the contexts of this
      query among the text's 20 best.

    Examples
    --------
    >>> from ir_coliee.engine.cases.token_sequences import TokenSequences
    >>> texts = ["The lamps of a harbour, <FRAGMENT_SUPPRESSED>.", "[1]\nHarbour lamps.\n[2]\nGates.", "[1]\nA well."]
    >>> pool = TextPool(TokenSequences.of(texts), np.array([0]), np.array([1, 2]))
    >>> context_scores(pool, {"rr": ContextScore(width=5)})["rr"].round(3)
    array([[0.333, 0.   ]], dtype=float32)
    """
    excluded = later_texts(pool) if excluded is None else excluded
    scores = {name: np.zeros((len(pool.queries), len(pool.texts)), dtype=np.float32) for name in definitions}
    pieces = paragraph_pieces(pool.sequences, pool.texts)
    if not len(pieces):
        return scores
    words = word_numbers(pool.sequences)
    counts = count_terms(pool.sequences, pieces, words)
    df = np.diff(counts.indptr)
    terms = np.flatnonzero((df > 0) & (df <= max(_MAX_SHARE * len(pieces), _FREE_DF)))
    counts = counts[:, terms]
    groups: dict[tuple[Against, int], dict[str, Aggregate]] = {}
    for name, (width, against, aggregate) in definitions.items():
        groups.setdefault((against, width), {})[name] = aggregate
    indexes: dict[Against, SpanIndex] = {}
    for (against, width), names in groups.items():
        if against not in indexes:
            indexes[against] = _index(against, counts, pieces.lengths, pieces.bounds)
        contexts = citing_contexts(pool.sequences, pool.queries, width, width)
        terms_of = count_terms(pool.sequences, contexts, words)[:, terms].tocsr()
        scorer = indexes[against].scorer(terms_of, backend)
        found = aggregated(scorer, contexts.bounds, excluded, set(names.values()), threads)
        scores |= {name: found[aggregate] for name, aggregate in names.items()}
    return scores


def later_texts(pool: TextPool) -> Booleans:
    """Return for each query and text of a pool whether the text's year is later; an unknown year is not."""
    years = np.array([np.nan if each.year is None else each.year for each in pool.sequences.properties], np.float64)
    later: Booleans = years[pool.texts] > years[pool.queries][:, None]
    return later


def _index(against: Against, counts: sparse.csc_matrix, lengths: Integers, bounds: Integers) -> SpanIndex:
    if against == "pieces":
        return SpanIndex.of(counts, lengths, bounds, *_BM25[against])
    texts = np.arange(len(bounds) - 1)
    text_of = np.repeat(texts, np.diff(bounds))
    shape = len(texts), counts.shape[1]
    of_texts = sparse.csc_matrix((counts.data, text_of[counts.indices], counts.indptr), shape=shape, copy=True)
    of_texts.sum_duplicates()
    lengths_of_texts = np.bincount(text_of, weights=lengths, minlength=len(texts))
    return SpanIndex.of(of_texts, lengths_of_texts, np.arange(len(bounds)), *_BM25[against])


def aggregated(
    scorer: ContextScorer, bounds: Integers, excluded: Booleans, aggregates: set[Aggregate], threads: int = 1
) -> dict[Aggregate, Scores]:
    """Combine the scores of the contexts of each query; see `context_scores`.

    Parameters
    ----------
    scorer : callable
        Scores of some contexts x texts.
    bounds : int64 array
        The contexts of the i-th query are those from ``bounds[i]`` to ``bounds[i + 1]``.
    excluded : bool array, queries x texts
        Texts whose score is 0.
    aggregates : set of str
        What to compute.
    threads : int
        Number of threads.
    """
    found: dict[Aggregate, Scores] = {name: np.zeros(excluded.shape, dtype=np.float32) for name in aggregates}
    by_query = [name for name in aggregates if name != "document"]
    best = _BestContexts(excluded.shape[1]) if "document" in aggregates else None

    def score(query: int) -> None:
        first, last = bounds[query : query + 2]
        if first == last:
            return
        scores = scorer(first, last)
        scores[:, excluded[query]] = 0
        for name in by_query:
            found[name][query] = _BY_QUERY[name](scores)
        if best is not None:
            best.add(first, scores)

    if threads == 1:
        for query in range(len(excluded)):
            score(query)
    else:
        with ThreadPoolExecutor(threads) as executor:
            list(executor.map(score, range(len(excluded))))
    if best is not None:
        found["document"] = best.shares(bounds)
    return found


def _reciprocal_ranks(scores: Scores) -> Floats:
    size = scores.shape[1]
    ranks = min(_RANKS, size)
    keys = _keys(scores, np.arange(size))
    best = np.sort(np.partition(keys, size - ranks, axis=1)[:, size - ranks :], axis=1)[:, ::-1]
    values = np.where(_has_score(best), 1 / (np.arange(ranks) + _RANK_SHIFT), 0)
    return np.bincount(_numbers(best).ravel(), weights=values.ravel(), minlength=size).astype(np.float64)


def _largest(scores: Scores) -> Scores:
    largest: Scores = scores.max(axis=0)
    return largest


def _softmax(scores: Scores) -> Floats:
    best = scores.max(axis=1, keepdims=True).astype(np.float64)
    has_score = best[:, 0] > 0
    shares = np.exp((scores[has_score] / best[has_score] - 1) / _TEMPERATURE)
    total: Floats = (shares / shares.sum(axis=1, keepdims=True)).sum(axis=0)
    return total


_BY_QUERY: dict[Aggregate, Callable[[Scores], Scores | Floats]] = {
    "rr": _reciprocal_ranks,
    "max": _largest,
    "softmax": _softmax,
}


class _BestContexts:
    """The best contexts of each text. Contexts can be added in any order, by several threads."""

    def __init__(self, texts: int) -> None:
        self._keys = np.zeros((_TEXT_RANKS, texts), dtype=np.int64)  # ascending: the first is the one to be replaced
        self._lock = threading.Lock()

    def add(self, first: int, scores: Scores) -> None:
        """Add the contexts from number ``first``."""
        keys = _keys(scores.T, np.arange(first, first + len(scores))).T
        with self._lock:
            better = np.flatnonzero((keys > self._keys[0]).any(axis=0))
            candidates = np.concatenate([self._keys[:, better], keys[:, better]])
            self._keys[:, better] = np.sort(candidates, axis=0)[-_TEXT_RANKS:]

    def shares(self, bounds: Integers) -> Scores:
        """Sum of 1 / (rank + 2) over the contexts of each query."""
        queries, texts = len(bounds) - 1, self._keys.shape[1]
        ranks, columns = np.nonzero(_has_score(self._keys[::-1]))
        contexts = _numbers(self._keys[::-1][ranks, columns])
        owners = np.searchsorted(bounds, contexts, side="right") - 1
        sums = np.bincount(owners * texts + columns, weights=1 / (ranks + _TEXT_RANK_SHIFT), minlength=queries * texts)
        return sums.reshape(queries, texts).astype(np.float32)


_LOW = 0xFFFFFFFF


def _keys(scores: Scores, numbers: Integers) -> Integers:
    """Return integers that are larger for a larger score and, of equal scores, for the smaller number of a column."""
    return (np.ascontiguousarray(scores).view(np.int32).astype(np.int64) << 32) | (_LOW - numbers)


def _has_score(keys: Integers) -> Booleans:
    return keys > _LOW


def _numbers(keys: Integers) -> Integers:
    return _LOW - (keys & _LOW)
