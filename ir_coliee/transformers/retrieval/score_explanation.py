"""A score of a retriever as a table of its terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_contributions import TermContributions
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.errors import ColieeError
from ir_coliee.text.analysers import tokeniser
from ir_coliee.transformers.retrieval.query_vectors import QUERY_COLUMNS, query_column


def query_frame(query: str | Mapping[str, Any] | pd.Series) -> pd.DataFrame:
    """Return a frame of one query, which is text or a row of a query frame; raise `ColieeError` for any other value."""
    row = {"query": query} if isinstance(query, str) else dict(query) if isinstance(query, (Mapping, pd.Series)) else {}
    if not any(name in row for name in QUERY_COLUMNS):
        kind = type(query).__name__
        raise ColieeError(
            f"query must be a text or a row with one of {', '.join(QUERY_COLUMNS)}, got a value of type {kind}."
        )
    frame = pd.DataFrame({name: pd.Series([value], dtype=object) for name, value in ({"qid": "query"} | row).items()})
    query_column(frame)
    return frame


def contribution_frame(
    index: TermCounts, query: pd.DataFrame, explained: TermContributions, length: float
) -> pd.DataFrame:
    """Return the parts of a score as a frame.

    Parameters
    ----------
    index : TermCounts
        Its vocabulary has the terms.
    query : pandas.DataFrame
        The query, one row.
    explained : TermContributions
        The explained.
    length : float
        The length of the document.

    Returns
    -------
    pandas.DataFrame
        As `Retriever.explain` returns it.
    """
    order = np.argsort(-explained.contributions, kind="stable")
    numbers = explained.terms[order].tolist()
    names = _term_names(index, query, numbers)
    columns = {
        "query_tf": explained.query_tf[order],
        "document_tf": explained.document_tf[order],
        "df": explained.df[order],
        "contribution": explained.contributions[order],
    }
    terms = [names[number] for number in numbers]
    if explained.of_length is not None:
        of_length = {"query_tf": np.nan, "document_tf": length, "df": np.nan, "contribution": explained.of_length}
        columns = {name: np.append(values, of_length[name]) for name, values in columns.items()}
        terms.append("")
    frame = pd.DataFrame({"term": pd.Series(terms, dtype=object), **columns})
    return frame.astype({"document_tf": np.int64, "df": "Int64"})


def _term_names(index: TermCounts, query: pd.DataFrame, numbers: Iterable[int]) -> dict[int, str]:
    """Return the terms of some numbers. Hashed shingles of a text are named by their words."""
    column, vocabulary = query_column(query), index.vocabulary
    if column == "query_docno" and isinstance(vocabulary, HashedVocabulary):
        return {number: f"{int(vocabulary.hashes[number]):016x}" for number in numbers}
    if column == "query_docno":
        terms: Iterable[str] = vocabulary
    else:
        value = query[column].iloc[0]
        terms = value if column == "query_toks" else dict.fromkeys(tokeniser(index.analyser)(value))
    return {vocabulary[term]: term for term in terms if term in vocabulary}
