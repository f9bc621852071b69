"""Lazy ir_datasets handlers over sequences of records.

Every entity is a sequence that a loader returns when it is asked for, never at registration: a list,
or a sequence that reads one file per document. Iterating, slicing and looking up share it, so that
nothing is copied into a second store.
"""

# Without postponed annotations: PyTerrier's text loader looks for record fields annotated with str itself.

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from ir_datasets.formats import BaseDocs, BaseQrels, BaseQueries, BaseScoredDocs, GenericQrel, GenericScoredDoc
from ir_datasets.indices.base import Docstore
from ir_datasets.util import apply_sub_slice

Load = Callable[[], Sequence[Any]]


class SliceableIterator:
    """Iterator over a sequence that can be sliced, by fractions too, as ir_datasets' iterators can."""

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
    """Document store over the sequence itself: a look-up reads the one document."""

    def __init__(self, records: Sequence[Any], record_type: type, ids: Sequence[str]) -> None:
        super().__init__(record_type)
        self._records = records
        self._positions = {doc_id: position for position, doc_id in enumerate(ids)}

    def get_many_iter(self, doc_ids: Iterable[str]) -> Iterator[Any]:
        """Yield the documents that exist, in the order asked."""
        for doc_id in doc_ids:
            position = self._positions.get(doc_id)
            if position is not None:
                yield self._in_any_order[position]

    @cached_property
    def _in_any_order(self) -> Sequence[Any]:
        return getattr(self._records, "in_any_order", lambda: self._records)()

    def ids(self) -> Collection[str]:
        """The ids of all documents, without reading one."""
        return self._positions.keys()

    def count(self) -> int:
        """Number of documents."""
        return len(self._records)

    def built(self) -> bool:
        """Always true: there is nothing to build."""
        return True

    def __iter__(self) -> Iterator[Any]:
        return SliceableIterator(self._records)


class Docs(BaseDocs):
    """Documents. ``load`` returns the same object while the copy stays the same."""

    def __init__(self, load: Load, record_type: type, language: str) -> None:
        self._load = load
        self._type = record_type
        self._language = language
        self._opened: tuple[Sequence[Any], SequenceStore] | None = None

    def docs_iter(self) -> SliceableIterator:
        return SliceableIterator(self._load())

    def docs_cls(self) -> type:
        return self._type

    def docs_lang(self) -> str:
        return self._language

    def docs_namespace(self) -> str:
        return "coliee"

    def docs_count(self) -> int:
        return len(self._load())

    def docs_store(self, field: str = "doc_id", **options: object) -> SequenceStore:
        """The store; ``options`` (file access, from ir_datasets 0.6) have no meaning here."""
        if field != "doc_id":
            raise ValueError(f"documents are looked up by doc_id, not by {field!r}")
        records = self._load()
        if self._opened is None or self._opened[0] is not records:
            ids = getattr(records, "ids", None) or [record.doc_id for record in records]
            self._opened = records, SequenceStore(records, self._type, ids)
        return self._opened[1]


class Queries(BaseQueries):
    """Queries."""

    def __init__(self, load: Load, record_type: type, language: str) -> None:
        self._load = load
        self._type = record_type
        self._language = language

    def queries_iter(self) -> Iterator[Any]:
        return iter(self._load())

    def queries_cls(self) -> type:
        return self._type

    def queries_lang(self) -> str:
        return self._language

    def queries_namespace(self) -> str:
        return "coliee"

    def queries_count(self) -> int:
        return len(self._load())


class Qrels(BaseQrels):
    """Gold labels."""

    def __init__(self, load: Load, definitions: Mapping[int, str]) -> None:
        self._load = load
        self._definitions = definitions

    def qrels_iter(self) -> Iterator[GenericQrel]:
        return iter(self._load())

    def qrels_cls(self) -> Any:
        return GenericQrel

    def qrels_defs(self) -> dict[int, str]:
        return dict(self._definitions)

    def qrels_count(self) -> int:
        return len(self._load())


class Pools(BaseScoredDocs):
    """Candidate pools: which items a query may be answered with. All scores are 0."""

    def __init__(self, load: Callable[[], Iterable[tuple[str, str]]]) -> None:
        self._load = load

    def scoreddocs_iter(self) -> Iterator[GenericScoredDoc]:
        return (GenericScoredDoc(query_id, doc_id, 0.0) for query_id, doc_id in self._load())

    def scoreddocs_cls(self) -> Any:
        return GenericScoredDoc

    def scoreddocs_count(self) -> int:
        return sum(1 for _ in self._load())


def pools_of(dataset: Any) -> dict[str, set[str]] | None:
    """The candidates of each query of a dataset; None where any document may answer any query."""
    if not dataset.has_scoreddocs():
        return None
    pools: dict[str, set[str]] = {}
    for pair in dataset.scoreddocs_iter():
        pools.setdefault(pair.query_id, set()).add(pair.doc_id)
    return pools


class Documentation:
    """The words of a dataset, in the form that ir_datasets reads."""

    def __init__(self, describe: Callable[[], dict[str, Any]]) -> None:
        self._describe = describe

    def documentation(self) -> dict[str, Any]:
        return self._describe()
