"""What the dataset of an id is made of for ir_datasets: handlers that know how to load, official counts, words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ir_datasets.datasets.base import Dataset
from ir_datasets.util import MetadataComponent, MetadataProvider

from ir_coliee import editions
from ir_coliee.datasets.handlers import Docs, Documentation, Pools, Qrels, Queries
from ir_coliee.editions import COLLECTIONS, SPLITS, Split
from ir_coliee.releases import cases, civil_code, statutes, torts
from ir_coliee.releases.answer_labels import Answer
from ir_coliee.releases.search import ORGANISERS


@dataclass(frozen=True)
class Readers:
    """How the entities of one task are read: the only place where tasks differ for ir_datasets."""

    docs: Callable[[Split], Sequence[Any]]
    doc_type: type
    queries: Callable[[Split], Sequence[Any]]
    query_type: type
    full_queries: Callable[[Split], Sequence[Any]]
    full_query_type: type
    gold: Callable[[Split], Sequence[Any]]
    grades: dict[int, str]
    pools: Callable[[Split], Iterable[tuple[str, str]]] | None


READERS: dict[str, Readers] = {
    "task1": Readers(
        docs=cases.decisions,
        doc_type=cases.Decision,
        queries=cases.decision_queries,
        query_type=cases.DecisionQuery,
        full_queries=cases.decision_queries_with_summary,
        full_query_type=cases.DecisionWithSummary,
        gold=cases.gold,
        grades={1: "noticed: the query cites this case"},
        pools=cases.pools,
    ),
    "task2": Readers(
        docs=cases.paragraphs,
        doc_type=cases.Paragraph,
        queries=cases.fragments,
        query_type=cases.Fragment,
        full_queries=cases.fragments_in_cases,
        full_query_type=cases.FragmentInCase,
        gold=cases.gold,
        grades={1: "entailing: the fragment follows from this paragraph"},
        pools=cases.pools,
    ),
    "task3": Readers(
        docs=civil_code.articles,
        doc_type=civil_code.Article,
        queries=statutes.statements,
        query_type=statutes.Statement,
        full_queries=statutes.questions,
        full_query_type=statutes.Question,
        gold=statutes.relevant_articles,
        grades={1: "relevant: the statement is decided by this article"},
        pools=None,
    ),
    "task4": Readers(
        docs=lambda _part: statutes.ANSWERS,
        doc_type=Answer,
        queries=statutes.statements,
        query_type=statutes.Statement,
        full_queries=statutes.questions,
        full_query_type=statutes.Question,
        gold=statutes.right_answers,
        grades={1: "the right answer"},
        pools=statutes.answer_pools,
    ),
    "prediction": Readers(
        docs=lambda _part: torts.ANSWERS,
        doc_type=Answer,
        queries=torts.disputes,
        query_type=torts.Dispute,
        full_queries=torts.instances,
        full_query_type=torts.TortInstance,
        gold=torts.court_decisions,
        grades={1: "the court's decision"},
        pools=torts.answer_pools,
    ),
    "rationale": Readers(
        docs=torts.claims,
        doc_type=torts.Claim,
        queries=torts.disputes,
        query_type=torts.Dispute,
        full_queries=torts.instances,
        full_query_type=torts.TortInstance,
        gold=torts.accepted_claims,
        grades={0: "the court rejected this claim", 1: "the court accepted this claim"},
        pools=torts.claim_pools,
    ),
}

# task 5 asks what task 4 asks, of readers who are not given the articles
READERS["task5"] = READERS["task4"]


def constituents(dataset_id: str) -> list[object]:
    """The official counts of a registered id, the handlers of its entities, and its words."""
    split, entities = _split_and_entities(dataset_id)
    entities.append(Documentation(partial(describe, split, dataset_id)))
    counts = {dataset_id: {entity: {"count": n} for entity, n in split.counts.items()}}
    return [MetadataComponent(dataset_id, Dataset(*entities), MetadataProvider(lambda: counts)), *entities]


def _split_and_entities(dataset_id: str) -> tuple[Split, list[object]]:
    if split := SPLITS.get(dataset_id.removesuffix("/full")):
        return split, _of_split(split, full=dataset_id.endswith("/full"))
    split = COLLECTIONS[dataset_id.removesuffix("/deleted")]
    if dataset_id.endswith("/deleted"):
        everything = Docs(partial(civil_code.all_articles, split), civil_code.Article, split.language)
        return replace(split, counts={}), [everything]
    return split, [_docs(split)]


def _of_split(split: Split, *, full: bool) -> list[object]:
    readers = READERS[split.task]
    load, query_type = readers.queries, readers.query_type
    if full:
        load, query_type = readers.full_queries, readers.full_query_type
    entities: list[object] = [
        _docs(split),
        Queries(partial(load, split), query_type, split.language),
        Qrels(partial(readers.gold, split), readers.grades),
    ]
    return entities + ([Pools(partial(readers.pools, split))] if readers.pools and split.has_pools else [])


_shared_docs: dict[str, Docs] = {}


def _docs(split: Split) -> Docs:
    """The documents of a split; one object for all ids that share them, by which ir_datasets knows the parent."""
    shared_by = editions.collection_id(split) if split.task == "task3" else split.id
    if shared_by not in _shared_docs:
        readers = READERS[split.task]
        _shared_docs[shared_by] = Docs(partial(readers.docs, split), readers.doc_type, split.language)
    return _shared_docs[shared_by]


def describe(split: Split, dataset_id: str) -> dict[str, Any]:
    """The documentation of an id, in the keys that ir_datasets reads."""
    return {
        "pretty_name": _pretty_name(split, dataset_id),
        "desc": _SAMPLE_WORDS
        if split.is_built_in
        else f"<p>{split.pretty_name}, as the organisers handed it out.{_UNVERIFIED if split.is_unverified else ''}</p>",
        "official_measures": [split.measure] if dataset_id.startswith(split.id) else [],
        "data_access": _ACCESS if not split.is_built_in else "<p>Shipped with ir_coliee, CC0.</p>",
        "bibtex_ids": [],
    }


def _pretty_name(split: Split, dataset_id: str) -> str:
    if dataset_id.startswith(split.id):
        return split.pretty_name + (", all fields" if dataset_id.endswith("/full") else "")
    articles = "articles, deleted ones included" if dataset_id.endswith("/deleted") else "articles"
    return split.pretty_name.removesuffix(split.name) + articles


_UNVERIFIED = " The names and the layout of its files are not verified."
_SAMPLE_WORDS = (
    "<p>A fictional edition in the organisers' layout: an invented court, an invented civil code, invented "
    "disputes, written for this project. It is there to try programs on. Scores on it say nothing about COLIEE.</p>"
)
_ACCESS = (
    "<p>The organisers give the data to participants who sign a data-use agreement; "
    f"see <a href='{ORGANISERS}'>{ORGANISERS}</a>. "
    "Put what they mailed into <tt>$COLIEE_HOME</tt> (by default <tt>~/.ir_datasets/coliee</tt>), "
    "under the names that it came with, and run <tt>ir_coliee status</tt>.</p>"
)
