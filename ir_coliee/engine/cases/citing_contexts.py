"""Contexts of suppressed citations and pieces of decisions, as spans of tokens.

A context is what a decision says around a citation that the organisers suppressed; a piece is a paragraph of a decision
or a section of a long one. Contexts are the queries, pieces are what is found; see
`ir_coliee.engine.cases.context_scores`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.cases.computed_once import computed_once
from ir_coliee.engine.cases.token_sequences import TokenSequences
from ir_coliee.frames import Booleans, Integers

_SAME_CITATION = 8  # markers at most so many tokens apart are one citation
_LONG_PARAGRAPH, _PIECE = 300, 200  # tokens: a longer paragraph is cut into pieces of this length


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
        positions: Integers = np.arange(len(shifts)) + shifts
        return positions

    def __len__(self) -> int:
        return len(self.starts)


def citing_contexts(
    sequences: TokenSequences, texts: Iterable[int], before: int, after: int, max_contexts: int | None = 80
) -> TokenSpans:
    """Spans of tokens around the suppressed citations of texts.

    Parameters
    ----------
    sequences : TokenSequences
        The texts.
    texts : iterable of int
        Numbers of the citing texts.
    before, after : int
        Number of tokens before the first and after the last marker of a citation. Markers that are at most 8 tokens
        apart are one citation.
    max_contexts : int or None
        The number of citations of a text that are used, from its beginning; None uses all.

    Returns
    -------
    TokenSpans
        In order of the texts and their citations. A context ends with its text.

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
    r"""Spans of tokens of the paragraphs of texts; a paragraph of more than 300 tokens is cut every 200 tokens.

    Parameters
    ----------
    sequences : TokenSequences
        The texts.
    texts : iterable of int
        Numbers of the texts.

    Returns
    -------
    TokenSpans
        In order of the texts. Together they cover each text: what comes before its first paragraph is a piece as well.

    Examples
    --------
    >>> sequences = TokenSequences.of(["The header.\n[1]\nA lamp burned.\n[2]\nIt went out."])
    >>> pieces = paragraph_pieces(sequences, [0])
    >>> pieces.lengths.tolist()
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
    r"""Count the terms of spans.

    Parameters
    ----------
    sequences : TokenSequences
        The texts.
    spans : TokenSpans
        The spans, which may overlap.
    terms : bool array, optional
        Whether a token of the vocabulary is counted. By default, all are.

    Returns
    -------
    csc_matrix, spans x vocabulary
        Counts, 32-bit integers; the spans of each term are in ascending order.

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
