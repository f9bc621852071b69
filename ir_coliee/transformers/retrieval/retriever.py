"""Retrieval from a lexical index, and rescoring of candidate pools, with any weighting of the engine."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.engine.pools import pair_scores
from ir_coliee.engine.scoring import BACKENDS, Backend, Ranking, top_k
from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.terms import TermContributions, statistics_of, term_contributions
from ir_coliee.engine.weightings import BM25, Weighting, document_weights, query_weights
from ir_coliee.errors import ColieeError, ColieeWarning, printable, printable_list
from ir_coliee.frames import Floats, Integers, check_ids, integer_at_least, one_of
from ir_coliee.progress import progress
from ir_coliee.text.analysers import tokeniser
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.frames import (
    INPUT_COLUMNS,
    QUERY_COLUMNS,
    document_rows,
    query_column,
    query_frequencies,
    ranked_results,
    rescore,
)

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.dask import ShardedIndex
    from ir_coliee.transformers.retrieval.indexes import LexicalIndex


# A score of a retriever as a table of its terms.


def query_frame(query: str | Mapping[str, Any] | pd.Series) -> pd.DataFrame:
    """Return a frame of one query, which is text or a row of a query frame; raise `ColieeError` for any other value."""
    row = {"query": query} if isinstance(query, str) else dict(query) if isinstance(query, (Mapping, pd.Series)) else {}
    if not any(name in row for name in QUERY_COLUMNS):
        kind = type(query).__name__
        raise ColieeError(
            f"query must be a text or a row with one of {', '.join(QUERY_COLUMNS)}, got a value of type {kind}."
        )
    frame = pd.DataFrame({name: pd.Series([value], dtype=object) for name, value in ({"qid": "query"} | row).items()})
    query_column(frame)
    return frame


def contribution_frame(
    index: TermCounts, query: pd.DataFrame, explained: TermContributions, length: float
) -> pd.DataFrame:
    """Return the parts of a score as a frame.

    Parameters
    ----------
    index : TermCounts
        Its vocabulary has the terms.
    query : pandas.DataFrame
        The query, one row.
    explained : TermContributions
        The explained.
    length : float
        The length of the document.

    Returns
    -------
    pandas.DataFrame
        As `Retriever.explain` returns it.
    """
    order = np.argsort(-explained.contributions, kind="stable")
    numbers = explained.terms[order].tolist()
    names = _term_names(index, query, numbers)
    columns = {
        "query_tf": explained.query_tf[order],
        "document_tf": explained.document_tf[order],
        "df": explained.df[order],
        "contribution": explained.contributions[order],
    }
    terms = [names[number] for number in numbers]
    if explained.of_length is not None:
        of_length = {"query_tf": np.nan, "document_tf": length, "df": np.nan, "contribution": explained.of_length}
        columns = {name: np.append(values, of_length[name]) for name, values in columns.items()}
        terms.append("")
    frame = pd.DataFrame({"term": pd.Series(terms, dtype=object), **columns})
    return frame.astype({"document_tf": np.int64, "df": "Int64"})


def _term_names(index: TermCounts, query: pd.DataFrame, numbers: Iterable[int]) -> dict[int, str]:
    """Return the terms of some numbers. Hashed shingles of a text are named by their words."""
    column, vocabulary = query_column(query), index.vocabulary
    if column == "query_docno" and isinstance(vocabulary, HashedVocabulary):
        return {number: f"{int(vocabulary.hashes[number]):016x}" for number in numbers}
    if column == "query_docno":
        terms: Iterable[str] = vocabulary
    else:
        value = query[column].iloc[0]
        terms = value if column == "query_toks" else dict.fromkeys(tokeniser(index.analyser)(value))
    return {vocabulary[term]: term for term in terms if term in vocabulary}


Statistics = Literal["collection", "pool"]
Self = TypeVar("Self", bound="Retriever")
_Result = TypeVar("_Result")


class Retriever(BaseTransformer):
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
    backend : str, optional
        The implementation of the sums, by default the fastest that is installed, see `ir_coliee.engine.scoring`. It
        changes no score.
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
    >>> from ir_coliee.transformers import BM25, LexicalIndex, Retriever
    >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate, a gate"}]
    >>> index = LexicalIndex.build(corpus)
    >>> Retriever(index, BM25(k1=3.0, b=1.0)).search("gate")[["docno", "rank"]].values.tolist()
    [['900002', 0]]
    """

    LABEL = "Retriever"
    INDEX_TYPE: ClassVar[type] = TermCounts

    def __init__(
        self,
        index: LexicalIndex | ShardedIndex,
        weighting: Weighting = BM25(),  # noqa: B008 (immutable)
        *,
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        backend: Backend | None = None,
        verbose: bool = False,
    ) -> None:
        if not isinstance(index, self.INDEX_TYPE):
            expected = "ShardedIndex" if self.INDEX_TYPE is not TermCounts else "LexicalIndex"
            raise TypeError(f"{type(self).__name__} needs a {expected}, got a value of type {type(index).__name__}.")
        self.index: Any = index
        self.weighting = check_weighting(weighting)
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.statistics = one_of("statistics", statistics, ("collection", "pool"))
        self.threads = integer_at_least("threads", threads, 1)
        self.backend = one_of("backend", backend, (None, *BACKENDS))
        self.verbose = verbose

    @property
    def schematic(self) -> dict[str, Any]:
        """The base class's schematic; the label names the weighting."""
        return {**super().schematic, "label": self._label()}

    def _label(self) -> str:
        return self.weighting.label or type(self.weighting).__name__

    def get_parameter(self, name: str) -> object:
        """Return an argument of the constructor, or a parameter of the weighting such as ``k1``."""
        if name in _parameters(self.weighting):
            return getattr(self.weighting, name)
        return super().get_parameter(name)

    def set_parameter(self, name: str, value: object) -> None:
        """Set an argument of the constructor, or a parameter of the weighting such as ``k1`` (for `pt.GridSearch`)."""
        if name in _parameters(self.weighting):
            self.weighting = dataclasses.replace(self.weighting, **{name: value})
        else:
            super().set_parameter(name, value)

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
            Has ``qid`` and one of ``query``, ``query_toks`` and ``query_docno``; for rescoring also ``docno``.

        Returns
        -------
        pandas.DataFrame
            Has the columns of the query, ``docno``, ``score`` and ``rank``.

        Raises
        ------
        ColieeError
            If a row has no id, a query is of the wrong type, a token's weight is not a number >= 0, or a document is
            not in the index.
        """
        with pt.validate.any(inp, context=self) as frame:
            for column in INPUT_COLUMNS:
                frame.query_frame(extra_columns=[column], mode=f"retrieve by {column}")
                frame.result_frame(extra_columns=[column], mode=f"rescore by {column}")
        check_ids(inp)
        return self._retrieve(inp) if frame.mode.startswith("retrieve") else self._rescore(inp)

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
        frame = query_frame(query)
        document = self._rows([docno])
        collection = self.index.collection
        if self.statistics == "pool":
            members = [] if pool is None else [*pool]
            if docno not in members:
                raise ColieeError(
                    f"pool must be the candidates of the query with {printable(docno)}, got {len(members)} others.\n"
                    "With statistics='pool', a score depends on all candidates."
                )
            collection = statistics_of(self._rows(members))
        parts = term_contributions(self.weighting, self._frequencies(frame), document, collection)
        return contribution_frame(self._terms(), frame, parts, float(document.sum()))

    def _terms(self) -> TermCounts:
        """Return the documents and the vocabulary."""
        return cast("TermCounts", self.index)

    def _rows(self, docnos: Iterable[str]) -> sparse.csr_matrix:
        """Return the term counts of documents."""
        return cast("sparse.csr_matrix", self.index.counts[document_rows(self.index, docnos)])

    def _frequencies(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        """Return the term frequencies or token weights of queries."""
        return query_frequencies(self.index, queries)

    def _retrieve(self, queries: pd.DataFrame) -> pd.DataFrame:
        rankings = list(self._ranked(queries))
        without = [len(ranking.documents) == 0 for ranking in rankings]
        results = ranked_results(queries, self._item_ids(), rankings)
        _warn_of_unknown_terms(queries["qid"].to_numpy(dtype=object)[without], len(queries))
        return results

    def _ranked(self, queries: pd.DataFrame) -> Iterable[Ranking]:
        """Return the ranking of each query, while progress is shown."""
        return self._progress(self._rankings(queries), len(queries))

    def _item_ids(self) -> npt.NDArray[np.object_]:
        """Return the ids of the items that are ranked."""
        return cast("npt.NDArray[np.object_]", self.index.docnos)

    def _rankings(self, queries: pd.DataFrame) -> Iterator[Ranking]:
        yield from top_k(
            query_weights(self.weighting, self._frequencies(queries), self.index.collection),
            self._weights_by_term(),
            self.num_results,
            document_part=self.weighting.length_weights(self.index.lengths),
            backend=self.backend,
            threads=self.threads,
        )

    def _weights_by_term(self) -> sparse.csr_matrix:
        index = self.index
        return self._cached(
            (index, self.weighting),
            lambda: document_weights(self.weighting, index.counts, index.lengths, index.collection).T.tocsr(),
        )

    def _rescore(self, results: pd.DataFrame) -> pd.DataFrame:
        def scores_of_pools(pools: Sequence[Integers]) -> Iterable[Floats]:
            return self._progress(self._pool_scores(results, pools), len(pools))

        ordered = rescore(results, scores_of_pools)
        best: pd.DataFrame = ordered[ordered["rank"] < self.num_results].reset_index(drop=True)
        return best

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        """Yield the scores of each pool, which is given by its rows in ``results``."""
        documents = document_rows(self.index, results["docno"])
        yield from pair_scores(
            self._weights_by_term,
            self.weighting,
            self.index.counts,
            self.index.lengths,
            self._frequencies(results.iloc[[rows[0] for rows in pools]]),
            [documents[rows] for rows in pools],
            self.index.collection if self.statistics == "collection" else None,
            weighed=self._is_cached((self.index, self.weighting)),
        )

    def _progress(self, results: Iterable[_Result], total: int) -> Iterator[_Result]:
        return progress(results, self._label(), total=total, unit="queries", verbose=self.verbose)


def check_weighting(weighting: Weighting) -> Weighting:
    """Return the weighting; raise `TypeError` for a value of another type."""
    if not isinstance(weighting, Weighting):
        kind = type(weighting).__name__
        raise TypeError(f"weighting must be a weighting such as BM25(), got a value of type {kind}.")
    return weighting


def _parameters(weighting: Weighting) -> set[str]:
    return {field.name for field in dataclasses.fields(weighting)}


def _warn_of_unknown_terms(qids: npt.NDArray[np.object_], number_of_queries: int) -> None:
    if len(qids):
        names = printable_list([str(qid) for qid in qids])
        message = f"{len(qids)} of {number_of_queries} queries have no term of the index and get no result: {names}"
        warnings.warn(f"{message}. Check the index's language and analyser.", ColieeWarning, 5)
