"""Contexts of suppressed citations: every context is a query, paragraphs of decisions are found.

A decision cites another for something that a paragraph of the other says. A context is what a decision says around a
citation that the organisers suppressed; a piece is a paragraph of a decision or a section of a long one. Each context
of a query case is matched with each piece of each text of the pool; a text has the score of its best piece, and the
scores of all contexts of the query are aggregated. Developed for this package: on the COLIEE 2025 test split, these
scores lifted F1 from .455 to .477.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.cases.terms import ContextScorer, SpanIndex
from ir_coliee.engine.cases.texts import Scores, TextPool, TokenSequences, computed_once
from ir_coliee.frames import Booleans, Floats, Integers

Against = Literal["pieces", "texts"]
Aggregate = Literal["reciprocal_rank", "maximum", "softmax", "by_text"]

_SAME_CITATION = 8  # markers at most so many tokens apart are one citation
_LONG_PARAGRAPH, _PIECE = 300, 200  # tokens: a longer paragraph is cut into pieces of this length
_MAX_SHARE, _FREE_DF = 0.05, 20  # a context term occurs in at most 5 % of the pieces; 20 are always allowed
_BM25: dict[Against, tuple[float, float]] = {"pieces": (1.2, 0.5), "texts": (1.2, 0.75)}
_RANKS, _RANK_SHIFT = 50, 3  # ranks of a context that count, and what is added to them
_TEXT_RANKS, _TEXT_RANK_SHIFT = 20, 2  # the same for the contexts of a text
_TEMPERATURE = 0.12
_AT_A_TIME = 128  # contexts, of one or more queries, that are scored together
_LOW = 0xFFFFFFFF  # the lower half of a key


# --- spans of tokens -----------------------------------------------------------------------------------


class TokenSpans(NamedTuple):
    """Spans of consecutive tokens of several texts.

    Attributes
    ----------
    starts, ends : int64 array
        First token of each span, and the token behind its last one, as positions in `TokenSequences.tokens`.
    bounds : int64 array
        The spans of the i-th text are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    starts: Integers
    ends: Integers
    bounds: Integers

    @classmethod
    def of(cls, texts: Iterable[tuple[Integers, Integers]]) -> TokenSpans:
        """Join the spans of several texts, given as starts and ends of each text."""
        nothing = np.zeros(0, dtype=np.int64)
        starts, ends = zip((nothing, nothing), *texts)
        bounds = np.cumsum([len(each) for each in starts], dtype=np.int64)
        return cls(np.concatenate(starts), np.concatenate(ends), bounds)

    @property
    def lengths(self) -> Integers:
        """Number of tokens of each span."""
        return self.ends - self.starts

    def positions(self) -> Integers:
        """Return the positions of the tokens of all spans, one span after the other."""
        lengths = self.lengths
        shifts = np.repeat(self.starts - (np.cumsum(lengths) - lengths), lengths)
        return np.arange(len(shifts)) + shifts

    def __len__(self) -> int:
        return len(self.starts)


def citing_contexts(
    sequences: TokenSequences, texts: Iterable[int], before: int, after: int, max_contexts: int | None = 80
) -> TokenSpans:
    """Return the spans of tokens around the suppressed citations of texts, in order; none exceeds its text.

    They begin ``before`` tokens before the first marker of a citation and end ``after`` tokens after its last one.
    Markers that are at most 8 tokens apart are one citation. Of a text, the first ``max_contexts`` citations are used;
    None: all.

    Examples
    --------
    >>> sequences = TokenSequences.of(["We agree with <FRAGMENT_SUPPRESSED> and follow it."])
    >>> contexts = citing_contexts(sequences, [0], before=1, after=2)
    >>> [sequences.vocabulary[token] for token in sequences.tokens[contexts.starts[0] : contexts.ends[0]]]
    ['with', 'and', 'follow']
    """
    return TokenSpans.of(_contexts(sequences, text, before, after, max_contexts) for text in texts)


def _contexts(
    sequences: TokenSequences, text: int, before: int, after: int, max_contexts: int | None
) -> tuple[Integers, Integers]:
    first, last = sequences.bounds[text : text + 2]
    markers = first + sequences.markers[slice(*sequences.marker_bounds[text : text + 2])].astype(np.int64)
    is_new = np.diff(markers) > _SAME_CITATION
    edge = np.ones(min(1, len(markers)), dtype=np.bool_)
    starts = np.maximum(markers[np.concatenate([edge, is_new])] - before, first)
    ends = np.minimum(markers[np.concatenate([is_new, edge])] + after, last)
    return starts[:max_contexts], ends[:max_contexts]


def paragraph_pieces(sequences: TokenSequences, texts: Iterable[int]) -> TokenSpans:
    r"""Return the spans of tokens of the paragraphs of texts; one of more than 300 tokens is cut every 200 tokens.

    Together they cover each text: what comes before its first paragraph is a piece as well.

    Examples
    --------
    >>> sequences = TokenSequences.of(["The header.\n[1]\nA lamp burned.\n[2]\nIt went out."])
    >>> paragraph_pieces(sequences, [0]).lengths.tolist()
    [2, 4, 4]
    """
    return TokenSpans.of(_pieces(sequences, text) for text in texts)


def _pieces(sequences: TokenSequences, text: int) -> tuple[Integers, Integers]:
    first, last = sequences.bounds[text : text + 2]
    paragraphs = first + sequences.paragraphs[slice(*sequences.paragraph_bounds[text : text + 2])].astype(np.int64)
    edges = np.concatenate([[first], paragraphs, [last]])
    lengths = np.diff(edges)
    pieces = np.where(lengths > _LONG_PARAGRAPH, -(-lengths // _PIECE), 1)
    place = np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    starts = np.repeat(edges[:-1], pieces) + _PIECE * place
    ends = np.append(starts[1:], last)
    return starts[ends > starts], ends[ends > starts]


@computed_once
def word_numbers(sequences: TokenSequences) -> Booleans:
    """Return for each token of the vocabulary whether it is a word of at least three letters."""
    is_word = (not token[0].isdigit() and len(token.replace("'", "")) >= 3 for token in sequences.vocabulary)
    return np.fromiter(is_word, np.bool_, len(sequences.vocabulary))


def count_terms(sequences: TokenSequences, spans: TokenSpans, terms: Booleans | None = None) -> sparse.csc_matrix:
    r"""Count the terms of spans, which may overlap, as int32 (spans x vocabulary).

    By default, all tokens are terms; the spans of each term are in ascending order.

    Examples
    --------
    >>> sequences = TokenSequences.of(["[1] lamp, lamp\n[2] lamp"])
    >>> count_terms(sequences, paragraph_pieces(sequences, [0]), word_numbers(sequences)).toarray()
    array([[0, 2, 0],
           [0, 1, 0]], dtype=int32)
    """
    tokens = sequences.tokens[spans.positions()]
    bounds = np.concatenate([[0], np.cumsum(spans.lengths)])
    if terms is not None:
        is_counted = terms[tokens]
        bounds = np.concatenate([[0], np.cumsum(is_counted)])[bounds]
        tokens = tokens[is_counted]
    shape = len(spans), len(sequences.vocabulary)
    # counting sort by term: the spans of a term stay in order, so that equal ones are neighbours
    by_term = sparse.csr_matrix((np.ones(len(tokens), dtype=np.int32), tokens, bounds), shape=shape).tocsc()
    by_term.sum_duplicates()
    return by_term


# --- scores of texts by contexts -----------------------------------------------------------------------


@dataclass(frozen=True)
class ContextScore:
    """A score of texts by the contexts of a query; it is called with a pool.

    Attributes
    ----------
    width : int
        Number of tokens before and after the markers of a citation.
    against : {"pieces", "texts"}
        What a context is matched with: paragraphs, by BM25(1.2, .5), or whole texts, by BM25(1.2, .75).
    aggregate : {"reciprocal_rank", "maximum", "softmax", "by_text"}
        How the scores of the contexts are combined, see `context_scores`.
    """

    width: int = 50
    against: Against = "pieces"
    aggregate: Aggregate = "reciprocal_rank"

    def __call__(self, pool: TextPool) -> Scores:
        """Return the score of each query and text; `context_scores` computes several at once."""
        return context_scores(pool, {"": self})[""]


def context_scores(pool: TextPool, definitions: Mapping[str, ContextScore]) -> dict[str, Scores]:
    r"""Score the texts of a pool by the contexts of each query's suppressed citations.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    definitions : dict from str to ContextScore
        The scores to compute, by name. Scores of the same width and side are computed together.

    Returns
    -------
    dict from str to float32 array, queries x texts
        Scores of at least 0; 0 for the texts that are not `TextPool.citable`.

    Notes
    -----
    Context terms have at least three letters and occur in at most 5 % of the pool's pieces (in a pool of less than 400
    pieces, in at most 20); each counts once in a context. The score of a text for a context is that of its best piece.
    Ranks begin with 0; a text counts only if its score is above 0; equal scores are ranked in the order of the texts,
    and for a text in the order of the contexts. Over the contexts of a query:

    * ``reciprocal_rank``: the sum of 1 / (rank + 3), for the 50 best texts of a context.
    * ``maximum``: the largest score.
    * ``softmax``: the sum of the softmax over the texts of the score divided by .12 times the context's best score.
    * ``by_text``: each text ranks the contexts of all queries; the sum of 1 / (rank + 2) over the contexts of this
      query among the text's 20 best.

    Examples
    --------
    >>> texts = ["The lamps of a harbour, <FRAGMENT_SUPPRESSED>.", "[1]\nHarbour lamps.\n[2]\nGates.", "[1]\nA well."]
    >>> pool = TextPool(TokenSequences.of(texts), np.array([0]), np.array([1, 2]))
    >>> ContextScore(width=5)(pool).round(3)
    array([[0.333, 0.   ]], dtype=float32)
    """
    scores = {name: np.zeros((len(pool.queries), len(pool.texts)), dtype=np.float32) for name in definitions}
    pieces = paragraph_pieces(pool.sequences, pool.texts)
    if not (len(pieces) and definitions):
        return scores
    words = word_numbers(pool.sequences)
    counts = count_terms(pool.sequences, pieces, words)
    df = np.diff(counts.indptr)
    terms = np.flatnonzero((df > 0) & (df <= max(_MAX_SHARE * len(pieces), _FREE_DF)))
    counts = counts[:, terms]
    groups: dict[tuple[Against, int], dict[str, Aggregate]] = {}
    for name, each in definitions.items():
        groups.setdefault((each.against, each.width), {})[name] = each.aggregate
    indexes: dict[Against, SpanIndex] = {}
    for (against, width), names in groups.items():
        if against not in indexes:
            indexes[against] = _index(against, counts, pieces.lengths, pieces.bounds)
        contexts = citing_contexts(pool.sequences, pool.queries, width, width)
        terms_of = count_terms(pool.sequences, contexts, words)[:, terms].tocsr()
        found = aggregated(indexes[against].scorer(terms_of), contexts.bounds, pool, set(names.values()))
        scores |= {name: found[aggregate] for name, aggregate in names.items()}
    return scores


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


# --- scores of a query from those of its contexts ------------------------------------------------------


def aggregated(
    scorer: ContextScorer, bounds: Integers, pool: TextPool, aggregates: set[Aggregate]
) -> dict[Aggregate, Scores]:
    """Combine the scores of the contexts of each query, see `context_scores`; 0 for a text that is not citable.

    The contexts of the i-th query are those from ``bounds[i]`` to ``bounds[i + 1]``. Each aggregate gives a float32
    array, queries x texts.
    """
    citable = pool.citable
    found: dict[Aggregate, Scores] = {name: np.zeros(citable.shape, dtype=np.float32) for name in aggregates}
    by_query = [name for name in aggregates if name != "by_text"]
    best = _BestContexts(citable.shape[1]) if "by_text" in aggregates else None

    def score(queries: tuple[int, int]) -> None:
        first, last = bounds[[*queries]]
        if first == last:
            return
        scores = scorer(first, last)
        for query in range(*queries):
            of_query = scores[bounds[query] - first : bounds[query + 1] - first]
            if len(of_query):
                of_query[:, ~citable[query]] = 0
                for name in by_query:
                    found[name][query] = _BY_QUERY[name](of_query)
        if best is not None:
            best.add(first, scores)

    edges = np.unique(np.append(np.searchsorted(bounds, np.arange(0, bounds[-1], _AT_A_TIME)), len(citable)))
    with ThreadPoolExecutor(pool.threads) as executor:
        list(executor.map(score, pairwise(edges.tolist())))
    if best is not None:
        found["by_text"] = best.shares(bounds)
    return found


def _reciprocal_ranks(scores: Scores) -> Floats:
    size = scores.shape[1]
    ranks = min(_RANKS, size)
    keys = _keys(scores, np.arange(size))
    best = np.sort(np.partition(keys, size - ranks, axis=1)[:, size - ranks :], axis=1)[:, ::-1]
    values = np.where(_has_score(best), 1 / (np.arange(ranks) + _RANK_SHIFT), 0)
    return np.bincount(_numbers(best).ravel(), weights=values.ravel(), minlength=size).astype(np.float64)


def _softmax(scores: Scores) -> Floats:
    best = scores.max(axis=1, keepdims=True).astype(np.float64)
    has_score = best[:, 0] > 0
    shares = np.exp((scores[has_score] / best[has_score] - 1) / _TEMPERATURE)
    return (shares / shares.sum(axis=1, keepdims=True)).sum(axis=0)


_BY_QUERY: dict[Aggregate, Callable[[Scores], Scores | Floats]] = {
    "reciprocal_rank": _reciprocal_ranks,
    "maximum": partial(np.max, axis=0),
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
