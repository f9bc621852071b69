"""Term frequencies of the queries of a frame.

A query is given by the first of these columns that the frame has:

- ``query_toks``: weighted tokens, a dict from term to weight (>= 0), as PyTerrier's query rewriters give;
- ``query_docno``: the id of a document of the index, whose term frequencies are the query;
- ``query``: text, which the index's analyser tokenises. Term frequencies are used, so a whole decision can be a query.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd
from scipy import sparse

from ir_coliee.engine.term_counts import TermCounts, sparse_rows
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Integers

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
