"""How each task is evaluated, and the queries, candidates and gold labels of a split."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.editions import Split
from ir_coliee.frames import Booleans
from ir_coliee.measures import AnswerAccuracy, ColieeMeasure, MacroF, MacroF2, MicroF1
from ir_coliee.releases import cases
from ir_coliee.releases.release import LocalRelease

# How each task is evaluated: the measure for tuning cut-offs, and the form of its answers.


class TaskEvaluation(NamedTuple):
    """How the answers of a task are evaluated; the official figures are those of `ir_coliee.evaluation.scoring`.

    The form of a run file is given by `ir_coliee.editions.SubmissionForm`.

    Attributes
    ----------
    measure : ColieeMeasure
        The set measure that is used to choose cut-offs and to compare runs. It is the official measure, except in
        task 3 of 2026, where it is the measure that breaks ties.
    single_answer : bool
        Whether a query has exactly one answer, one of its candidates.
    unanswered : {"error", "warning", "answer"}
        Severity of a query without an answer; "answer" where returning nothing is a valid answer.
    """

    measure: ColieeMeasure
    single_answer: bool = False
    unanswered: Literal["error", "warning", "answer"] = "error"


TASK_EVALUATIONS = {
    "task1": TaskEvaluation(MicroF1, unanswered="warning"),
    "task2": TaskEvaluation(MicroF1, unanswered="warning"),
    "task3": TaskEvaluation(MacroF2),
    "task4": TaskEvaluation(AnswerAccuracy, single_answer=True),
    "task5": TaskEvaluation(AnswerAccuracy, single_answer=True),
    "prediction": TaskEvaluation(AnswerAccuracy, single_answer=True),
    "rationale": TaskEvaluation(MacroF, unanswered="answer"),
}
#: The measure of rationale extraction if an instance without accepted claims counts as 1.
EMPTY_AS_1 = MacroF(empty=1)


# The queries of a split, the items that may answer them, and the gold labels.


#: The role of the documents of each task whose documents may be missing while its labels are at hand.
_DOCUMENTS = {"task1": "corpus", "task2": "corpus", "task3": "articles"}


def query_ids(split: Split) -> list[str]:
    """Return the query ids of a split, in the order of the split."""
    release = LocalRelease.open(split)
    if "corpus" in split.files:  # the ids are names of files or in the label file: the decisions need not be read
        labels_alone = release.has("labels") and not release.has("corpus")
        return cases.labelled_queries(release) if labels_alone else cases.query_ids(release)
    return [query.query_id for query in release.queries()]


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

    The documents must be at hand.
    """
    release = LocalRelease.open(split)
    pairs = release.candidates()
    if pairs is None:
        collection = frozenset(release.document_ids())
        return lambda query_id: collection
    pools: dict[str, set[str]] = {}
    for query_id, item in pairs:
        pools.setdefault(query_id, set()).add(item)
    return lambda query_id: pools.get(query_id, set())


def are_candidates(
    candidates_of: Callable[[str], Collection[str]], query_ids: Iterable[str], docnos: Iterable[str]
) -> Booleans:
    """Return for each pair of query and item whether the item may answer the query."""
    queries = [*query_ids]
    pools = {query_id: candidates_of(query_id) for query_id in dict.fromkeys(queries)}
    return np.fromiter((docno in pools[query] for query, docno in zip(queries, docnos)), np.bool_, len(queries))


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
    qrels = [(qrel.query_id, qrel.doc_id, qrel.relevance) for qrel in LocalRelease.open(split).qrels()]
    return pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"])


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
