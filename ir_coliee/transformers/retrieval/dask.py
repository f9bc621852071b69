"""Collections and pipelines on a Dask cluster: an index in shards, and pipelines that run in batches of queries.

Dask decides where a batch runs, repeats the batches of a worker that is killed, and restarts workers that need too much
memory. Documents and terms are numbered over all shards, and the statistics are those of the whole collection: a score
is the same sum of products in the same order as in one index, and equal to the last bit.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.data_agreement import refuse_remote
from ir_coliee.engine import folders
from ir_coliee.engine.counting import check_corpus, check_unique_documents, content_column
from ir_coliee.engine.pools import pool_scores
from ir_coliee.engine.scoring import Ranking, row_sums
from ir_coliee.engine.term_counts import HashedVocabulary, TermCounts, count_terms
from ir_coliee.engine.weightings import Collection, Weighting, document_weights, query_weights
from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Floats, Integers, check_ids, integer_at_least, new_folder, save_array
from ir_coliee.progress import progress
from ir_coliee.storage import writing
from ir_coliee.text.analysers import Analysis, Shingles, check_analyser
from ir_coliee.transformers.base import BaseTransformer, Rankings
from ir_coliee.transformers.retrieval.indexes import RetrieverMethods
from ir_coliee.transformers.retrieval.retriever import Retriever, query_frequencies

_SHARDS = folders.Artifact("a sharded index", "sharded_index", 2)
_PERMISSION = "Cluster(..., allow_remote=True)"


@dataclass(frozen=True)
class Cluster:
    """Address of the scheduler of a Dask cluster, whose workers need this package.

    Parameters
    ----------
    address : str
        For example ``tcp://127.0.0.1:8786``, or the ``scheduler_address`` of a `distributed.LocalCluster`.
    allow_remote : bool
        Allow a scheduler or workers on other machines, to which texts are then sent.

    Raises
    ------
    ColieeError
        For an address of another machine without ``allow_remote``.

    Examples
    --------
    >>> Cluster("tcp://127.0.0.1:8786")
    Cluster(address='tcp://127.0.0.1:8786', allow_remote=False)
    """

    address: str
    allow_remote: bool = False

    def __post_init__(self) -> None:
        refuse_remote([] if self.allow_remote else [self.address], _PERMISSION)


def _run(work: Callable[[Any], Any], batch: tuple[int, Any]) -> tuple[int, Any]:
    return batch[0], work(batch[1])


def _finished(cluster: Cluster | None, work: Callable[[Any], Any], batches: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Yield the number and the result of each batch as soon as it is finished; without a cluster in this process.

    Two batches a thread are in progress, and no more are taken from the iterable.
    """
    numbered = enumerate(batches)
    if cluster is None:
        yield from map(partial(_run, work), numbered)
        return
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise MissingExtraError("A cluster", "cluster") from None
    # without permission, the name localhost is not looked up: it may lead elsewhere
    address = cluster.address if cluster.allow_remote else cluster.address.replace("localhost", "127.0.0.1")
    with Client(address, set_as_default=False) as client, client.as_current():
        client.wait_for_workers(1, timeout=60)
        refuse_remote([] if cluster.allow_remote else client.nthreads(), _PERMISSION)
        [sent] = client.scatter([work], broadcast=True)  # to each worker once
        submit = partial(client.submit, _run, sent, pure=False)
        finished = as_completed(map(submit, islice(numbered, 2 * sum(client.nthreads().values()))))
        for future in finished:
            refuse_remote([] if cluster.allow_remote else client.nthreads(), _PERMISSION)  # of workers that came later
            finished.update(map(submit, islice(numbered, 1)))
            yield future.result()


@dataclass(unsafe_hash=True)
class ShardedIndex(RetrieverMethods):
    """Term counts of a collection in several shards on disk, with the statistics of the whole collection.

    Parameters
    ----------
    path : path-like
        A folder that `build` has written. Document ids and the vocabulary are read into memory; counts stay on disk.
    cluster : Cluster, optional
        The cluster whose workers search the shards. Every worker must see the folder under the same path. By default
        the shards are searched on this machine, one after another.

    Attributes
    ----------
    shards : int
        The number of shards.
    collection : Collection
        The statistics of the whole collection.

    Raises
    ------
    ColieeError
        If the folder holds no shards, is damaged, or was written by another version of the analyser.

    Examples
    --------
    >>> import tempfile
    >>> corpus = [{"docno": f"d{place}", "text": text} for place, text in enumerate(["a lamp", "a gate", "a well"])]
    >>> index = ShardedIndex.build(corpus, f"{tempfile.mkdtemp()}/shards", documents_per_shard=2)
    >>> index.bm25().search("lamp").docno.tolist()
    ['d0']
    """

    path: str | Path
    cluster: Cluster | None = None

    def __post_init__(self) -> None:
        self._folder = Path(self.path).resolve()
        self.path = str(self._folder)
        _SHARDS.read(self._folder)
        self._shard_of = _SHARDS.array(self._folder / "shard_of_document.npy", np.int64)
        self.shards = int(self._shard_of.max(initial=0)) + 1
        df, cf = (_SHARDS.array(self._folder / f"{name}.npy", np.float64) for name in ("df", "cf"))
        self.collection = Collection(len(self._shard_of), float(cf.sum()), df, cf)

    @classmethod
    def build(
        cls,
        corpus: Iterable[Mapping[str, Any]],
        path: str | Path,
        *,
        analyser: Analysis = "words",
        documents_per_shard: int = 10_000,
        cluster: Cluster | None = None,
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
            cluster those of two shards for each thread.
        cluster : Cluster, optional
            The cluster that counts the shards. Every worker must see the folder under the same path.

        Raises
        ------
        ColieeError
            As `LexicalIndex.build`.
        ExistingFileError
            If ``path`` exists.
        """
        size = integer_at_least("documents_per_shard", documents_per_shard, 1)
        new_folder(path)  # before links are followed
        path = Path(path).resolve()
        with folders.new_folder(path) as folder:
            column, counted = content_column(check_analyser(analyser)), folder / "counted"
            checked = ({"docno": docno, column: content} for docno, content in check_corpus(corpus, analyser))
            unbounded = replace(analyser, min_df=1, max_share=1) if isinstance(analyser, Shingles) else analyser
            count = partial(_count, counted, unbounded, None if cluster is None else 1)
            batches = iter(lambda: list(islice(checked, size)), [])
            first = next(batches, [])  # a collection without documents is one shard
            shards = sum(1 for _ in _finished(cluster, count, enumerate(chain([first], batches))))
            with writing(path):
                _write_shards(folder, [counted / str(shard) for shard in range(shards)], analyser)
                shutil.rmtree(counted)
        return cls(path, cluster)

    def __len__(self) -> int:
        return len(self._shard_of)

    @cached_property
    def terms(self) -> TermCounts:
        """All documents and the whole vocabulary, without counts."""
        terms, (documents, _, df, cf) = folders.load(self._folder / "collection"), self.collection
        sizes = {(len(terms), len(terms.vocabulary)), (documents, len(df)), (documents, len(cf))}
        if len(sizes) > 1 or not ((df >= 1) & (df <= cf) & (df <= documents)).all():
            raise _SHARDS.malformed(self._folder / "collection", "impossible statistics")
        return terms

    def shard(self, number: int) -> tuple[Integers, sparse.csr_matrix]:
        """Return the positions in ``terms.docnos`` of the documents of a shard, and their term counts."""
        documents = np.flatnonzero(self._shard_of == number)
        return documents, _SHARDS.matrix(self._folder / str(number), len(documents), len(self.collection.df))

    def rows(self, documents: Integers) -> sparse.csr_matrix:
        """Return the term counts of documents, given by their positions in ``terms.docnos``, one row each."""
        parts, places = [sparse.csr_matrix(np.empty((0, len(self.collection.df)), np.int32))], [np.empty(0, np.int64)]
        shards = self._shard_of[documents]
        for number in np.unique(shards):
            of_shard, counts = self.shard(number)
            places.append(np.flatnonzero(shards == number))
            parts.append(counts[np.searchsorted(of_shard, documents[places[-1]])].astype(np.int32))
        return sparse.csr_matrix(sparse.vstack(parts, format="csr")[np.argsort(np.concatenate(places))])

    def retriever(self, weighting: Weighting, **options: Any) -> ShardedRetriever:
        """Return a `ShardedRetriever` over this index with any weighting; ``options`` are those of that class."""
        return ShardedRetriever(self, weighting, **options)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return ShardedIndex, (self.path, self.cluster)


def _count(folder: Path, analyser: Analysis, processes: int | None, shard: tuple[int, list[Mapping[str, Any]]]) -> None:
    """Count the terms of a shard, given its number and its documents, and write them."""
    number, documents = shard
    if not (folder / str(number)).exists():  # else a worker that was killed afterwards has written it
        folders.save(count_terms(documents, analyser, processes=processes), folder / str(number))


def _write_shards(folder: Path, counted: Sequence[Path], analyser: Analysis) -> None:
    """Number the documents and terms of all shards, and write them with the statistics of the collection."""
    docnos = np.array(sorted(docno for path in counted for docno in folders.load(path).docnos), dtype=object)
    check_unique_documents(docnos.tolist())
    frequencies = (
        pd.DataFrame({"df": counts.collection.df, "cf": counts.collection.cf}, index=_terms(counts.vocabulary))
        for counts in map(folders.load, counted)
    )
    totals = reduce(lambda one, other: one.add(other, fill_value=0), frequencies)
    min_df, max_df = analyser.bounds(len(docnos)) if isinstance(analyser, Shingles) else (1, len(docnos))
    totals = totals[totals["df"].between(min_df, max_df)].sort_index()
    vocabulary: Mapping[str, int] = dict(zip(totals.index, range(len(totals))))
    if isinstance(analyser, Shingles) and analyser.hashed:
        vocabulary = HashedVocabulary(totals.index.to_numpy(np.uint64), analyser.n)
    nothing = np.empty(0, np.int32)
    empty = sparse.csr_matrix((nothing, (nothing, nothing)), shape=(len(docnos), len(totals)))
    collection = TermCounts(docnos, vocabulary, empty, analyser)
    folders.save(collection, folder / "collection")
    for name in ("df", "cf"):
        save_array(folder / f"{name}.npy", totals[name].to_numpy(np.float64))
    shard_of = np.zeros(len(docnos), np.int64)
    for shard, path in enumerate(counted):
        counts = folders.load(path)
        shard_of[collection.positions(counts.docnos)] = shard
        terms = totals.index.get_indexer(_terms(counts.vocabulary))
        kept = counts.stored_counts[:, terms >= 0]
        numbered = kept.data, terms[terms >= 0][kept.indices], kept.indptr
        folders.write_matrix(sparse.csr_matrix(numbered, shape=(len(counts), len(totals))), folder / str(shard))
    save_array(folder / "shard_of_document.npy", shard_of)
    _SHARDS.write(folder, {})


def _terms(vocabulary: Mapping[str, int]) -> pd.Index[Any]:
    """Return the terms of a shard: their hashes, or strings."""
    hashes = vocabulary.hashes if isinstance(vocabulary, HashedVocabulary) else None
    return pd.Index(list(vocabulary), dtype=object) if hashes is None else pd.Index(hashes)


def _merged(one: Ranking, other: Ranking, k: int) -> Ranking:
    """Merge two rankings of different documents into the ``k`` best; ties are ordered by document number."""
    documents = np.concatenate([one.documents, other.documents])
    scores = np.concatenate([one.scores, other.scores])
    order = np.lexsort((documents, -scores))[:k]
    return Ranking(documents[order], scores[order])


class ShardedRetriever(Retriever):
    """Retrieve from shards, or rescore candidates from them, with the results of one index: Q to R, R to R.

    Each shard returns its best documents, and the best of all shards are merged. A cluster receives the queries as
    weighted terms. Rescoring always runs on this machine.

    Parameters
    ----------
    index : ShardedIndex
        The collection.
    weighting : Weighting, default ``BM25()``
        The formula, see `Retriever`.
    num_results, statistics, threads, verbose
        As in `Retriever`; ``threads`` are those of each process. A process has the weights of one shard in memory for
        each batch in progress: 12 bytes for each posting, and six times that while they are computed.

    Examples
    --------
    >>> import tempfile
    >>> from ir_coliee.engine.weightings import TfIdf
    >>> from ir_coliee.transformers.retrieval.dask import ShardedIndex
    >>> corpus = [{"docno": "d1", "text": "a lamp"}, {"docno": "d2", "text": "a gate"}]
    >>> index = ShardedIndex.build(corpus, f"{tempfile.mkdtemp()}/shards", documents_per_shard=1)
    >>> ShardedRetriever(index, TfIdf(), num_results=1).search("gate").docno.tolist()
    ['d2']
    """

    INDEX = ShardedIndex, "a ShardedIndex"

    def _rankings(self, queries: pd.DataFrame) -> Rankings:
        vectors = query_weights(self.weighting, query_frequencies(self.index, queries), self.index.collection)
        finished = _finished(self.index.cluster, partial(self._search, vectors), range(self.index.shards))
        best = [Ranking(np.empty(0, np.int64), np.empty(0))] * len(queries)
        shown = progress(finished, self.label(), total=self.index.shards, unit="shards", verbose=self.verbose)
        for _, rankings in shown:
            best = [_merged(*pair, self.num_results) for pair in zip(best, rankings)]
        return self.index.terms.docnos, best

    def _search(self, queries: sparse.csr_matrix, shard: int) -> list[Ranking]:
        """Return the best documents of a shard for each query."""
        documents, counts = self.index.shard(shard)
        lengths, terms = row_sums(counts), np.unique(queries.indices)
        weights = document_weights(self.weighting, counts, lengths, self.index.collection)[:, terms].T.tocsr()
        found = self._best(queries[:, terms], weights, lengths)
        return [Ranking(documents[ranking.documents], ranking.scores) for ranking in found]

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        needed, rows = np.unique(self.index.terms.positions(results["docno"]), return_inverse=True)
        counts = self.index.rows(needed)
        queries = query_frequencies(self.index, results.iloc[[pool[0] for pool in pools]])
        collection = self.index.collection if self.statistics == "collection" else None
        of_pools = [rows[pool] for pool in pools]
        return pool_scores(self.weighting, counts, queries, of_pools, collection)


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
        The cluster. With None, the batches are processed on this machine, one after another.
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
        """Apply the pipeline."""
        with pt.validate.any(inp, context=self) as frame:
            for columns in pt.inspect.transformer_inputs(self.pipeline, strict=False) or [[]]:
                frame.columns(includes=list(dict.fromkeys(["qid", *columns])), mode=" ".join(columns))
        check_ids(inp)
        of_batch = pd.factorize(inp["qid"])[0] // min(self.batch_size, len(inp))
        batches = [rows.reset_index(drop=True) for _, rows in inp.groupby(of_batch)] or [inp]
        finished = _finished(self.cluster, self.pipeline, batches)
        shown = progress(finished, self.LABEL, total=len(batches), unit="batches", verbose=self.verbose)
        results: list[pd.DataFrame] = [result for _, result in sorted(shown)]
        # the columns of a result without rows may have other types
        return pd.concat([result for result in results if len(result)] or results[:1], ignore_index=True)
