"""Registers every part of the table with ir_datasets, lazily: no file is opened here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import ir_datasets
from ir_datasets.datasets.base import Dataset
from ir_datasets.util import MetadataComponent, MetadataProvider

from ir_coliee.datasets import cases, civil_code, releases, statutes, torts
from ir_coliee.datasets.copies import ORGANISERS
from ir_coliee.datasets.handlers import Answer, Docs, Documentation, Pools, Qrels, Queries
from ir_coliee.datasets.releases import PARTS, SAMPLE, Part


@dataclass(frozen=True)
class Readers:
    """How the entities of one task are read: the only place where tasks differ for ir_datasets."""

    docs: Callable[[Part], Sequence[Any]]
    doc_type: type
    queries: Callable[[Part], Sequence[Any]]
    query_type: type
    full_queries: Callable[[Part], Sequence[Any]]
    full_query_type: type
    gold: Callable[[Part], Sequence[Any]]
    grades: dict[int, str]
    pools: Callable[[Part], Iterable[tuple[str, str]]] | None


READERS: dict[str, Readers] = {
    "task1": Readers(
        docs=cases.decisions,
        doc_type=cases.Decision,
        queries=cases.decision_queries,
        query_type=cases.DecisionQuery,
        full_queries=cases.decision_queries,
        full_query_type=cases.DecisionQuery,
        gold=cases.noticed_cases,
        grades={1: "noticed: the query cites this case"},
        pools=None,
    ),
    "task2": Readers(
        docs=cases.paragraphs,
        doc_type=cases.Paragraph,
        queries=cases.fragments,
        query_type=cases.Fragment,
        full_queries=cases.fragments_in_cases,
        full_query_type=cases.FragmentInCase,
        gold=cases.entailing_paragraphs,
        grades={1: "entailing: the fragment follows from this paragraph"},
        pools=cases.paragraph_pools,
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


def register() -> None:
    """Register all ids. Calling it again changes nothing."""
    if next(iter(PARTS)) in ir_datasets.registry:
        return
    civil_codes: dict[str, Docs] = {}
    for part in PARTS.values():
        readers = READERS[part.task]
        docs = Docs(partial(readers.docs, part), readers.doc_type, part.language)
        if part.task == "task3":  # all parts of an edition and language share one collection
            collection = f"coliee/task3/{part.edition}/{part.language}"
            if collection not in civil_codes:
                civil_codes[collection] = docs
                _register(collection, part, docs)
                everything = Docs(partial(civil_code.all_articles, part), civil_code.Article, part.language)
                _register(f"{collection}/deleted", part, everything)
            docs = civil_codes[collection]
        _register_part(part, docs)
    ir_datasets.registry.register_pattern(r"coliee(?:/.*)?$", _refuse)


def _refuse(dataset_id: str, _groups: Sequence[str]) -> NoReturn:
    raise releases.unknown_id(dataset_id)


def _register_part(part: Part, docs: Docs) -> None:
    readers = READERS[part.task]
    judged: list[object] = [Qrels(partial(readers.gold, part), readers.grades)]
    if readers.pools:
        judged.append(Pools(partial(readers.pools, part)))
    queries = Queries(partial(readers.queries, part), readers.query_type, part.language)
    full_queries = Queries(partial(readers.full_queries, part), readers.full_query_type, part.language)
    _register(part.id, part, docs, queries, *judged)
    _register(f"{part.id}/full", part, docs, full_queries, *judged)


def _register(dataset_id: str, part: Part, *entities: object) -> None:
    dataset = Dataset(*entities, Documentation(partial(describe, part, dataset_id)))
    metadata = MetadataProvider(partial(_metadata, dataset_id, part))
    ir_datasets.registry.register(dataset_id, Dataset(MetadataComponent(dataset_id, dataset, metadata), dataset))


def _metadata(dataset_id: str, part: Part) -> dict[str, dict[str, dict[str, int]]]:
    """The official counts, in the form of ir_datasets' metadata."""
    return {dataset_id: {entity: {"count": count} for entity, count in part.counts.items()}}


def describe(part: Part, dataset_id: str) -> dict[str, Any]:
    """The documentation of an id, in the keys that ir_datasets reads."""
    return {
        "pretty_name": _pretty_name(part, dataset_id),
        "desc": _SAMPLE_WORDS
        if part.edition == SAMPLE
        else f"<p>{part.pretty_name}, as the organisers handed it out.</p>",
        "official_measures": [part.measure] if dataset_id.startswith(part.id) else [],
        "data_access": _ACCESS if part.edition != SAMPLE else "<p>Shipped with ir_coliee, CC0.</p>",
        "bibtex_ids": [],
    }


def _pretty_name(part: Part, dataset_id: str) -> str:
    if dataset_id.startswith(part.id):
        return part.pretty_name + (", all fields" if dataset_id.endswith("/full") else "")
    articles = "articles, deleted ones included" if dataset_id.endswith("/deleted") else "articles"
    return part.pretty_name.removesuffix(part.name) + articles


_SAMPLE_WORDS = (
    "<p>A fictional edition in the organisers' layout: an invented court, an invented civil code, invented "
    "disputes, written for this project. It is there to try programs on. Scores on it say nothing about COLIEE.</p>"
)
_ACCESS = (
    "<p>The organisers give the data to participants who sign a memorandum; "
    f"see <a href='{ORGANISERS}'>{ORGANISERS}</a>. "
    "Put what they mailed into <tt>$COLIEE_HOME</tt> (by default <tt>~/.ir_datasets/coliee</tt>), "
    "under the names that it came with, and run <tt>ir_coliee status</tt>.</p>"
)
