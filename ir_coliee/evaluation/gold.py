"""The queries of a split, the items that may answer them, and the gold labels."""

from __future__ import annotations

from collections.abc import Callable, Collection

import ir_datasets
import pandas as pd

from ir_coliee.datasets.handlers import candidate_pools
from ir_coliee.editions import Split
from ir_coliee.evaluation.task_evaluation import TASK_EVALUATIONS
from ir_coliee.releases import cases
from ir_coliee.releases.local_release import LocalRelease


def query_ids(split: Split) -> list[str]:
    """Return the query ids of a split, in the order of the split."""
    if split.task in ("task1", "task2"):  # the ids are file names: the decisions need not be read
        return cases.query_ids(LocalRelease.open(split))
    return [query.query_id for query in ir_datasets.load(split.id).queries_iter()]


def candidates(split: Split) -> Callable[[str], Collection[str]]:
    """Return a function from a query id to the items that may answer it: its pool, or the whole collection."""
    dataset = ir_datasets.load(split.id)
    pools = candidate_pools(dataset)
    if pools is None:
        collection: Collection[str] = dataset.docs_store().ids()
        return lambda query_id: collection
    return lambda query_id: pools.get(query_id, set())


def gold(split: Split) -> pd.DataFrame:
    """Return the gold labels of a split.

    Returns
    -------
    pandas.DataFrame
        The columns query_id, doc_id and relevance.

    Raises
    ------
    MissingLabelsError
        If the local release has no labels.
    """
    return pd.DataFrame(list(ir_datasets.load(split.id).qrels_iter()), columns=["query_id", "doc_id", "relevance"])


def scored_gold(split: Split) -> pd.DataFrame:
    """Return the gold labels of a split, with at least one row for every query that is scored.

    Queries without gold are not included. In tasks in which returning nothing is a valid answer, they are included:
    each has one row with an empty doc_id and relevance 0.

    Returns
    -------
    pandas.DataFrame
        The columns query_id, doc_id and relevance.

    Raises
    ------
    MissingLabelsError
        If the local release has no labels.
    """
    qrels = gold(split)
    if TASK_EVALUATIONS[split.task].unanswered != "answer":
        return qrels
    judged = set(qrels["query_id"])
    unjudged = [(query_id, "", 0) for query_id in query_ids(split) if query_id not in judged]
    return pd.concat([qrels, pd.DataFrame(unjudged, columns=qrels.columns)])
