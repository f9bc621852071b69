"""Scores of a query from the scores of its contexts: sums over ranks, the largest, the softmax, ranks in each text."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import numpy as np

from ir_coliee.engine.cases.span_index import ContextScorer
from ir_coliee.engine.cases.text_terms import Scores
from ir_coliee.frames import Booleans, Floats, Integers

Aggregate = Literal["rr", "max", "softmax", "document"]

AGGREGATES: tuple[Aggregate, ...] = ("rr", "max", "softmax", "document")

_RANKS, _RANK_SHIFT = 50, 3  # ranks of a context that count, and what is added to them
_TEXT_RANKS, _TEXT_RANK_SHIFT = 20, 2  # the same for the contexts of a text
_TEMPERATURE = 0.12
_LOW = 0xFFFFFFFF  # the lower half of a key


def aggregated(
    scorer: ContextScorer, bounds: Integers, excluded: Booleans, aggregates: set[Aggregate], threads: int = 1
) -> dict[Aggregate, Scores]:
    """Combine the scores of the contexts of each query; see `ir_coliee.engine.cases.context_scores`.

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

    Returns
    -------
    dict from str to float32 array, queries x texts
        The matrix of each aggregate.
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


def _keys(scores: Scores, numbers: Integers) -> Integers:
    """Return integers that are larger for a larger score and, of equal scores, for the smaller number of a column."""
    return (np.ascontiguousarray(scores).view(np.int32).astype(np.int64) << 32) | (_LOW - numbers)


def _has_score(keys: Integers) -> Booleans:
    return keys > _LOW


def _numbers(keys: Integers) -> Integers:
    return _LOW - (keys & _LOW)
