"""What a split knows about its answers: the queries, their candidates, the gold."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import ir_datasets

from ir_coliee.datasets.handlers import pools_of
from ir_coliee.editions import Split
from ir_coliee.evaluation.task_evaluation import TASK_EVALUATIONS
from ir_coliee.releases import cases

if TYPE_CHECKING:
    import pandas as pd


def query_ids(split: Split) -> list[str]:
    """The ids of a split's queries, in the split's order."""
    if split.task in ("task1", "task2"):  # the decisions and fragments themselves need not be read
        return cases.query_ids(split)
    return [query.query_id for query in ir_datasets.load(split.id).queries_iter()]


def candidates(split: Split) -> Callable[[str], Collection[str]]:
    """For a query id the items that may answer it: its pool, or the whole collection."""
    dataset = ir_datasets.load(split.id)
    pools = pools_of(dataset)
    if pools is None:
        everything: Collection[str] = dataset.docs_store().ids()
        return lambda query_id: everything
    return lambda query_id: pools.get(query_id, set())


def gold(split: Split) -> pd.DataFrame:
    """The gold of a split: query_id, doc_id, relevance. Raises `MissingLabelsError`."""
    import pandas as pd

    return pd.DataFrame(list(ir_datasets.load(split.id).qrels_iter()), columns=["query_id", "doc_id", "relevance"])


def scored_gold(split: Split) -> pd.DataFrame:
    """The gold of a split with all queries that are scored: query_id, doc_id, relevance.

    Queries without gold are left out, except where returning nothing is an answer. Raises `MissingLabelsError`.
    """
    import pandas as pd

    qrels = gold(split)
    if TASK_EVALUATIONS[split.task].unanswered != "answer":
        return qrels
    judged = set(qrels["query_id"])
    unjudged = [(query_id, "", 0) for query_id in query_ids(split) if query_id not in judged]
    return pd.concat([qrels, pd.DataFrame(unjudged, columns=qrels.columns)])
