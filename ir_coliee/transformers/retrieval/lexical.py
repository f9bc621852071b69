"""Indexes of collections, retrieval from them, and scoring of candidates or of texts, with any weighting of the engine.

An index holds a collection as a sparse matrix of term counts. In task 1 a query is a decision of thousands of words,
which shares a term with nearly every document. Skipping documents would save nothing, so all are scored, with 64-bit
sums.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn, TypeVar, cast

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee._version import __version__
from ir_coliee.editions import Dataset, Split, id_with_records
from ir_coliee.engine import folders, weightings
from ir_coliee.engine.building import count_each, count_terms, token_source
from ir_coliee.engine.counting import available_cores, check_corpus, content_column
from ir_coliee.engine.pools import Aggregate, pair_scores, pool_group_scores, pool_scores, top_groups
from ir_coliee.engine.scoring import Ranking, row_sums, top_k
from ir_coliee.engine.term_counts import HashedVocabulary, TermCounts, sparse_rows
from ir_coliee.engine.weightings import BM25, Collection, Weighting, document_weights, query_weights
from ir_coliee.errors import ColieeError, ColieeWarning, printable, printable_list
from ir_coliee.frames import (
    Floats,
    Integers,
    check_ids,
    check_types,
    instance_of,
    integer_at_least,
    one_of,
    places_of,
    sort_results,
    take_rows,
)
from ir_coliee.progress import progress, stage
from ir_coliee.releases import cache
from ir_coliee.releases.release import SourceFiles, document_sources
from ir_coliee.text.analysers import Analysis, analyser_version, check_text_analyser, describe_analyser, tokeniser
from ir_coliee.text.decisions import paragraphs
from ir_coliee.transformers.base import BaseTransformer, Ranker

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.dask import ShardedIndex


# Term frequencies of the queries of a frame, and frames of results.


#: The columns that can give a query, in the order in which they are looked for: weighted tokens (a dict from term to
#: weight >= 0, as PyTerrier's query rewriters give), the id of a document of the index, whose term frequencies are the
#: query, and text, which the index's analyser tokenises.
QUERY_COLUMNS = ("query_toks", "query_docno", "query")

#: The same columns in the order in which PyTerrier's inspection and schematics list them, the usual one first.
INPUT_COLUMNS = ("query", "query_toks", "query_docno")

_WEIGHT_RANGE = 1e-100, 1e100  # squares and products of such weights are finite 64-bit numbers too


def query_column(queries: pd.DataFrame) -> str:
    """Return the first of `QUERY_COLUMNS` that the frame has, with all values checked.

    Raises `ColieeError`, which names the query by its ``qid``, for a value of the wrong type.
    """
    column = next((name for name in QUERY_COLUMNS if name in queries.columns), None)
    if column is None:
        raise ColieeError(f"A query needs one of the columns {', '.join(QUERY_COLUMNS)}.")
    needed = (dict, "a dict from term to weight") if column == "query_toks" else (str, "a string")
    check_types(queries, column, queries[column].to_numpy(dtype=object), *needed)
    return column


def query_frequencies(index: TermCounts | ShardedIndex, queries: pd.DataFrame) -> sparse.csr_matrix:
    """Return the term frequencies or token weights of queries.

    Parameters
    ----------
    index : TermCounts or ShardedIndex
        Its analyser tokenises texts, and its vocabulary gives the columns.
    queries : pandas.DataFrame
        Has ``qid`` and one of `QUERY_COLUMNS`.

    Returns
    -------
    scipy.sparse.csr_matrix
        One row for each query, one column for each term of the index.

    Raises
    ------
    ColieeError
        If a value has the wrong type, a weight is not a number >= 0, or a document is not in the index. The message
        names the query or the document.
    """
    column, terms = query_column(queries), index.terms
    values = queries[column].to_numpy(dtype=object)
    if column == "query":
        return terms.query_vectors(values)
    if column == "query_docno":
        return sparse.csr_matrix(index.rows(terms.positions(values)).astype(np.float64))
    return sparse_rows((_weighted_terms(terms, *query) for query in zip(queries["qid"], values)), len(terms.vocabulary))


def _weighted_terms(index: TermCounts, qid: object, tokens: Mapping[str, Any]) -> Iterator[tuple[int, float]]:
    """Yield column and weight of each token that the index knows and whose weight is not 0."""
    minimum, maximum = _WEIGHT_RANGE
    for token, weight in tokens.items():
        try:
            number = float(weight)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if number != 0 and not minimum <= number <= maximum:
            raise ColieeError(
                f"Query {printable(str(qid))}: a token's weight must be a number >= 0, got {printable(repr(weight))}.\n"
                f"Weights other than 0 must be in [{minimum:g}, {maximum:g}]."
            )
        if number and token in index.vocabulary:
            yield index.vocabulary[token], number


def ranked_results(
    queries: pd.DataFrame, item_ids: npt.NDArray[np.object_], rankings: Sequence[Ranking], problem: str = ""
) -> pd.DataFrame:
    """Return the results of queries.

    Parameters
    ----------
    queries : pandas.DataFrame
        Its columns are repeated for each result, except score and rank.
    item_ids : numpy.ndarray of str
        The ids of the items that the rankings number.
    rankings : sequence of Ranking
        The ranking of each query.
    problem : str
        Warn of queries without results by this text, with ``{}`` for their ids.
    """
    sizes = np.array([len(ranking.documents) for ranking in rankings], dtype=np.int64)
    if problem and not sizes.all():
        qids = printable_list([str(qid) for qid in queries["qid"].to_numpy(dtype=object)[sizes == 0]])
        message = f"{np.count_nonzero(sizes == 0)} of {len(queries)} queries {problem.format(qids)}"
        warnings.warn(message, ColieeWarning, 5)
    nothing = Ranking(np.empty(0, np.int64), np.empty(0))
    documents, scores = map(np.concatenate, zip(nothing, *rankings))
    results = take_rows(queries.drop(columns=["score", "rank"], errors="ignore"), np.arange(len(sizes)).repeat(sizes))
    ranks = np.concatenate([nothing.documents, *map(np.arange, sizes)])
    return results.assign(docno=item_ids[documents], score=_finite(scores), rank=ranks)


def pooled_scores(results: pd.DataFrame, score: Callable[[Sequence[Integers]], Iterable[Floats]]) -> Floats:
    """Return a score for each row of results.

    Parameters
    ----------
    results : pandas.DataFrame
        Has ``qid`` and ``docno``.
    score : callable
        Takes the row numbers of each query's results, and yields their scores.
    """
    scores = np.zeros(len(results))
    indices = results.groupby("qid", sort=False, observed=True).indices
    if pools := [np.asarray(rows, dtype=np.int64) for rows in indices.values()]:
        for rows, of_pool in zip(pools, score(pools)):
            scores[rows] = of_pool
    return _finite(scores)


def _finite(scores: Floats) -> Floats:
    if not np.isfinite(scores).all():
        raise ColieeError("A score is not a finite number. Check the parameters of the weighting for extreme values.")
    return scores


Statistics = Literal["collection", "pool"]
IdfFormula = Literal["lucene", "robertson"]
_Result = TypeVar("_Result")


class Retriever(Ranker):
    """Retrieve documents with any weighting, or rescore the candidates of each query: Q to R, R to R.

    For a frame of queries (Q), it returns the ``num_results`` best documents of the collection. For a frame of results
    (R), it returns the same rows with new scores. Every document is scored with 64-bit sums, so scores and order are
    exact. Equal scores are ordered by document id.

    A query is text (``query``). Two other columns are used instead if the frame has them: ``query_toks``, a dict from
    term to weight (>= 0), and ``query_docno``, the id of a document of the index, which is not tokenised again.

    Parameters
    ----------
    index : LexicalIndex
        The collection.
    weighting : Weighting, default ``BM25()``
        The formula: ``BM25``, ``Dirichlet``, ``JelinekMercer``, ``TfIdf`` or ``SharedIdf``, see
        `ir_coliee.engine.weightings`. For whole decisions as queries, ``BM25(k1=3.0, b=1.0)`` is known to work well.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    statistics : {"collection", "pool"}, default "collection"
        Whether rescoring takes document frequencies and lengths from the collection or from each query's candidates.
    threads : int, default 1
        The number of threads, >= 1. It changes no score.
    verbose : bool, default False
        Whether to show progress.

    See Also
    --------
    LexicalIndex.bm25 : The same retriever, written as a method of the index.
    ParagraphRetriever : Cases scored by their paragraphs.
    ShardedRetriever : Collections that are too large for one index.

    Notes
    -----
    A query without any term of the index gets no result, and a warning counts such queries. When rescoring, a
    document without a term of the query scores 0, except with Dirichlet smoothing, where its length adds to its score.

    Examples
    --------
    >>> from ir_coliee.engine.weightings import BM25
    >>> from ir_coliee.transformers import LexicalIndex, Retriever
    >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate, a gate"}]
    >>> index = LexicalIndex.build(corpus)
    >>> Retriever(index, BM25(k1=3.0, b=1.0)).search("gate")[["docno", "rank"]].values.tolist()
    [['900002', 0]]
    """

    LABEL = "Retriever"
    INPUTS = INPUT_COLUMNS
    INDEX: ClassVar[tuple[type, str]] = TermCounts, "a LexicalIndex"

    def __init__(
        self,
        index: LexicalIndex | ShardedIndex,
        weighting: Weighting = BM25(),  # noqa: B008 (immutable)
        *,
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        verbose: bool = False,
    ) -> None:
        self.index: Any = instance_of("index", index, *self.INDEX)
        self.weighting = instance_of("weighting", weighting, Weighting, "a weighting such as BM25()")
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.statistics = one_of("statistics", statistics, ("collection", "pool"))
        self.threads = integer_at_least("threads", threads, 1)
        self.verbose = verbose

    def label(self) -> str:
        """Return the name of the weighting."""
        return self.weighting.label or type(self.weighting).__name__

    def get_parameter(self, name: str) -> object:
        """Return an argument of the constructor, or a parameter of the weighting such as ``k1``."""
        if name in vars(self.weighting):
            return getattr(self.weighting, name)
        return super().get_parameter(name)

    def set_parameter(self, name: str, value: object) -> None:
        """Set an argument of the constructor, or a parameter of the weighting such as ``k1`` (for `pt.GridSearch`)."""
        if name in vars(self.weighting):
            self.weighting = dataclasses.replace(self.weighting, **{name: value})
        else:
            super().set_parameter(name, value)

    def explain(
        self, query: str | Mapping[str, Any] | pd.Series, docno: str, *, pool: Iterable[str] | None = None
    ) -> pd.DataFrame:
        """Split the score of a document for a query into the parts of its terms, which add up to the score.

        Parameters
        ----------
        query : str or mapping or pandas.Series
            The text of the query, or a row of a query frame with ``query``, ``query_toks`` or ``query_docno``.
        docno : str
            The document.
        pool : iterable of str, optional
            The candidates of the query, with the document. Needed with ``statistics="pool"``, and not used otherwise.

        Returns
        -------
        pandas.DataFrame
            A row for each shared term, the largest contribution first: term, query_tf (or its given weight),
            document_tf, df and contribution. With Dirichlet smoothing, the last row has the term "", the length of the
            document as document_tf, and what this length adds to the score. Hashed shingles are named by their words;
            for a ``query_docno``, whose words are not known, by their hashes.

        Raises
        ------
        ColieeError
            If the query has the wrong type, a document is not in the index, or the pool is missing or is without the
            document.

        Examples
        --------
        >>> from ir_coliee.transformers import LexicalIndex
        >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate, a gate"}]
        >>> parts = LexicalIndex.build(corpus).bm25().explain("a gate", "900002")
        >>> parts["term"].tolist(), parts["contribution"].round(3).tolist()
        (['gate', 'a'], [0.871, 0.229])
        """
        row = {"query": query} if isinstance(query, str) else dict(query)
        frame, index = pd.DataFrame([{"qid": "query"} | row], dtype=object), self.index
        document, collection = index.rows(index.terms.positions([docno])), index.collection
        if self.statistics == "pool":
            members = [] if pool is None else [*pool]
            if docno not in members:
                raise ColieeError(
                    f"pool must be the candidates of the query with {printable(docno)}, got {len(members)} others.\n"
                    "With statistics='pool', a score depends on all candidates."
                )
            counts = index.rows(index.terms.positions(members))
            collection = Collection.of(counts.indices, counts.data, row_sums(counts), counts.shape[1])
        parts = _contributions(self.weighting, query_frequencies(self.index, frame), document, collection)
        parts.insert(0, "term", _term_names(index.terms, frame, parts.pop("number")))
        return parts

    def _retrieve(self, queries: pd.DataFrame) -> pd.DataFrame:
        problem = "have no term of the index and get no result: {}. Check the index's language and analyser."
        return ranked_results(queries, self._item_ids(), list(self._ranked(queries)), problem)

    def _ranked(self, queries: pd.DataFrame) -> Iterable[Ranking]:
        """Return the ranking of each query, while progress is shown."""
        return self._progress(self._rankings(queries), len(queries))

    def _item_ids(self) -> npt.NDArray[np.object_]:
        """Return the ids of the items that are ranked."""
        return cast("npt.NDArray[np.object_]", self.index.terms.docnos)

    def _rankings(self, queries: pd.DataFrame) -> Iterator[Ranking]:
        vectors = query_weights(self.weighting, query_frequencies(self.index, queries), self.index.collection)
        return self._best(vectors, self._weights_by_term(), self.index.lengths)

    def _best(
        self, query_vectors: sparse.csr_matrix, weights_by_term: sparse.csr_matrix, lengths: Floats
    ) -> Iterator[Ranking]:
        """Return the best documents for each query, from the weights of all documents and their lengths."""
        part = self.weighting.length_weights(lengths)
        return top_k(query_vectors, weights_by_term, self.num_results, document_part=part, threads=self.threads)

    def _weights_by_term(self) -> sparse.csr_matrix:
        index = self.index
        return self._cached(
            (index, self.weighting),
            lambda: document_weights(self.weighting, index.counts, index.lengths, index.collection).T.tocsr(),
        )

    def _scores(self, results: pd.DataFrame) -> Floats:
        return pooled_scores(results, lambda pools: self._progress(self._pool_scores(results, pools), len(pools)))

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        """Return the scores of each pool, which is given by its rows in ``results``."""
        documents = self.index.positions(results["docno"])
        return pair_scores(
            self._weights_by_term,
            self.weighting,
            self.index.counts,
            self.index.lengths,
            query_frequencies(self.index, results.iloc[[rows[0] for rows in pools]]),
            [documents[rows] for rows in pools],
            self.index.collection if self.statistics == "collection" else None,
            weighed=self._is_cached((self.index, self.weighting)),
        )

    def _progress(self, results: Iterable[_Result], total: int) -> Iterator[_Result]:
        return progress(results, self.label(), total=total, unit="queries", verbose=self.verbose)


def _contributions(
    weighting: Weighting, query: sparse.csr_matrix, document: sparse.csr_matrix, collection: Collection
) -> pd.DataFrame:
    """Split the score of a document for a query, one row each, into the parts of their shared terms.

    Returns
    -------
    pandas.DataFrame
        As `Retriever.explain` returns it, with ``number`` for ``term``, -1 for the part of the length.
    """
    known = collection.df[query.indices] > 0  # as in pool_scores
    bounds = np.array([0, np.count_nonzero(known)])
    query = sparse.csr_matrix((query.data[known], query.indices[known], bounds), shape=query.shape)
    lengths = row_sums(document)
    of_query = query_weights(weighting, query, collection)
    of_document = document_weights(weighting, document, lengths, collection)
    terms, in_query, in_document = np.intersect1d(query.indices, document.indices, return_indices=True)
    columns = {
        "number": terms,
        "query_tf": query.data[in_query].astype(np.float64),
        "document_tf": document.data[in_document].astype(np.int64),
        "df": collection.df[terms],
        "contribution": of_query.data[in_query] * of_document.data[in_document],
    }
    parts = pd.DataFrame(columns).sort_values("contribution", ascending=False, kind="stable", ignore_index=True)
    by_length = weighting.length_weights(lengths)
    if by_length is not None:
        parts.loc[len(parts)] = [-1, np.nan, lengths[0], np.nan, row_sums(of_query)[0] * by_length[0]]
    return parts.astype({"number": np.int64, "document_tf": np.int64, "df": "Int64"})


def _term_names(index: TermCounts, query: pd.DataFrame, numbers: Iterable[int]) -> pd.Series:
    """Return the terms of some numbers, "" for -1. Hashed shingles of a text are named by their words."""
    column, vocabulary = query_column(query), index.vocabulary
    if column == "query_docno" and isinstance(vocabulary, HashedVocabulary):
        names = {number: f"{int(vocabulary.hashes[number]):016x}" for number in numbers if number >= 0}
    elif column == "query_docno":
        names = {number: term for term, number in vocabulary.items()}
    else:
        value = query[column].iloc[0]
        terms = value if column == "query_toks" else tokeniser(index.analyser)(value)
        names = {vocabulary[term]: term for term in terms if term in vocabulary}
    return pd.Series([names.get(number, "") for number in numbers], dtype=object)


class TextScorer(BaseTransformer):
    """Score the ``text`` of each row by its similarity to the ``query``: R to R.

    Use it for texts that are not in an index, such as paragraphs, windows or summaries. It corresponds to
    ``pt.text.scorer``, but does not need Java.

    Parameters
    ----------
    weighting : Weighting, default ``BM25()``
        The formula, see `Retriever`.
    analyser : str or analyser, default "words"
        As in `LexicalIndex.build`.
    statistics : "frame" or LexicalIndex, default "frame"
        The source of document frequencies and average lengths: the distinct documents of the frame, or an index. An
        index also replaces ``analyser`` by its own, and terms that are not in the index are ignored.

    Notes
    -----
    A text without a term of the query scores 0, except with Dirichlet smoothing, where its length adds to its score.

    Examples
    --------
    >>> rows = pd.DataFrame({"qid": "1", "query": "lamp", "docno": ["d1", "d2"], "text": ["A gate.", "A lamp."]})
    >>> TextScorer()(rows).docno.tolist()
    ['d2', 'd1']
    """

    LABEL = "Text scorer"

    def __init__(
        self,
        weighting: Weighting = BM25(),  # noqa: B008 (immutable)
        *,
        analyser: Analysis = "words",
        statistics: Literal["frame"] | LexicalIndex = "frame",
    ) -> None:
        self.weighting = instance_of("weighting", weighting, Weighting, "a weighting such as BM25()")
        self.analyser = check_text_analyser(analyser)
        self.statistics = statistics
        if not isinstance(statistics, TermCounts) and statistics != "frame":
            raise ValueError(f"statistics must be 'frame' or a LexicalIndex, got {statistics!r}.")
        if isinstance(statistics, TermCounts):
            check_text_analyser(statistics.analyser)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the rows of a frame with ``qid``, ``query``, ``docno`` and ``text``.

        Raises `ColieeError` for a row without an id, a query or a text.
        """
        pt.validate.result_frame(inp, extra_columns=["query", "text"], context=self)
        check_ids(inp)
        scores = pooled_scores(inp, lambda pools: self._pool_scores(inp, pools))
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))

    def _pool_scores(self, inp: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        queries = inp.iloc[[rows[0] for rows in pools]][["qid", "query"]]
        query_column(queries)
        check_types(inp, "text", inp["text"].to_numpy(dtype=object), str, "a string", by="docno")
        numbers: dict[tuple[str, str], int] = {}  # a document may have different texts for different queries
        of_row = np.array([numbers.setdefault(pair, len(numbers)) for pair in zip(inp["docno"], inp["text"])])
        texts = [text for _, text in numbers]
        if isinstance(self.statistics, TermCounts):
            counted: TermCounts = self.statistics
            counts = counted.query_vectors(texts)
            lengths = row_sums(counts)
        else:
            counted = count_terms(({"docno": f"{n:09}", "text": text} for n, text in enumerate(texts)), self.analyser)
            counts, lengths = counted.counts, counted.lengths
        vectors, documents = counted.query_vectors(queries["query"]), [of_row[rows] for rows in pools]
        return pool_scores(self.weighting, counts, lengths, vectors, documents, counted.collection)


# Indexes: collections as sparse matrices of term counts, every document of which is scored exactly.


_FOLDER = "index"


class RetrieverMethods:
    """Base of indexes: a method for each weighting, all of which return a `Retriever` over the index.

    Each method takes the parameters of the weighting, and the options of `Retriever` (``num_results``,
    ``statistics``, ``threads``, ``verbose``) as keyword arguments.
    """

    def retriever(self: Any, weighting: Weighting, **options: Any) -> Retriever:
        """Return a retriever over this index with any weighting; ``options`` are those of `Retriever`."""
        return Retriever(self, weighting, **options)

    def bm25(
        self, *, k1: float = 1.2, b: float = 0.75, k3: float | None = None, idf: IdfFormula = "lucene", **options: Any
    ) -> Retriever:
        """Return a BM25 retriever.

        Parameters
        ----------
        k1 : float, default 1.2
            Saturation of term frequencies, >= 0. For whole decisions as queries, 3 is known to work well.
        b : float, default 0.75
            Length normalisation, in [0, 1]. For whole decisions as queries, 1 is known to work well.
        k3 : float, optional
            Saturation of the query's term frequencies, >= 0. By default they are used as they are.
        idf : {"lucene", "robertson"}, default "lucene"
            The formula of the inverse document frequency; that of Lucene is never negative.
        **options
            Options of `Retriever`.
        """
        return self.retriever(BM25(k1, b, k3, idf), **options)

    def dirichlet(self, *, mu: float = 1000.0, **options: Any) -> Retriever:
        """Return a query-likelihood retriever with Dirichlet smoothing.

        Parameters
        ----------
        mu : float, default 1000
            The amount of smoothing, > 0. Anserini and PISA use 1000, Terrier 2500.
        **options
            Options of `Retriever`.
        """
        return self.retriever(weightings.Dirichlet(mu), **options)

    def jelinek_mercer(self, *, lambda_: float = 0.7, **options: Any) -> Retriever:
        """Return a query-likelihood retriever with Jelinek-Mercer smoothing.

        Parameters
        ----------
        lambda_ : float, default 0.7
            The weight of the collection's language model, in (0, 1).
        **options
            Options of `Retriever`.
        """
        return self.retriever(weightings.JelinekMercer(lambda_), **options)

    def tf_idf(self, *, tf: Literal["log", "count", "binary"] = "log", **options: Any) -> Retriever:
        """Return a retriever by the cosine of tf-idf vectors.

        Parameters
        ----------
        tf : {"log", "count", "binary"}, default "log"
            The weight of a term frequency: 1 + ln tf, tf itself, or 1 (the cosine of sets weighted by idf).
        **options
            Options of `Retriever`.
        """
        return self.retriever(weightings.TfIdf(tf), **options)

    def shared_idf(self, **options: Any) -> Retriever:
        """Return a retriever by the summed idf of the terms that query and document share.

        Parameters
        ----------
        **options
            Options of `Retriever`.
        """
        return self.retriever(weightings.SharedIdf(), **options)


class LexicalIndex(TermCounts, RetrieverMethods, pt.Artifact):
    """Term counts of every document of a collection: a PyTerrier artifact, in memory or in a folder.

    Parameters
    ----------
    source : TermCounts or path-like
        Term counts, or the folder of a stored index, which is opened without being read into memory.

    Attributes
    ----------
    docnos : numpy.ndarray of str
        The ids of the documents, sorted.
    counts : scipy.sparse.csr_matrix
        Term counts; row i belongs to ``docnos[i]``.
    vocabulary : mapping of str to int
        The column of each term.
    lengths : numpy.ndarray of float
        The number of tokens of each document.

    Raises
    ------
    ColieeError
        If the folder holds no index, is damaged, or was written by another version of the analyser.

    See Also
    --------
    LexicalIndexer : The same index at the end of an indexing pipeline.
    ShardedIndex : Collections that are too large for one index.
    """

    ARTIFACT_TYPE = folders.ARTIFACT_TYPE
    ARTIFACT_FORMAT = folders.ARTIFACT_FORMAT

    def __init__(self, source: TermCounts | str | os.PathLike[str]) -> None:
        in_memory = isinstance(source, TermCounts)
        counts = source if isinstance(source, TermCounts) else folders.load(Path(source))
        pt.Artifact.__init__(self, pt.Artifact.NO_PATH if in_memory else source)
        super().__init__(counts.docnos, counts.vocabulary, counts.stored_counts, counts.analyser)

    def to_hf(self, *_arguments: object, **_options: object) -> NoReturn:
        """Refuse the upload, as ``to_zenodo`` and ``to_p2p`` do.

        Raises
        ------
        ColieeError
            Always; the message says why.
        """
        raise ColieeError(
            "An index cannot be uploaded, because it contains the words of every document.\n"
            "The data-use agreement of COLIEE forbids redistributing the data, also in processed form. "
            "Anyone who has the data can build the same index."
        )

    to_zenodo = to_p2p = to_hf

    @classmethod
    def build(cls, corpus: Iterable[Mapping[str, Any]], *, analyser: Analysis = "words") -> LexicalIndex:
        """Build an index of a PyTerrier corpus. A large corpus is counted by several processes.

        Parameters
        ----------
        corpus : iterable of dict
            Documents with ``docno`` and ``text``; with the analyser `Pretokenised`, with ``toks`` instead of ``text``.
        analyser : str or analyser, default "words"
            A name of `ir_coliee.text.analysers.ANALYSERS` or a value of `ir_coliee.text.analysers`.

        Raises
        ------
        ColieeError
            If two documents have the same ``docno``, or a document has no ``docno`` or no text.
        ValueError
            If the analyser is unknown.

        Examples
        --------
        >>> index = LexicalIndex.build([{"docno": "d1", "text": "a lamp, a gate"}, {"docno": "d2", "text": "a well"}])
        >>> len(index), int(index.counts.sum())
        (2, 6)
        """
        return cls(count_terms(corpus, analyser))

    @classmethod
    def build_each(cls, corpus: Iterable[Mapping[str, Any]], analysers: Sequence[Analysis]) -> list[LexicalIndex]:
        """Build one index by each analyser, with a single pass over the corpus.

        The analysers must start from the same tokens, such as words and shingles of several lengths; otherwise
        `ValueError` is raised. Other errors are those of `build`.

        Examples
        --------
        >>> from ir_coliee.text.analysers import Shingles
        >>> corpus = [{"docno": "d1", "text": "a lamp, a gate"}, {"docno": "d2", "text": "a lamp"}]
        >>> words, pairs = LexicalIndex.build_each(corpus, ["words", Shingles(2)])
        >>> pairs.counts.toarray().tolist(), "a lamp" in pairs.vocabulary
        ([[1], [1]], True)
        """
        return [cls(counts) for counts in count_each(corpus, analysers)]

    @classmethod
    def from_dataset(cls, dataset: Dataset, *, analyser: Analysis | None = None, verbose: bool = False) -> LexicalIndex:
        """Index all documents of a dataset by their default text.

        Indexes of tasks 1 to 3 are cached below the data folder. The next call opens the cached index unless the files,
        the analyser or this package have changed. Files that are protected by a password are not cached.

        Parameters
        ----------
        dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
            The dataset, also one that is not of COLIEE.
        analyser : str or analyser, optional
            By default ``bigrams`` for Japanese and ``words`` otherwise. For court decisions, ``case`` ignores
            suppressed citations and paragraph marks.
        verbose : bool, default False
            Whether to show progress.

        Raises
        ------
        ValueError
            If the analyser does not read text.
        """
        dataset = id_with_records(dataset)
        usual = "bigrams" if ir_datasets.load(dataset).docs_lang() == "ja" else "words"
        return cls.each_from_dataset(dataset, [analyser or usual], verbose=verbose)[0]

    @classmethod
    def each_from_dataset(
        cls, dataset: Dataset, analysers: Sequence[Analysis], *, verbose: bool = False
    ) -> list[LexicalIndex]:
        """Return one index of a dataset by each analyser, each of them cached as `from_dataset` does.

        Indexes that are not in the cache are built together: the documents are read and tokenised once for all
        analysers that start from the same tokens. The errors are those of `from_dataset`.

        Examples
        --------
        >>> from ir_coliee.text.analysers import Shingles
        >>> words, shingles = LexicalIndex.each_from_dataset(
        ...     "coliee/task1/sample/test", ["case", Shingles(5, base="case")]
        ... )  # doctest: +SKIP
        """
        dataset = id_with_records(dataset)
        files = document_sources(dataset)
        cacheable = files if files and not files.is_encrypted else None
        found: dict[Analysis, TermCounts] = {}
        by_source: dict[Analysis, list[Analysis]] = {}
        for analyser in dict.fromkeys(map(check_text_analyser, analysers)):
            counts = _cached(cacheable, analyser)
            if counts is None:
                by_source.setdefault(token_source(analyser), []).append(analyser)
            else:
                found[analyser] = counts
        for together in by_source.values():
            for counts in _count(dataset, together, verbose):
                found[counts.analyser] = counts
                if cacheable:
                    key = _key(cacheable, counts.analyser)  # nothing is stored if the cache cannot be written
                    cache.entry(_FOLDER, key, cacheable.origin, partial(folders.write, counts))
        return [cls(found[analyser]) for analyser in analysers]

    def save(self, path: str | os.PathLike[str]) -> LexicalIndex:
        """Write the index as a folder and open it; raise `ExistingFileError` if ``path`` exists."""
        folders.save(self, Path(path))
        return type(self)(path)


def _count(dataset: str, analysers: Sequence[Analysis], verbose: bool) -> list[TermCounts]:
    """Count the terms of a dataset by analysers that start from the same tokens, while progress is shown."""
    docs = ir_datasets.load(dataset)
    with stage(f"indexing {dataset}", verbose=verbose):
        texts = ({"docno": doc.doc_id, "text": doc.default_text()} for doc in docs.docs_iter())
        corpus = progress(texts, "reading", total=docs.docs_count(), unit="documents", verbose=verbose)
        return count_each(corpus, analysers, verbose=verbose)


def _key(files: SourceFiles, analyser: Analysis) -> str:
    """Return the key of an index in the cache, which changes with everything that the index depends on."""
    rules = json.dumps(describe_analyser(analyser)), analyser_version(analyser), folders.INDEX.version
    return cache.key_of((files.fingerprint, *rules, __version__, unicodedata.unidata_version))


def _cached(files: SourceFiles | None, analyser: Analysis) -> TermCounts | None:
    """Return the cached index of these files. A damaged one is deleted, with a `ColieeHint`."""
    entry = files and cache.find(_FOLDER, _key(files, analyser), files.origin)
    if entry is None:
        return None
    try:
        return folders.load(entry)
    except ColieeError:
        cache.discard(entry)
        return None


class LexicalIndexer(BaseTransformer, pt.Indexer):
    """Build a `LexicalIndex` in a folder, as the last step of an indexing pipeline: D to an index.

    Parameters
    ----------
    path : path-like
        The folder to write, which must not exist.
    analyser : str or analyser, default "words"
        As in `LexicalIndex.build`.

    Examples
    --------
    >>> import tempfile
    >>> folder = f"{tempfile.mkdtemp()}/index"
    >>> LexicalIndexer(folder).index([{"docno": "900001", "text": "a lamp"}])
    LexicalIndex(<1 documents, 2 terms>, analyser='words')
    >>> pt.Artifact.load(folder).lengths.tolist()  # doctest: +SKIP
    [2.0]
    """

    LABEL = "Lexical index"

    def __init__(self, path: str | os.PathLike[str], *, analyser: Analysis = "words") -> None:
        self.path = os.fspath(path)
        self.analyser = analyser

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        """Return no columns, because an indexer ends a pipeline; raise an error if a column that it needs is missing.

        PyTerrier uses this method to find out what the pipeline before the indexer must return.
        """
        (needed,) = self.index_inputs()
        pt.validate.columns(input_columns, includes=needed, context=self)
        return []

    def index_inputs(self) -> list[list[str]]:
        """Return the columns that `index` needs."""
        return [["docno", content_column(self.analyser)]]

    def index(self, iter: Iterable[Mapping[str, Any]], **_options: object) -> LexicalIndex:
        """Index a corpus of dicts with the columns of `index_inputs`.

        Raises the errors of `LexicalIndex.build` and `LexicalIndex.save`.
        """
        folders.check_new_path(Path(self.path))
        return LexicalIndex.build(iter, analyser=self.analyser).save(self.path)


def bm25_of_split(split: Split, *, num_results: int = 1000) -> Retriever:
    """Return the BM25 retriever of a split, with progress.

    Parameters
    ----------
    split : Split
        A split of tasks 1 to 3.
    num_results : int, default 1000
        The largest number of documents for each query.

    Returns
    -------
    Retriever
        Task 1: of whole decisions, with k1 = 3 and b = 1, which two teams independently found to be best for whole
        decisions as queries. Task 2: of paragraphs, with the statistics of each query's candidates. Task 3: of
        articles, Japanese ones as character bigrams.

    Raises
    ------
    MissingReleaseError
        If the local release is missing.
    """
    analyser = "case" if split.task in ("task1", "task2") else None
    index = LexicalIndex.from_dataset(split.id, analyser=analyser, verbose=True)
    if split.task == "task1":
        return index.bm25(k1=3.0, b=1.0, num_results=num_results, threads=available_cores(), verbose=True)
    statistics = "pool" if split.task == "task2" else "collection"
    return index.bm25(statistics=statistics, num_results=num_results, verbose=True)


# Paragraphs of decisions as documents: their ids, corpora of them, and retrieval of cases by their scores. The passages
# of ``900001`` have the ids ``900001%p0``, ``900001%p1``, …, as those of PyTerrier's own passagers, so that PyTerrier's
# aggregation works on our passages and ours on PyTerrier's.


PASSAGE_SEPARATOR = "%p"  #: The separator between the id of a document or query and the number of its passage.


def document_id(passage_id: str) -> str:
    """Return the id of a passage's document: the id up to the last separator, or the whole id without one.

    >>> document_id("900001%p2"), document_id("900001")
    ('900001', '900001')
    """
    return passage_id.rpartition(PASSAGE_SEPARATOR)[0] or passage_id


def numbered_paragraphs(text: str) -> dict[int, str]:
    r"""Return the paragraphs of a decision by their positions, see `ir_coliee.text.decisions.paragraphs`.

    Paragraphs without text are left out. For a decision without any text, the result is one empty paragraph.

    >>> numbered_paragraphs("[1]\nA lamp.\n[2]\n[3]\nA gate.")
    {1: 'A lamp.', 3: 'A gate.'}
    """
    return {number: paragraph for number, paragraph in enumerate(paragraphs(text)) if paragraph} or {0: ""}


def paragraph_corpus(corpus: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    r"""Split court decisions into a corpus of paragraphs, ready to be indexed.

    Parameters
    ----------
    corpus : iterable of dict
        Decisions with ``docno`` and ``text``.

    Yields
    ------
    dict
        ``docno`` is the decision's id, ``%p`` and the paragraph's position; position 0 is the text before the first
        paragraph mark, see `ir_coliee.text.decisions.paragraphs`. ``text`` is the paragraph. Paragraphs without
        text are left out; a decision without any text yields one empty paragraph.

    Raises
    ------
    ColieeError
        If a decision has no ``docno`` or no ``text``.

    Examples
    --------
    >>> decision = {"docno": "900001", "text": "[1]\nA lamp.\n[2]\nA gate."}
    >>> [paragraph["docno"] for paragraph in paragraph_corpus([decision])]
    ['900001%p1', '900001%p2']
    """
    for docno, text in check_corpus(corpus, "words"):
        for number, paragraph in numbered_paragraphs(str(text)).items():
            yield {"docno": f"{docno}{PASSAGE_SEPARATOR}{number}", "text": paragraph}


class ParagraphGroups:
    """The paragraphs of an index, grouped by case.

    Parameters
    ----------
    index : LexicalIndex
        Its documents are paragraphs.
    weighting : Weighting
        The formula of ``weights_by_term``.

    Attributes
    ----------
    names : numpy.ndarray of str
        The cases, sorted.
    order : numpy.ndarray of int64
        The rows of the index, grouped by case.
    bounds : numpy.ndarray of int64
        The paragraphs of case i are ``order[bounds[i]:bounds[i + 1]]``.
    """

    def __init__(self, index: LexicalIndex, weighting: Weighting) -> None:
        self.index, self._weighting = index, weighting
        case_of_paragraph = np.array([document_id(docno) for docno in index.docnos], dtype=object)
        self.names, numbers = np.unique(case_of_paragraph, return_inverse=True)
        self.order = np.argsort(numbers, kind="stable")
        self.bounds = np.searchsorted(numbers[self.order], np.arange(len(self.names) + 1))

    def numbers(self, cases: Iterable[str]) -> Integers:
        """Return the positions of cases in ``names``; raise `ColieeError` for a case that the index lacks."""
        next_step = "Check that the index is of the same dataset and split."
        problem = f"Case {{}} has no paragraph in {self.index!r}. {next_step}"
        return places_of(cases, pd.Index(self.names, dtype=object), problem)

    def members(self, cases: Integers) -> tuple[Integers, Integers]:
        """Return the rows of the cases' paragraphs, case by case, and the bounds of each case's rows."""
        bounds = np.concatenate([[0], np.cumsum(np.diff(self.bounds)[cases])])
        shifts = self.bounds[cases] - bounds[:-1]
        return self.order[np.arange(bounds[-1]) + shifts.repeat(np.diff(bounds))], bounds

    @cached_property
    def lengths(self) -> Floats:
        """The length of each paragraph, grouped by case."""
        return self.index.lengths[self.order]

    @cached_property
    def weights_by_term(self) -> sparse.csr_matrix:
        """The weights of terms (rows) in paragraphs (columns)."""
        counts = self.index.counts[self.order]
        return document_weights(self._weighting, counts, self.lengths, self.index.collection).T.tocsr()


class ParagraphRetriever(Retriever):
    r"""Retrieve or rescore cases by the scores of their paragraphs: Q to R, R to R.

    The documents of the index are paragraphs, as `paragraph_corpus` generates them. For a frame of queries (Q), it
    returns the ``num_results`` best cases that have a paragraph with a term of the query. For a frame of results (R),
    whose ``docno`` is the case's id, it returns the same rows with new scores. Equal scores are ordered by case id.

    Parameters
    ----------
    index : LexicalIndex
        An index of paragraphs. The case of a paragraph is the part of its id before ``%p``.
    weighting : Weighting, default ``BM25()``
        The formula, see `Retriever`.
    aggregate : {"max", "mean"} or int, default "max"
        The score of a case: the maximum or the mean of its paragraphs' scores, or for an integer k the mean of the k
        best (of all paragraphs where the case has fewer).
    query_aggregate : {"max", "mean"} or int, optional
        The same for the paragraphs of the query, each of which is then scored against each case. By default the
        query is not split.
    **options
        num_results, statistics, threads, verbose:
        As in `Retriever`. ``statistics="pool"`` uses the paragraphs of each query's own candidates.

    Notes
    -----
    A query is text, weighted tokens (``query_toks``) or the id of a case of the index (``query_docno``). A paragraph
    without a term of the query scores 0, except with Dirichlet smoothing, where its length adds to its score.
    `explain` splits the score of a paragraph, such as ``900001%p1``.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> from ir_coliee.transformers.retrieval.lexical import paragraph_corpus
    >>> index = LexicalIndex.build(paragraph_corpus([{"docno": "900001", "text": "[1]\nA lamp.\n[2]\nA gate."}]))
    >>> ParagraphRetriever(index, aggregate="mean").search("lamp").docno.tolist()
    ['900001']
    """

    def __init__(
        self,
        index: LexicalIndex,
        weighting: Weighting = BM25(),  # noqa: B008 (immutable)
        *,
        aggregate: Aggregate = "max",
        query_aggregate: Aggregate | None = None,
        **options: Any,
    ) -> None:
        super().__init__(index, weighting, **options)
        self.aggregate = check_aggregate("aggregate", aggregate, ("max", "mean"))
        self.query_aggregate = check_aggregate("query_aggregate", query_aggregate, ("max", "mean", None))

    def label(self) -> str:
        """Return the name of the weighting, and that paragraphs are scored."""
        return f"{super().label()} of paragraphs"

    def _groups(self) -> ParagraphGroups:
        return self._cached((self.index, self.weighting), lambda: ParagraphGroups(self.index, self.weighting))

    def _item_ids(self) -> npt.NDArray[np.object_]:
        return self._groups().names

    def _rankings(self, queries: pd.DataFrame) -> Iterator[Ranking]:
        groups = self._groups()
        vectors, bounds = self._query_vectors(queries)
        return top_groups(
            query_weights(self.weighting, vectors, self.index.collection),
            bounds,
            groups.weights_by_term,
            groups.bounds,
            self.num_results,
            aggregate=self.aggregate,
            query_aggregate=self.query_aggregate or "max",
            document_part=self.weighting.length_weights(groups.lengths),
            threads=self.threads,
        )

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        groups = self._groups()
        cases = groups.numbers(results["docno"])
        vectors, bounds = self._query_vectors(results.iloc[[rows[0] for rows in pools]])
        return pool_group_scores(
            self.weighting,
            self.index.counts,
            self.index.lengths,
            vectors,
            bounds,
            [groups.members(cases[rows]) for rows in pools],
            self.index.collection if self.statistics == "collection" else None,
            aggregate=self.aggregate,
            query_aggregate=self.query_aggregate or "max",
        )

    def _query_vectors(self, queries: pd.DataFrame) -> tuple[sparse.csr_matrix, Integers]:
        """Return the term frequencies of the queries or of their paragraphs, and the bounds of each query's rows.

        A text is split at its paragraph marks, and a case of the index is split already. Weighted tokens count as one
        paragraph.
        """
        column, one_row_each = query_column(queries), np.arange(len(queries) + 1)
        if column == "query_docno":
            groups = self._groups()
            rows, bounds = groups.members(groups.numbers(queries[column]))
            vectors = self.index.counts[rows].astype(np.float64)
            if self.query_aggregate is not None:
                return vectors, bounds
            members = np.ones(len(rows)), np.arange(len(rows)), bounds
            sums = sparse.csr_matrix(members, shape=(len(queries), len(rows))) @ vectors
            sums.sort_indices()
            return sums, one_row_each
        if column == "query" and self.query_aggregate is not None:
            texts = [numbered_paragraphs(query).values() for query in queries[column]]
            vectors = self.index.query_vectors(chain.from_iterable(texts))
            return vectors, np.cumsum([0, *map(len, texts)])
        return query_frequencies(self.index, queries), one_row_each


def check_aggregate(name: str, aggregate: Any, choices: tuple[str | None, ...]) -> Any:
    """Return ``aggregate``; raise `ValueError` if it is neither one of ``choices`` nor an integer >= 1."""
    if aggregate is None or isinstance(aggregate, str):
        return one_of(name, aggregate, choices)
    return integer_at_least(name, aggregate, 1)
