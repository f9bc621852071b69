"""The answers of runs to one query, item by item: outcome, rank, score, and the cause of a miss."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pandas as pd

from ir_coliee.analysis.evaluated_run import EvaluatedRun
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.outcome_causes import false_answer_kinds, miss_causes

_COLUMNS = ["doc_id", "run", "outcome", "answer_rank", "rank", "score", "reason", "detail"]


def answers_to(
    runs: EvaluatedRuns, query_id: str, doc_ids: Sequence[str], relevant: Collection[str] | None
) -> pd.DataFrame:
    """Return what each run does with each of some items.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    query_id : str
        The query.
    doc_ids : sequence of str
        The items.
    relevant : collection of str or None
        The relevant items; None if they are not known.

    Returns
    -------
    pandas.DataFrame
        A row for each item and run, with missing values where there is none: doc_id; run; outcome, ``hit``, ``false``
        or ``miss`` if the relevant items are known; answer_rank, the rank in the answer set; rank and score in the
        ranking, or in the answer set if the run has no ranking; reason, the cause of a miss or the kind of a false
        answer; and detail, a sentence on it. Ranks count from 0.
    """
    rows = [row for run in runs.runs.values() for row in _of_run(runs, run, query_id, doc_ids, relevant)]
    return pd.DataFrame(rows, columns=_COLUMNS, dtype=object).astype({"answer_rank": "Int64", "rank": "Int64"})


def _of_run(
    runs: EvaluatedRuns, run: EvaluatedRun, query_id: str, doc_ids: Sequence[str], relevant: Collection[str] | None
) -> Iterator[list[Any]]:
    answers = _by_item(run.answers, query_id)
    ranking = answers if run.ranking is None else _by_item(run.ranking, query_id)
    reasons = {} if relevant is None else _reasons(runs, run, query_id)
    for doc_id in doc_ids:
        answer_rank, _score = answers.get(doc_id, (None, None))
        rank, score = ranking.get(doc_id, (None, None))
        outcome = _outcome(doc_id, answer_rank is not None, relevant)
        reason = reasons.get(doc_id, (None, None))
        yield [doc_id, run.name, outcome, answer_rank, rank, score if run.has_scores else None, *reason]


def _reasons(runs: EvaluatedRuns, run: EvaluatedRun, query_id: str) -> dict[str, tuple[str, str]]:
    """Return the cause of each miss and the kind of each false answer of a query, with its detail."""
    found: dict[str, tuple[str, str]] = {}
    for frame, column in ((miss_causes(runs, run.name), "cause"), (false_answer_kinds(runs, run.name), "kind")):
        of_query = frame[frame["query_id"] == query_id]
        found |= dict(zip(of_query["doc_id"], zip(of_query[column], of_query["detail"])))
    return found


def _by_item(results: pd.DataFrame, query_id: str) -> dict[str, tuple[int, float]]:
    """Return rank and score of each result of a query."""
    of_query = results[results["qid"] == query_id]
    return dict(zip(of_query["docno"], zip(of_query["rank"].tolist(), of_query["score"].tolist())))


def _outcome(doc_id: str, is_returned: bool, relevant: Collection[str] | None) -> str | None:
    if relevant is None:
        return None
    if is_returned:
        return "hit" if doc_id in relevant else "false"
    return "miss" if doc_id in relevant else None


def informative_order(answers: pd.DataFrame, doc_ids: Sequence[str]) -> list[str]:
    """Sort items: misses, false answers, hits, each by the best rank that a run gives them, then by id.

    Examples
    --------
    >>> answers = pd.DataFrame({"doc_id": ["a", "b", "c"], "outcome": ["hit", "miss", "false"], "rank": [0, 4, 1]})
    >>> informative_order(answers, ["a", "b", "c", "d"])
    ['b', 'c', 'a', 'd']
    """
    ids = {outcome: {*answers.loc[answers["outcome"] == outcome, "doc_id"]} for outcome in ("miss", "false")}
    best = answers.dropna(subset=["rank"]).groupby("doc_id")["rank"].min().to_dict()

    def key(doc_id: str) -> tuple[bool, bool, float, str]:
        return doc_id not in ids["miss"], doc_id not in ids["false"], best.get(doc_id, math.inf), doc_id

    return sorted(doc_ids, key=key)
