"""Features of a second round: what a first ranker thinks of similar decisions and of similar queries."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ir_coliee.editions import Dataset
from ir_coliee.engine.cases.candidate_graph import GRAPH_FEATURES, CandidateGraph, graph_features
from ir_coliee.engine.cases.case_collection import CaseCollection, case_collection
from ir_coliee.engine.cases.pool_kinds import Candidates
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers, number_ids, text_values
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers.candidates.filters import task1_id
from ir_coliee.transformers.features.base import FeatureTransformer


class CandidateGraphFeatures(FeatureTransformer):
    """Compute 22 features of the probabilities of a first ranker, among similar decisions and similar queries: R to R.

    Decisions that are noticed together are similar, similar queries notice the same decisions, and in the pools of
    COLIEE each decision is noticed by few queries. The features compare the score of a candidate, a probability, with
    the scores of the query's other candidates, of the other queries for the same text, of similar texts and of similar
    queries; `ir_coliee.engine.cases.candidate_graph.graph_features` defines each of them. A learner that is fitted on
    them and on the features of the first round makes a second round.

    Texts are similar by the cosine of the idf of their bigrams of content words, without bigrams of more than 10 % of
    the texts. Documents with the same text are one candidate, which has their highest score. Scores below 0 and missing
    scores are treated as 0, scores above 1 as 1.

    Only queries in the frame are compared: pass the candidates of all queries of a split at once, not in batches. The
    scores of train queries must come from models that were fitted on other queries, see `out_of_fold`.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents the candidates are.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.

    Examples
    --------
    >>> import pyterrier as pt
    >>> from ir_coliee.transformers import ExclusiveSharingRetriever
    >>> dataset = pt.get_dataset("irds:coliee/task1/sample/test")
    >>> run = ExclusiveSharingRetriever(dataset, num_results=5)(dataset.get_topics())
    >>> run["score"] /= run["score"].max()
    >>> features = CandidateGraphFeatures(dataset)
    >>> features(run).features.iloc[0].shape, features.feature_names[12]
    ((22,), 'graph_by_texts')
    """

    LABEL = "Candidate graph"

    def __init__(self, dataset: Dataset, *, verbose: bool = False) -> None:
        self.dataset = task1_id(dataset)
        self.verbose = verbose

    @property
    def feature_names(self) -> list[str]:
        """The names of `GRAPH_FEATURES` after ``graph_``."""
        return [f"graph_{name}" for name in GRAPH_FEATURES]

    def columns(self) -> list[str]:
        """Return the columns of the query's text and of the score."""
        return ["query", "score"]

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features; raise `ColieeError` for a candidate that is no document of the split."""
        with stage(self.LABEL, verbose=self.verbose):
            rows = number_ids(results["qid"])[0]
            pool, columns = self._pool(results)
            keys, of_row = np.unique(rows * len(pool.texts) + columns, return_inverse=True)
            candidates = Candidates(*np.divmod(keys, len(pool.texts)))
            probabilities = np.zeros(len(keys))
            scores = results["score"].to_numpy(np.float64, na_value=0.0)
            np.maximum.at(probabilities, of_row, np.nan_to_num(scores, nan=0.0).clip(0.0, 1.0))
            graph = CandidateGraph.of_pool(pool, candidates)
            return graph_features(graph, probabilities)[of_row].astype(np.float64)

    def _pool(self, results: pd.DataFrame) -> tuple[TextPool, Integers]:
        """Return the queries of the frame with all texts of the split, and the column of each row's text."""
        collection = self._collection()
        for docno in results["docno"]:
            if docno not in collection.documents:
                raise ColieeError(
                    f"{printable(docno)} is not a document of {self.dataset}.\n"
                    "Pass results of this split, or the id of the split that they are from."
                )
        queries = results.drop_duplicates("qid", ignore_index=True)
        sequences, numbers = collection.with_texts(text_values(queries, "query"))
        texts = np.unique(collection.text_numbers(collection.documents))
        columns = np.searchsorted(texts, collection.text_numbers(results["docno"])).astype(np.int64)
        return TextPool(sequences, numbers, texts), columns

    def _collection(self) -> CaseCollection:
        collection = case_collection(LocalRelease.open(self.dataset), verbose=self.verbose)
        return self._cached(collection, lambda: collection)  # it is in use as long as this transformer is
