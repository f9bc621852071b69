"""Retrieval from indexes, and scoring of candidates, with any weighting of the engine.

In task 1 a query is a decision of thousands of words, which shares a term with nearly every document. Skipping
documents would save nothing, so all are scored, with 64-bit sums.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import pandas as pd
from scipy import sparse

from ir_coliee.engine.pools import pair_scores
from ir_coliee.engine.scoring import Ranking, row_sums, top_k
from ir_coliee.engine.term_counts import HashedVocabulary, TermCounts, sparse_rows
from ir_coliee.engine.weightings import BM25, Collection, Weighting, document_weights, query_weights
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers, check_types, instance_of, integer_at_least, one_of
from ir_coliee.text.analysers import tokeniser
from ir_coliee.transformers.base import Ranker, Rankings

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.dask import ShardedIndex
    from ir_coliee.transformers.retrieval.indexes import LexicalIndex


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


IdfFormula = Literal["lucene", "robertson"]


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
    PROBLEM = "have no term of the index and get no result: {}. Check the index's language and analyser."
    INDEX: ClassVar[tuple[type, str]] = TermCounts, "a LexicalIndex"

    def __init__(
        self,
        index: LexicalIndex | ShardedIndex,
        weighting: Weighting = BM25(),  # noqa: B008 (immutable)
        *,
        num_results: int = 1000,
        statistics: Literal["collection", "pool"] = "collection",
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
        return vars(self.weighting)[name] if name in vars(self.weighting) else super().get_parameter(name)

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
            collection = Collection.of(counts, row_sums(counts))
        vector = query_frequencies(index, frame)
        vector.data[collection.df[vector.indices] == 0] = 0  # as in pool_scores
        vector.eliminate_zeros()
        parts = self._contributions(vector, document, collection)
        parts.insert(0, "term", _explained_names(index.terms, frame, parts.pop("number")))
        return parts

    def _contributions(
        self, query: sparse.csr_matrix, document: sparse.csr_matrix, collection: Collection
    ) -> pd.DataFrame:
        """Return what `explain` returns, with ``number`` for ``term``, -1 for the part of the length."""
        lengths = row_sums(document)
        of_query = query_weights(self.weighting, query, collection)
        of_document = document_weights(self.weighting, document, lengths, collection)
        terms, in_query, in_document = np.intersect1d(query.indices, document.indices, return_indices=True)
        columns = {
            "number": terms,
            "query_tf": query.data[in_query].astype(np.float64),
            "document_tf": document.data[in_document].astype(np.int64),
            "df": collection.df[terms],
            "contribution": of_query.data[in_query] * of_document.data[in_document],
        }
        parts = pd.DataFrame(columns).sort_values("contribution", ascending=False, kind="stable", ignore_index=True)
        by_length = self.weighting.length_weights(lengths)
        if by_length is not None:
            parts.loc[len(parts)] = [-1, np.nan, lengths[0], np.nan, row_sums(of_query)[0] * by_length[0]]
        return parts.astype({"number": np.int64, "document_tf": np.int64, "df": "Int64"})

    def _rankings(self, queries: pd.DataFrame) -> Rankings:
        vectors = query_weights(self.weighting, query_frequencies(self.index, queries), self.index.collection)
        best = self._best(vectors, self._weights_by_term(), self.index.lengths)
        return self.index.docnos, self._progress(best, len(queries))

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

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        documents = self.index.positions(results["docno"])
        return pair_scores(
            self._weights_by_term,
            self.weighting,
            self.index.counts,
            query_frequencies(self.index, results.iloc[[rows[0] for rows in pools]]),
            [documents[rows] for rows in pools],
            self.index.collection if self.statistics == "collection" else None,
            weighed=self._is_cached((self.index, self.weighting)),
        )


def term_names(vocabulary: Mapping[str, int], columns: Sequence[int]) -> list[str]:
    """Return the terms of columns; of hashed shingles the hashes."""
    if isinstance(vocabulary, HashedVocabulary):  # has too many terms to list all
        return [f"{number:016x}" for number in vocabulary.hashes[columns].tolist()]
    return [str(term) for term in np.array([*vocabulary], dtype=object)[columns]]


def _explained_names(index: TermCounts, query: pd.DataFrame, numbers: pd.Series[int]) -> pd.Series:
    """Return the terms of some numbers, "" for -1. Hashed shingles of a text are named by their words."""
    column, vocabulary = query_column(query), index.vocabulary
    if column == "query_docno":
        known = numbers[numbers >= 0].tolist()
        names = dict(zip(known, term_names(vocabulary, known)))
    else:
        value = query[column].iloc[0]
        terms = value if column == "query_toks" else tokeniser(index.analyser)(value)
        names = {vocabulary[term]: term for term in terms if term in vocabulary}
    return pd.Series([names.get(number, "") for number in numbers], dtype=object)
