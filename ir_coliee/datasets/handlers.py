"""Handlers of ir_datasets for sequences of records.

Records are loaded on first use, not at registration: as a list, or as a sequence that reads one file per document.
Iteration, slices and look-ups use the same sequence, so nothing is stored twice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, get_type_hints

from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import BaseDocs, BaseQrels, BaseQueries, BaseScoredDocs, GenericQrel, GenericScoredDoc
from ir_datasets.indices.base import Docstore
from ir_datasets.util import MetadataComponent, MetadataProvider, apply_sub_slice

from ir_coliee.datasets.documentation import describe, describe_all
from ir_coliee.editions import Split, collection_id, split_behind, splits_below
from ir_coliee.releases import civil_code
from ir_coliee.releases.release import READERS, LocalRelease

#: A function that returns the records of an entity.
Load = Callable[[], Sequence[Any]]


class SliceableIterator:
    """An iterator over a sequence that can be sliced, also by fractions, like the iterators of ir_datasets.

    Parameters
    ----------
    records : sequence
    span : slice, optional
        The positions to iterate over; all by default.
    """

    def __init__(self, records: Sequence[Any], span: slice | None = None) -> None:
        self._records = records
        self._span = span or slice(0, len(records), 1)
        self._positions = iter(range(self._span.start, self._span.stop, self._span.step or 1))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self._records[next(self._positions)]

    def __getitem__(self, key: int | slice) -> Any:
        if isinstance(key, slice):
            span = apply_sub_slice(self._span, key)
            return SliceableIterator(self._records, slice(max(span.start, 0), max(span.stop, 0), span.step))
        return self._records[range(self._span.start, self._span.stop, self._span.step or 1)[key]]


class SequenceStore(Docstore):
    """A document store for a sequence. Each look-up reads only the requested document.

    Parameters
    ----------
    records : sequence
    record_type : type
    ids : sequence of str
        The document ids in the order of the records.
    """

    def __init__(self, records: Sequence[Any], record_type: type, ids: Sequence[str]) -> None:
        super().__init__(record_type)
        self._records = records
        self._positions = {doc_id: position for position, doc_id in enumerate(ids)}

    def get_many_iter(self, doc_ids: Iterable[str]) -> Iterator[Any]:
        """Yield the documents with these ids, in the given order. Unknown ids are ignored."""
        for doc_id in doc_ids:
            position = self._positions.get(doc_id)
            if position is not None:
                yield self._records[position]

    def ids(self) -> Collection[str]:
        """Return the ids of all documents, without reading the documents."""
        return self._positions.keys()


class _Records:
    """What the handlers of documents and of queries have in common."""

    def __init__(self, load: Load, record_type: type, language: str) -> None:
        record_type.__annotations__ = get_type_hints(record_type)  # PyTerrier's text loader compares them with ``str``
        self._load = load
        self._type = record_type
        self._language = language


class Docs(_Records, BaseDocs):
    """The handler of documents.

    Parameters
    ----------
    load : callable
        Returns the documents. It must return the same object as long as the files do not change.
    record_type : type
    language : str
    """

    _opened: tuple[Sequence[Any], SequenceStore] | None = None

    def docs_iter(self) -> SliceableIterator:
        """Return an iterator over the documents."""
        return SliceableIterator(self._load())

    def docs_cls(self) -> type:
        """Return the record type."""
        return self._type

    def docs_lang(self) -> str:
        """Return the language of the documents."""
        return self._language

    def docs_namespace(self) -> str:
        """Return ``coliee``."""
        return "coliee"

    def docs_count(self) -> int:
        """Return the number of documents in the local copy."""
        return len(self._load())

    def docs_store(self, field: str = "doc_id", **options: object) -> SequenceStore:
        """Return the document store.

        Parameters
        ----------
        field : str, default="doc_id"
            The field to look up documents by. Only ``doc_id`` is supported.
        **options
            Options of ir_datasets (since 0.6) about file access, which have no effect here.

        Raises
        ------
        ValueError
            If ``field`` is not ``doc_id``.
        """
        if field != "doc_id":
            raise ValueError(f"field must be 'doc_id', got {field!r}: documents can only be looked up by their id.")
        records = self._load()
        if self._opened is None or self._opened[0] is not records:
            ids = getattr(records, "ids", None) or [record.doc_id for record in records]
            self._opened = records, SequenceStore(records, self._type, ids)
        return self._opened[1]


class Queries(_Records, BaseQueries):
    """The handler of queries.

    Parameters
    ----------
    load : callable
        Returns the queries.
    record_type : type
    language : str
    """

    def queries_iter(self) -> Iterator[Any]:
        """Return an iterator over the queries."""
        return iter(self._load())

    def queries_cls(self) -> type:
        """Return the record type."""
        return self._type

    def queries_lang(self) -> str:
        """Return the language of the queries."""
        return self._language

    def queries_namespace(self) -> str:
        """Return ``coliee``."""
        return "coliee"

    def queries_count(self) -> int:
        """Return the number of queries in the local copy."""
        return len(self._load())


class Qrels(BaseQrels):
    """The handler of gold labels.

    Parameters
    ----------
    load : callable
        Returns the gold labels.
    definitions : mapping from int to str
        The meaning of each relevance grade.
    """

    def __init__(self, load: Load, definitions: Mapping[int, str]) -> None:
        self._load = load
        self._definitions = definitions

    def qrels_iter(self) -> Iterator[GenericQrel]:
        """Return an iterator over the gold labels."""
        return iter(self._load())

    def qrels_defs(self) -> dict[int, str]:
        """Return the meaning of each relevance grade."""
        return dict(self._definitions)

    def qrels_count(self) -> int:
        """Return the number of gold labels in the local copy."""
        return len(self._load())


class CandidatePools(BaseScoredDocs):
    """The handler of candidate pools: the items that may answer each query, all with score 0.

    Parameters
    ----------
    load : callable
        Returns pairs of query id and document id.
    """

    def __init__(self, load: Callable[[], Iterable[tuple[str, str]]]) -> None:
        self._load = load

    def scoreddocs_iter(self) -> Iterator[GenericScoredDoc]:
        """Return an iterator over query id, document id and score 0."""
        return (GenericScoredDoc(query_id, doc_id, 0.0) for query_id, doc_id in self._load())

    def scoreddocs_count(self) -> int:
        """Return the number of pairs."""
        return sum(1 for _ in self._load())


# The components of each dataset id for ir_datasets: handlers, official counts and documentation.


def components(dataset_id: str) -> list[object]:
    """Return the components of a registered id: official counts, handlers of its entities, and documentation.

    Parameters
    ----------
    dataset_id : str
        The id of a split, optionally with the suffix ``/full``; of a collection of articles, optionally with the suffix
        ``/deleted``; or an id above these, which has documentation alone.
    """
    # the local release is opened for every read, so that files that were added in the meantime are found
    split = split_behind(dataset_id)
    if split is None:
        documented = SimpleNamespace(documentation=partial(describe_all, splits_below(dataset_id), dataset_id))
        return [MetadataComponent(dataset_id, Dataset(documented), MetadataProvider(dict)), documented]
    if dataset_id.startswith(split.id):
        handlers = _handlers(split, full=dataset_id.endswith("/full"))
    elif dataset_id.endswith("/deleted"):
        split = replace(split, counts={})
        handlers = [Docs(lambda: civil_code.all_articles(LocalRelease.open(split)), civil_code.Article, split.language)]
    else:
        handlers = [_docs(split)]
    handlers.append(SimpleNamespace(documentation=partial(describe, split, dataset_id)))
    official = {dataset_id: {entity: {"count": count} for entity, count in split.counts.items()}}
    return [MetadataComponent(dataset_id, Dataset(*handlers), MetadataProvider(lambda: official)), *handlers]


def _handlers(split: Split, *, full: bool) -> list[Any]:
    readers = READERS[split.task]
    queries = readers.full_queries if full else readers.queries
    pools = [CandidatePools(lambda: LocalRelease.open(split).candidates() or ())] if split.has_pools else []
    return [
        _docs(split),
        Queries(lambda: LocalRelease.open(split).queries(full), queries.type, split.language),
        Qrels(lambda: LocalRelease.open(split).qrels(), readers.grades),
        *pools,
    ]


_shared_docs: dict[str, Docs] = {}


def _docs(split: Split) -> Docs:
    """Return the documents of a split. Ids with the same documents share one object, as ir_datasets expects."""
    shared_id = collection_id(split) if split.task == "task3" else split.id
    if shared_id not in _shared_docs:
        documents = READERS[split.task].documents
        _shared_docs[shared_id] = Docs(lambda: LocalRelease.open(split).documents(), documents.type, split.language)
    return _shared_docs[shared_id]
