"""Shared terms by their part of the BM25 score."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ir_coliee.analysis.evidence.pair import Pair
from ir_coliee.analysis.evidence.record import Evidence

_ROWS = 10
_STATISTICS = {"collection": "collection", "pool": "query's candidates"}
_FLOAT32 = 1e-6  # ranking files keep scores with this precision


def shared_terms(pair: Pair) -> Evidence:
    """Split the BM25 score of a pair into the parts of its terms.

    Parameters
    ----------
    pair : Pair
        A query and an item of tasks 1 to 3.

    Returns
    -------
    Evidence
        The ten terms with the largest contributions, and a row with the sum of all others, so that the table adds up
        to the score. The facts are the score and the number of shared terms; a note names the runs whose score this is.
    """
    retriever = pair.bm25
    parts = retriever.explain({"query": pair.query_text}, pair.doc_id, pool=pair.pool)
    score = float(parts["contribution"].sum())
    best, others = parts.head(_ROWS), parts["contribution"].iloc[_ROWS:]
    noun = "term" if len(others) == 1 else "terms"
    table = pd.DataFrame(
        {
            "term": [*best["term"], *([f"{len(others)} other {noun}"] if len(others) else [])],
            "query_tf": _counts(best["query_tf"], others),
            "document_tf": _counts(best["document_tf"], others),
            "df": _counts(best["df"], others),
            "contribution": [*best["contribution"], *([others.sum()] if len(others) else [])],
        }
    )
    return Evidence(
        "shared_terms",
        "Shared terms",
        {"score": score, "shared terms": len(parts)},
        table,
        notes=(
            f"The score is that of our index by {retriever.weighting!r} with the statistics of the "
            f"{_STATISTICS[retriever.statistics]}; a system need not have used it.",
            *(f"The run {name} has this score." for name in _runs_with(pair, score)),
        ),
    )


def _counts(best: pd.Series, others: pd.Series) -> pd.Series:
    """Return whole numbers, and a missing one for the row of the other terms."""
    return pd.Series([*map(int, best), *([pd.NA] if len(others) else [])], dtype="Int64")


def _runs_with(pair: Pair, score: float) -> list[str]:
    """Return the runs whose ranking, or answer set, has the pair with this score."""
    found = []
    for name, run in pair.runs.runs.items():
        results = run.answers if run.ranking is None else run.ranking
        of_pair = results.loc[(results["qid"] == pair.query_id) & (results["docno"] == pair.doc_id), "score"]
        if len(of_pair) and np.isclose(float(of_pair.iloc[0]), score, rtol=_FLOAT32, atol=0):
            found.append(name)
    return found
