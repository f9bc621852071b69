"""Collections that are too large for one index: term counts in shards, with the statistics of all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.display import Block, Table, displayed
from ir_coliee.engine import shards
from ir_coliee.engine.cluster import Batch, Cluster, worker_pool
from ir_coliee.engine.pools import pool_scores
from ir_coliee.engine.scoring import Backend, Ranking, row_sums
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import BM25, Collection, Weighting, query_weights
from ir_coliee.errors import printable_list
from ir_coliee.frames import Floats, Integers, check_ids, integer_at_least
from ir_coliee.progress import progress, stage
from ir_coliee.text.analysers import Analysis
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.frames import document_rows, query_column, query_frequencies
from ir_coliee.transformers.retrieval.indexes import RetrieverMethods
from ir_coliee.transformers.retrieval.retriever import Retriever, Statistics


@displayed
class ShardedIndex(RetrieverMethods):
    """Term counts of a collection in several shards on disk, with the statistics of the whole collection.

    Parameters
    ----------
    path : path-like
        A folder that `build` has written. Document ids and the vocabulary are read into memory; counts stay on disk.

    Raises
    ------
    ColieeError
        If the folder holds no shards, is damaged, or was written by another version of the analyser.

    Examples
    --------
    >>> import tempfile
    >>> corpus = [{"docno": f"d{place}", "text": text} for place, text in enumerate(["a lamp", "a gate", "a well"])]
    >>> index = ShardedIndex.build(corpus, f"{tempfile.mkdtemp()}/shards", documents_per_shard=2)
    >>> len(index), index.shards
    (3, 2)
    >>> index.bm25().search("lamp").docno.tolist()
    ['d0']
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._opened = shards.Shards(self.path)

    @classmethod
    def build(
        cls,
        corpus: Iterable[Mapping[str, Any]],
        path: str | os.PathLike[str],
        *,
        analyser: Analysis = "words",
        documents_per_shard: int = 10_000,
        cluster: Cluster | None = None,
        verbose: bool = False,
    ) -> ShardedIndex:
        """Index a corpus, which is read once, and write it as a folder.

        Parameters
        ----------
        corpus : iterable of dict
            Documents with ``docno`` and ``text``.
        path : path-like
            The folder to write, which must not exist.
        analyser : str or analyser, default "words"
            As in `LexicalIndex.build`. Bounds of document frequencies apply to the whole collection.
        documents_per_shard : int, default 10000
            The largest number of documents in a shard, >= 1. The texts of one shard are in memory at a time, with a
            cluster those of one shard for each thread.
        cluster : Cluster, optional
            The cluster that builds the shards. Every worker must see the folder under the same path.
        verbose : bool, default False
            Whether to show progress.

        Raises
        ------
        ColieeError
            As `LexicalIndex.build`.
        ExistingFileError
            If ``path`` exists.
        """
        size = integer_at_least("documents_per_shard", documents_per_shard, 1)
        with stage("indexing", verbose=verbose):
            documents = progress(corpus, "reading", unit="documents", verbose=verbose)
            shards.build(documents, Path(path), analyser, documents_per_shard=size, cluster=cluster)
        return cls(path)

    def retriever(self, weighting: Weighting, **options: Any) -> Retriever:
        """Return a `ShardedRetriever` over this index with any weighting; ``options`` are those of that class."""
        return ShardedRetriever(self, weighting, **options)

    @property
    def shards(self) -> int:
        """The number of shards."""
        return self._opened.number

    @property
    def analyser(self) -> Analysis:
        """The analyser that made the tokens."""
        return self.terms.analyser

    @property
    def docnos(self) -> npt.NDArray[np.object_]:
        """The ids of all documents, sorted."""
        return self.terms.docnos

    @property
    def terms(self) -> TermCounts:
        """All documents and the whole vocabulary, without counts."""
        return self._opened.everything

    @property
    def collection(self) -> Collection:
        """The statistics of the whole collection."""
        return self._opened.collection

    def rows(self, documents: Integers) -> sparse.csr_matrix:
        """Return the term counts of documents, given by their positions in ``docnos``, one row each."""
        return self._opened.rows(documents)

    def display(self) -> Iterator[Block]:
        """Return the sizes, the analyser and the folder, as `ir_coliee.display` shows them."""
        yield Table.of_facts(
            {
                "documents": len(self),
                "terms": len(self.terms.vocabulary),
                "tokens": int(self.collection.tokens),
                "shards": self.shards,
                "analyser": self.analyser,
                "folder": self.path,
            }
        )

    def __len__(self) -> int:
        return len(self.terms)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> tuple[type, tuple[Path]]:
        return type(self), (self.path,)


# Retrieval from the shards of a collection, one after another or on a cluster.


_POOLS_AT_A_TIME = 64  # the number of pools whose documents are in memory at the same time


class ShardedRetriever(Retriever):
    """Retrieve from shards, or rescore candidates from them, with the results of one index: Q to R, R to R.

    Each shard returns its best documents for a batch of queries, and the best of all shards are merged. A cluster
    receives the queries as weighted terms. Rescoring always runs on this machine.

    Parameters
    ----------
    index : ShardedIndex
        The collection.
    weighting : Weighting, default ``BM25()``
        The formula, see `Retriever`.
    cluster : Cluster, optional
        The cluster that searches. Every worker must see the index's folder under the same path. By default the shards
        are searched on this machine, one after another.
    batch_size : int, default 256
        The number of queries that are sent to a shard at a time, >= 1.
    shards_in_memory : int, default 1
        The number of shards whose weights each process keeps in memory for the next call, >= 1. Weights take 12 bytes
        for each posting, and six times that while they are computed.
    num_results, statistics, threads, backend, verbose
        As in `Retriever`; ``threads`` are those of each process.

    Examples
    --------
    >>> import tempfile
    >>> from ir_coliee.transformers import ShardedIndex, TfIdf
    >>> corpus = [{"docno": "d1", "text": "a lamp"}, {"docno": "d2", "text": "a gate"}]
    >>> index = ShardedIndex.build(corpus, f"{tempfile.mkdtemp()}/shards", documents_per_shard=1)
    >>> ShardedRetriever(index, TfIdf(), num_results=1).search("gate").docno.tolist()
    ['d2']
    """

    INDEX_TYPE: ClassVar[type] = ShardedIndex

    def __init__(
        self,
        index: ShardedIndex,
        weighting: Weighting = BM25(),  # noqa: B008 (immutable)
        *,
        cluster: Cluster | None = None,
        batch_size: int = 256,
        shards_in_memory: int = 1,
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        backend: Backend | None = None,
        verbose: bool = False,
    ) -> None:
        self.cluster = cluster
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.shards_in_memory = integer_at_least("shards_in_memory", shards_in_memory, 1)
        super().__init__(
            index,
            weighting,
            num_results=num_results,
            statistics=statistics,
            threads=threads,
            backend=backend,
            verbose=verbose,
        )

    def _terms(self) -> TermCounts:
        return cast("TermCounts", self.index.terms)

    def _rows(self, docnos: Iterable[str]) -> sparse.csr_matrix:
        return cast("sparse.csr_matrix", self.index.rows(document_rows(self.index.terms, docnos)))

    def _frequencies(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        if query_column(queries) == "query_docno":
            counts: sparse.csr_matrix = self._rows(queries["query_docno"]).astype(np.float64)
            return counts
        return query_frequencies(self.index.terms, queries)

    def _ranked(self, queries: pd.DataFrame) -> Iterator[Ranking]:
        vectors = query_weights(self.weighting, self._frequencies(queries), self.index.collection)
        best = [Ranking(np.empty(0, np.int64), np.empty(0))] * len(queries)
        search = shards.ShardSearch(
            self.index.path.resolve(),
            self.weighting,
            self.num_results,
            self.backend,
            self.threads,
            self.shards_in_memory,
        )
        qids = queries["qid"].astype(str).tolist()
        with worker_pool(self.cluster, search) as workers:
            tasks = self._tasks(len(queries), workers.size)
            batches = (
                Batch(
                    (shard, vectors[start : start + self.batch_size]),
                    f"the queries {printable_list(qids[start : start + self.batch_size])} in shard {shard}",
                    home=shard,
                )
                for shard, start in tasks
            )
            finished = workers.finished(batches)
            for number, rankings in progress(
                finished, self._label(), total=len(tasks), unit="batches", verbose=self.verbose
            ):
                start = tasks[number][1]
                for query, ranking in enumerate(rankings, start):
                    best[query] = shards.merge_rankings(best[query], ranking, self.num_results)
        yield from best

    def _tasks(self, number_of_queries: int, number_of_workers: int) -> list[tuple[int, int]]:
        """Return shard and first query of each task, in an order in which each worker has one shard at a time."""
        return [
            (shard, start)
            for wave in range(0, self.index.shards, number_of_workers)
            for start in range(0, number_of_queries, self.batch_size)
            for shard in range(wave, min(wave + number_of_workers, self.index.shards))
        ]

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        documents = document_rows(self.index.terms, results["docno"])
        for start in range(0, len(pools), _POOLS_AT_A_TIME):
            some = pools[start : start + _POOLS_AT_A_TIME]
            needed, rows = np.unique(np.concatenate([documents[pool] for pool in some]), return_inverse=True)
            counts = self.index.rows(needed)
            yield from pool_scores(
                self.weighting,
                counts,
                row_sums(counts),
                self._frequencies(results.iloc[[pool[0] for pool in some]]),
                np.split(rows, np.cumsum([len(pool) for pool in some])[:-1]),
                self.index.collection if self.statistics == "collection" else None,
            )


# A transformer that applies any pipeline to batches of queries on a cluster.


class OnCluster(BaseTransformer):
    """Apply a pipeline to batches of queries on a cluster; it takes and returns the same frames as the pipeline.

    Suitable pipelines process each query independently of the others, such as rerankers and language models. The
    results then equal those of the pipeline, in the order of the queries. All rows of a query are in one batch.

    Parameters
    ----------
    pipeline : pyterrier.Transformer
        The pipeline, which is sent to each worker once per call. Models and folders that it needs must exist on the
        workers.
    cluster : Cluster or None
        The cluster, see `local_cluster`. With None, the batches are processed on this machine, one after another.
    batch_size : int, default 16
        The number of queries in a batch, >= 1. Each thread has two batches in progress; if a worker is killed, its
        batches are processed again by another worker.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    The threads of a worker share the pipeline. Give each worker one thread if the pipeline is not thread-safe.
    Warnings are shown on the workers where they are raised.

    Examples
    --------
    >>> from ir_coliee.transformers import TopK
    >>> rows = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["d1", "d2", "d1"], "score": [1.0, 2.0, 3.0]})
    >>> OnCluster(TopK(1), None, batch_size=1)(rows).docno.tolist()
    ['d2', 'd1']
    """

    LABEL = "On a cluster"

    def __init__(
        self, pipeline: pt.Transformer, cluster: Cluster | None, *, batch_size: int = 16, verbose: bool = False
    ) -> None:
        self.pipeline = pipeline
        self.cluster = cluster
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.verbose = verbose

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Apply the pipeline. The cause of an error that the pipeline raises names the queries of the batch.

        Raises
        ------
        ColieeError
            If a row has no ``qid``, the pipeline cannot be sent, a batch kills every worker that it is sent to, or the
            connection to the cluster is lost.
        """
        with pt.validate.any(inp, context=self) as frame:
            for columns in pt.inspect.transformer_inputs(self.pipeline, strict=False) or [[]]:
                frame.columns(includes=list(dict.fromkeys(["qid", *columns])), mode=" ".join(columns))
        check_ids(inp)
        if inp.empty:
            empty: pd.DataFrame = self.pipeline(inp)
            return empty
        batches = list(self._batches(inp))
        results: list[pd.DataFrame] = [inp] * len(batches)
        with worker_pool(self.cluster, self.pipeline) as workers:
            finished = workers.finished(batches)
            for number, result in progress(
                finished, self.LABEL, total=len(batches), unit="batches", verbose=self.verbose
            ):
                results[number] = result
        # the columns of a result without rows may have other types
        return pd.concat([result for result in results if len(result)] or results[:1], ignore_index=True)

    def _batches(self, inp: pd.DataFrame) -> Iterator[Batch]:
        numbers, qids = pd.factorize(inp["qid"])
        of_batch = numbers // min(self.batch_size, len(inp))
        order = np.argsort(of_batch, kind="stable")
        bounds = np.searchsorted(of_batch[order], np.arange(of_batch[order][-1] + 2))
        for number, (first, last) in enumerate(pairwise(bounds)):
            names = [str(qid) for qid in qids[number * self.batch_size : (number + 1) * self.batch_size]]
            yield Batch(inp.iloc[order[first:last]].reset_index(drop=True), f"the queries {printable_list(names)}")
