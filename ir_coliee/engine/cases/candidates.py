"""Candidates of a pool of decisions, and their features.

Each score has four kinds, which compare a candidate with the other pairs of the pool; scores are dense matrices of
queries x texts. Pairs have features besides that need no score. The features of a second round are made of the first
round's probabilities among similar queries and similar candidates: a decision that is noticed by a query is rarely
noticed by many others, and decisions that are noticed together are similar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.cases.texts import Scores, TextPool
from ir_coliee.frames import Booleans, Floats, Integers, ratios

#: The kinds of a score, in the order of the columns that `pool_kinds` returns.
KINDS = ("ratio", "rank", "query_rank", "query_ratio")


class Candidates(NamedTuple):
    """The candidates of the queries of a pool, grouped by query.

    Attributes
    ----------
    queries : int64 array
        The row of each candidate in the score matrices, ascending.
    texts : int64 array
        The column of each candidate in the score matrices.
    """

    queries: Integers
    texts: Integers

    @property
    def places(self) -> Integers:
        """The place of each candidate among the candidates of its query, from 0."""
        return np.arange(len(self.queries)) - np.searchsorted(self.queries, self.queries)


def total_score(scores: Sequence[Scores], allowed: Booleans) -> Scores:
    """Sum several scores, each divided by the query's best allowed one, if that is positive.

    Examples
    --------
    >>> allowed = np.ones((1, 2), dtype=bool)
    >>> total_score([np.float32([[4, 2]]), np.float32([[0, 3]])], allowed).tolist()
    [[1.0, 1.5]]
    """
    total = np.zeros(allowed.shape, dtype=np.float32)
    for each in scores:
        total += ratios(each, each.max(axis=1, where=allowed, initial=-np.inf)[:, None])
    return total


def best_candidates(total: Scores, allowed: Booleans, num_candidates: int) -> Candidates:
    """Return the allowed texts with the highest scores of each query, best first; ties in the order of the texts.

    Examples
    --------
    >>> best_candidates(np.float32([[1, 3, 2]]), np.array([[True, True, False]]), 5).texts.tolist()
    [1, 0]
    """
    order = np.argsort(-np.where(allowed, total, -np.inf), axis=1, kind="stable")[:, :num_candidates]
    queries = np.arange(len(total))[:, None].repeat(order.shape[1], axis=1)
    kept = np.take_along_axis(allowed, order, axis=1)
    return Candidates(queries[kept], order[kept].astype(np.int64))


def pool_kinds(scores: Scores, allowed: Booleans, candidates: Candidates) -> Scores:
    """Compute four features of a score for each candidate, by all allowed pairs of the pool, in the order of `KINDS`.

    They are the ratio to the query's best score; the rank in the query, which is the number of its texts with a higher
    score; the rank of the query, which is the number of queries with a higher score for this text; and the ratio to the
    text's best score over all queries. A ratio to a best score that is not positive is 0.

    Examples
    --------
    >>> scores, allowed = np.float32([[4, 2], [8, 1]]), np.ones((2, 2), dtype=bool)
    >>> pool_kinds(scores, allowed, Candidates(np.array([0, 1]), np.array([0, 1]))).tolist()
    [[1.0, 0.0, 1.0, 0.5], [0.125, 1.0, 1.0, 0.5]]
    """
    compared = np.where(allowed, scores, np.float32(-np.inf))
    values = scores[candidates.queries, candidates.texts]
    ratio, rank = _ratio_and_rank(values, compared, candidates.queries)
    query_ratio, query_rank = _ratio_and_rank(values, compared.T, candidates.texts)
    return np.column_stack([ratio, rank, query_rank, query_ratio])


def _ratio_and_rank(values: Scores, compared: Scores, rows: Integers) -> tuple[Scores, Scores]:
    """Return the ratio of each value to the best of its row, and the number of higher scores in the row."""
    best = compared.max(axis=1, initial=-np.inf)[rows]
    return ratios(values, best), ranks_in_rows(values, compared, rows).astype(np.float32)


def ranks_in_rows(values: Scores | Floats, compared: Scores | Floats, rows: Integers) -> Integers:
    """Return for each value the number of higher scores in its row of a matrix.

    Examples
    --------
    >>> ranks_in_rows(np.float32([2, 7]), np.float32([[1, 2, 3], [7, 7, 9]]), np.array([0, 1])).tolist()
    [1, 1]
    """
    rising = np.sort(compared, axis=1)
    ranks = np.empty(len(values), dtype=np.int64)
    for row, its_values in _by_row(rows):
        ranks[its_values] = rising.shape[1] - np.searchsorted(rising[row], values[its_values], side="right")
    return ranks


def _by_row(rows: Integers) -> Iterator[tuple[int, Integers]]:
    """Yield each row that occurs, with the positions where it does."""
    order = np.argsort(rows, kind="stable")
    starts = np.flatnonzero(np.diff(rows[order], prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(order)]):
        yield int(rows[order[start]]), order[start:end]


# --- features without a score --------------------------------------------------------------------------

#: The names of the features, each with its family, in the order of the columns.
PAIR_FEATURES = (
    "year.difference",
    "year.missing",
    "case.log_length_of_query",
    "case.log_length_of_candidate",
    "case.log_length_difference",
    "case.markers_of_query",
    "case.markers_of_candidate",
    "case.paragraphs_of_query",
    "case.paragraphs_of_candidate",
    "year.header_date_difference",
    "year.header_date_of_candidate",
    "case.pinpoints_held",
)


def pair_features(pool: TextPool, queries: Integers, texts: Integers) -> npt.NDArray[np.float32]:
    """Compute `PAIR_FEATURES` of pairs of a query and a text, given as positions in the pool.

    Differences are the query's value minus the candidate's, of dates in days, of the logarithms of 1 + the number of
    characters. If the year of either is unknown, their difference is 0 and ``year.missing`` is 1. The header date of
    the candidate is its ordinal number; an unknown one is NaN, and so is the difference from it.
    ``case.pinpoints_held`` is the share of the query's pinpoints that are at most the candidate's number of paragraphs,
    0 without pinpoints.
    """
    properties = [
        (it.year, it.header_date, np.log1p(it.num_characters), it.num_markers, it.num_paragraphs)
        for it in pool.sequences.properties
    ]
    table = np.array(properties, np.float64).reshape(-1, 5).T
    year, date, length, markers, paragraphs = table[:, pool.queries[queries]]
    text_year, text_date, text_length, text_markers, text_paragraphs = table[:, pool.texts[texts]]
    columns = [
        np.nan_to_num(year - text_year),
        np.isnan(year - text_year),
        length,
        text_length,
        length - text_length,
        markers,
        text_markers,
        paragraphs,
        text_paragraphs,
        date - text_date,
        text_date,
        _pinpoints_held(pool)[queries, texts],
    ]
    return np.column_stack(columns).astype(np.float32)


def _pinpoints_held(pool: TextPool) -> Floats:
    """Share of the pinpoints of each query that are at most the number of paragraphs of each text."""
    properties = pool.sequences.properties
    paragraphs = np.array([properties[text].num_paragraphs for text in pool.texts])
    held = np.zeros((len(pool.queries), len(pool.texts)))
    for row, query in enumerate(pool.queries):
        if pinpoints := sorted(properties[query].pinpoints):
            held[row] = np.searchsorted(pinpoints, paragraphs, side="right") / len(pinpoints)
    return held


# --- the second round ----------------------------------------------------------------------------------

#: The features that `graph_features` computes, in this order.
GRAPH_FEATURES = (
    *("value", "ratio", "rank", "gap"),
    *("text_rank", "text_ratio", "text_share", "text_sum", "text_margin", "text_others"),
    *("query_share", "query_sum"),
    *("by_texts", "by_texts_rank", "by_queries", "by_queries_mean"),
    *("by_nearest_texts", "by_nearest_queries", "share_by_queries"),
    *("most_similar_query", "most_similar_text", "likely_neighbour"),
)

_NEAREST = 10  # texts or queries
_GAP_RANK = 6  # the gap is that to the sixth best
_LIKELY = 0.1  # probability above which a candidate counts as a neighbour
_AT_A_TIME = 512  # texts whose similarities to all texts are in memory


class CandidateGraph(NamedTuple):
    """The similarities between the candidate texts of a pool, and between its queries.

    Attributes
    ----------
    candidates : Candidates
        The candidates of each query.
    shape : tuple of int
        The numbers of queries and of texts.
    similar : float32 array, candidates x candidates of a query
        The similarity of a candidate's text to each candidate of its query, in their order, 0 to itself.
    nearest : scipy.sparse.csr_matrix, texts x texts
        The similarities of each text to the ten most similar texts.
    queries : float32 array, queries x queries
        The similarities between the queries, 0 on the diagonal.
    """

    candidates: Candidates
    shape: tuple[int, int]
    similar: Scores
    nearest: sparse.csr_matrix
    queries: Scores

    @classmethod
    def of(cls, candidates: Candidates, queries: sparse.csr_matrix, texts: sparse.csr_matrix) -> CandidateGraph:
        """Compute the inner products of the vectors, of length 1, of queries and of texts, by the same terms.

        A text with several equally similar tenth texts has all of them.
        """
        place = candidates.places
        table = np.zeros((queries.shape[0], place.max(initial=-1) + 1), dtype=np.int64)
        table[candidates.queries, place] = candidates.texts
        exists = np.zeros(table.shape, dtype=np.bool_)
        exists[candidates.queries, place] = True
        similar = np.zeros((len(place), table.shape[1]), dtype=np.float32)
        nearest = []
        for start in range(0, texts.shape[0], _AT_A_TIME):
            chunk = _similarities(texts, start, start + _AT_A_TIME)
            nearest.append(_nearest(chunk))
            rows = np.flatnonzero((candidates.texts >= start) & (candidates.texts < start + _AT_A_TIME))
            of_query = candidates.queries[rows]
            found = chunk[candidates.texts[rows, None] - start, table[of_query]]
            similar[rows] = np.where(exists[of_query], found, 0)
        shape = (queries.shape[0], texts.shape[0])
        empty = sparse.csr_matrix(np.zeros((0, shape[1]), np.float32))
        of_queries = _similarities(queries, 0, shape[0])
        return cls(candidates, shape, similar, sparse.vstack([empty, *nearest], format="csr"), of_queries)


def graph_features(graph: CandidateGraph, probabilities: Floats) -> Scores:
    """Compute the features of the second round.

    Parameters
    ----------
    graph : CandidateGraph
        The similarities within a pool.
    probabilities : float64 array
        The probability of each candidate by the first round, in [0, 1].

    Returns
    -------
    float32 array, candidates x 22
        In the order of `GRAPH_FEATURES`. Let M be the matrix of queries x texts with the probabilities of the
        candidates and 0 for other pairs.

        * ``value``; its ``ratio`` to the query's best; its ``rank`` in the query; its ``gap`` to the sixth best.
        * ``text_rank``, ``text_ratio``: rank among the values of the text for all queries, and the ratio to its best;
          ``text_share``, ``text_sum``: the share of their sum, and the sum; ``text_margin``, ``text_others``: the value
          minus the best of the other queries, and the sum of the others.
        * ``query_share``, ``query_sum``: the share of the sum of the query's values, and the sum.
        * ``by_texts``: the sum of the query's values, each times the similarity of its text to this one, and its
          ``by_texts_rank`` in the query; ``by_queries``: the sum of the text's values, each times the similarity of its
          query to this one; ``by_queries_mean``: that divided by the sum of these similarities over all queries.
        * ``by_nearest_texts``, ``by_nearest_queries``: the same sums over the ten most similar alone.
        * ``share_by_queries``: the value divided by the value plus ``by_queries``.
        * ``most_similar_query``, ``most_similar_text``: the largest similarity of the query, and of the text.
        * ``likely_neighbour``: the largest similarity to another candidate of the query with a value above 0.1, times
          that value.

        A ratio or share of 0 is 0.
    """
    queries, texts = graph.candidates
    if not len(queries):
        return np.empty((0, len(GRAPH_FEATURES)), dtype=np.float32)
    values = np.asarray(probabilities, dtype=np.float64)
    matrix = sparse.coo_matrix((values, (queries, texts)), shape=graph.shape).tocsr()
    dense, table = matrix.toarray(), _table(graph, values)
    query_sum = table.sum(axis=1)[queries]
    columns = [
        *(values, ratios(values, table.max(axis=1)[queries]), _ranks(graph, values)),
        values - _kth_best(dense, _GAP_RANK)[queries],
        *_among_queries(values, dense, texts),
        *(ratios(values, query_sum), query_sum),
        *_by_similar_ones(graph, values, table, matrix),
    ]
    return np.column_stack(columns).astype(np.float32)


def _by_similar_ones(graph: CandidateGraph, values: Floats, table: Floats, matrix: sparse.csr_matrix) -> list[Floats]:
    """Return the features that use the values of similar texts and of similar queries."""
    queries, texts = graph.candidates
    similar, of_queries = graph.similar.astype(np.float64), graph.queries.astype(np.float64)
    by_texts = (similar * table[queries]).sum(axis=1)
    by_queries = np.asarray(matrix.T @ of_queries.T)[texts, queries]
    likely = np.where(table > _LIKELY, table, 0)
    return [
        *(by_texts, _ranks(graph, by_texts)),
        *(by_queries, ratios(by_queries, of_queries.sum(axis=1)[queries])),
        _at(graph.nearest @ matrix.T, texts, queries),
        _at(_nearest(graph.queries) @ matrix, queries, texts),
        ratios(values, by_queries + values),
        graph.queries.max(axis=1)[queries],
        graph.nearest.max(axis=1).toarray().ravel()[texts],
        (similar * likely[queries]).max(axis=1),
    ]


def _among_queries(values: Floats, dense: Floats, texts: Integers) -> list[Floats]:
    """Return the features that compare a value with those of the other queries for the same text."""
    rising = np.sort(dense, axis=0)
    best = rising[-1][texts]
    second = rising[-2][texts] if len(rising) > 1 else np.zeros_like(best)
    total = dense.sum(axis=0)[texts]
    others = np.where(values == best, second, best)
    ranks = ranks_in_rows(values, dense.T, texts).astype(np.float64)
    return [ranks, ratios(values, best), ratios(values, total), total, values - others, total - values]


def _similarities(vectors: sparse.csr_matrix, start: int, end: int) -> Scores:
    """Return the inner products of some vectors with all vectors, 0 with themselves."""
    products: Scores = (vectors[start:end] @ vectors.T).toarray().astype(np.float32)
    np.fill_diagonal(products[:, start:], 0)
    return products


def _nearest(similarities: Scores) -> sparse.csr_matrix:
    """Keep the ten highest values of each row that are above 0, with all that equal the tenth."""
    number = similarities.shape[1]
    tenth = np.partition(similarities, -_NEAREST, axis=1)[:, -_NEAREST, None] if number > _NEAREST else 0
    return sparse.csr_matrix(np.where(similarities >= tenth, similarities, 0))


def _table(graph: CandidateGraph, values: Floats) -> Floats:
    """Return the values of each query's candidates, in their order, padded with 0."""
    table = np.zeros((graph.shape[0], graph.similar.shape[1]))
    table[graph.candidates.queries, graph.candidates.places] = values
    return table


def _ranks(graph: CandidateGraph, values: Floats) -> Floats:
    """Return the number of candidates of the same query with a higher value."""
    return ranks_in_rows(values, _table(graph, values), graph.candidates.queries).astype(np.float64)


def _kth_best(dense: Floats, k: int) -> Floats:
    """Return the k-th best value of each row, or the lowest one of a shorter row."""
    place = max(dense.shape[1] - k, 0)
    return np.partition(dense, place, axis=1)[:, place]


def _at(matrix: sparse.csr_matrix, rows: Integers, columns: Integers) -> Floats:
    return np.asarray(matrix[rows, columns], dtype=np.float64).ravel()
