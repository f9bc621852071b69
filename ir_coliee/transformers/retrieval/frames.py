"""Frames of results, made from rankings or from new scores of results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.engine.scoring import Ranking
from ir_coliee.engine.term_counts import TermCounts, sparse_rows
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers, sort_results


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
    scores = _concatenate((ranking.scores for ranking in rankings), np.float64)
    _check_finite(scores)
    # texts stay objects that the rows share: a string column would duplicate a decision into every row
    columns = {
        name: pd.Series(queries[name].to_numpy(dtype=object).repeat(sizes), dtype=object)
        for name in queries.columns
        if name not in ("score", "rank")
    }
    results: pd.DataFrame = pd.DataFrame(
        {
            **columns,
            "docno": item_ids[_concatenate((ranking.documents for ranking in rankings), np.int64)],
            "score": scores,
            "rank": _concatenate(map(np.arange, sizes), np.int64),
        },
        copy=False,  # the arrays are used by this frame only
    )
    return results


def rescore(results: pd.DataFrame, scores_of_pools: Callable[[Sequence[Integers]], Iterable[Floats]]) -> pd.DataFrame:
    """Return results with new scores, sorted by them.

    Parameters
    ----------
    results : pandas.DataFrame
        Has ``qid`` and ``docno``.
    scores_of_pools : callable
        Takes the row numbers of each query's results, and yields their scores.
    """
    scores = np.zeros(len(results))
    indices = results.groupby("qid", sort=False, observed=True).indices
    if pools := [np.asarray(rows, dtype=np.int64) for rows in indices.values()]:
        for rows, pool_scores in zip(pools, scores_of_pools(pools)):
            scores[rows] = pool_scores
    _check_finite(scores)
    return sort_results(results.drop(columns="rank", errors="ignore").assign(score=scores))


def _check_finite(scores: Floats) -> None:
    if not np.isfinite(scores).all():
        raise ColieeError("A score is not a finite number. Check the parameters of the weighting for extreme values.")


def _concatenate(arrays: Iterable[npt.NDArray[np.generic]], dtype: type) -> npt.NDArray[Any]:
    return np.concatenate([np.empty(0, dtype=dtype), *arrays]).astype(dtype, copy=False)


# Term frequencies of the queries of a frame.


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


def query_frequencies(index: TermCounts, queries: pd.DataFrame) -> sparse.csr_matrix:
    """Return the term frequencies or token weights of queries.

    Parameters
    ----------
    index : TermCounts
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
    column = query_column(queries)
    values = queries[column].to_numpy(dtype=object)
    if column == "query":
        return index.query_vectors(values)
    if column == "query_docno":
        return sparse.csr_matrix(index.counts[document_rows(index, values)].astype("float64"))
    return sparse_rows((_weighted_terms(index, *query) for query in zip(queries["qid"], values)), len(index.vocabulary))


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
