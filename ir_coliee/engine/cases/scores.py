"""Scores of the evidence that a decision notices another, and `EVIDENCE`, the table of all of them.

A score is a function of a pool that returns a dense matrix of numbers, queries x texts. The table serves the learned
baseline of task 1, the transformer `CaseRetriever` and the page on features: a new score is a function here and a row
of the table.

References
----------
[1] K. Spärck Jones. A Statistical Interpretation of Term Specificity. Journal of Documentation 28(1), 1972.
[2] S. Deerwester et al. Indexing by Latent Semantic Analysis. JASIS 41(6), 1990.
[3] G. H. Golub, F. T. Luk and M. L. Overton. A Block Lanczos Method for Computing the Singular Values and
    Corresponding Singular Vectors of a Matrix. ACM TOMS 7(2), 1981.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.cases import terms
from ir_coliee.engine.cases.candidates import total_score
from ir_coliee.engine.cases.contexts import (
    ContextScore,
    TokenSpans,
    aggregated,
    citing_contexts,
    context_scores,
    count_terms,
    paragraph_pieces,
    word_numbers,
)
from ir_coliee.engine.cases.terms import ContextScorer, NGrams
from ir_coliee.engine.cases.texts import Scores, TextPool, TokenSequences, computed_once
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.engine.term_counts import Tokens
from ir_coliee.engine.weightings import lucene_idf, unit_rows, weighted
from ir_coliee.frames import Booleans, Integers

# --- words and n-grams ---------------------------------------------------------------------------------

_FREE_DF, _MAX_SHARE = 20, 0.02  # an n-gram of a quotation is in at most 2 % of the texts; 20 are always allowed
_EXCLUSIVE_DF, _EXPONENT = 12, -1.5
_RARE_DF = 5


def tfidf_cosine(pool: TextPool) -> Scores:
    """Score texts by the cosine of vectors of words with the weights (1 + ln tf) idf [1].

    idf = ln(1 + (N - df + .5) / (df + .5)), of the members of the pool; so in all other scores.
    """
    words = terms.pool_terms(pool, terms.WORDS)
    idf = lucene_idf(words.df, len(pool.members))
    weights = (1 + np.log(words.members.data)) * idf[words.members.indices]
    return terms.products(*pool.rows_of(unit_rows(weighted(words.members, weights))))


def bigram_cosine(pool: TextPool) -> Scores:
    """Score texts by the cosine of the vectors of `bigram_vectors`."""
    return terms.products(*terms.bigram_vectors(pool))


def shared_ngrams_idf(pool: TextPool, size: int) -> Scores:
    """Score texts by the sum of the idf of the n-grams of all words that they share with a query.

    N-grams have a document frequency from 2 to 2 % of the members, or 20 where that is more.
    """
    num_members = len(pool.members)
    max_df = max(_FREE_DF, _MAX_SHARE * num_members)
    ngrams = terms.pool_terms(pool, NGrams(size)).within(2, max_df)
    queries, texts = pool.rows_of(ngrams.members)
    return terms.products(weighted(queries, lucene_idf(ngrams.df, num_members)[queries.indices]), texts)


def num_rare_ngrams(pool: TextPool, size: int = 5) -> Scores:
    """Score texts by the number of n-grams, of a document frequency of at most 5, that they share with a query."""
    queries, texts = pool.rows_of(terms.pool_terms(pool, NGrams(size)).within(2, _RARE_DF).members)
    return terms.products(weighted(queries, np.ones(queries.nnz)), texts)


def exclusive_sharing(pool: TextPool, kind: NGrams) -> Scores:
    """Score texts by what they share with a query and with few other members of the pool.

    The score is the sum of (df - 1)^-1.5 over what both have, of a document frequency from 2 to 12: 1 for what no third
    member has, .35 for what one third member has, .03 for what ten have.

    Examples
    --------
    >>> sequences = TokenSequences.of(["a lamp at the gate", "a lamp", "the gate", "a well"])
    >>> exclusive_sharing(TextPool(sequences, np.array([0]), np.array([1, 2, 3])), terms.WORDS).round(2)
    array([[1.35, 2.  , 0.35]], dtype=float32)
    """
    shared = terms.pool_terms(pool, kind).within(2, _EXCLUSIVE_DF)
    queries, texts = pool.rows_of(shared.members)
    weights = (shared.df - 1) ** _EXPONENT
    return terms.products(weighted(queries, weights[queries.indices]), texts.sign())


# --- near citations ------------------------------------------------------------------------------------

_BEFORE, _AFTER = 40, 60  # tokens before and after a marker in which n-grams are near it
_SMOOTHING = 50  # added to the number of n-grams of a text
_BATCH = 256  # texts that are counted at a time
_BEFORE_YEAR, _AFTER_YEAR = 12, 10


def context_ngrams(pool: TextPool, size: int) -> Scores:
    """Score texts by the n-grams near the suppressed citations of a query that they have.

    The score is the sum of the idf of the distinct n-grams in the 40 tokens before and the 60 after a marker that the
    text has, divided by the square root of the number of n-grams of the text plus 50. N-grams have a document frequency
    from 2 to 2 % of the distinct texts of the pool, queries included, plus 20.

    Examples
    --------
    >>> sequences = TokenSequences.of(["The brass lamp, <FRAGMENT_SUPPRESSED>.", "A brass lamp.", "A brass gate."])
    >>> context_ngrams(TextPool(sequences, np.array([0]), np.array([1, 2])), 2).round(3)
    array([[0.065, 0.   ]], dtype=float32)
    """
    sequences, members = pool.sequences, pool.members
    contexts = citing_contexts(sequences, pool.queries, _BEFORE, _AFTER, max_contexts=None)
    starts = np.concatenate([sequences.bounds[members], contexts.starts])
    ends = np.concatenate([sequences.bounds[members + 1], contexts.ends])
    rows = terms.ngram_rows(_batches(sequences, starts, ends), terms.vocabulary_hashes(sequences), size).shared
    df = np.bincount(rows[: len(members)].indices, minlength=rows.shape[1])
    kept = (df >= 2) & (df <= _MAX_SHARE * len(members) + _FREE_DF)
    rows = terms.columns(rows, kept)
    texts = rows[np.searchsorted(members, pool.texts)]
    near = (_members(contexts.bounds) @ rows[len(members) :]).sign()
    idf = lucene_idf(df[kept].astype(np.float64), len(members))
    sums = terms.products(weighted(near, idf[near.indices]), texts)
    return (sums / np.sqrt(np.diff(texts.indptr) + _SMOOTHING)).astype(np.float32)


def _batches(sequences: TokenSequences, starts: Integers, ends: Integers) -> list[Tokens]:
    """Return the tokens of spans, each of which is counted as a text."""
    batches = []
    for first in range(0, len(starts), _BATCH):
        some = slice(first, first + _BATCH)
        spans = TokenSpans(starts[some], ends[some], np.arange(len(starts[some]) + 1))
        batches.append(Tokens(sequences.tokens[spans.positions()], spans.lengths.astype(np.int32)))
    return batches


def _members(bounds: Integers) -> sparse.csr_matrix:
    """Return which spans each text has, as 1 (texts x spans): those from ``bounds[i]`` to ``bounds[i + 1]``."""
    spans = np.arange(bounds[-1])
    return sparse.csr_matrix((np.ones(len(spans), np.float32), spans, bounds), (len(bounds) - 1, len(spans)))


def years_near_citations(pool: TextPool) -> Scores:
    """Count the citing contexts of each query that have the year of each text; 0 for a text without a year.

    A context extends from 12 tokens before the first marker of a citation to 10 tokens after its last one.
    """
    sequences = pool.sequences
    texts_of_year = defaultdict(list)
    for column, text in enumerate(pool.texts):
        if year := sequences.properties[text].year:
            texts_of_year[str(year)].append(column)
    years = {number: token for number, token in enumerate(sequences.vocabulary) if token in texts_of_year}
    contexts = citing_contexts(sequences, pool.queries, _BEFORE_YEAR, _AFTER_YEAR)
    scores = np.zeros((len(pool.queries), len(pool.texts)), np.float32)
    for row, (first, last) in enumerate(pairwise(contexts.bounds)):
        spans = zip(contexts.starts[first:last], contexts.ends[first:last])
        tokens = Counter(token for start, end in spans for token in {*sequences.tokens[start:end].tolist()})
        for token in tokens.keys() & years.keys():
            scores[row, texts_of_year[years[token]]] = tokens[token]
    return scores


# --- names and judges ----------------------------------------------------------------------------------

_HEAD = 500  # tokens at the beginning of a decision, where the parties are named
_BEFORE_NAME, _AFTER_NAME = 12, 8
_MIN_TEXTS, _MAX_SHARE_OF_TEXTS = 2, 0.03
_MAX_UNCAPITALISED = 0.3  # texts with the word uncapitalised, as a share of those that have it capitalised, plus one


def names_in_head(pool: TextPool, *, near_citations: bool = False) -> Scores:
    """Score texts by the names in their first 500 tokens that a query mentions, or mentions near its citations.

    The score is the sum of the inverse document frequency of each distinct name that is capitalised in both. A name is
    a word of three letters or more that is capitalised in at least two and at most 3 % of the members of the pool,
    queries included (of few, in two), and uncapitalised in at most .3 times as many plus one. Near a citation are the
    12 tokens before its marker and the 8 after it.
    """
    are_names, heads = _names(pool)
    if near_citations:
        written = _capitalised(pool.sequences, _near_markers(pool.sequences, pool.queries))
    else:
        written = terms.capitalised_counts(pool.sequences)[pool.queries].sign()
    return terms.products(terms.columns(written, are_names), heads)


def judge_mentions(pool: TextPool) -> Scores:
    """Count how often each query names the judge of each text; one less, if not 0, if it is the query's own judge.

    It is 0 for a text whose judge is unknown.
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


@computed_once
def _names(pool: TextPool) -> tuple[Booleans, sparse.csr_matrix]:
    """Return which words are names, and the names in the head of each text of a pool, with their idf."""
    sequences, num_members = pool.sequences, len(pool.members)
    counts = terms.capitalised_counts(sequences)[pool.members]
    capitalised = counts.getnnz(axis=0)
    uncapitalised = (terms.word_counts(sequences)[pool.members] - counts).getnnz(axis=0)
    are_names = (
        word_numbers(sequences)
        & (capitalised >= _MIN_TEXTS)
        & (capitalised <= max(_MIN_TEXTS, _MAX_SHARE_OF_TEXTS * num_members))
        & (uncapitalised <= _MAX_UNCAPITALISED * capitalised + 1)
    )
    starts, ends = sequences.bounds[pool.texts], sequences.bounds[pool.texts + 1]
    whole = TokenSpans(starts, np.minimum(starts + _HEAD, ends), np.arange(len(starts) + 1))
    heads = terms.columns(_capitalised(sequences, whole), are_names)
    idf = lucene_idf(capitalised[are_names].astype(np.float64), num_members)
    return are_names, weighted(heads, idf[heads.indices])


def _near_markers(sequences: TokenSequences, texts: Integers) -> TokenSpans:
    """Return the tokens near each marker of texts."""
    bounds = sequences.marker_bounds
    numbers = np.diff(bounds)[texts]
    ends = np.concatenate([[0], np.cumsum(numbers)])
    markers = TokenSpans(bounds[texts], bounds[texts + 1], ends).positions()
    firsts, lasts = (np.repeat(sequences.bounds[each], numbers) for each in (texts, texts + 1))
    places = firsts + sequences.markers[markers]
    starts, stops = places - _BEFORE_NAME, places + _AFTER_NAME
    return TokenSpans(np.maximum(starts, firsts), np.minimum(stops, lasts), ends)


def _capitalised(sequences: TokenSequences, spans: TokenSpans) -> sparse.csr_matrix:
    """Return which tokens are capitalised in the spans of each text, as 1 (texts x vocabulary)."""
    positions = spans.positions()
    texts = np.repeat(np.arange(len(spans.bounds) - 1), np.diff(spans.bounds))
    rows = np.repeat(texts, spans.lengths)[sequences.capitalised[positions]]
    tokens = sequences.tokens[positions[sequences.capitalised[positions]]]
    shape = len(spans.bounds) - 1, len(sequences.vocabulary)
    return sparse.csr_matrix((np.ones(len(tokens)), (rows, tokens)), shape=shape).sign()


# --- latent semantics ----------------------------------------------------------------------------------

_DIMENSIONS, _WIDTH = 150, 50  # fewer dimensions if the pool has fewer terms or spans; tokens around a marker
_MIN_DF, _MAX_SHARE_OF_SPANS = 5, 0.1  # a term is in at least 5 spans and at most 10 % of them, or in at most 20
_FITTED_SPANS = 30_000
_BLOCK, _BLOCKS = 20, 20  # Lanczos vectors; the subspace is closer to the exact one than by randomised iteration
_TINY, _NOISE = 1e-12, 1e-5  # the latter of the largest square of a singular value: dimensions of rounding errors
_TILE = 8192  # pieces whose cosines with the contexts of a query are in memory at a time
_DECIMALS = 6  # equal pieces have equal cosines, wherever they are in a product of matrices


@computed_once
def latent_scores(pool: TextPool) -> tuple[Scores, Scores]:
    r"""Score the texts of a pool by latent semantic analysis of citing contexts and pieces.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.

    Returns
    -------
    tuple of float32 arrays, queries x texts
        The sum over the contexts of a query of 1 / (rank + 3) for the 50 texts with the most similar pieces, as in
        `context_scores`; and the cosine of the sum of the query's contexts and the sum of the text's pieces.

    Notes
    -----
    Contexts (50 tokens on each side) and pieces are vectors of (1 + ln tf) idf of length 1, with the terms of at least
    5 and at most 10 % of them (in a small pool, of at most 20), and are projected [2] to 150 dimensions by a truncated
    singular value decomposition [3] of 30,000 of them, evenly spaced. Cosines are rounded to 6 decimals.

    Examples
    --------
    >>> lamps, gates = ("".join(f"[{n}] {words}\n" for n in range(5)) for words in ("lamps burn", "gates open"))
    >>> sequences = TokenSequences.of(["Lamps, as in <FRAGMENT_SUPPRESSED>.", lamps, gates])
    >>> latent_scores(TextPool(sequences, np.array([0]), np.array([1, 2])))[1] > 0
    array([[ True, False]])
    """
    pieces = paragraph_pieces(pool.sequences, pool.texts)
    contexts = citing_contexts(pool.sequences, pool.queries, _WIDTH, _WIDTH)
    with one_blas_thread():
        vectors = _vectors(_weighted_terms(pool, pieces, contexts))
        of_pieces, of_contexts = vectors[: len(pieces)], vectors[len(pieces) :]
        scorer = _cosine_scorer(of_contexts, of_pieces, pieces.bounds)
        by_rank = aggregated(scorer, contexts.bounds, pool, {"reciprocal_rank"})["reciprocal_rank"]
        of_queries, of_texts = _members(contexts.bounds) @ of_contexts, _members(pieces.bounds) @ of_pieces
        return by_rank, (_unit(of_queries) @ _unit(of_texts).T).round(_DECIMALS)


def _weighted_terms(pool: TextPool, pieces: TokenSpans, contexts: TokenSpans) -> sparse.csr_matrix:
    """Return the terms of the pieces and then of the contexts, weighted, as rows of length 1."""
    spans = TokenSpans(*(np.concatenate(both) for both in zip(pieces, contexts)))
    counts = count_terms(pool.sequences, spans)
    df = np.diff(counts.indptr)
    used = np.flatnonzero((df >= _MIN_DF) & (df <= max(_MAX_SHARE_OF_SPANS * len(spans), _FREE_DF)))
    weights = counts[:, used].astype(np.float32)
    idf = lucene_idf(df[used].astype(np.float64), len(spans)).astype(np.float32)
    weights.data = (1 + np.log(weights.data)) * np.repeat(idf, df[used])
    rows = weights.tocsr()
    norms = np.sqrt(rows.multiply(rows).sum(axis=1)).A1
    rows.data /= np.repeat(norms, np.diff(rows.indptr)).astype(np.float32)
    return rows


def _vectors(rows: sparse.csr_matrix) -> Scores:
    """Return the projection of each row, of length 1."""
    if not rows.nnz:
        return np.zeros((rows.shape[0], 1), dtype=np.float32)
    fitted = rows[np.unique(np.linspace(0, rows.shape[0] - 1, _FITTED_SPANS).astype(np.int64))]
    return _unit(rows @ _dimensions(fitted))


def _dimensions(rows: sparse.csr_matrix) -> Scores:
    """Return the right singular vectors (terms x dimensions) of the largest singular values, by block Lanczos [3]."""
    size = _BLOCK * _BLOCKS
    if min(rows.shape) <= size:
        return np.linalg.svd(rows.toarray(), full_matrices=False)[2][:_DIMENSIONS].T
    by_term = rows.T
    basis, projected = (np.zeros((size, width), np.float32) for width in rows.shape)
    block = np.random.default_rng(0).standard_normal((rows.shape[0], _BLOCK), np.float32)
    for first in range(0, size, _BLOCK):
        for _ in range(2):  # the second time removes what rounding has left
            block -= basis[:first].T @ (basis[:first] @ block)
            squares, vectors = np.linalg.eigh((block.T @ block).astype(np.float64))
            block = block @ (vectors / np.sqrt(squares.clip(_TINY + _TINY * squares[-1]))).astype(np.float32)
        product = by_term @ block
        basis[first : first + _BLOCK], projected[first : first + _BLOCK] = block.T, product.T
        block = rows @ product
    squares, vectors = np.linalg.eigh((projected @ projected.T).astype(np.float64))
    best = slice(-1, -_DIMENSIONS - 1, -1)
    weights = vectors[:, best] / np.sqrt(squares[best].clip(_NOISE * squares[-1]))
    return projected.T @ weights.astype(np.float32)


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


def _unit(vectors: Scores) -> Scores:
    """Return rows divided by their lengths; a row of zeros stays."""
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    lengths[lengths == 0] = 1
    return vectors / lengths


# --- the table -----------------------------------------------------------------------------------------


class Evidence(NamedTuple):
    """A score of the table `EVIDENCE`.

    Attributes
    ----------
    compute : callable
        Takes a `TextPool` and returns a float32 array, queries x texts.
    formula : str
        The score in words.
    source : str
        Where it was published.
    is_in_recipe : bool
        Whether the learned baseline of task 1 uses it.
    compares_queries : bool
        Whether it tells how the pool was built, because the queries compete for what they have in common with a text.
        ``--no-pool-features`` leaves these scores out.
    """

    compute: Callable[[TextPool], Scores]
    formula: str
    source: str = "this package"
    is_in_recipe: bool = True
    compares_queries: bool = False


#: The sum of the scores that choose the candidates of the learned baseline, see `TOTAL_OF`.
TOTAL = "total.sum"

#: The scores that `TOTAL` is the sum of, each divided by the query's best.
TOTAL_OF = (
    "lexical.tfidf_cosine",
    "ngram.bigram_cosine",
    "ngram.shared_3grams",
    "ngram.shared_5grams",
    "ngram.rare_5grams",
    "context.reciprocal_rank",
    "context.whole_texts",
)

#: All scores by name, ``family.score``, in the order of the columns of the learned baseline.
EVIDENCE: dict[str, Evidence] = {
    TOTAL: Evidence(
        lambda pool: evidence_scores(pool, [TOTAL])[TOTAL],
        f"sum of {', '.join(TOTAL_OF)}, each divided by the query's best; it chooses the candidates",
    ),
    "lexical.tfidf_cosine": Evidence(
        tfidf_cosine, "cosine of (1 + ln tf) idf of the words", "Spärck Jones 1972", is_in_recipe=False
    ),
    "ngram.bigram_cosine": Evidence(bigram_cosine, "cosine of the idf of the bigrams of content words"),
    "ngram.shared_3grams": Evidence(partial(shared_ngrams_idf, size=3), "summed idf of the shared 3-grams"),
    "ngram.shared_5grams": Evidence(partial(shared_ngrams_idf, size=5), "summed idf of the shared 5-grams"),
    "ngram.rare_5grams": Evidence(num_rare_ngrams, "number of shared 5-grams with a df of at most 5"),
    "exclusive.words": Evidence(
        partial(exclusive_sharing, kind=terms.WORDS),
        "sum of (df - 1)^-1.5 over the shared words with a df of at most 12",
        compares_queries=True,
    ),
    "exclusive.bigrams": Evidence(
        partial(exclusive_sharing, kind=terms.BIGRAMS), "the same over bigrams of content words", compares_queries=True
    ),
    "exclusive.5grams": Evidence(
        partial(exclusive_sharing, kind=NGrams(5)), "the same over 5-grams of all words", compares_queries=True
    ),
    "context.reciprocal_rank": Evidence(
        ContextScore(50),
        "contexts of 50 words on each side of a citation rank the texts by their best piece (BM25): sum of "
        "1 / (rank + 3) over the 50 best texts of each context",
    ),
    "context.maximum": Evidence(
        ContextScore(50, aggregate="maximum"), "the largest score of such a context for a piece of the text"
    ),
    "context.whole_texts": Evidence(
        ContextScore(50, "texts"), "as context.reciprocal_rank, but contexts are matched with whole texts"
    ),
    "context.reciprocal_rank_25": Evidence(ContextScore(25), "as context.reciprocal_rank, with 25 words on each side"),
    "context.reciprocal_rank_100": Evidence(ContextScore(100), "as context.reciprocal_rank, with 100 words"),
    "context.softmax_25": Evidence(
        ContextScore(25, aggregate="softmax"),
        "sum over contexts of 25 words of the softmax over the texts of score / (.12 best score of the context)",
    ),
    "context.softmax_100": Evidence(ContextScore(100, aggregate="softmax"), "the same with contexts of 100 words"),
    "context.by_text_25": Evidence(
        ContextScore(25, aggregate="by_text"),
        "texts rank the contexts, of 25 words, of all queries: sum of 1 / (rank + 2) over the text's 20 best",
        compares_queries=True,
    ),
    "context.by_text_100": Evidence(
        ContextScore(100, aggregate="by_text"), "the same with contexts of 100 words", compares_queries=True
    ),
    "context.2grams": Evidence(
        partial(context_ngrams, size=2),
        "summed idf of the 2-grams near citations that the text has, divided by the root of its number of 2-grams + 50",
    ),
    "context.4grams": Evidence(partial(context_ngrams, size=4), "the same with 4-grams"),
    "name.in_head": Evidence(
        names_in_head, "summed idf of the names of the query that stand in the first 500 words of the text"
    ),
    "name.near_citation": Evidence(
        partial(names_in_head, near_citations=True), "the same with the names near the query's citations"
    ),
    "name.judge": Evidence(judge_mentions, "how often the query names the judge of the text"),
    "year.near_citation": Evidence(years_near_citations, "number of contexts with the year of the text"),
    "latent.reciprocal_rank": Evidence(
        lambda pool: latent_scores(pool)[0],
        "as context.reciprocal_rank, by the cosine in 150 latent dimensions",
        "Deerwester et al. 1990; with contexts and pieces: this package",
    ),
    "latent.cosine": Evidence(
        lambda pool: latent_scores(pool)[1],
        "cosine of the sums of all contexts and of all pieces in these dimensions",
        "Deerwester et al. 1990; with contexts and pieces: this package",
    ),
}


def evidence_scores(pool: TextPool, names: Collection[str]) -> dict[str, Scores]:
    """Compute scores of a pool, of `EVIDENCE`, by name. What is not asked for is not computed."""
    wanted = dict.fromkeys([*names, *(TOTAL_OF if TOTAL in names else ())])
    computing = {name: EVIDENCE[name].compute for name in wanted if name != TOTAL}
    contexts = {name: compute for name, compute in computing.items() if isinstance(compute, ContextScore)}
    others = [name for name in computing if name not in contexts]
    with ThreadPoolExecutor(pool.threads) as executor:
        found = executor.submit(context_scores, pool, contexts)
        scores = dict(zip(others, executor.map(lambda name: computing[name](pool), others)))
    scores |= found.result()
    if TOTAL in names:
        scores[TOTAL] = total_score([scores[name] for name in TOTAL_OF], pool.allowed)
    return {name: scores[name] for name in names}
