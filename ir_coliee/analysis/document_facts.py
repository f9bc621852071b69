"""Years and texts of documents and queries, and references between articles, read when they are needed and once."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_coliee.releases.article_references import article_references
from ir_coliee.text.decisions import normalised_digest
from ir_coliee.text.references.graph import ReferenceGraph
from ir_coliee.text.years import DecisionYears, decision_years

if TYPE_CHECKING:
    from ir_coliee.analysis.evaluated_runs import EvaluatedRuns

_RESEMBLANCE = 0.8  # from this Jaccard similarity of their shingles on, two queries are near-duplicates
_UNKNOWN = DecisionYears(None, None, "none")


class _Facts(NamedTuple):
    digest: bytes
    years: DecisionYears


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
        self._query_years: dict[str, DecisionYears] = {}

    def _facts(self, doc_id: str) -> _Facts:
        facts = self._documents.get(doc_id)
        if facts is None:
            facts = self._documents[doc_id] = self._read(doc_id)
        return facts

    def _read(self, doc_id: str) -> _Facts:
        if doc_id not in self._runs.documents.ids():
            return _Facts(f"unknown document {doc_id}".encode(errors="surrogatepass"), _UNKNOWN)
        text = self._runs.documents.get(doc_id).default_text()
        return _Facts(normalised_digest(text), self._years(text))

    def _years(self, text: str) -> DecisionYears:
        return decision_years(text, self._runs.split.year) if self._runs.split.task == "task1" else _UNKNOWN

    def digest(self, doc_id: str) -> bytes:
        """Return a value that is equal for documents with the same normalised text; it is unique for an unknown one."""
        return self._facts(doc_id).digest

    def years(self, doc_id: str) -> DecisionYears:
        """Return the years of a decision as `YearFilter` reads them; they are unknown in other tasks."""
        return self._facts(doc_id).years

    def query_years(self, query_id: str) -> DecisionYears:
        """Return the years of a query of task 1."""
        if query_id not in self._query_years:
            self._query_years[query_id] = self._years(self._runs.queries[query_id].default_text())
        return self._query_years[query_id]

    def is_later(self, query_id: str, doc_id: str) -> bool:
        """Return whether `YearFilter` drops a document of task 1, because it was decided after the query."""
        latest = self.query_years(query_id).latest
        earliest = None if latest is None else self.years(doc_id).earliest
        return latest is not None and earliest is not None and earliest > latest

    def years_of_later(self, query_id: str, doc_id: str) -> str:
        """Return in words the evidence that a document was decided after a query."""
        item, query = self.years(doc_id), self.query_years(query_id)
        of_item = "'s header is dated" if item.source == "header" else " cites or reports a decision or a hearing of"
        of_query = "'s header is dated" if query.source == "header" else " mentions no year after"
        return f"The item{of_item} {item.earliest}, the query{of_query} {query.latest}"

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
