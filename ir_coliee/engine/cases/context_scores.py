"""Scores of decisions by the contexts of suppressed citations: every context is a query, pieces of decisions are found.

A decision cites another for something that a paragraph of the other says. So each context of a query case is matched
with each paragraph of each text of the pool; a text has the score of its best piece, and the scores of all contexts of
the query are aggregated. Developed for this package: on the COLIEE 2025 test split, these scores lifted F1 from .455 to
.477.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.cases.citing_contexts import citing_contexts, count_terms, paragraph_pieces, word_numbers
from ir_coliee.engine.cases.context_aggregation import Aggregate, aggregated
from ir_coliee.engine.cases.span_index import SpanIndex
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores
from ir_coliee.engine.scoring import Backend
from ir_coliee.frames import Booleans, Integers

Against = Literal["pieces", "texts"]

AGAINST: tuple[Against, ...] = ("pieces", "texts")

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
    """Return for each query and text of a pool whether the text's year is later; an unknown year is not.

    Examples
    --------
    >>> from ir_coliee.engine.cases.token_sequences import TokenSequences
    >>> sequences = TokenSequences.of(["Heard: May 1, 2098.", "Heard: May 1, 2097.", "Heard: May 1, 2099.", "No year."])
    >>> later_texts(TextPool(sequences, np.array([0]), np.array([1, 2, 3])))
    array([[False,  True, False]])
    """
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
