"""Years and texts of documents and queries, and references between articles, read when they are needed and once."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_coliee.releases.article_references import article_references
from ir_coliee.text.case_years import decision_year
from ir_coliee.text.digests import normalised_digest
from ir_coliee.text.references.graph import ReferenceGraph

if TYPE_CHECKING:
    from ir_coliee.analysis.evaluated_runs import EvaluatedRuns

_RESEMBLANCE = 0.8  # from this Jaccard similarity of their shingles on, two queries are near-duplicates


class _Facts(NamedTuple):
    digest: bytes
    year: int | None


class DocumentFacts:
    """Years and text digests of the documents and queries of a split, and the references between its articles.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs of the split, which keep this object as `EvaluatedRuns.facts`.
    """

    def __init__(self, runs: EvaluatedRuns) -> None:
        self._runs = runs
        self._documents: dict[str, _Facts] = {}
        self._query_years: dict[str, int | None] = {}

    def _facts(self, doc_id: str) -> _Facts:
        facts = self._documents.get(doc_id)
        if facts is None:
            facts = self._documents[doc_id] = self._read(doc_id)
        return facts

    def _read(self, doc_id: str) -> _Facts:
        if doc_id not in self._runs.documents.ids():
            return _Facts(f"unknown document {doc_id}".encode(errors="surrogatepass"), None)
        text = self._runs.documents.get(doc_id).default_text()
        return _Facts(normalised_digest(text), self._year(text))

    def _year(self, text: str) -> int | None:
        return decision_year(text, self._runs.split.year) if self._runs.split.task == "task1" else None

    def digest(self, doc_id: str) -> bytes:
        """Return a value that is equal for documents with the same normalised text; it is unique for an unknown one."""
        return self._facts(doc_id).digest

    def year(self, doc_id: str) -> int | None:
        """Return the year of a decision as `YearFilter` reads it; None if it is unknown, and in other tasks."""
        return self._facts(doc_id).year

    def query_year(self, query_id: str) -> int | None:
        """Return the year of a query of task 1."""
        if query_id not in self._query_years:
            self._query_years[query_id] = self._year(self._runs.queries[query_id].default_text())
        return self._query_years[query_id]

    def is_later(self, query_id: str, doc_id: str) -> bool:
        """Return whether `YearFilter` drops a document of task 1, because it was decided after the query."""
        of_query = self.query_year(query_id)
        of_document = None if of_query is None else self.year(doc_id)
        return of_query is not None and of_document is not None and of_document > of_query

    @functools.cached_property
    def references(self) -> ReferenceGraph:
        """The references between the articles of tasks 3 to 5. Raises `MissingReleaseError`."""
        return article_references(self._runs.split.id)

    @functools.cached_property
    def near_duplicate_queries(self) -> Mapping[str, frozenset[str]]:
        """The queries that have near-duplicates, each with the others of its group.

        Two queries are near-duplicates if their normalised texts are equal or if the resemblance of their texts is at
        least 0.8, see `ir_coliee.transformers.near_duplicates`.
        """
        from ir_coliee.transformers.candidates.duplicates import near_duplicates

        corpus: list[Mapping[str, Any]] = [
            {"docno": query_id, "text": query.default_text()} for query_id, query in self._runs.queries.items()
        ]
        groups: dict[str, set[str]] = {}
        representatives = near_duplicates(corpus, overlap=_RESEMBLANCE)
        for query_id, representative in representatives.items():
            groups.setdefault(representative, set()).add(query_id)
        return {query_id: frozenset(groups[group] - {query_id}) for query_id, group in representatives.items()}
