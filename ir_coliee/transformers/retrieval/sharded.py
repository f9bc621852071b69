"""A collection that is too large for one index: in shards, which are searched one after the other or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine import shard_building, shards
from ir_coliee.engine.cluster import Batch, Cluster, team
from ir_coliee.engine.pool_scoring import pool_scores
from ir_coliee.engine.scoring import Backend, Floats, Integers, Ranking, row_sums
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import BM25, Collection, Weighting, query_weights
from ir_coliee.errors import listed
from ir_coliee.progress import shown_if
from ir_coliee.text.analysers import Analysis
from ir_coliee.transformers.retrieval.retrievers import (
    Retriever,
    Statistics,
    formula,
    positions,
    query_column,
    query_frequencies,
)

_POOLS = 64  # whose documents are in memory at once


class ShardedIndex:
    """Term counts of a collection, so many documents in each of several indexes, with the statistics of all.

    >>> import tempfile
    >>> corpus = [{"docno": f"d{place}", "text": text} for place, text in enumerate(["a lamp", "a gate", "a well"])]
    >>> index = ShardedIndex.build(corpus, f"{tempfile.mkdtemp()}/shards", documents_per_shard=2)
    >>> len(index), index.shards
    (3, 2)
    >>> ShardedRetriever(index).search("lamp").docno.tolist()
    ['d0']
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """``path``: a folder that `build` has made.

        In memory are the numbers of all documents and the terms of all; counts stay on disk. Raises `ColieeError` for
        a folder that holds no shards, one that is damaged, or one of another analyser's version.
        """
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
        """Index a corpus, which is read once, as the folder ``path``: dicts with ``docno`` and ``text``.

        ``analyser``: as of `LexicalIndex.build`; bounds of document frequencies are those of the whole collection.
        ``documents_per_shard``, from 1: texts of so many are in memory at a time, on a cluster for each of its threads.
        ``cluster``: who builds; every worker has to see the folder below the same name. ``verbose``: show progress.
        Raises `ColieeError` as `LexicalIndex.build`, and `ExistingFileError` where something is at this place.
        """
        progress = pt.tqdm(corpus, desc="indexing", unit="document", **shown_if(verbose))
        size = integer_at_least("documents_per_shard", documents_per_shard, 1)
        shard_building.build(progress, Path(path), analyser, documents_per_shard=size, cluster=cluster)
        return cls(path)

    @property
    def shards(self) -> int:
        """How many there are."""
        return self._opened.number

    @property
    def analyser(self) -> Analysis:
        """What made the tokens."""
        return self.terms.analyser

    @property
    def docnos(self) -> npt.NDArray[np.object_]:
        """The numbers of all documents, sorted."""
        return self.terms.docnos

    @property
    def terms(self) -> TermCounts:
        """All documents and all terms, without counts."""
        return self._opened.everything

    @property
    def collection(self) -> Collection:
        """The statistics of all shards together."""
        return self._opened.collection

    def rows(self, documents: Integers) -> sparse.csr_matrix:
        """The term counts of documents, by their places in ``docnos``, a row each; terms as in ``terms``."""
        return self._opened.rows(documents)

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


class ShardedRetriever(Retriever):
    """Retrieves from shards, or rescores a pool of their documents: documents, order and scores are those of one index.

    Queries are as of `BM25`. Each shard is asked for the best documents of a batch of queries, and the best of all are
    kept. A cluster is sent the queries as weighted terms; rescoring is done here.

    >>> import tempfile
    >>> from ir_coliee.engine.weightings import TfIdf
    >>> corpus = [{"docno": "d1", "text": "a lamp"}, {"docno": "d2", "text": "a gate"}]
    >>> index = ShardedIndex.build(corpus, f"{tempfile.mkdtemp()}/shards", documents_per_shard=1)
    >>> ShardedRetriever(index, TfIdf(), num_results=1).search("gate").docno.tolist()
    ['d2']
    """

    LABEL = "Sharded retrieval"

    _SEARCHES = ShardedIndex

    def __init__(
        self,
        index: ShardedIndex,
        weighting: Weighting = BM25(),  # noqa: B008 (a value)
        *,
        cluster: Cluster | None = None,
        batch_size: int = 256,
        held: int = 1,
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        backend: Backend | None = None,
        verbose: bool = False,
    ) -> None:
        """Parameters.

        ``weighting``: a formula of `ir_coliee.engine.weightings`. ``cluster``: who searches; every worker has to see
        the index's folder below the same name. None searches here, one shard after the other. ``batch_size``, from 1:
        the queries that a shard is asked at a time.
        ``held``, from 1: the shards whose weights a process keeps in memory, 12 bytes a posting, also for the next
        call; to make those of one takes six times that for a moment. Take as many as there are shards for a worker,
        if they fit. ``threads``: those of each process. The rest as of `ir_coliee.transformers.BM25`.
        """
        self.weighting = formula(weighting)
        self.cluster = cluster
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.held = integer_at_least("held", held, 1)
        super().__init__(index, num_results, statistics, threads, backend, verbose)  # type: ignore[arg-type]
        self.index: ShardedIndex = index  # type: ignore[assignment]

    def _weighting(self) -> Weighting:
        return self.weighting

    def _query_vectors(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        if query_column(queries) == "query_docno":
            return self.index.rows(positions(self.index.terms, queries["query_docno"])).astype(np.float64)
        return query_frequencies(self.index.terms, queries)

    def _ranked(self, queries: pd.DataFrame) -> Iterator[Ranking]:
        vectors = query_weights(self.weighting, self._query_vectors(queries), self.index.collection)
        best = [Ranking(np.empty(0, np.int64), np.empty(0))] * len(queries)
        search = shards.ShardSearch(
            self.index.path.resolve(), self.weighting, self.num_results, self.backend, self.threads, self.held
        )
        starts = range(0, len(queries), self.batch_size)
        qids = queries["qid"].astype(str).tolist()
        with team(self.cluster, search) as workers:
            asked = [
                (shard, start)
                for wave in range(0, self.index.shards, workers.size)  # a worker has one shard at a time
                for start in starts
                for shard in range(wave, min(wave + workers.size, self.index.shards))
            ]
            batches = (
                Batch(
                    (shard, vectors[start : start + self.batch_size]),
                    f"the queries {listed(qids[start : start + self.batch_size])} in shard {shard}",
                    home=shard,
                )
                for shard, start in asked
            )
            found = pt.tqdm(
                workers.finished(batches), desc=self.LABEL, unit="batch", total=len(asked), **shown_if(self.verbose)
            )
            for number, rankings in found:
                first = asked[number][1]
                for query, ranking in enumerate(rankings, first):
                    best[query] = shards.merged(best[query], ranking, self.num_results)
        yield from best

    def _docnos(self) -> npt.NDArray[np.object_]:
        return self.index.docnos

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        documents = positions(self.index.terms, results["docno"])
        for start in range(0, len(pools), _POOLS):
            some = pools[start : start + _POOLS]
            needed, rows = np.unique(np.concatenate([documents[pool] for pool in some]), return_inverse=True)
            counts = self.index.rows(needed)
            yield from pool_scores(
                self.weighting,
                counts,
                row_sums(counts),
                self._query_vectors(results.iloc[[pool[0] for pool in some]]),
                np.split(rows, np.cumsum([len(pool) for pool in some])[:-1]),
                self.index.collection if self.statistics == "collection" else None,
            )
