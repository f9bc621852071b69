"""Retrieval of noticed cases by single families of evidence, and features of whole pools.

Each retriever scores the distinct texts of a split of task 1 by one kind of evidence. It finds documents for queries,
or scores the rows of a frame of results, so it can be used by itself, as a reranker, in a fusion, or as a column of
`ScoreColumns`. `CitingContextRetriever` matches the contexts of citations with paragraphs,
`LatentSemanticRetriever` compares them in a few dimensions, and `ExclusiveSharingRetriever` finds what hardly any other
decision has. `NameRetriever`, `JudgeMentionRetriever` and `CitedYearRetriever` look for what a query says about a
suppressed citation: parties, judge and year.

`PoolFeatures` and `CandidateGraphFeatures` compare all queries and candidates of a pool, for learning to rank.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_split
from ir_coliee.engine.cases.candidates import GRAPH_FEATURES, KINDS, CandidateGraph, Candidates, graph_features
from ir_coliee.engine.cases.contexts import (
    AGAINST,
    AGGREGATES,
    Against,
    Aggregate,
    ContextScore,
    context_scores,
    later_texts,
)
from ir_coliee.engine.cases.scores import judge_mentions, latent_scores, shared_names, year_near
from ir_coliee.engine.cases.terms import UNITS, Scores, Unit, exclusive_sharing
from ir_coliee.engine.cases.texts import CaseCollection, TextPool, case_collection
from ir_coliee.engine.statistics import GroupStatistics
from ir_coliee.errors import ColieeError, ColieeWarning, printable, printable_list
from ir_coliee.frames import (
    Floats,
    Integers,
    check_ids,
    integer_at_least,
    number_ids,
    one_of,
    ratios,
    sort_results,
    take_rows,
    text_values,
)
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.candidates.filters import task1_id
from ir_coliee.transformers.features.scores import FeatureTransformer, checked_columns, score_values
from ir_coliee.transformers.retrieval.frames import query_column

__all__ = [
    "CandidateGraphFeatures",
    "CitedYearRetriever",
    "CitingContextRetriever",
    "ExclusiveSharingRetriever",
    "JudgeMentionRetriever",
    "LatentSemanticRetriever",
    "NameRetriever",
    "PoolFeatures",
]


# The base class of retrievers of noticed cases by one family of evidence.


Self = TypeVar("Self", bound="CaseEvidenceRetriever")

_ADVICE = "Queries should be whole decisions as they are distributed, not cleaned."


class CaseEvidenceRetriever(BaseTransformer):
    """Base of retrievers that score the distinct texts of a split of task 1 for query decisions: Q to R, R to R.

    For a frame of queries (Q), it returns the ``num_results`` best documents whose text scores above 0, except the
    query's own: the one whose id is the ``qid``. Equal scores are ordered by document id. For a frame of results (R),
    it returns the same rows with new scores; a document that would never be retrieved scores 0. Statistics such as
    document frequencies are those of all texts of the split and of the queries of the frame.

    A subclass implements `scores`. Its constructor passes the arguments of this one on.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved. They are read once, and their tokens are kept in the cache of
        the data folder.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Attributes
    ----------
    NOTHING_FOUND : str
        What a query without result lacks, for the warning that counts such queries.
    """

    LABEL = "Case evidence"
    NOTHING_FOUND: ClassVar[str] = "match no decision"

    def __init__(self, dataset: Dataset, *, num_results: int = 1000, verbose: bool = False) -> None:
        self.dataset = task1_id(dataset)
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.verbose = verbose

    def scores(self, pool: TextPool) -> npt.NDArray[np.float32]:
        """Return the scores of a pool, as an array of shape (num_queries, num_texts)."""
        raise NotImplementedError

    def fuse_rank_cutoff(self: Self, k: int) -> Self | None:
        """Return a retriever with ``k`` results, with which PyTerrier replaces ``retriever % k``."""
        if k >= self.num_results:
            return self
        return type(self)(**{**self.arguments(), "num_results": k})  # type: ignore[arg-type]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve documents for queries (Q to R), or rescore results (R to R).

        Parameters
        ----------
        inp : pandas.DataFrame
            Has ``qid`` and ``query``, the whole text of a decision; for rescoring also ``docno``. Of several rows of a
            query, the text of the first is used.

        Returns
        -------
        pandas.DataFrame
            Has the columns of the queries, ``docno``, ``score`` and ``rank``.

        Raises
        ------
        ColieeError
            If a row has no id, a query is not a string, or a document is not in the split.
        """
        with pt.validate.any(inp, context=self) as frame:
            frame.query_frame(extra_columns=["query"], mode="retrieve")
            frame.result_frame(extra_columns=["query"], mode="rescore")
        check_ids(inp)
        queries = inp.drop_duplicates("qid", ignore_index=True)
        docnos, scores = self._document_scores(queries)
        if frame.mode == "retrieve":
            return self._best_documents(queries, docnos, scores)
        of_rows = scores[number_ids(inp["qid"])[0], self._columns(docnos, inp["docno"])].astype(np.float64)
        ordered = sort_results(inp.drop(columns="rank", errors="ignore").assign(score=of_rows))
        best: pd.DataFrame = ordered[ordered["rank"] < self.num_results].reset_index(drop=True)
        return best

    def _best_documents(
        self, queries: pd.DataFrame, docnos: pd.Index[str], scores: npt.NDArray[np.float32]
    ) -> pd.DataFrame:
        sizes = np.count_nonzero(scores, axis=1).clip(max=self.num_results)
        if len(unanswered := queries["qid"].to_numpy(object)[sizes == 0]):
            message = f"{len(unanswered)} of {len(queries)} queries {self.NOTHING_FOUND} and get no result"
            warnings.warn(f"{message}: {printable_list([*unanswered])}. {_ADVICE}", ColieeWarning, 4)
        best = [np.argsort(-row, kind="stable")[:size] for row, size in zip(scores, sizes)]
        rows, columns = np.repeat(np.arange(len(queries)), sizes), np.concatenate([np.empty(0, np.int64), *best])
        results = take_rows(queries.drop(columns=["score", "rank"], errors="ignore"), rows)
        return results.assign(
            docno=docnos.to_numpy()[columns],
            score=scores[rows, columns].astype(np.float64),
            rank=np.concatenate([np.empty(0, np.int64), *map(np.arange, sizes)]),
        )

    def _columns(self, docnos: pd.Index[str], documents: pd.Series[str]) -> Integers:
        """Return the column of each document; raise `ColieeError` for one that the split does not have."""
        columns = docnos.get_indexer(pd.Index(documents, dtype=object)).astype(np.int64)
        if (unknown := columns < 0).any():
            docno = printable(str(documents[unknown].iloc[0]))
            raise ColieeError(f"The document {docno} is not in {self.dataset}. Check that results are of this split.")
        return columns

    def _document_scores(self, queries: pd.DataFrame) -> tuple[pd.Index[str], npt.NDArray[np.float32]]:
        """Return the sorted ids of the documents, and their scores of at least 0 for each query."""
        query_column(queries[["qid", "query"]])  # each text is a string
        with stage(self.LABEL, verbose=self.verbose):
            collection = self._collection()
            order = np.argsort(queries["qid"].to_numpy(object), kind="stable")  # scores are the same in any order
            sequences, numbers = collection.with_texts(queries["query"].iloc[order], as_split(self.dataset).year)
            docnos = pd.Index(sorted(collection.documents), dtype=object)
            texts, text_of_document = np.unique(collection.text_numbers(docnos), return_inverse=True)
            scores = np.zeros((0, len(texts)), np.float32)
            if len(queries):
                scores = self.scores(TextPool(sequences, numbers, texts))[np.argsort(order)].clip(min=0)
        of_documents = scores[:, text_of_document]
        own = docnos.get_indexer(pd.Index(queries["qid"], dtype=object))
        of_documents[own >= 0, own[own >= 0]] = 0
        return docnos, of_documents

    def _collection(self) -> CaseCollection:
        collection = case_collection(LocalRelease.open(self.dataset), verbose=self.verbose)
        return self._cached(collection, lambda: collection)  # it is in use as long as this transformer is


# Features of a second round: what a first ranker thinks of similar decisions and of similar queries.


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


# Retrieval of decisions whose year a query names near a citation.


class CitedYearRetriever(CaseEvidenceRetriever):
    """Score decisions by the number of the query's citing contexts that name their year: Q to R, R to R.

    A context has the 12 tokens before and the 10 tokens after a suppressed citation. The year of a decision is the
    latest that it mentions.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Examples
    --------
    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["mine"], "query": ["In 2003, as <FRAGMENT_SUPPRESSED> says, it was so."]})
    >>> CitedYearRetriever("coliee/task1/sample/test")(query).docno.tolist()
    ['900532', '900608']
    """

    LABEL = "Cited years"
    NOTHING_FOUND = "have no year of a decision near a suppressed citation"

    def scores(self, pool: TextPool) -> npt.NDArray[np.float32]:
        """Return the scores of a pool, see `ir_coliee.engine.cases.scores.year_near`."""
        return year_near(pool)


# Retrieval of noticed cases by the contexts of suppressed citations.


class CitingContextRetriever(CaseEvidenceRetriever):
    r"""Retrieve the cases that the contexts of a decision's suppressed citations match: Q to R, R to R.

    Every citation is a query: the words around its marker are matched with each paragraph of each case, and a case has
    the score of its best paragraph. Cases of later years than the query, and the query's own text, score 0. The scores
    of the contexts are then aggregated:

    * ``rr``: the sum of 1 / (rank + 3), for the 50 best cases of each context, whose ranks begin with 0.
    * ``max``: the largest score.
    * ``softmax``: the sum of each context's softmax of score / (.12 * best score of the context).
    * ``document``: each case ranks the contexts of all queries of the frame; the sum of 1 / (rank + 2) over the 20 best
      that are this query's. It depends on the other queries of the frame.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved. Its texts are read once, and their tokens are kept in the
        cache of the data folder.
    width : int, default 50
        The number of words before and after a marker, >= 1. Markers that are at most 8 words apart are one citation; at
        most 80 citations of a decision are used.
    against : {"pieces", "texts"}, default "pieces"
        What a context is matched with: the paragraphs of the cases, of which those of more than 300 words are cut every
        200 words, by BM25(1.2, .5); or the whole texts, by BM25(1.2, .75).
    aggregate : {"rr", "max", "softmax", "document"}, default "rr"
        How the scores of the contexts are aggregated.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    The terms of a context are words of at least three letters that occur in at most 5 % of the paragraphs (in a small
    collection, in at most 20); each counts once. Equal scores are ordered by document id. A query without a suppressed
    citation gets no result, and a warning counts such queries.

    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.

    This retriever was developed for this package. On the test split of 2025, features of these scores lifted the F1 of
    the learned ranking from .455 to .477. With numba (the extra ``fast``), the contexts of 400 queries and 1,870 texts
    take about three seconds on one core, without it about 17, with the same scores.

    References
    ----------
    [1] H. Li et al., team THUIR. Incorporating Structural Knowledge into Pre-trained Language Models for Legal Case
    Retrieval. COLIEE 2023. It joins the sentences around all citations to one query, see `ExtractCitingContext`.

    Examples
    --------
    >>> retriever = CitingContextRetriever("coliee/task1/sample/test", width=25, aggregate="max", num_results=5)
    >>> results = retriever.search("The lamps of the harbour must burn until midnight, <FRAGMENT_SUPPRESSED>.")
    >>> list(results.columns)
    ['qid', 'query', 'docno', 'score', 'rank']
    """

    LABEL = "Citing contexts"
    NOTHING_FOUND = "have no suppressed citation whose context matches a decision"

    def __init__(
        self,
        dataset: Dataset,
        width: int = 50,
        against: Against = "pieces",
        aggregate: Aggregate = "rr",
        *,
        num_results: int = 1000,
        verbose: bool = False,
    ) -> None:
        super().__init__(dataset, num_results=num_results, verbose=verbose)
        self.width = integer_at_least("width", width, 1)
        self.against = one_of("against", against, AGAINST)
        self.aggregate = one_of("aggregate", aggregate, AGGREGATES)

    def scores(self, pool: TextPool) -> Scores:
        """Return the aggregated scores of the contexts of each query, as an array of shape (num_queries, num_texts)."""
        excluded = later_texts(pool) | (pool.texts == pool.queries[:, None])
        definition = ContextScore(self.width, self.against, self.aggregate)
        return context_scores(pool, {self.aggregate: definition}, excluded=excluded)[self.aggregate]


# Retrieval by what a query decision shares with hardly any other decision.


class ExclusiveSharingRetriever(CaseEvidenceRetriever):
    r"""Retrieve decisions by the rare words or n-grams that they share with a query decision: Q to R, R to R.

    A word or n-gram that only the query and one other decision have tells more about the two than its inverse document
    frequency does: a quoted sentence, a name, a section of a statute. The score of a text is the sum of (df - 1)^-1.5
    over what it shares with the query, where df is the number of distinct texts that have it, the query's included,
    from 2 to 12. A decision whose text equals that of the query shares everything with it.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved.
    unit : {"words", "bigrams", "ngrams"}, default "words"
        What is shared: words, bigrams of content words, or 5-grams of all words.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.

    The score was developed for this package, for pools in which each noticed case belongs to one query, as the
    organisers build them. In a library in which a decision is cited by hundreds of others, it says less.

    Examples
    --------
    >>> import pyterrier as pt
    >>> dataset = pt.get_dataset("irds:coliee/task1/sample/test")
    >>> sharing = ExclusiveSharingRetriever(dataset, "ngrams", num_results=2)
    >>> sharing(dataset.get_topics()[:1])[["qid", "docno", "rank"]].values.tolist()
    [['900656', '900557', 0], ['900656', '900912', 1]]
    """

    LABEL = "Exclusive sharing"
    NOTHING_FOUND = "share nothing rare with a decision"

    def __init__(
        self, dataset: Dataset, unit: Unit = "words", *, num_results: int = 1000, verbose: bool = False
    ) -> None:
        super().__init__(dataset, num_results=num_results, verbose=verbose)
        self.unit = one_of("unit", unit, UNITS)

    def scores(self, pool: TextPool) -> Scores:
        """Return the scores of a pool, as an array of shape (num_queries, num_texts)."""
        return exclusive_sharing(pool, self.unit)


# Retrieval of decisions whose judge a query mentions.


class JudgeMentionRetriever(CaseEvidenceRetriever):
    """Score decisions by how often the query names their judge as "Justice X" or "X J.": Q to R, R to R.

    The judge of a decision is named in its header or behind ``[1]``, see
    `ir_coliee.text.case_properties.case_properties`. The query's own judge counts one less.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    Many queries name no judge of a decision and get no result. If no query of a `pt.Experiment` gets one, PyTerrier
    ends it with "topics, but no results": use the scores with others, in `ScoreColumns` or a fusion.

    Examples
    --------
    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["mine"], "query": ["I agree with Ferrault J. and Obuya J.: Justice Ferrault"]})
    >>> judges = JudgeMentionRetriever("coliee/task1/sample/test", num_results=3)
    >>> judges(query)[["docno", "score"]].values.tolist()
    [['900754', 2.0], ['900795', 2.0], ['900862', 1.0]]
    """

    LABEL = "Judge mentions"
    NOTHING_FOUND = "name no judge of a decision"

    def scores(self, pool: TextPool) -> npt.NDArray[np.float32]:
        """Return the scores of a pool, see `ir_coliee.engine.cases.scores.judge_mentions`."""
        return judge_mentions(pool)


# Retrieval of noticed cases by latent semantic analysis.


class LatentSemanticRetriever(CaseEvidenceRetriever):
    r"""Retrieve cases by latent semantic analysis of citing contexts and paragraphs: Q to R, R to R.

    The contexts of a decision's suppressed citations and the paragraphs of the cases are vectors of TF-IDF weights,
    projected to a few dimensions by a truncated singular value decomposition. Words that occur in the same paragraphs
    become similar, so that a paragraph is found without sharing a word with the context. The score of a case is one of:

    * ``rr``: the sum over the contexts of 1 / (rank + 3), for the 50 cases with the most similar paragraphs. Cases of
      later years than the query, and the query's own text, have no rank.
    * ``document``: the cosine of the sum of the query's contexts and the sum of the case's paragraphs.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved. Its texts are read once, and their tokens are kept in the
        cache of the data folder.
    dimensions : int, default 150
        The number of dimensions, >= 1; fewer are used if the collection has fewer terms or paragraphs.
    width : int, default 50
        The number of words before and after a marker, >= 1.
    aggregate : {"rr", "document"}, default "rr"
        How a case is scored.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Raises
    ------
    MissingExtraError
        When queries are answered without scikit-learn, the extra ``learn``.

    Notes
    -----
    Contexts and paragraphs are those of `CitingContextRetriever`. The decomposition is computed for each frame, from at
    most 30,000 of its contexts and the paragraphs of the collection, with a fixed random state: scores depend slightly
    on the other queries of the frame, but not on their order, and are the same in each run.

    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.

    The analysis is that of [1], its use with contexts and paragraphs was developed for this package. 400 queries and
    1,870 texts take about 16 seconds on one core.

    References
    ----------
    [1] S. Deerwester et al. Indexing by Latent Semantic Analysis. JASIS 41(6), 1990.

    Examples
    --------
    >>> retriever = LatentSemanticRetriever("coliee/task1/sample/test", dimensions=10, num_results=5)
    >>> results = retriever.search("The lamps of the harbour must burn until midnight, <FRAGMENT_SUPPRESSED>.")
    >>> list(results.columns)
    ['qid', 'query', 'docno', 'score', 'rank']
    """

    LABEL = "Latent semantics"
    NOTHING_FOUND = "have no suppressed citation whose context matches a decision"

    def __init__(
        self,
        dataset: Dataset,
        dimensions: int = 150,
        width: int = 50,
        aggregate: Literal["rr", "document"] = "rr",
        *,
        num_results: int = 1000,
        verbose: bool = False,
    ) -> None:
        super().__init__(dataset, num_results=num_results, verbose=verbose)
        self.dimensions = integer_at_least("dimensions", dimensions, 1)
        self.width = integer_at_least("width", width, 1)
        self.aggregate = one_of("aggregate", aggregate, ("rr", "document"))

    def scores(self, pool: TextPool) -> Scores:
        """Return the scores of the pool's texts, as an array of shape (num_queries, num_texts)."""
        excluded = later_texts(pool) | (pool.texts == pool.queries[:, None])
        found = latent_scores(pool, dimensions=self.dimensions, width=self.width, excluded=excluded)
        scores: Scores = getattr(found, self.aggregate)
        return scores


# Retrieval of decisions by the names that a query mentions.


class NameRetriever(CaseEvidenceRetriever):
    """Score decisions by the rare names in their first 500 tokens that the query mentions: Q to R, R to R.

    Organisers suppress citations, but what surrounds them may still name the parties of the cited decision, which
    stand at the beginning of that decision. A score is the sum of the inverse document frequency of the shared names.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.
    near_citations : bool, default False
        Whether a name must stand within 12 tokens before or 8 after a suppressed citation of the query.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.

    A name is a word of three letters or more that is capitalised in at least two and at most 3 % of the distinct texts,
    queries included (of few texts, in two), and uncapitalised in at most .3 times as many plus one. The definition is
    our own.

    Examples
    --------
    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["mine"], "query": ["Dorrenkamp sued Tolland Tramways."]})
    >>> NameRetriever("coliee/task1/sample/test")(query)[["docno", "score"]].round(3).values.tolist()
    [['900593', 5.16], ['900532', 2.58]]
    """

    LABEL = "Names"
    NOTHING_FOUND = "mention no rare name of a decision"

    def __init__(
        self, dataset: Dataset, *, near_citations: bool = False, num_results: int = 1000, verbose: bool = False
    ) -> None:
        super().__init__(dataset, num_results=num_results, verbose=verbose)
        self.near_citations = near_citations

    def scores(self, pool: TextPool) -> npt.NDArray[np.float32]:
        """Return the scores of a pool, see `ir_coliee.engine.cases.scores.shared_names`."""
        return shared_names(pool, near_citations=self.near_citations)


# Four features of each score, which compare a candidate with the other texts of its query and with other queries.


class PoolFeatures(FeatureTransformer):
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

    def __init__(self, scores: Sequence[str] = ("score",)) -> None:
        self.scores = checked_columns(scores)

    @property
    def feature_names(self) -> list[str]:
        """The name of each column with ``_ratio``, ``_rank``, ``_query_rank`` and ``_query_ratio``."""
        return [f"{name}_{kind}" for name in self.scores for kind in KINDS]

    def columns(self) -> list[str]:
        """Return the columns of scores."""
        return self.scores

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features, four for each column."""
        queries, candidates = number_ids(results["qid"])[0], number_ids(results["docno"])[0]

        def feature_columns() -> Iterator[Floats | Integers]:
            for column in self.scores:
                scores = score_values(results, column, queries)
                of_query, of_candidate = GroupStatistics(queries, scores), GroupStatistics(candidates, scores)
                yield from (ratios(scores, of_query.best(1)), of_query.ranks)
                yield from (of_candidate.ranks, ratios(scores, of_candidate.best(1)))

        return np.column_stack([*feature_columns()]).astype(np.float64)
