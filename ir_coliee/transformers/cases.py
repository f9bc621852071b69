"""Retrieval of noticed cases by single scores of evidence, and features of whole pools.

`CaseRetriever` scores the distinct texts of a split of task 1 by one kind of evidence: what their paragraphs have in
common with the contexts of citations, what hardly any other decision has, or what a query says about a suppressed
citation: parties, judge and year. It finds documents for queries, or scores the rows of a frame of results, so it can
be used by itself, as a reranker, in a fusion, or as a column of `ScoreColumns`. All scores are in the table
`ir_coliee.engine.cases.scores.EVIDENCE`.

`PoolFeatures` and `CandidateGraphFeatures` compare all queries and candidates of a pool, for learning to rank.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.editions import Dataset, as_split
from ir_coliee.engine.cases.candidates import GRAPH_FEATURES, CandidateGraph, Candidates, graph_features
from ir_coliee.engine.cases.scores import EVIDENCE
from ir_coliee.engine.cases.texts import CaseCollection, TextPool, case_collection
from ir_coliee.engine.statistics import GroupStatistics
from ir_coliee.errors import ColieeError, ColieeWarning, printable, printable_list
from ir_coliee.frames import Floats, Integers, integer_at_least, number_ids, one_of, ratios, take_rows, text_values
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers.base import Ranker
from ir_coliee.transformers.candidates.filters import task1_id
from ir_coliee.transformers.features.scores import FeaturesOfScores, FeatureTransformer
from ir_coliee.transformers.retrieval.frames import query_column

__all__ = ["CandidateGraphFeatures", "CaseRetriever", "PoolFeatures"]

_ADVICE = "Queries should be whole decisions as they are distributed, not cleaned."


def _collection_of(transformer: CaseRetriever | CandidateGraphFeatures) -> CaseCollection:
    """Return the texts of a transformer's split, which stay in memory as long as the transformer does."""
    collection = case_collection(LocalRelease.open(transformer.dataset), verbose=transformer.verbose)
    return transformer._cached(collection, lambda: collection)


def _places(docnos: pd.Index[str], documents: pd.Series[str], dataset: str) -> Integers:
    """Return the place of each document in ids; raise `ColieeError` for one that the split does not have."""
    places = docnos.get_indexer(pd.Index(documents, dtype=object)).astype(np.int64)
    if (unknown := places < 0).any():
        docno = printable(str(documents[unknown].iloc[0]))
        raise ColieeError(f"The document {docno} is not in {dataset}. Check that results are of this split.")
    return places


class CaseRetriever(Ranker):
    r"""Retrieve noticed cases by one kind of evidence: Q to R, R to R.

    For a frame of queries (Q), it returns the ``num_results`` best documents whose text scores above 0, except the
    query's own: the one whose id is the ``qid``. Equal scores are ordered by document id. For a frame of results (R),
    it returns the same rows with new scores; a document that would never be retrieved scores 0. Statistics such as
    document frequencies are those of all texts of the split and of the queries of the frame.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved. They are read once, and their tokens are kept in the cache of
        the data folder.
    evidence : str
        The name of a score of the table `ir_coliee.engine.cases.scores.EVIDENCE`, which has the formula and the source
        of each. Some of them:

        * ``context.reciprocal_rank``: the words around each suppressed citation are matched with each paragraph of each
          case; the sum over the citations of 1 / (rank + 3). Cases of later years than the query have no rank.
          ``context.by_text_25`` and ``latent.reciprocal_rank`` depend on the other queries of the frame.
        * ``exclusive.words``: what the query shares with hardly any other decision. In a library in which a decision is
          cited by hundreds of others, it says less than in the pools of COLIEE.
        * ``name.in_head``, ``name.judge``, ``year.near_citation``: parties, judge and year that the query names. Many
          queries name none and get no result, which a warning counts; if no query of a `pt.Experiment` gets one,
          PyTerrier ends it with "topics, but no results".
        * ``total.sum``: the sum of seven scores, which chooses the candidates of the learned baseline.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Raises
    ------
    MissingExtraError
        When queries are answered by ``latent`` scores without scikit-learn, the extra ``learn``.

    Notes
    -----
    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.
    With numba (the extra ``fast``), the contexts of 400 queries and 1,870 texts take about three seconds on one core,
    without it about 17, with the same scores.

    Examples
    --------
    >>> import pyterrier as pt
    >>> dataset = pt.get_dataset("irds:coliee/task1/sample/test")
    >>> sharing = CaseRetriever(dataset, "exclusive.5grams", num_results=2)
    >>> sharing(dataset.get_topics()[:1])[["qid", "docno", "rank"]].values.tolist()
    [['900656', '900557', 0], ['900656', '900912', 1]]
    >>> query = pd.DataFrame({"qid": ["mine"], "query": ["Dorrenkamp sued Tolland Tramways."]})
    >>> CaseRetriever(dataset, "name.in_head")(query)[["docno", "score"]].round(3).values.tolist()
    [['900593', 5.16], ['900532', 2.58]]
    """

    LABEL = "Case evidence"

    def __init__(self, dataset: Dataset, evidence: str, *, num_results: int = 1000, verbose: bool = False) -> None:
        self.dataset = task1_id(dataset)
        self.evidence = one_of("evidence", evidence, tuple(EVIDENCE))
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.verbose = verbose

    def _scores(self, results: pd.DataFrame) -> Floats:
        docnos, scores = self._document_scores(results.drop_duplicates("qid", ignore_index=True))
        columns = _places(docnos, results["docno"], self.dataset)
        return scores[number_ids(results["qid"])[0], columns].astype(np.float64)

    def _retrieve(self, queries: pd.DataFrame) -> pd.DataFrame:
        queries = queries.drop_duplicates("qid", ignore_index=True)
        docnos, scores = self._document_scores(queries)
        sizes = np.count_nonzero(scores, axis=1).clip(max=self.num_results)
        if len(unanswered := queries["qid"].to_numpy(object)[sizes == 0]):
            message = f"{len(unanswered)} of {len(queries)} queries get no result by {self.evidence}"
            warnings.warn(f"{message}: {printable_list([*unanswered])}. {_ADVICE}", ColieeWarning, 4)
        best = [np.argsort(-row, kind="stable")[:size] for row, size in zip(scores, sizes)]
        rows, columns = np.repeat(np.arange(len(queries)), sizes), np.concatenate([np.empty(0, np.int64), *best])
        results = take_rows(queries.drop(columns=["score", "rank"], errors="ignore"), rows)
        return results.assign(
            docno=docnos.to_numpy()[columns],
            score=scores[rows, columns].astype(np.float64),
            rank=np.concatenate([np.empty(0, np.int64), *map(np.arange, sizes)]),
        )

    def _document_scores(self, queries: pd.DataFrame) -> tuple[pd.Index[str], npt.NDArray[np.float32]]:
        """Return the sorted ids of the documents, and their scores of at least 0 for each query."""
        query_column(queries[["qid", "query"]])  # each text is a string
        with stage(self.evidence, verbose=self.verbose):
            collection = _collection_of(self)
            order = np.argsort(queries["qid"].to_numpy(object), kind="stable")  # scores are the same in any order
            sequences, numbers = collection.with_texts(queries["query"].iloc[order], as_split(self.dataset).year)
            docnos = pd.Index(sorted(collection.documents), dtype=object)
            texts, text_of_document = np.unique(collection.text_numbers(docnos), return_inverse=True)
            scores = np.zeros((0, len(texts)), np.float32)
            if len(queries):
                found = EVIDENCE[self.evidence].compute(TextPool(sequences, numbers, texts))
                scores = found[np.argsort(order)].clip(min=0)
        of_documents = scores[:, text_of_document]
        own = docnos.get_indexer(pd.Index(queries["qid"], dtype=object))
        of_documents[own >= 0, own[own >= 0]] = 0
        return docnos, of_documents


class CandidateGraphFeatures(FeatureTransformer):
    """Compute 22 features of the probabilities of a first ranker, among similar decisions and similar queries: R to R.

    Decisions that are noticed together are similar, similar queries notice the same decisions, and in the pools of
    COLIEE each decision is noticed by few queries. The features compare the score of a candidate, a probability, with
    the scores of the query's other candidates, of the other queries for the same text, of similar texts and of similar
    queries; `ir_coliee.engine.cases.candidates.graph_features` defines each of them. A learner that is fitted on
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
    >>> dataset = pt.get_dataset("irds:coliee/task1/sample/test")
    >>> run = CaseRetriever(dataset, "exclusive.words", num_results=5)(dataset.get_topics())
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
        collection = _collection_of(self)
        _places(pd.Index(collection.documents, dtype=object), results["docno"], self.dataset)  # raises its error
        queries = results.drop_duplicates("qid", ignore_index=True)
        sequences, numbers = collection.with_texts(text_values(queries, "query"))
        texts = np.unique(collection.text_numbers(collection.documents))
        columns = np.searchsorted(texts, collection.text_numbers(results["docno"])).astype(np.int64)
        return TextPool(sequences, numbers, texts), columns


class PoolFeatures(FeaturesOfScores):
    """Compute four features of each score of a candidate, within its query and across the queries: R to R.

    For each column of scores these are the ratio to the query's best score, the rank in the query (the number of the
    query's candidates with a higher score), the rank of the query (the number of queries with a higher score for this
    candidate), and the ratio to the candidate's best score over all queries. A ratio to a best score that is not
    positive is 0. A score that is missing or infinite is replaced by the query's lowest.

    The recipe of task 1 uses each score in these kinds alone: values themselves mean something else in another pool.
    The two kinds across queries help if each document is relevant to few queries, as in the test splits of COLIEE,
    which consist of queries and their noticed cases. A library of decisions has no such property.

    Only queries in the frame are compared: pass the candidates of all queries of a split at once, not in batches.

    Parameters
    ----------
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.

    See Also
    --------
    ScoreFeatures, CrossQueryFeatures : More features of the same kinds, and the scores themselves.
    ir_coliee.engine.cases.candidates.pool_kinds : The same features of matrices of scores.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "bm25": [4.0, 2.0, 8.0]})
    >>> PoolFeatures(["bm25"])(run).features.tolist()
    [array([1. , 0. , 1. , 0.5]), array([0.5, 1. , 0. , 1. ]), array([1., 0., 0., 1.])]
    """

    LABEL = "Pool features"
    KINDS = ("_ratio", "_rank", "_query_rank", "_query_ratio")

    def of_scores(self, scores: Floats, queries: Integers, candidates: Integers) -> Iterable[Floats | Integers]:
        """Compute ratio and rank within the query, and rank and ratio across the queries."""
        of_query, of_candidate = GroupStatistics(queries, scores), GroupStatistics(candidates, scores)
        across_queries = of_candidate.ranks, ratios(scores, of_candidate.best(1))
        return ratios(scores, of_query.best(1)), of_query.ranks, *across_queries
