"""Features of candidates, from the scores of any pipelines and from the terms that are shared.

Features are what PyTerrier's learners take: an array of numbers in the column ``features`` of each row. A transformer
of ours puts its own behind those that are there, so that several follow each other with ``>>`` (which takes a
hundredth of the time of ``**``, that works too). All features are finite numbers; their names are `feature_names`.

The features of scores and of competition are those of the recipe that the package's task 1 pipeline follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine.group_statistics import Floats, Integers, Standing, ratios, without_gaps
from ir_coliee.engine.shared_terms import shared_terms
from ir_coliee.engine.weightings import lucene_idf
from ir_coliee.errors import ColieeError, shown
from ir_coliee.frames import check_ids, number_ids
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.retrievers import QUERY_COLUMNS, positions, query_frequencies

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex


class FeatureTransformer(BaseTransformer):
    """Base of the feature transformers: R to R, with an array of numbers for each row, the rows as they stand."""

    @property
    def feature_names(self) -> list[str]:
        """A name for each number, in their order."""
        raise NotImplementedError

    def columns(self) -> list[str]:
        """The columns that are needed beside qid and docno."""
        return []

    def values(self, results: pd.DataFrame) -> Floats:
        """The features: rows x names."""
        raise NotImplementedError

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Put the features of each row behind those that it has."""
        pt.validate.result_frame(inp, extra_columns=self.columns(), context=self)
        check_ids(inp)
        results = inp.reset_index(drop=True)
        return with_features(results, self.values(results) if len(results) else np.empty((0, len(self.feature_names))))


def with_features(results: pd.DataFrame, values: Floats) -> pd.DataFrame:
    """The results with these features (a row each) behind those that they have."""
    if "features" in results.columns:
        values = np.hstack([feature_matrix(results), values])
    return results.assign(features=pd.Series(list(values), index=results.index, dtype=object))


def feature_matrix(results: pd.DataFrame) -> Floats:
    """The column ``features`` as a matrix, a row for each result.

    Raises `ColieeError` for a row whose features are no numbers, or more or fewer than those of the first.

    >>> feature_matrix(pd.DataFrame({"qid": ["1", "1"], "features": [np.array([1.0, 2.0]), np.array([3.0, 4.0])]}))
    array([[1., 2.],
           [3., 4.]])
    """
    rows = results["features"].tolist()
    if not rows:
        return np.empty((0, 0))
    sizes = np.array([row.size if isinstance(row, np.ndarray) and row.ndim == 1 else -1 for row in rows])
    if (odd := (sizes != sizes[0]) | (sizes < 0)).any():
        place = int(odd.argmax())
        wanted = f"an array of {sizes[0]} numbers, as the first row has, is" if sizes[0] >= 0 else "arrays are"
        raise ColieeError(f"The features in row {place} are unlike the others: {wanted} needed.")
    try:
        return np.concatenate(rows, dtype=np.float64).reshape(len(rows), -1)
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The features are no numbers. {error}") from None


def feature_names(pipeline: pt.Transformer) -> list[str]:
    """The names of the features that a pipeline makes, in their order.

    Those of each step in ``>>``, and of each part of ``**``; a part that is no feature transformer of ours gives one
    feature, its score, named after its class. A step that makes no features has no names.

    >>> feature_names(ScoreFeatures(["bm25"]) >> CompetitionFeatures(["bm25"]))[:5]
    ['bm25', 'bm25_ratio', 'bm25_rank', 'bm25_gap', 'queries']
    """
    if isinstance(pipeline, pt._ops.Compose):
        return [name for step in pipeline for name in feature_names(step)]
    if isinstance(pipeline, pt._ops.FeatureUnion):
        return [name for part in pipeline for name in feature_names(part) or [type(part).__name__]]
    return list(getattr(pipeline, "feature_names", []))


def _columns(names: Sequence[str]) -> list[str]:
    if isinstance(names, str) or not names:
        raise ValueError(f"columns={names!r} is no list of columns")
    return list(names)


def _score(results: pd.DataFrame, column: str, queries: Integers) -> Floats:
    try:
        scores = pd.to_numeric(results[column]).to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The column {shown(column)} must be numbers. {error}") from None
    return without_gaps(np.where(np.isinf(scores), np.nan, scores), queries)


class ScoreFeatures(FeatureTransformer):
    """Of each column of scores: the value, its ratio to the query's best, its rank, and the gap to the k-th best.

    The ratio is that of `ir_coliee.engine.group_statistics.ratios`. The rank counts the query's candidates with a higher score.
    The gap is the score minus the query's k-th best (its lowest, where there are fewer candidates). A score that is
    missing or infinite counts as the query's lowest. A query's candidates are those in the frame.

    >>> run = pd.DataFrame({"qid": "1", "docno": ["a", "b"], "bm25": [8.0, 2.0]})
    >>> ScoreFeatures(["bm25"])(run).features.tolist()
    [array([8., 1., 0., 6.]), array([2.  , 0.25, 1.  , 0.  ])]
    """

    LABEL = "Score features"

    def __init__(self, scores: Sequence[str] = ("score",), gap: int = 6) -> None:
        """``scores``: columns, such as `Scores` gives. ``gap``: the k of the gap, from 1; the sixth is the recipe's
        for task 1, the second for task 3."""
        self.scores = _columns(scores)
        self.gap = integer_at_least("gap", gap, 1)

    @property
    def feature_names(self) -> list[str]:
        """Of each column its name, ``_ratio``, ``_rank`` and ``_gap``."""
        return [f"{name}{kind}" for name in self.scores for kind in ("", "_ratio", "_rank", "_gap")]

    def columns(self) -> list[str]:
        """FeatureTransformer.columns"""
        return self.scores

    def values(self, results: pd.DataFrame) -> Floats:
        """FeatureTransformer.values"""
        queries = number_ids(results["qid"])[0]

        def of_each() -> Iterator[npt.NDArray[np.generic]]:
            for column in self.scores:
                scores = _score(results, column, queries)
                standing = Standing(queries, scores)
                yield from (scores, ratios(scores, standing.best(1)), standing.ranks, scores - standing.best(self.gap))

        return np.column_stack([*of_each()]).astype(np.float64)


class CompetitionFeatures(FeatureTransformer):
    """The candidate's view of all queries in the frame: how this query stands among those that have the candidate.

    First how many queries have it. Then of each column of scores: the rank of this query among them (how many score
    higher), its ratio to the candidate's best, the candidate's mean, and its second best score (0 where one query alone
    has it). A score that is missing or infinite counts as the query's lowest.

    The view is that of the frame and no wider: give it the candidates of all queries of a part at once, not in batches.
    Where a decision is noticed by one or few only, what is close to everything is the answer to nothing.

    >>> run = pd.DataFrame({"qid": ["1", "2"], "docno": "a", "bm25": [8.0, 2.0]})
    >>> CompetitionFeatures(["bm25"])(run).features.tolist()
    [array([2., 0., 1., 5., 2.]), array([2.  , 1.  , 0.25, 5.  , 2.  ])]
    """

    LABEL = "Competition"

    def __init__(self, scores: Sequence[str] = ("score",)) -> None:
        """``scores``: columns, such as `Scores` gives."""
        self.scores = _columns(scores)

    @property
    def feature_names(self) -> list[str]:
        """``queries``, and of each column ``_query_rank``, ``_query_ratio``, ``_query_mean`` and ``_query_second``."""
        kinds = ("rank", "ratio", "mean", "second")
        return ["queries", *(f"{name}_query_{kind}" for name in self.scores for kind in kinds)]

    def columns(self) -> list[str]:
        """FeatureTransformer.columns"""
        return self.scores

    def values(self, results: pd.DataFrame) -> Floats:
        """FeatureTransformer.values"""
        queries, candidates = number_ids(results["qid"])[0], number_ids(results["docno"])[0]
        sizes = np.bincount(candidates)[candidates]

        def of_each() -> Iterator[npt.NDArray[np.generic]]:
            yield sizes
            for column in self.scores:
                scores = _score(results, column, queries)
                standing = Standing(candidates, scores)
                yield from (standing.ranks, ratios(scores, standing.best(1)), standing.means)
                yield np.where(sizes > 1, standing.best(2), 0)

        return np.column_stack([*of_each()]).astype(np.float64)


class SharedTermFeatures(FeatureTransformer):
    """The terms that query and candidate share, by each of some indexes: of words, of shingles of several lengths.

    Of each index: how many different terms are shared, the sum of their idf (as `SharedIdf`), and what share of the
    query's and of the candidate's different terms they are (0 where there are none). The query is what the retrievers
    take; its terms that the index does not know count for nothing. Raises `ColieeError` for a document that an index
    does not have.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "d1", "text": "a lamp"}, {"docno": "d2", "text": "a gate, a road"}])
    >>> pairs = pd.DataFrame({"qid": "1", "query": "The lamp of a gate", "docno": ["d1", "d2"]})
    >>> [row.round(2).tolist() for row in SharedTermFeatures({"words": index})(pairs).features]
    [[2.0, 0.88, 0.67, 1.0], [2.0, 0.88, 0.67, 0.67]]
    """

    LABEL = "Shared terms"

    def __init__(self, indexes: Mapping[str, LexicalIndex]) -> None:
        """``indexes``: by the name that their features begin with."""
        if not indexes:
            raise ValueError("indexes={} names no index")
        self.indexes = indexes

    @property
    def feature_names(self) -> list[str]:
        """Of each index ``_shared``, ``_idf``, ``_of_query`` and ``_of_candidate``."""
        return [f"{name}_{kind}" for name in self.indexes for kind in ("shared", "idf", "of_query", "of_candidate")]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Put the features of each row behind those that it has."""
        with pt.validate.any(inp, context=self) as frame:
            for column in QUERY_COLUMNS:
                frame.result_frame(extra_columns=[column], mode=f"by {column}")
        return super().transform(inp)

    def values(self, results: pd.DataFrame) -> Floats:
        """FeatureTransformer.values"""
        pools = list(results.groupby("qid", sort=False, observed=True).indices.values())
        return np.hstack([_shared(index, results, pools) for index in self.indexes.values()])


def _shared(index: LexicalIndex, results: pd.DataFrame, pools: Sequence[Integers]) -> Floats:
    counts = index.counts
    documents = positions(index, results["docno"])
    queries = query_frequencies(index, results.iloc[[rows[0] for rows in pools]])
    idf = lucene_idf(index.collection.df, len(index))
    of_query, of_document = np.diff(queries.indptr), np.diff(counts.indptr)
    values = np.zeros((len(results), 4))
    found = shared_terms(counts, queries, [documents[rows] for rows in pools], idf)
    for query, (rows, shared) in enumerate(zip(pools, found)):
        values[rows, 0], values[rows, 1] = shared
        values[rows, 2] = shared.terms / max(of_query[query], 1)
    values[:, 3] = values[:, 0] / np.maximum(of_document[documents], 1)
    return values
