"""Features of cases and of pairs of cases: years, lengths, suppression markers."""

from __future__ import annotations

from typing import NamedTuple

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats
from ir_coliee.releases import cases
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.case_years import decision_year
from ir_coliee.text.suppressed_markers import marker_spans
from ir_coliee.transformers.candidates.filters import case_texts, task1_id
from ir_coliee.transformers.features.base import FeatureTransformer


class _CaseTable(NamedTuple):
    """The properties of each decision of a split; the year is NaN for a decision without one."""

    positions: dict[str, int]
    years: Floats
    lengths: Floats
    markers: Floats
    queries: npt.NDArray[np.bool_]

    def rows(self, ids: pd.Series, dataset: str) -> npt.NDArray[np.int64]:
        try:
            return np.fromiter(map(self.positions.__getitem__, ids), np.int64, len(ids))
        except KeyError as error:
            name = printable(str(error.args[0]))
            raise ColieeError(f"{name} is neither a document nor a query of {dataset}.") from None


class CaseFeatures(FeatureTransformer):
    """Compute features of the query case, the candidate case and the pair that need no term matching: R to R.

    * ``years_between``: the query's year minus the candidate's, 0 if the year of either is unknown.
    * ``year_missing``: whether the year of either is unknown.
    * ``log_length_of_query``, ``log_length_of_candidate``: the logarithm of 1 + the number of characters.
    * ``log_length_ratio``: the candidate's logarithm minus the query's.
    * ``markers_of_query``, ``markers_of_candidate``: the number of suppression markers, such as
      ``<FRAGMENT_SUPPRESSED>``.
    * ``candidate_is_query``: whether the candidate is a query of the split.

    The year of a decision is the latest that it mentions. The choice of features follows THUIR at COLIEE 2023;
    measuring lengths in characters was chosen for this package.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.
    latest : int, optional
        Numbers above it are not read as years. By default, the year of the edition.

    Examples
    --------
    >>> features = CaseFeatures("coliee/task1/sample/test")
    >>> features.feature_names[:3]
    ['years_between', 'year_missing', 'log_length_of_query']
    """

    LABEL = "Case features"

    def __init__(self, dataset: Dataset, *, latest: int | None = None) -> None:
        self.dataset = task1_id(dataset)
        self.latest = latest

    @property
    def feature_names(self) -> list[str]:
        """The names of the eight features."""
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
        """Compute the features. Raises `ColieeError` for an id that is neither a document nor a query of the split."""
        # the store is another object once the local release has changed
        store = ir_datasets.load(self.dataset).docs_store()
        table = self._cached((self.dataset, self.latest, store), self._read_cases)
        query, candidate = table.rows(results["qid"], self.dataset), table.rows(results["docno"], self.dataset)
        between = table.years[query] - table.years[candidate]
        lengths = np.log1p(table.lengths)
        return np.column_stack(
            [
                np.nan_to_num(between, nan=0.0),
                np.isnan(between),
                lengths[query],
                lengths[candidate],
                lengths[candidate] - lengths[query],
                table.markers[query],
                table.markers[candidate],
                table.queries[candidate],
            ]
        ).astype(np.float64)

    def _read_cases(self) -> _CaseTable:
        split = as_split(self.dataset)
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
        queries = set(cases.query_ids(LocalRelease.open(split)))
        are_queries = np.array([name in queries for name in found], dtype=np.bool_)
        return _CaseTable(dict(zip(found, range(len(found)))), years, lengths, markers, are_queries)
