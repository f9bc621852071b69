"""Features of cases and of pairs of cases: years, lengths, suppression markers."""

from __future__ import annotations

from typing import NamedTuple

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.datasets.folds import FragmentCases, decisions, task1_splits, task2_id
from ir_coliee.editions import Dataset, as_split
from ir_coliee.engine.paragraphs.features import cue_features, cue_names, quoted_features, quoted_names
from ir_coliee.engine.paragraphs.texts import Pools, TokenTexts
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import (
    Floats,
    text_values,
)
from ir_coliee.releases import cases
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.decisions import marker_spans
from ir_coliee.text.years import decision_year
from ir_coliee.transformers.candidates.filters import case_texts, task1_id
from ir_coliee.transformers.features.scores import FeatureTransformer


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


# Features of the paragraphs of noticed cases: what they do in the decision, and how often others quote them.


class RhetoricFeatures(FeatureTransformer):
    """Count the cues of what the text of a candidate does in its decision: R to R.

    There are eight lists of cues, which are words and phrases of Canadian decisions: conclusions, the judge's own
    voice, facts and submissions, norms and tests, citations, statutes, disposals, and negations
    (`ir_coliee.text.cues.rhetoric_cues`). Features are the number of places of ``text`` at which a cue of a
    list begins, and the same per word. The lists were written for this package.

    Examples
    --------
    >>> features = RhetoricFeatures()
    >>> rows = pd.DataFrame({"qid": ["1"], "docno": ["900001_001"], "text": ["I find that this is not the test."]})
    >>> found = dict(zip(features.feature_names, features(rows).features[0].tolist()))
    >>> found["voice"], found["norm"], found["negation"], found["negation_per_word"]
    (1.0, 1.0, 1.0, 0.125)
    """

    LABEL = "Rhetoric"

    @property
    def feature_names(self) -> list[str]:
        """The name of each list, then the names with ``_per_word``."""
        return cue_names()

    def columns(self) -> list[str]:
        """Return the column of texts."""
        return ["text"]

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a text that is not a string."""
        return cue_features(TokenTexts.of(text_values(results, "text")))


class QuotedElsewhereFeatures(FeatureTransformer):
    """Compute how often other decisions have the words of a paragraph of a noticed case: R to R.

    A paragraph that states a rule is quoted by many decisions. The word 6-grams of all paragraphs are looked up in the
    decisions of task 1 of the same edition, where the local copy has them, and otherwise in the base cases of the other
    queries. A decision with more than 40 % of the 6-grams of the noticed case, or of the query's base case, is taken to
    be one of the two and is left out. Without base cases and decisions all features are 0.

    For each of eight values (see `ir_coliee.engine.paragraphs.features.quoted_features`) there are three
    features: the value, its rank among the paragraphs of the case (the number of higher values), and its z-score there.
    They are computed for all paragraphs of the split when they are first used.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split of task 2 that the paragraphs are of.

    Examples
    --------
    >>> features = QuotedElsewhereFeatures("coliee/task2/sample/test")
    >>> features.feature_names[:3]
    ['decisions_sharing_8', 'decisions_sharing_8_rank', 'decisions_sharing_8_z']
    >>> features(pd.DataFrame({"qid": ["900009"], "docno": ["900009_001"]})).features[0].shape
    (24,)
    """

    LABEL = "Quoted elsewhere"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = task2_id(dataset)

    @property
    def feature_names(self) -> list[str]:
        """The name of each value, alone and with ``_rank`` and ``_z``."""
        return quoted_names()

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a document that is not a paragraph of the split."""
        rows, values = self._cached(self.dataset, self._values)
        if (unknown := ~results["docno"].isin(rows.keys()).to_numpy()).any():
            docno = printable(str(results["docno"].iloc[unknown.argmax()]))
            raise ColieeError(f"{self.dataset} has no paragraph {docno}. Use the candidates of this dataset.")
        found: Floats = values[[rows[docno] for docno in results["docno"]]]
        return found

    def _values(self) -> tuple[dict[str, int], Floats]:
        split = as_split(self.dataset)
        cases = FragmentCases.of(split)
        task1 = task1_splits(split)
        searched = decisions(task1) if task1 else None
        values = quoted_features(TokenTexts.of(cases.texts), Pools.of_sizes(cases.sizes), cases.base_cases, searched)
        return {docno: row for row, docno in enumerate(cases.docnos)}, values
