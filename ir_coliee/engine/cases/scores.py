"""Latent semantic scores: contexts of citations and pieces of decisions as vectors of a few dimensions.

References
----------
[1] S. Deerwester et al. Indexing by Latent Semantic Analysis. JASIS 41(6), 1990.
[2] N. Halko, P.-G. Martinsson and J. A. Tropp. Finding Structure with Randomness. SIAM Review 53(2), 2011.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.cases.contexts import (
    TokenSpans,
    aggregated,
    citing_contexts,
    count_terms,
    later_texts,
    paragraph_pieces,
)
from ir_coliee.engine.cases.terms import (
    ContextScorer,
    Scores,
    capitalised_counts,
    columns,
    products,
    weighted,
    word_counts,
)
from ir_coliee.engine.cases.texts import TextPool, TokenSequences, computed_once
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.engine.weightings import lucene_idf
from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Booleans, Integers

_MIN_DF, _MAX_SHARE, _FREE_DF = 5, 0.1, 20  # a term is in at least 5 spans and at most 10 % of them, or in at most 20
_FITTED_SPANS = 30_000
_TILE = 8192  # pieces whose cosines with the contexts of a query are in memory at a time
_DECIMALS = 6  # equal pieces have equal cosines, wherever they are in a product of matrices


class LatentScores(NamedTuple):
    """Latent semantic scores of the texts (columns) of a pool for its queries (rows).

    Attributes
    ----------
    rr : float32 array
        Sum over the contexts of a query of 1 / (rank + 3) for the 50 texts with the most similar pieces.
    document : float32 array
        Cosine of the sum of the query's contexts and the sum of the text's pieces.
    """

    rr: Scores
    document: Scores


def latent_scores(
    pool: TextPool,
    *,
    dimensions: int = 150,
    width: int = 50,
    excluded: Booleans | None = None,
    threads: int = 1,
) -> LatentScores:
    r"""Score the texts of a pool by latent semantic analysis of citing contexts and pieces.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    dimensions : int
        Number of dimensions; fewer if the pool has fewer terms or spans.
    width : int
        Number of tokens of a context before and after its markers.
    excluded : bool array, queries x texts, optional
        Texts that no context of a query can cite. By default, those of later years. They do not affect ``document``.
    threads : int
        Number of threads. The scores do not depend on it.

    Returns
    -------
    LatentScores

    Raises
    ------
    MissingExtraError
        If scikit-learn (the extra ``learn``) is not installed.

    Notes
    -----
    Contexts and pieces are vectors of (1 + ln tf) idf of length 1, with the terms of at least 5 and at most 10 % of
    them (in a small pool, of at most 20), and are projected [1] by a truncated singular value decomposition [2] of
    30,000 of them, evenly spaced. Cosines are rounded to 6 decimals. Ranks are those of
    `ir_coliee.engine.cases.contexts.context_scores`.

    Examples
    --------
    >>> from ir_coliee.engine.cases.texts import TokenSequences
    >>> lamps, gates = ("".join(f"[{n}] {words}\n" for n in range(5)) for words in ("lamps burn", "gates open"))
    >>> sequences = TokenSequences.of(["Lamps, as in <FRAGMENT_SUPPRESSED>.", lamps, gates])
    >>> latent_scores(TextPool(sequences, np.array([0]), np.array([1, 2])), dimensions=2).document
    array([[1., 0.]], dtype=float32)
    """
    excluded = later_texts(pool) if excluded is None else excluded
    pieces = paragraph_pieces(pool.sequences, pool.texts)
    contexts = citing_contexts(pool.sequences, pool.queries, width, width)
    with one_blas_thread():
        vectors = _vectors(_weighted(pool, pieces, contexts), dimensions)
        of_pieces, of_contexts = vectors[: len(pieces)], vectors[len(pieces) :]
        scorer = _cosine_scorer(of_contexts, of_pieces, pieces.bounds)
        by_rank = aggregated(scorer, contexts.bounds, excluded, {"rr"}, threads)["rr"]
        of_queries, of_texts = _sums(of_contexts, contexts.bounds), _sums(of_pieces, pieces.bounds)
        return LatentScores(by_rank, (_unit(of_queries) @ _unit(of_texts).T).round(_DECIMALS))


def _weighted(pool: TextPool, pieces: TokenSpans, contexts: TokenSpans) -> sparse.csr_matrix:
    """Return the terms of the pieces and then of the contexts, weighted, as rows of length 1."""
    spans = TokenSpans(*(np.concatenate(both) for both in zip(pieces, contexts)))
    counts = count_terms(pool.sequences, spans)
    df = np.diff(counts.indptr)
    terms = np.flatnonzero((df >= _MIN_DF) & (df <= max(_MAX_SHARE * len(spans), _FREE_DF)))
    weights = counts[:, terms].astype(np.float32)
    idf = lucene_idf(df[terms].astype(np.float64), len(spans)).astype(np.float32)
    weights.data = (1 + np.log(weights.data)) * np.repeat(idf, df[terms])
    rows = weights.tocsr()
    norms = np.sqrt(rows.multiply(rows).sum(axis=1)).A1
    rows.data /= np.repeat(norms, np.diff(rows.indptr)).astype(np.float32)
    return rows


def _vectors(rows: sparse.csr_matrix, dimensions: int) -> Scores:
    """Return the projection of each row, of length 1."""
    kept = min(dimensions, *rows.shape)
    if kept == 0:
        return np.zeros((rows.shape[0], 1), dtype=np.float32)
    if rows.shape[1] == 1:  # a single term is the only dimension, and scikit-learn refuses it
        only: Scores = rows.toarray()
        return only
    try:
        from sklearn.decomposition import TruncatedSVD
    except ImportError:
        raise MissingExtraError("Latent semantic analysis", "learn") from None
    fitted = rows[np.unique(np.linspace(0, rows.shape[0] - 1, _FITTED_SPANS).astype(np.int64))]
    with np.errstate(invalid="ignore"):  # rows that are all equal have no variance
        model = TruncatedSVD(kept, random_state=0).fit(fitted)
    return _unit(model.transform(rows).astype(np.float32))


def _cosine_scorer(contexts: Scores, pieces: Scores, bounds: Integers) -> ContextScorer:
    """Return a function that scores texts by the cosine of their most similar piece, if it is above 0."""
    texts = np.flatnonzero(np.diff(bounds))
    edges = np.append(bounds[texts], len(pieces))
    tiles = np.unique(np.append(np.searchsorted(edges, np.arange(0, len(pieces), _TILE)), len(texts)))

    def scores(first: int, last: int) -> Scores:
        best = np.zeros((last - first, len(bounds) - 1), dtype=np.float32)
        for low, high in pairwise(tiles):
            cosines = contexts[first:last] @ pieces[edges[low] : edges[high]].T
            best[:, texts[low:high]] = np.maximum.reduceat(cosines, edges[low:high] - edges[low], axis=1)
        return np.where(best > 0, best, 0).round(_DECIMALS)

    return scores


def _sums(vectors: Scores, bounds: Integers) -> Scores:
    spans = np.arange(bounds[-1])
    members = sparse.csr_matrix((np.ones(len(spans), np.float32), spans, bounds), (len(bounds) - 1, len(spans)))
    sums: Scores = members @ vectors
    return sums


def _unit(vectors: Scores) -> Scores:
    """Return rows divided by their lengths; a row of zeros stays."""
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    lengths[lengths == 0] = 1
    units: Scores = vectors / lengths
    return units


# Scores of names: capitalised words that a query shares with the head of a decision, and mentions of its judge.


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


# Scores of years: how often a query names the year of a decision near a suppressed citation.


TOKENS_BEFORE_MARKER_YEAR_SCORES, TOKENS_AFTER_MARKER_YEAR_SCORES = 12, 10


def year_near(pool: TextPool) -> npt.NDArray[np.float32]:
    """Count the citing contexts of each query that have the year of each text.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.

    Returns
    -------
    float32 array
        One row per query, one column per text; 0 for a text without a year.

    Notes
    -----
    A context extends from 12 tokens before the first marker of a citation to 10 tokens after its last one, see
    `ir_coliee.engine.cases.contexts.citing_contexts`.
    """
    sequences = pool.sequences
    texts_of_year = defaultdict(list)
    for column, text in enumerate(pool.texts):
        if year := sequences.properties[text].year:
            texts_of_year[str(year)].append(column)
    years = {number: token for number, token in enumerate(sequences.vocabulary) if token in texts_of_year}
    contexts = citing_contexts(
        sequences, pool.queries, TOKENS_BEFORE_MARKER_YEAR_SCORES, TOKENS_AFTER_MARKER_YEAR_SCORES
    )
    scores = np.zeros((len(pool.queries), len(pool.texts)), np.float32)
    for row, (first, last) in enumerate(pairwise(contexts.bounds)):
        spans = zip(contexts.starts[first:last], contexts.ends[first:last])
        tokens = Counter(token for start, end in spans for token in {*sequences.tokens[start:end].tolist()})
        for token in tokens.keys() & years.keys():
            scores[row, texts_of_year[years[token]]] = tokens[token]
    return scores
