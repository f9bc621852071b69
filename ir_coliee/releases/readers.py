"""The table of readers: how documents, queries, gold labels and candidates of each task are read.

This is the only place where tasks differ for `ir_coliee.releases.local_release.LocalRelease` and for ir_datasets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ir_coliee.releases import case_gold, cases, civil_code, statutes, torts
from ir_coliee.releases.answer_labels import Answer
from ir_coliee.releases.case_records import (
    Decision,
    DecisionQuery,
    DecisionWithSummary,
    Fragment,
    FragmentInCase,
    Paragraph,
)

if TYPE_CHECKING:
    from ir_coliee.releases.local_release import LocalRelease


@dataclass(frozen=True)
class TaskReaders:
    """The readers of one task, each of which takes a `LocalRelease`.

    Attributes
    ----------
    documents : callable
        Returns the documents.
    document_type : type
    queries : callable
        Returns queries with their id and one text.
    query_type : type
    full_queries : callable
        Returns queries with every field.
    full_query_type : type
    qrels : callable
        Returns the gold labels.
    grades : mapping from int to str
        The meaning of each relevance grade.
    candidates : callable or None
        Returns pairs of query id and document id; None if any document may answer any query.
    may_lack_gold : bool
        Whether queries without gold are expected.
    labels_list_names : bool
        Whether the gold is handed out as a list of names for each query.
    """

    documents: Callable[[LocalRelease], Sequence[Any]]
    document_type: type
    queries: Callable[[LocalRelease], Sequence[Any]]
    query_type: type
    full_queries: Callable[[LocalRelease], Sequence[Any]]
    full_query_type: type
    qrels: Callable[[LocalRelease], Sequence[Any]]
    grades: Mapping[int, str]
    candidates: Callable[[LocalRelease], Iterable[tuple[str, str]]] | None
    may_lack_gold: bool = False
    labels_list_names: bool = False


_TASK4 = TaskReaders(
    documents=lambda release: statutes.ANSWERS,
    document_type=Answer,
    queries=statutes.statements,
    query_type=statutes.Statement,
    full_queries=statutes.questions,
    full_query_type=statutes.Question,
    qrels=statutes.correct_answers,
    grades={1: "the correct answer"},
    candidates=statutes.answer_candidates,
)

#: The readers of each task.
READERS: Mapping[str, TaskReaders] = MappingProxyType(
    {
        "task1": TaskReaders(
            documents=cases.decisions,
            document_type=Decision,
            queries=cases.decision_queries,
            query_type=DecisionQuery,
            full_queries=cases.decision_queries_with_summary,
            full_query_type=DecisionWithSummary,
            qrels=case_gold.gold,
            grades={1: "noticed: the query cites this case"},
            candidates=cases.candidates,
            labels_list_names=True,
        ),
        "task2": TaskReaders(
            documents=cases.paragraphs,
            document_type=Paragraph,
            queries=cases.fragments,
            query_type=Fragment,
            full_queries=cases.fragments_in_cases,
            full_query_type=FragmentInCase,
            qrels=case_gold.gold,
            grades={1: "entailing: the fragment follows from this paragraph"},
            candidates=cases.candidates,
            labels_list_names=True,
        ),
        "task3": TaskReaders(
            documents=civil_code.articles,
            document_type=civil_code.Article,
            queries=statutes.statements,
            query_type=statutes.Statement,
            full_queries=statutes.questions,
            full_query_type=statutes.Question,
            qrels=statutes.relevant_articles,
            grades={1: "relevant: the statement is decided by this article"},
            candidates=None,
        ),
        "task4": _TASK4,
        "task5": _TASK4,  # task 5 has the questions of task 4, for systems that are not given the articles
        "prediction": TaskReaders(
            documents=lambda release: torts.ANSWERS,
            document_type=Answer,
            queries=torts.disputes,
            query_type=torts.Dispute,
            full_queries=torts.instances,
            full_query_type=torts.TortInstance,
            qrels=torts.court_decisions,
            grades={1: "the court's decision"},
            candidates=torts.answer_candidates,
            may_lack_gold=True,  # an undecided instance has the label null
        ),
        "rationale": TaskReaders(
            documents=torts.claims,
            document_type=torts.Claim,
            queries=torts.disputes,
            query_type=torts.Dispute,
            full_queries=torts.instances,
            full_query_type=torts.TortInstance,
            qrels=torts.accepted_claims,
            grades={0: "the court rejected this claim", 1: "the court accepted this claim"},
            candidates=torts.claim_candidates,
            may_lack_gold=True,  # a court may accept no claim
        ),
    }
)
