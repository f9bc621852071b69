"""Term frequencies of the queries of a frame, and frames of results.

A query is given by the first of these columns that the frame has:

- ``query_toks``: weighted tokens, a dict from term to weight (>= 0), as PyTerrier's query rewriters give;
- ``query_docno``: the id of a document of the index, whose term frequencies are the query;
- ``query``: text, which the index's analyser tokenises. Term frequencies are used, so a whole decision can be a query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.engine.scoring import Ranking
from ir_coliee.engine.term_counts import TermCounts, sparse_rows
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.dask import ShardedIndex

#: The columns that can give a query, in the order in which they are looked for.
QUERY_COLUMNS = ("query_toks", "query_docno", "query")

#: The same columns in the order in which PyTerrier's inspection and schematics list them, the usual one first.
INPUT_COLUMNS = ("query", "query_toks", "query_docno")


_WEIGHT_RANGE = 1e-100, 1e100  # squares and products of such weights are finite 64-bit numbers too


def query_column(queries: pd.DataFrame) -> str:
    """Return the first of `QUERY_COLUMNS` that the frame has, with all values checked.

    Raises `ColieeError`, which names the query by its ``qid``, for a value of the wrong type.
    """
    column = next(name for name in QUERY_COLUMNS if name in queries.columns)
    needed, description = (dict, "a dict from term to weight") if column == "query_toks" else (str, "a string")
    for qid, value in zip(queries["qid"], queries[column].to_numpy(dtype=object)):
        if not isinstance(value, needed):
            kind = type(value).__name__
            raise ColieeError(
                f"Query {printable(str(qid))}: {column} must be {description}, got a value of type {kind}."
            )
    return column


def query_frequencies(index: TermCounts | ShardedIndex, queries: pd.DataFrame) -> sparse.csr_matrix:
    """Return the term frequencies or token weights of queries.

    Parameters
    ----------
    index : TermCounts or ShardedIndex
        Its analyser tokenises texts, and its vocabulary gives the columns.
    queries : pandas.DataFrame
        Has ``qid`` and one of `QUERY_COLUMNS`.

    Returns
    -------
    scipy.sparse.csr_matrix
        One row for each query, one column for each term of the index.

    Raises
    ------
    ColieeError
        If a value has the wrong type, a weight is not a number >= 0, or a document is not in the index. The message
        names the query or the document.
    """
    column, terms = query_column(queries), index.terms
    values = queries[column].to_numpy(dtype=object)
    if column == "query":
        return terms.query_vectors(values)
    if column == "query_docno":
        return sparse.csr_matrix(index.rows(document_rows(terms, values)).astype(np.float64))
    return sparse_rows((_weighted_terms(terms, *query) for query in zip(queries["qid"], values)), len(terms.vocabulary))


def document_rows(index: TermCounts, docnos: Iterable[str]) -> Integers:
    """Return the rows of documents in an index; raise `ColieeError`, which names a document that is not in it."""
    try:
        return index.positions(docnos)
    except KeyError as error:
        raise ColieeError(f"{error.args[0]}. Check that the index is of the same dataset and split.") from None


def _weighted_terms(index: TermCounts, qid: object, tokens: Mapping[str, Any]) -> Iterator[tuple[int, float]]:
    """Yield column and weight of each token that the index knows and whose weight is not 0."""
    minimum, maximum = _WEIGHT_RANGE
    for token, weight in tokens.items():
        try:
            number = float(weight)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if number != 0 and not minimum <= number <= maximum:
            raise ColieeError(
                f"Query {printable(str(qid))}: a token's weight must be a number >= 0, got {printable(repr(weight))}.\n"
                f"Weights other than 0 must be in [{minimum:g}, {maximum:g}]."
            )
        if number and token in index.vocabulary:
            yield index.vocabulary[token], number


def ranked_results(
    queries: pd.DataFrame, item_ids: npt.NDArray[np.object_], rankings: Sequence[Ranking]
) -> pd.DataFrame:
    """Return the results of queries.

    Parameters
    ----------
    queries : pandas.DataFrame
        Its columns are repeated for each result, except score and rank.
    item_ids : numpy.ndarray of str
        The ids of the items that the rankings number.
    rankings : sequence of Ranking
        The ranking of each query.
    """
    sizes = np.array([len(ranking.documents) for ranking in rankings], dtype=np.int64)
    nothing = Ranking(np.empty(0, np.int64), np.empty(0))
    documents, scores = map(np.concatenate, zip(nothing, *rankings))
    # texts stay objects that the rows share: a string column would duplicate a decision into every row
    columns = {
        name: pd.Series(queries[name].to_numpy(dtype=object).repeat(sizes), dtype=object)
        for name in queries.columns
        if name not in ("score", "rank")
    }
    ranks = np.concatenate([nothing.documents, *map(np.arange, sizes)])
    results = {**columns, "docno": item_ids[documents], "score": _finite(scores), "rank": ranks}
    return pd.DataFrame(results, copy=False)  # the arrays are used by this frame only


def pooled_scores(results: pd.DataFrame, score: Callable[[Sequence[Integers]], Iterable[Floats]]) -> Floats:
    """Return a score for each row of results.

    Parameters
    ----------
    results : pandas.DataFrame
        Has ``qid`` and ``docno``.
    score : callable
        Takes the row numbers of each query's results, and yields their scores.
    """
    scores = np.zeros(len(results))
    indices = results.groupby("qid", sort=False, observed=True).indices
    if pools := [np.asarray(rows, dtype=np.int64) for rows in indices.values()]:
        for rows, of_pool in zip(pools, score(pools)):
            scores[rows] = of_pool
    return _finite(scores)


def _finite(scores: Floats) -> Floats:
    if not np.isfinite(scores).all():
        raise ColieeError("A score is not a finite number. Check the parameters of the weighting for extreme values.")
    return scores
