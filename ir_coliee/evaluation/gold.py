"""The queries of a split, the items that may answer them, and the gold labels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import ir_datasets
import numpy as np
import pandas as pd

from ir_coliee.arrays import Booleans
from ir_coliee.datasets.handlers import candidate_pools
from ir_coliee.editions import Split
from ir_coliee.errors import MissingLabelsError
from ir_coliee.evaluation.task_evaluation import TASK_EVALUATIONS
from ir_coliee.releases import case_gold, cases
from ir_coliee.releases.local_release import LocalRelease

#: The role of the documents of each task whose documents may be missing while its labels are at hand.
_DOCUMENTS = {"task1": "corpus", "task2": "corpus", "task3": "articles"}


def query_ids(split: Split) -> list[str]:
    """Return the query ids of a split, in the order of the split."""
    if "corpus" in split.files:  # the ids are names of files or in the label file: the decisions need not be read
        release = LocalRelease.open(split)
        labels_alone = release.has("labels") and not release.has("corpus")
        return case_gold.labelled_queries(release) if labels_alone else cases.query_ids(release)
    return [query.query_id for query in ir_datasets.load(split.id).queries_iter()]


def has_documents(split: Split) -> bool:
    """Return whether the documents of a split are at hand. Without them, runs are scored, but items cannot be checked.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> has_documents(split("coliee/task1/sample/test"))
    True
    """
    role = _DOCUMENTS.get(split.task)
    return role is None or LocalRelease.open(split).has(role)


def candidates(split: Split) -> Callable[[str], Collection[str]]:
    """Return a function from a query id to the items that may answer it: its pool, or the whole collection.

    If the documents are not at hand, it returns the items that the gold labels of the split name.
    """
    if not has_documents(split):
        return _items_of_gold(split)
    dataset = ir_datasets.load(split.id)
    pools = candidate_pools(dataset)
    if pools is None:
        collection: Collection[str] = dataset.docs_store().ids()
        return lambda query_id: collection
    return lambda query_id: pools.get(query_id, set())


def are_candidates(
    candidates_of: Callable[[str], Collection[str]], query_ids: Iterable[str], docnos: Iterable[str]
) -> Booleans:
    """Return for each pair of query and item whether the item may answer the query."""
    queries = [*query_ids]
    pools = {query_id: candidates_of(query_id) for query_id in dict.fromkeys(queries)}
    return np.fromiter((docno in pools[query] for query, docno in zip(queries, docnos)), np.bool_, len(queries))


def _items_of_gold(split: Split) -> Callable[[str], Collection[str]]:
    try:
        labels = gold(split)
    except MissingLabelsError:
        return lambda query_id: ()
    by_query = {query_id: set(items) for query_id, items in labels.groupby("query_id")["doc_id"]}
    every = set(labels["doc_id"])
    return lambda query_id: by_query.get(query_id, set()) if split.has_pools else every


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
