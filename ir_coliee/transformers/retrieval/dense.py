"""Indexes of embeddings, and exact retrieval by them.

A text has one or several embeddings; the highest dot product of two texts counts.
"""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, id_with_records
from ir_coliee.engine.counting import check_corpus, check_unique_documents
from ir_coliee.engine.scoring import dense_scores, select_best
from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.frames import Floats, Integers, check_ids, instance_of, integer_at_least, places_of, text_values
from ir_coliee.models.embedder import Embedder, EmbeddingExample, Embeddings
from ir_coliee.models.stores import EmbeddingStore, Vectors
from ir_coliee.releases import cache
from ir_coliee.releases.release import document_sources
from ir_coliee.transformers.base import Ranker, Rankings
from ir_coliee.transformers.estimators import check_both_classes, result_labels
from ir_coliee.transformers.retrieval.retriever import query_column

_FOLDER = "embeddings"
_FILE = "embeddings.sqlite"


class DenseIndex:
    """Embeddings of every document of a collection, in memory, and the embedder of its queries.

    Attributes
    ----------
    docnos : numpy.ndarray of str
        The ids of the documents, sorted.
    embeddings : Embeddings
        Their embeddings, in the same order.
    embedder : Embedder
        The embedder of documents and queries.

    See Also
    --------
    DenseRetriever : The retriever of this index.

    Examples
    --------
    >>> from ir_coliee.models import Embedder
    >>> from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
    >>> corpus = [{"docno": "d2", "text": "a gate"}, {"docno": "d1", "text": "a lamp"}]
    >>> index = DenseIndex.build(corpus, Embedder(tiny_checkpoint("encoder")))
    >>> index.docnos.tolist(), index.embeddings.vectors.shape
    (['d1', 'd2'], (2, 32))
    """

    def __init__(self, docnos: npt.NDArray[np.object_], embeddings: Embeddings, embedder: Embedder) -> None:
        self.docnos, self.embeddings, self.embedder = docnos, embeddings, embedder

    @classmethod
    def build(cls, corpus: Iterable[Mapping[str, Any]], embedder: Embedder) -> DenseIndex:
        """Embed the documents of a PyTerrier corpus.

        Parameters
        ----------
        corpus : iterable of dict
            Documents with ``docno`` and ``text``.
        embedder : Embedder
            Give it a ``store`` so that an interrupted call can be repeated.

        Raises
        ------
        ColieeError
            If two documents have the same ``docno``, or a document has no ``docno`` or no text.
        """
        instance_of("embedder", embedder, Embedder, "an Embedder")
        documents = sorted(check_corpus(corpus, "words"))
        docnos = [docno for docno, _ in documents]
        check_unique_documents(docnos)
        embeddings = embedder.embed_documents([str(text) for _, text in documents])
        return cls(np.array(docnos, dtype=object), embeddings, embedder)

    @classmethod
    def from_dataset(cls, dataset: Dataset, embedder: Embedder, *, verbose: bool = False) -> DenseIndex:
        """Embed all documents of a dataset by their default text.

        Embeddings are stored below the data folder as soon as they are computed, by the content of the texts and the
        embedder. An interrupted call can therefore be repeated, and a decision that several editions contain is
        embedded once. `ir_coliee purge` deletes them. An embedder with a ``store`` uses its own store. Embeddings of
        files that are protected by a password are not stored.

        Parameters
        ----------
        dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
            The dataset, also one that is not of COLIEE.
        embedder : Embedder
            The embedder.
        verbose : bool, default False
            Whether to show progress.
        """
        dataset = id_with_records(dataset)
        instance_of("embedder", embedder, Embedder, "an Embedder")
        store = embedder.store or _cached_store(dataset, embedder)
        embedder = dataclasses.replace(embedder, store=store, verbose=embedder.verbose or verbose)
        documents = ir_datasets.load(dataset).docs_iter()
        return cls.build(({"docno": doc.doc_id, "text": doc.default_text()} for doc in documents), embedder)

    def __len__(self) -> int:
        return len(self.docnos)

    def __repr__(self) -> str:
        return f"<DenseIndex of {len(self)} documents, embedded by {self.embedder}>"


def _cached_store(dataset: str, embedder: Embedder) -> EmbeddingStore | None:
    """Return the store of an embedder below the dataset's data folder, None if there is none or it is not writable."""
    files = document_sources(dataset)
    if files is None or files.is_encrypted:
        return None
    key = cache.key_of([embedder.identity])
    for _ in range(2):
        if (entry := cache.entry(_FOLDER, key, files.origin, _write_store)) is None:
            return None
        try:
            return EmbeddingStore(entry / _FILE)
        except ColieeError:
            cache.discard(entry)
    return None


def _write_store(folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as temporary:  # SQLite's further files are deleted with the last use
        path = EmbeddingStore(Path(temporary) / _FILE).path
        shutil.move(path, folder / _FILE)


class DenseRetriever(Ranker):
    """Retrieve documents by the similarity of embeddings, or rescore the candidates of each query: Q to R, R to R.

    The similarity is the dot product, which is the cosine for embeddings of length 1. Of texts that are embedded in
    several windows, the most similar windows count. Every document is scored, so the ranking is exact. Equal scores
    are ordered by document id.

    Parameters
    ----------
    index : DenseIndex
        The collection.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Examples
    --------
    >>> from ir_coliee.models import Embedder
    >>> from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
    >>> from ir_coliee.transformers import DenseIndex, DenseRetriever
    >>> corpus = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate"}]
    >>> index = DenseIndex.build(corpus, Embedder(tiny_checkpoint("encoder")))
    >>> DenseRetriever(index, num_results=1).search("a gate")[["docno", "rank"]].values.tolist()
    [['900002', 0]]
    """

    LABEL = "Dense retriever"

    def __init__(self, index: DenseIndex, *, num_results: int = 1000, verbose: bool = False) -> None:
        self.index = instance_of("index", index, DenseIndex, "a DenseIndex")
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.verbose = verbose

    def _rankings(self, queries: pd.DataFrame) -> Rankings:
        embedded, documents = self._embedded(queries), self.index.embeddings
        scores = dense_scores(embedded.vectors, embedded.counts, documents.vectors, documents.counts)
        shown = self._progress(scores, len(queries))
        numbers = np.arange(len(self.index))
        return self.index.docnos, (select_best(numbers, of_query, self.num_results) for of_query in shown)

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        problem = "Document {} is not in the index.\nRescore documents of the indexed dataset."
        rows = places_of(results["docno"], pd.Index(self.index.docnos, dtype=object), problem)
        queries = self._embedded(results.iloc[[pool[0] for pool in pools]])
        documents = self.index.embeddings
        ends, query_ends = np.cumsum(documents.counts), np.cumsum(queries.counts)
        for pool, start, stop in zip(pools, [0, *query_ends], query_ends):
            counts = documents.counts[rows[pool]]
            windows = np.concatenate([np.arange(ends[row] - documents.counts[row], ends[row]) for row in rows[pool]])
            query = queries.vectors[start:stop]
            yield from dense_scores(query, np.array([len(query)]), documents.vectors[windows], counts)

    def _embedded(self, queries: pd.DataFrame) -> Embeddings:
        query_column(queries[["qid", "query"]])
        return self.index.embedder.embed_queries(queries["query"].tolist())


def bi_encoder(embedder: Embedder) -> Any:
    """Return an embedder as a ``pyterrier_dr.BiEncoder``, for ``FlexIndex`` and its retrievers such as FAISS.

    Use `DenseRetriever` for exact retrieval in collections that fit into memory. This function needs the extra
    ``dense``.

    Parameters
    ----------
    embedder : Embedder
        An embedder with one embedding for each text: ``pooling="mean"`` or ``pooling="first"``.

    Returns
    -------
    pyterrier_dr.BiEncoder
        A transformer that adds ``query_vec`` or ``doc_vec``. Build the index with ``sim_fn="dot"``.

    Raises
    ------
    ColieeError
        If the embedder has several embeddings for a long text.
    MissingExtraError
        If pyterrier_dr is not installed.

    Examples
    --------
    >>> import pyterrier_dr  # doctest: +SKIP
    >>> embedder = Embedder("intfloat/e5-base-v2", query_instruction="query: ", pooling="mean")
    >>> encoder = bi_encoder(embedder)  # doctest: +SKIP
    >>> index = pyterrier_dr.FlexIndex("folder/of/the/index", sim_fn="dot")  # doctest: +SKIP
    >>> indexing, retrieval = encoder >> index, encoder >> index.faiss_hnsw_retriever()  # doctest: +SKIP
    """
    try:
        pyterrier_dr: Any = import_module("pyterrier_dr")
    except ImportError:
        raise MissingExtraError("An index of pyterrier_dr", "neural") from None
    if embedder.pooling == "max":
        raise ColieeError(
            'pooling="max" gives a long text several embeddings, but pyterrier_dr stores one for each document.\n'
            'Use pooling="mean" or pooling="first", or a DenseRetriever.'
        )

    class EmbedderBiEncoder(pyterrier_dr.BiEncoder):
        def __init__(self) -> None:
            super().__init__(batch_size=embedder.batch_size, verbose=False)
            self.model_name = repr(embedder)  # by which pyterrier_dr compares encoders

        def encode_queries(self, texts: Iterable[str], batch_size: int | None = None) -> Vectors:
            return embedder.embed_queries([*texts]).vectors

        def encode_docs(self, texts: Iterable[str], batch_size: int | None = None) -> Vectors:
            return embedder.embed_documents([*texts]).vectors

        def __repr__(self) -> str:
            return f"bi_encoder({embedder})"

    return EmbedderBiEncoder()


def embedding_examples(results: pd.DataFrame, qrels: pd.DataFrame) -> list[EmbeddingExample]:
    """Return a training example for each relevant candidate; the other candidates of its query are the negatives.

    Parameters
    ----------
    results : pandas.DataFrame
        Candidates with the columns qid, query, docno and text; `hard_negatives` selects them.
    qrels : pandas.DataFrame
        The columns qid, docno and label. A candidate that they do not contain is not relevant.

    Returns
    -------
    list of EmbeddingExample
        The argument of ``Embedder.fit``.

    Raises
    ------
    ColieeError
        If all candidates are relevant or none is.

    Examples
    --------
    >>> rows = {"qid": "1", "query": "light", "docno": list("abc"), "text": ["A gate.", "A lamp.", "A well."]}
    >>> embedding_examples(pd.DataFrame(rows), pd.DataFrame({"qid": ["1"], "docno": ["b"], "label": [1]}))
    [EmbeddingExample(query='light', positive='A lamp.', negatives=('A gate.', 'A well.'))]
    """
    pt.validate.columns(results, includes=["qid", "query", "docno", "text"])
    pt.validate.columns(qrels, includes=["qid", "docno", "label"])
    check_ids(results)
    labels = result_labels(results, qrels)
    check_both_classes(labels)
    relevant = labels > 0
    queries, texts = (text_values(results, column) for column in ("query", "text"))
    examples = []
    for rows in results.groupby("qid", sort=False, observed=True).indices.values():
        negatives = tuple(texts[row] for row in rows if not relevant[row])
        examples += [EmbeddingExample(queries[row], texts[row], negatives) for row in rows if relevant[row]]
    return examples
