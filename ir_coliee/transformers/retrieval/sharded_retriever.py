"""Retrieval from the shards of a collection, one after another or on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, cast

import numpy as np
import pandas as pd
from scipy import sparse

from ir_coliee.engine import shards
from ir_coliee.engine.cluster import Batch, Cluster, worker_pool
from ir_coliee.engine.pool_scoring import pool_scores
from ir_coliee.engine.scoring import Backend, Ranking, row_sums
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import BM25, Weighting, query_weights
from ir_coliee.errors import printable_list
from ir_coliee.frames import Floats, Integers, integer_at_least
from ir_coliee.progress import progress
from ir_coliee.transformers.retrieval.query_vectors import document_rows, query_column, query_frequencies
from ir_coliee.transformers.retrieval.retriever import Retriever, Statistics
from ir_coliee.transformers.retrieval.sharded_index import ShardedIndex

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
