"""A query and an item of a split with their texts, and what all pairs of a split share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.errors import ColieeError, printable
from ir_coliee.text.tokenisers import PlacedTokens
from ir_coliee.transformers.retrieval.indexes import bm25_of_split
from ir_coliee.transformers.retrieval.retriever import Retriever


@dataclass(frozen=True, eq=False)
class Pair:
    """A query and an item.

    Attributes
    ----------
    runs : EvaluatedRuns
        The runs of the split. Only their scores of the pair are looked at.
    query : record
        The query with all fields.
    item : record
        The document.
    """

    runs: EvaluatedRuns
    query: Any
    item: Any

    @classmethod
    def of(cls, runs: EvaluatedRuns, query_id: str, doc_id: str) -> Pair:
        """Read the texts of a query and an item.

        Raises
        ------
        MissingReleaseError
            If the local release has no texts.
        ColieeError
            If it has no such query or item, or the query has a pool without the item.
        """
        if query_id not in runs.queries:
            raise ColieeError(f"{runs.split.id} has no query {printable(query_id)}.")
        try:
            pair = cls(runs, runs.queries[query_id], runs.documents.get(doc_id))
        except KeyError:
            raise ColieeError(f"The local release of {runs.split.id} has no item {printable(doc_id)}.") from None
        if pair.pool is not None and doc_id not in pair.pool:
            raise ColieeError(f"{printable(doc_id)} is not among the candidates of query {printable(query_id)}.")
        return pair

    @property
    def query_id(self) -> str:
        """The id of the query."""
        return str(self.query.query_id)

    @property
    def doc_id(self) -> str:
        """The id of the item."""
        return str(self.item.doc_id)

    @property
    def query_text(self) -> str:
        """The text by which our baselines ask the query."""
        return str(self.query.default_text())

    @property
    def item_text(self) -> str:
        """The text of the item that our baselines index."""
        return str(self.item.default_text())

    @property
    def texts(self) -> dict[str, str]:
        """The texts of the query and the item, under these names."""
        return {"query": self.query_text, "item": self.item_text}

    @property
    def bm25(self) -> Retriever:
        """The BM25 retriever of our baseline, of a split of tasks 1 to 3."""
        return self.runs.once(("evidence", "bm25"), lambda: bm25_of_split(self.runs.split))

    @property
    def pool(self) -> list[str] | None:
        """The candidates of the query; None in a task without candidate pools."""
        if not self.runs.split.has_pools:
            return None
        return sorted(self.runs.scorer.checker.candidates(self.query_id))


@lru_cache(maxsize=8)
def placed_tokens(text: str, language: str = "en") -> PlacedTokens:
    """Return the tokens of a text, which are kept for the next items of a query."""
    return PlacedTokens.of(text, language)
