"""The official figures of each task, and the queries, candidates and gold labels of a split."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

import ir_measures
import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.editions import Split
from ir_coliee.frames import Booleans, Integers
from ir_coliee.measures import AnswerAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF1, MicroP, MicroR
from ir_coliee.releases import cases
from ir_coliee.releases.release import LocalRelease

if TYPE_CHECKING:
    from ir_measures.measures.base import Measure

    from ir_coliee.evaluation.scoring import ScoredRun
    from ir_coliee.measures import ColieeMeasure


# How each task is evaluated: its official figures, the measure for tuning cut-offs, and the form of its answers.


class Figure(NamedTuple):
    """A column of the official table.

    Attributes
    ----------
    label : str
        Heading of the column.
    compute : callable
        Function from a `ScoredRun` to the value.
    needs : {"", "ranking", "answers"}
        The file that is needed in addition to the answer set: the ranking before the cut-off, or the answers Y and N.
        Without this file the figure is not computed.
    """

    label: str
    compute: Callable[[ScoredRun], float]
    needs: Literal["", "ranking", "answers"] = ""


class TaskEvaluation(NamedTuple):
    """How the answers of a task are evaluated.

    The form of a run file is given by `ir_coliee.editions.SubmissionForm`.

    Attributes
    ----------
    measure : ColieeMeasure
        The set measure that is used to choose cut-offs and to compare runs. It is the official measure, except in
        task 3 of 2026, where it is the measure that breaks ties.
    figures : tuple of Figure
        The columns of the official table. The first one ranks the runs.
    single_answer : bool
        Whether a query has exactly one answer, one of its candidates.
    unanswered : {"error", "warning", "answer"}
        Severity of a query without an answer; "answer" where returning nothing is a valid answer.
    """

    measure: ColieeMeasure
    figures: tuple[Figure, ...]
    single_answer: bool = False
    unanswered: Literal["error", "warning", "answer"] = "error"


def _set_figure(label: str, measure: ColieeMeasure) -> Figure:
    return Figure(label, lambda scored: scored.value(measure))


def _ranking_figure(label: str, measure: Measure) -> Figure:
    return Figure(label, lambda scored: scored.ranked_value(measure), needs="ranking")


def _party_figure(label: str, measure: ColieeMeasure, party: str) -> Figure:
    return Figure(label, lambda scored: scored.for_party(party).value(measure))


_FOUND = Figure("retrieved (tp)", lambda scored: int(scored.counts.tp.sum()))

_CASE_LAW = TaskEvaluation(
    MicroF1, (_set_figure("F1", MicroF1), _set_figure("P", MicroP), _set_figure("R", MicroR)), unanswered="warning"
)
_ENTAILMENT = TaskEvaluation(
    AnswerAccuracy, (_set_figure("accuracy", AnswerAccuracy), _FOUND._replace(label="correct")), single_answer=True
)
#: The measure of rationale extraction if an instance without accepted claims counts as 1.
EMPTY_AS_1 = MacroF(empty=1)

TASK_EVALUATIONS: dict[str, TaskEvaluation] = {
    "task1": _CASE_LAW,
    "task2": _CASE_LAW,
    "task3": TaskEvaluation(
        MacroF2,
        (
            _set_figure("F2", MacroF2),
            _set_figure("P", MacroP),
            _set_figure("R", MacroR),
            Figure("return", lambda scored: int(scored.counts.returned.sum())),
            _FOUND,
            _ranking_figure("MAP", ir_measures.AP),
            *(_ranking_figure(f"R@{k}", MicroR @ k) for k in (5, 10, 30)),
        ),
    ),
    "task4": _ENTAILMENT,
    "task5": _ENTAILMENT,
    "prediction": _ENTAILMENT,
    # the two conventions for an instance without accepted claims, then the other figures of the organisers' server
    "rationale": TaskEvaluation(
        MacroF,
        (
            _set_figure("F1 (empty = 0)", MacroF),
            _set_figure("F1 (empty = 1)", EMPTY_AS_1),
            _set_figure("pooled F1", MicroF1),
            _party_figure("plaintiff F1 (0)", MacroF, "p"),
            _party_figure("plaintiff F1 (1)", EMPTY_AS_1, "p"),
            _party_figure("defendant F1 (0)", MacroF, "d"),
            _party_figure("defendant F1 (1)", EMPTY_AS_1, "d"),
        ),
        unanswered="answer",
    ),
}


def _mean(values: npt.NDArray[np.bool_] | Integers) -> float:
    return float(values.mean()) if values.size else 0.0


#: Task 3 of 2026: a question counts if its answer is correct and all its articles are returned; F2 breaks ties.
_GATED = TaskEvaluation(
    MacroF2,
    (
        Figure("accuracy", lambda scored: _mean(scored.gated_counts().tp), needs="answers"),
        _set_figure("F2", MacroF2),
        Figure("answers right", lambda scored: _mean(scored.correct_answers()), needs="answers"),
        Figure("all articles found", lambda scored: _mean(scored.counts.tp == scored.counts.relevant)),
        Figure("articles a question", lambda scored: _mean(scored.counts.returned)),
    ),
)


def task_evaluation(split: Split) -> TaskEvaluation:
    """Return how the runs of a split are evaluated in its edition.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> [figure.label for figure in task_evaluation(split("coliee/task4/sample/en/test")).figures]
    ['accuracy', 'correct']
    """
    # `split.measure` is the name of the official measure; only the gated accuracy of task 3 of 2026 is told by it
    return _GATED if split.measure == "GatedAccuracy" else TASK_EVALUATIONS[split.task]


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
