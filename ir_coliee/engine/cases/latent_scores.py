"""Latent semantic scores: contexts of citations and pieces of decisions as vectors of a few dimensions.

References
----------
[1] S. Deerwester et al. Indexing by Latent Semantic Analysis. JASIS 41(6), 1990.
[2] N. Halko, P.-G. Martinsson and J. A. Tropp. Finding Structure with Randomness. SIAM Review 53(2), 2011.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.blas_threads import one_blas_thread
from ir_coliee.engine.cases.citing_contexts import TokenSpans, citing_contexts, count_terms, paragraph_pieces
from ir_coliee.engine.cases.context_aggregation import aggregated
from ir_coliee.engine.cases.context_scores import later_texts
from ir_coliee.engine.cases.span_index import ContextScorer
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores
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
    `ir_coliee.engine.cases.context_scores.context_scores`.

    Examples
    --------
    >>> from ir_coliee.engine.cases.token_sequences import TokenSequences
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
