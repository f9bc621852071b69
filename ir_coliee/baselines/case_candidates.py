"""Candidates of task 1 and their features: lexical scores, quotations, and competition between queries.

The recipe was developed for this package. Its F1 of .395 would have been the best result of task 1 in 2025. It needs no
downloaded model.
"""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Split
from ir_coliee.text.analysers import Analysis, English, Shingles
from ir_coliee.transformers import (
    CandidatePool,
    CaseFeatures,
    CitingTerms,
    CrossQueryFeatures,
    DropQueries,
    DropSelf,
    KLITerms,
    LexicalIndex,
    QuotationFeatures,
    QuotationIndex,
    ScoreColumns,
    ScoreFeatures,
    YearFilter,
)

_SHINGLE_LENGTHS = (3, 5, 8)

#: Words, pairs of content words, and n-grams, which match the quotations between decisions.
ANALYSERS: tuple[Analysis, ...] = (
    "case",
    Shingles(2, English("case", stem=False), max_share=1.0),
    *(Shingles(length, "case") for length in _SHINGLE_LENGTHS),
)
NUM_CANDIDATES = 80  # per query

_RANKER_OPTIONS: dict[str, Any] = {"num_results": 400, "verbose": True}  # the filters may remove half of a ranking
_QUERIES_FOR_FILTERS = 400  # the filters are chosen on this number of latest queries


class CandidateFilters(NamedTuple):
    """The decisions that are excluded from the candidates of a query.

    Attributes
    ----------
    later : bool
        Exclude decisions that are later than the query case.
    queries : bool
        Exclude decisions that are queries themselves.
    """

    later: bool = True
    queries: bool = False

    def __str__(self) -> str:
        kinds = (("later cases", self.later), ("query cases", self.queries))
        return f"{' and '.join(name for name, excluded in kinds if excluded) or 'no cases'} excluded"


class CaseSearch:
    """The search for noticed cases in a split of task 1. The decisions are indexed when this is first needed.

    Parameters
    ----------
    split : Split
        A split of task 1.
    """

    def __init__(self, split: Split) -> None:
        self.split = split
        self._years = YearFilter(split.id)

    @cached_property
    def _indexes(self) -> list[LexicalIndex]:
        return LexicalIndex.each_from_dataset(self.split.id, ANALYSERS, verbose=True)

    @cached_property
    def _best_single_ranker(self) -> pt.Transformer:
        words = self._indexes[0]
        return KLITerms(words, 0.4) >> words.bm25(k1=3.0, b=1.0, **_RANKER_OPTIONS)

    @cached_property
    def _rankers(self) -> dict[str, pt.Transformer]:
        """The rankers of decisions, by the name of the column of their scores."""
        words, bigrams, *shingles = self._indexes
        bm25 = words.bm25(k1=3.0, b=1.0, **_RANKER_OPTIONS)
        return {
            "kli40": self._best_single_ranker,
            "kli10": KLITerms(words, 0.1) >> bm25,
            "citing": CitingTerms(words) >> bm25,
            "bm25": words.bm25(**_RANKER_OPTIONS),
            "tfidf": words.tf_idf(**_RANKER_OPTIONS),
            "bigrams": bigrams.tf_idf(tf="binary", **_RANKER_OPTIONS),
            **{f"shingles{n}": index.shared_idf(**_RANKER_OPTIONS) for n, index in zip(_SHINGLE_LENGTHS, shingles)},
        }

    @cached_property
    def features(self) -> pt.Transformer:
        """Transformer that adds the features to the candidates of `candidates`.

        It needs the candidates of all queries at once, because queries compete for decisions.
        """
        names = [*self._rankers]
        quotation_index = QuotationIndex.from_dataset(self._indexes[3], self.split.id, verbose=True)
        of_scores = ScoreFeatures(names) >> CrossQueryFeatures(names)
        return of_scores >> CaseFeatures(self.split.id) >> QuotationFeatures(quotation_index)

    def candidates(self, filters: CandidateFilters | None = None) -> pt.Transformer:
        """Build the pipeline that finds the candidates of each query.

        Parameters
        ----------
        filters : CandidateFilters, optional
            The decisions to exclude; by default later cases.

        Returns
        -------
        pyterrier.Transformer
            Transforms queries to the 80 best candidates of each query, with a column for each score.
        """
        allowed = self._allowed(filters or CandidateFilters())
        rankers = {name: ranker >> allowed for name, ranker in self._rankers.items()}
        return self._queries() >> ScoreColumns(rankers, NUM_CANDIDATES)

    def best_filters(self, topics: pd.DataFrame, gold: pd.DataFrame) -> tuple[CandidateFilters, float]:
        """Choose the filters that leave the largest share of noticed cases among the candidates.

        Parameters
        ----------
        topics : pandas.DataFrame
            Queries. Only the latest 400 are used.
        gold : pandas.DataFrame
            Gold labels of the queries: ``qid``, ``docno`` and ``label``.

        Returns
        -------
        tuple of CandidateFilters and float
            The filters, and the share of noticed cases that are among the candidates, in [0, 1]; 0 without noticed
            cases. Of equally good filters, the strictest are returned. Only one ranker is used to find candidates: BM25
            with the most informative terms.
        """
        latest = topics[-_QUERIES_FOR_FILTERS:]
        ranking = (self._queries() >> self._best_single_ranker)(latest)
        noticed = gold[gold["qid"].isin(latest["qid"])]

        def share_found(filters: CandidateFilters) -> float:
            candidates = (self._allowed(filters) % NUM_CANDIDATES)(ranking)
            return len(candidates.merge(noticed, on=["qid", "docno"])) / max(len(noticed), 1)

        # candidate pools contain no queries
        query_filters = (False,) if self.split.has_pools else (True, False)
        choices = [CandidateFilters(*each) for each in itertools.product((True, False), query_filters)]
        shares = {filters: share_found(filters) for filters in choices}
        best = max(choices, key=shares.__getitem__)
        return best, shares[best]

    def _queries(self) -> pt.Transformer:
        """Return a transformer that adds the candidate pools, or the document id of each query (its own decision)."""
        if self.split.has_pools:
            return CandidatePool(self.split.id)
        return pt.apply.query_docno(lambda query: query["qid"])

    def _allowed(self, filters: CandidateFilters) -> pt.Transformer:
        allowed: pt.Transformer = DropSelf()
        if filters.later:
            allowed >>= self._years
        if filters.queries:
            allowed >>= DropQueries(self.split.id)
        return allowed
