"""The candidates of task 1 and their features: what words, quotations and the competition for a decision tell.

The recipe is the package's own. It would have won task 1 of 2025 without a downloaded model, at an F1 of .395.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Split
from ir_coliee.text.analysers import Analysis, English, Shingles
from ir_coliee.transformers import (
    CandidatePool,
    CaseFeatures,
    CitingQuery,
    CompetitionFeatures,
    DropQueries,
    DropSelf,
    KLITerms,
    LexicalIndex,
    QuotationFeatures,
    QuotationIndex,
    ScoreFeatures,
    Scores,
    YearFilter,
)

#: Words, pairs of content words, and the runs of words that decisions quote of each other.
ANALYSERS: tuple[Analysis, ...] = (
    "case",
    Shingles(2, English("case", stemmed=False), share=1.0),
    *(Shingles(words, "case") for words in (3, 5, 8)),
)
CANDIDATES = 80  # of a query: the recipe's

_BEFORE_FILTERS = 400  # later cases may fill half of a list
_JUDGING = 400  # so many queries, the latest, say which filters serve


class Filters(NamedTuple):
    """Which decisions are no candidates: those later than the query case, those that are themselves queries."""

    later: bool = True
    queries: bool = False

    def __str__(self) -> str:
        out = [words for words, is_out in (("later cases", self.later), ("query cases", self.queries)) if is_out]
        return f"{' and '.join(out) or 'no cases'} left out"


class CaseSearch:
    """The search for noticed cases in one split of task 1, whose decisions are indexed when it is made."""

    def __init__(self, split: Split) -> None:
        """Raises `MissingReleaseError` where the copy is not there."""
        self.split = split
        words, bigrams, *shingles = LexicalIndex.each_from_dataset(split.id, ANALYSERS, verbose=True)
        self._years = YearFilter(split.id)
        every = {"num_results": _BEFORE_FILTERS, "verbose": True}
        bm25 = words.bm25(k1=3.0, b=1.0, **every)
        self._telling = KLITerms(words, 0.4) >> bm25
        self._rankings = {
            "kli40": self._telling,
            "kli10": KLITerms(words, 0.1) >> bm25,
            "citing": CitingQuery(words) >> bm25,
            "bm25": words.bm25(**every),
            "tfidf": words.tfidf(**every),
            "bigrams": bigrams.tfidf(tf="binary", **every),
            **{f"shingles{length}": index.shared_idf(**every) for length, index in zip((3, 5, 8), shingles)},
        }
        self.names = [*self._rankings]
        of_scores = ScoreFeatures(self.names) >> CompetitionFeatures(self.names)
        quotations = QuotationFeatures(QuotationIndex.from_dataset(shingles[1], split.id, verbose=True))
        self.features: pt.Transformer = of_scores >> CaseFeatures(split.id) >> quotations

    def candidates(self, filters: Filters = Filters()) -> pt.Transformer:  # noqa: B008 (it cannot be changed)
        """The best candidates of each query with all scores: Q to R. `features` follows, of all queries at once."""
        allowed = self._allowed(filters)
        return self._asked() >> Scores({name: way >> allowed for name, way in self._rankings.items()}, CANDIDATES)

    def best_filters(self, topics: pd.DataFrame, gold: pd.DataFrame) -> tuple[Filters, float]:
        """The filters that leave most noticed cases among the candidates, and which share; of equal ones the strictest.

        ``gold``: qid, docno and label of these queries. What tells is BM25 of the most telling terms alone.
        """
        latest = topics[-_JUDGING:]
        ranking = (self._asked() >> self._telling)(latest)
        noticed = gold[gold["qid"].isin(latest["qid"])]

        def share(filters: Filters) -> float:
            kept = (self._allowed(filters) % CANDIDATES)(ranking)
            return len(kept.merge(noticed, on=["qid", "docno"])) / max(len(noticed), 1)

        # in pools no candidate is a query
        tried = [
            Filters(*each)
            for each in itertools.product((True, False), (False,) if self.split.has_pools else (True, False))
        ]
        shares = {filters: share(filters) for filters in tried}
        best = max(tried, key=shares.__getitem__)
        return best, shares[best]

    def _asked(self) -> pt.Transformer:
        """Queries ready to be searched with: their pools, or the documents that they are."""
        if self.split.has_pools:
            return CandidatePool(self.split.id)
        return pt.apply.query_docno(lambda query: query["qid"])

    def _allowed(self, filters: Filters) -> pt.Transformer:
        allowed: pt.Transformer = DropSelf()
        if filters.later:
            allowed >>= self._years
        if filters.queries:
            allowed >>= DropQueries(self.split.id)
        return allowed
