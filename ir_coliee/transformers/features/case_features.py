"""Features of the decisions themselves and of a pair of them: years, lengths, suppressed markers."""

from __future__ import annotations

from typing import NamedTuple

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee import editions
from ir_coliee.engine.group_statistics import Floats
from ir_coliee.errors import ColieeError, shown
from ir_coliee.releases import cases
from ir_coliee.text.case_years import decision_year
from ir_coliee.text.markers import marker_spans
from ir_coliee.transformers.candidates.filters import case_texts
from ir_coliee.transformers.features.features import FeatureTransformer


class _Facts(NamedTuple):
    """What is known of each decision of a split: NaN for a decision without a year."""

    positions: dict[str, int]
    years: Floats
    lengths: Floats
    markers: Floats
    queries: npt.NDArray[np.bool_]

    def rows(self, ids: pd.Series, dataset: str) -> npt.NDArray[np.int64]:
        try:
            return np.fromiter(map(self.positions.__getitem__, ids), np.int64, len(ids))
        except KeyError as error:
            name = shown(str(error.args[0]))
            raise ColieeError(f"{name} is neither a decision nor a query of {dataset}.") from None


class CaseFeatures(FeatureTransformer):
    """What the text of a query case and of a candidate tells apart from its words.

    The years between them (query minus candidate; 0 where one has none) and whether one has none; the logarithm of
    1 + the characters of each, and the candidate's minus the query's; how many suppressed markers each has; whether the
    candidate is itself a query. The year of a decision is THUIR's, see `YearFilter`; which features there are follows
    THUIR's list at COLIEE 2023, with lengths in characters (ours).

    Raises `ColieeError` for an id that is neither a decision nor a query of the split.

    >>> features = CaseFeatures("coliee/task1/sample/test")
    >>> features.feature_names[:3]
    ['years_between', 'year_missing', 'log_length_of_query']
    """

    LABEL = "Case features"

    def __init__(self, dataset: str, *, latest: int | None = None) -> None:
        """``dataset``: the ir_datasets id of a task 1 split. ``latest``: years after it are not read as years; by
        default the year of the edition."""
        if editions.split(dataset).task != "task1":
            raise ValueError(f"{dataset} has no decisions as queries and documents; these features are for task 1")
        self.dataset = dataset
        self.latest = latest

    @property
    def feature_names(self) -> list[str]:
        """FeatureTransformer.feature_names"""
        return [
            "years_between",
            "year_missing",
            "log_length_of_query",
            "log_length_of_candidate",
            "log_length_ratio",
            "markers_of_query",
            "markers_of_candidate",
            "candidate_is_query",
        ]

    def values(self, results: pd.DataFrame) -> Floats:
        """FeatureTransformer.values"""
        # the store is another one once the copy has changed
        store = ir_datasets.load(self.dataset).docs_store()
        facts = self._cached((self.dataset, self.latest, store), self._facts)
        query, candidate = facts.rows(results["qid"], self.dataset), facts.rows(results["docno"], self.dataset)
        between = facts.years[query] - facts.years[candidate]
        lengths = np.log1p(facts.lengths)
        return np.column_stack(
            [
                np.nan_to_num(between, nan=0.0),
                np.isnan(between),
                lengths[query],
                lengths[candidate],
                lengths[candidate] - lengths[query],
                facts.markers[query],
                facts.markers[candidate],
                facts.queries[candidate],
            ]
        ).astype(np.float64)

    def _facts(self) -> _Facts:
        split = editions.split(self.dataset)
        latest = split.year if self.latest is None else self.latest
        found = {
            name: (
                np.nan if (year := decision_year(text, latest)) is None else year,
                len(text),
                len(marker_spans(text)),
            )
            for name, text in case_texts(self.dataset)
        }
        years, lengths, markers = np.array([*found.values()], dtype=np.float64).reshape(-1, 3).T
        queries = set(cases.query_ids(split))
        are_queries = np.array([name in queries for name in found], dtype=np.bool_)
        return _Facts(dict(zip(found, range(len(found)))), years, lengths, markers, are_queries)
