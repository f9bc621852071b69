"""The components of each dataset id for ir_datasets: handlers, official counts and documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ir_datasets.datasets.base import Dataset
from ir_datasets.util import MetadataComponent, MetadataProvider

from ir_coliee.datasets.documentation import describe
from ir_coliee.datasets.handlers import CandidatePools, Docs, Documentation, Qrels, Queries
from ir_coliee.editions import COLLECTIONS, SPLITS, Split, collection_id
from ir_coliee.releases import civil_code
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.readers import READERS


def components(dataset_id: str) -> list[object]:
    """Return the components of a registered id: official counts, handlers of its entities, and documentation.

    Parameters
    ----------
    dataset_id : str
        The id of a split, optionally with the suffix ``/full``, or of a collection of articles, optionally with the
        suffix ``/deleted``.
    """
    split, handlers = _split_and_handlers(dataset_id)
    handlers.append(Documentation(partial(describe, split, dataset_id)))
    counts = {dataset_id: {entity: {"count": count} for entity, count in split.counts.items()}}
    return [MetadataComponent(dataset_id, Dataset(*handlers), MetadataProvider(lambda: counts)), *handlers]


def _split_and_handlers(dataset_id: str) -> tuple[Split, list[object]]:
    if split := SPLITS.get(dataset_id.removesuffix("/full")):
        return split, _handlers(split, full=dataset_id.endswith("/full"))
    split = COLLECTIONS[dataset_id.removesuffix("/deleted")]
    if dataset_id.endswith("/deleted"):
        return replace(split, counts={}), [Docs(partial(_all_articles, split), civil_code.Article, split.language)]
    return split, [_docs(split)]


def _handlers(split: Split, *, full: bool) -> list[object]:
    readers = READERS[split.task]
    query_type = readers.full_query_type if full else readers.query_type
    handlers: list[object] = [
        _docs(split),
        Queries(partial(_queries, split, full), query_type, split.language),
        Qrels(partial(_qrels, split), readers.grades),
    ]
    return [*handlers, CandidatePools(partial(_candidates, split))] if split.has_pools else handlers


# The local release is opened for every read, so that files that were added in the meantime are found.


def _documents(split: Split) -> Sequence[Any]:
    return LocalRelease.open(split).documents()


def _all_articles(split: Split) -> Sequence[Any]:
    return civil_code.all_articles(LocalRelease.open(split))


def _queries(split: Split, full: bool) -> Sequence[Any]:
    return LocalRelease.open(split).queries(full)


def _qrels(split: Split) -> Sequence[Any]:
    return LocalRelease.open(split).qrels()


def _candidates(split: Split) -> Iterable[tuple[str, str]]:
    return LocalRelease.open(split).candidates() or ()


_shared_docs: dict[str, Docs] = {}


def _docs(split: Split) -> Docs:
    """Return the documents of a split. Ids with the same documents share one object, as ir_datasets expects."""
    shared_id = collection_id(split) if split.task == "task3" else split.id
    if shared_id not in _shared_docs:
        _shared_docs[shared_id] = Docs(partial(_documents, split), READERS[split.task].document_type, split.language)
    return _shared_docs[shared_id]
