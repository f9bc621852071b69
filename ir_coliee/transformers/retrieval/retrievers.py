"""Retrieval from a lexical index and rescoring of candidate pools, with each weighting of the engine.

A query is what the frame has of it, the first of these columns:

- ``query_toks``: weighted tokens, a dict from a term of the index to a weight from 0, as PyTerrier's rewriters give;
- ``query_docno``: the number of a document of the index, whose terms are the query; nothing is tokenised again;
- ``query``: text, which the index's analyser tokenises. Frequencies are kept, so a whole decision can be the query.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine import weightings
from ir_coliee.engine.pair_scoring import pair_scores
from ir_coliee.engine.scoring import Backend, Floats, Integers, Ranking, top_k
from ir_coliee.engine.term_counts import TermCounts, vectors
from ir_coliee.engine.weightings import Weighting, document_weights, query_weights
from ir_coliee.errors import ColieeError, ColieeWarning, listed, shown
from ir_coliee.frames import check_ids, sort_results
from ir_coliee.progress import shown_if
from ir_coliee.transformers.base import BaseTransformer

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex

Statistics = Literal["collection", "pool"]
Self = TypeVar("Self", bound="Retriever")

QUERY_COLUMNS = ("query_toks", "query_docno", "query")

_WEIGHTS = 1e-100, 1e100  # of tokens: their squares, which a norm adds up, and products are 64-bit numbers too


class Retriever(BaseTransformer):
    """Retrieves from an index or rescores a pool; see `BM25` for the arguments that all weightings share."""

    _SEARCHES: ClassVar[type] = TermCounts

    def __init__(
        self,
        index: LexicalIndex,
        num_results: int,
        statistics: Statistics,
        threads: int,
        backend: Backend | None,
        verbose: bool,
    ) -> None:
        if not isinstance(index, self._SEARCHES):
            kind = type(index).__name__
            raise TypeError(f"{type(self).__name__} searches a {self._SEARCHES.__name__}, and was given a {kind}")
        if statistics not in ("collection", "pool"):
            raise ValueError(f"statistics={statistics!r} is neither 'collection' nor 'pool'")
        self.index = index
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.statistics = statistics
        self.threads = integer_at_least("threads", threads, 1)
        self.backend = backend
        self.verbose = verbose
        self._weighting()  # refuses parameters out of range

    def _weighting(self) -> Weighting:
        raise NotImplementedError

    def fuse_rank_cutoff(self: Self, k: int) -> Self | None:
        """Let PyTerrier push ``% k`` into the retrieval."""
        if k >= self.num_results:
            return self
        return type(self)(**{**self.arguments(), "num_results": k})  # type: ignore[arg-type]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve (Q to R) or rescore (R to R).

        A query without a known term gets no result, and a warning that counts such queries; when rescoring it scores
        what its documents' lengths add, which is 0 but for Dirichlet smoothing. Raises `ColieeError` for a query
        without an id or a text, or with tokens that are no dict of weights from 0, and for a document, to be scored or
        as a query, that the index does not have.
        """
        with pt.validate.any(inp, context=self) as frame:
            for column in QUERY_COLUMNS:
                frame.query_frame(extra_columns=[column], mode=f"retrieve by {column}")
                frame.result_frame(extra_columns=[column], mode=f"rescore by {column}")
        check_ids(inp)
        return self._retrieve(inp) if frame.mode.startswith("retrieve") else self._rescore(inp)

    def _weights_by_term(self) -> sparse.csr_matrix:
        weighting, index = self._weighting(), self.index

        def make() -> sparse.csr_matrix:
            return document_weights(weighting, index.counts, index.lengths, index.collection).T.tocsr()

        return self._cached((index, weighting), make)

    def _retrieve(self, queries: pd.DataFrame) -> pd.DataFrame:
        found = list(self._ranked(queries))
        sizes = np.array([len(ranking.documents) for ranking in found], dtype=np.int64)
        scores = _joined((ranking.scores for ranking in found), np.float64)
        _refuse_infinite(scores)
        _count_the_unknown(queries["qid"].to_numpy(dtype=object)[sizes == 0], len(queries))
        # texts stay objects that the rows share: a string column would copy a decision into every row
        columns = {
            name: pd.Series(queries[name].to_numpy(dtype=object).repeat(sizes), dtype=object)
            for name in queries.columns
            if name not in ("score", "rank")
        }
        return pd.DataFrame(
            {
                **columns,
                "docno": self._docnos()[_joined((ranking.documents for ranking in found), np.int64)],
                "score": scores,
                "rank": _joined(map(np.arange, sizes), np.int64),
            },
            copy=False,  # nobody else has the arrays
        )

    def _ranked(self, queries: pd.DataFrame) -> Iterable[Ranking]:
        """The rankings, while progress is shown."""
        return cast(Iterable[Ranking], self._progress(self._rankings(queries), len(queries)))

    def _docnos(self) -> npt.NDArray[np.object_]:
        """What is ranked, in the order of its numbers."""
        return self.index.docnos

    def _rankings(self, queries: pd.DataFrame) -> Iterator[Ranking]:
        weighting = self._weighting()
        return top_k(
            query_weights(weighting, query_frequencies(self.index, queries), self.index.collection),
            self._weights_by_term(),
            self.num_results,
            document_part=weighting.of_length(self.index.lengths),
            backend=self.backend,
            threads=self.threads,
        )

    def _rescore(self, results: pd.DataFrame) -> pd.DataFrame:
        def scored(pools: Sequence[Integers]) -> Iterable[Floats]:
            return cast(Iterable[Floats], self._progress(self._pool_scores(results, pools), len(pools)))

        ordered = rescored(results, scored)
        return ordered[ordered["rank"] < self.num_results].reset_index(drop=True)

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        """The scores of each pool's results, given by their rows."""
        documents = positions(self.index, results["docno"])
        return pair_scores(
            self._weights_by_term,
            self._weighting(),
            self.index.counts,
            self.index.lengths,
            query_frequencies(self.index, results.iloc[[rows[0] for rows in pools]]),
            [documents[rows] for rows in pools],
            self.index.collection if self.statistics == "collection" else None,
            weighed=self._is_cached((self.index, self._weighting())),
        )

    def _progress(self, steps: Iterable[Any], total: int) -> Any:
        return pt.tqdm(steps, desc=self.LABEL, unit="query", total=total, **shown_if(self.verbose))


def rescored(results: pd.DataFrame, scores_of_pools: Callable[[Sequence[Integers]], Iterable[Floats]]) -> pd.DataFrame:
    """The results in the order of new scores, which are given for each pool: the rows of a query."""
    scores = np.zeros(len(results))
    if pools := list(results.groupby("qid", sort=False, observed=True).indices.values()):
        for rows, of_pool in zip(pools, scores_of_pools(pools)):
            scores[rows] = of_pool
    _refuse_infinite(scores)
    return sort_results(results.drop(columns="rank", errors="ignore").assign(score=scores))


class BM25(Retriever):
    """BM25 with the query's term frequencies kept; the formula is that of `ir_coliee.engine.weightings.BM25`.

    On a frame of queries it retrieves ``num_results`` documents of the collection; on a frame of results (qid, docno
    and a query) it scores these documents alone. Ties are in the order of the document numbers.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate, a gate"}]
    >>> index = LexicalIndex.build(corpus)
    >>> BM25(index, k1=3.0, b=1.0).search("gate")[["docno", "rank"]].values.tolist()
    [['900002', 0]]
    """

    LABEL = "BM25"

    def __init__(
        self,
        index: LexicalIndex,
        *,
        k1: float = 1.2,
        b: float = 0.75,
        k3: float | None = None,
        idf: Literal["lucene", "robertson"] = "lucene",
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        backend: Backend | None = None,
        verbose: bool = False,
    ) -> None:
        """Parameters.

        ``k1``, from 0, and ``b``, in [0, 1]: saturation and length normalisation; for whole-case queries 3
        and 1 are known to work well. ``k3``, from 0: saturation of the query's frequencies, which None takes as
        they are.
        ``num_results``: at most so many documents a query, from 1. ``statistics``: whether rescoring takes document
        frequencies and lengths from the collection or from each query's own pool. ``threads`` and ``backend`` (by
        default what is fastest, see `ir_coliee.engine.scoring`) change no score. ``verbose``: show a progress bar.
        """
        self.k1 = k1
        self.b = b
        self.k3 = k3
        self.idf = idf
        super().__init__(index, num_results, statistics, threads, backend, verbose)

    def _weighting(self) -> Weighting:
        return weightings.BM25(self.k1, self.b, self.k3, self.idf)


class Dirichlet(Retriever):
    """Query likelihood with Dirichlet smoothing; see `ir_coliee.engine.weightings.Dirichlet`, and `BM25` for the rest.

    ``mu``, above 0: 1000 in Anserini and PISA, 2500 in Terrier.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate, a gate"}]
    >>> index = LexicalIndex.build(corpus)
    >>> Dirichlet(index, mu=2500.0).search("a gate").docno.tolist()
    ['900002', '900001']
    """

    LABEL = "Dirichlet"

    def __init__(
        self,
        index: LexicalIndex,
        *,
        mu: float = 1000.0,
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        backend: Backend | None = None,
        verbose: bool = False,
    ) -> None:
        self.mu = mu
        super().__init__(index, num_results, statistics, threads, backend, verbose)

    def _weighting(self) -> Weighting:
        return weightings.Dirichlet(self.mu)


class JelinekMercer(Retriever):
    """Query likelihood with Jelinek-Mercer smoothing; see `ir_coliee.engine.weightings.JelinekMercer`, and `BM25`.

    ``lambda_``, in (0, 1): the share of the collection's model.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate, a gate"}]
    >>> index = LexicalIndex.build(corpus)
    >>> JelinekMercer(index, lambda_=0.7).search("a gate").docno.tolist()
    ['900002', '900001']
    """

    LABEL = "Jelinek-Mercer"

    def __init__(
        self,
        index: LexicalIndex,
        *,
        lambda_: float = 0.7,
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        backend: Backend | None = None,
        verbose: bool = False,
    ) -> None:
        self.lambda_ = lambda_
        super().__init__(index, num_results, statistics, threads, backend, verbose)

    def _weighting(self) -> Weighting:
        return weightings.JelinekMercer(self.lambda_)


class TfIdf(Retriever):
    """The cosine of tf-idf vectors; see `ir_coliee.engine.weightings.TfIdf`, and `BM25` for the rest.

    ``tf``: ``log``, ``count``, or ``binary`` for the cosine of sets weighted by idf.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate, a gate"}]
    >>> index = LexicalIndex.build(corpus)
    >>> TfIdf(index, tf="binary").search("a lamp").score.round(3).tolist()
    [1.0, 0.336]
    """

    LABEL = "TF-IDF"

    def __init__(
        self,
        index: LexicalIndex,
        *,
        tf: Literal["log", "count", "binary"] = "log",
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        backend: Backend | None = None,
        verbose: bool = False,
    ) -> None:
        self.tf = tf
        super().__init__(index, num_results, statistics, threads, backend, verbose)

    def _weighting(self) -> Weighting:
        return weightings.TfIdf(self.tf)


class SharedIdf(Retriever):
    """The summed idf of the terms shared; see `ir_coliee.engine.weightings.SharedIdf`, and `BM25` for the rest.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate, a gate"}]
    >>> index = LexicalIndex.build(corpus)
    >>> SharedIdf(index).search("a lamp").score.round(3).tolist()
    [0.875, 0.182]
    """

    LABEL = "Shared IDF"

    def __init__(
        self,
        index: LexicalIndex,
        *,
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        backend: Backend | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(index, num_results, statistics, threads, backend, verbose)

    def _weighting(self) -> Weighting:
        return weightings.SharedIdf()


class Retrievers:
    """The weightings as methods of an index."""

    def bm25(self: Any, **parameters: Any) -> BM25:
        """A BM25 retriever and rescorer over this index; see `BM25` for the parameters."""
        return BM25(self, **parameters)

    def dirichlet(self: Any, **parameters: Any) -> Dirichlet:
        """Query likelihood with Dirichlet smoothing; see `Dirichlet` for the parameters."""
        return Dirichlet(self, **parameters)

    def jelinek_mercer(self: Any, **parameters: Any) -> JelinekMercer:
        """Query likelihood with Jelinek-Mercer smoothing; see `JelinekMercer` for the parameters."""
        return JelinekMercer(self, **parameters)

    def tfidf(self: Any, **parameters: Any) -> TfIdf:
        """The cosine of tf-idf vectors, with ``tf="binary"`` of sets; see `TfIdf` for the parameters."""
        return TfIdf(self, **parameters)

    def shared_idf(self: Any, **parameters: Any) -> SharedIdf:
        """The summed idf of shared terms; see `SharedIdf` for the parameters."""
        return SharedIdf(self, **parameters)


def formula(weighting: Weighting) -> Weighting:
    """The weighting. Raises `TypeError` for what is none, such as a retriever of the same name."""
    if not isinstance(weighting, Weighting):
        kind = type(weighting).__name__
        raise TypeError(f"weighting is of the type {kind}; a formula of ir_coliee.engine.weightings is needed")
    return weighting


def positions(index: TermCounts, docnos: Iterable[str]) -> Integers:
    """The rows of documents in an index. Raises `ColieeError`, which names one that is not there."""
    try:
        return index.positions(docnos)
    except KeyError as error:
        raise ColieeError(f"{error.args[0]}. Is it the index of these documents' dataset and part?") from None


def query_column(queries: pd.DataFrame) -> str:
    """The first of the columns of queries that there is. Raises `ColieeError`, by the qid, for what is no query."""
    column = next(name for name in QUERY_COLUMNS if name in queries.columns)
    wanted, form = (dict, "a dict from term to weight") if column == "query_toks" else (str, "a string")
    for qid, value in zip(queries["qid"], queries[column].to_numpy(dtype=object)):
        if not isinstance(value, wanted):
            what = {"query_toks": "its tokens are", "query_docno": "its document's number is", "query": "its text is"}
            kind = type(value).__name__
            raise ColieeError(f"Query {shown(str(qid))}: {what[column]} of the type {kind}; {form} is needed.")
    return column


def query_frequencies(index: TermCounts, queries: pd.DataFrame) -> sparse.csr_matrix:
    """The term frequencies (or weights) of queries, a row each, from the first of the columns that there is.

    Raises `ColieeError`, which names the query or the document, for a value that is no query and an unknown document.
    """
    column = query_column(queries)
    values = queries[column].to_numpy(dtype=object)
    if column == "query":
        return index.query_vectors(values)
    if column == "query_docno":
        return index.counts[positions(index, values)].astype(np.float64)
    return vectors((_weighted_columns(index, *query) for query in zip(queries["qid"], values)), len(index.vocabulary))


def _weighted_columns(index: TermCounts, qid: object, tokens: Mapping[str, Any]) -> Iterator[tuple[int, float]]:
    least, most = _WEIGHTS
    for token, weight in tokens.items():
        try:
            number = float(weight)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if number != 0 and not least <= number <= most:
            problem = f"a token's weight is {shown(repr(weight))}, not a number from 0"
            raise ColieeError(f"Query {shown(str(qid))}: {problem} (other than 0, from {least:g} to {most:g}).")
        if number and token in index.vocabulary:
            yield index.vocabulary[token], number


def _refuse_infinite(scores: Floats) -> None:
    """Raises `ColieeError` for scores by which nothing can be ranked."""
    if not np.isfinite(scores).all():
        raise ColieeError("A score is no finite number. Is a parameter of the weighting extreme?")


def _count_the_unknown(qids: npt.NDArray[np.object_], queries: int) -> None:
    if len(qids):
        names = listed([str(qid) for qid in qids])
        message = f"{len(qids)} of {queries} queries have no term of the index and get no result: {names}"
        warnings.warn(f"{message}. Is the index of their language, and made with the right analyser?", ColieeWarning, 5)


def _joined(arrays: Iterable[npt.NDArray[np.generic]], dtype: type) -> npt.NDArray[Any]:
    return np.concatenate([np.empty(0, dtype=dtype), *arrays]).astype(dtype, copy=False)
