"""Embeddings of the documents of a collection."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import ir_datasets
import numpy as np
import numpy.typing as npt

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import instance_of
from ir_coliee.models.embedders.embedder import Embedder, Embeddings
from ir_coliee.models.stores.embedding_store import EmbeddingStore
from ir_coliee.releases import cache
from ir_coliee.releases.release import document_sources

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
        texts: dict[str, str] = {}
        for document in corpus:
            docno, text = document.get("docno"), document.get("text")
            if not (isinstance(docno, str) and isinstance(text, str)):
                raise ColieeError(f"Document {printable(str(docno))}: docno and text must be strings.")
            if docno in texts:
                raise ColieeError(f"Document {printable(docno)} occurs twice in the corpus.")
            texts[docno] = text
        docnos = sorted(texts)
        embeddings = embedder.embed_documents([texts[docno] for docno in docnos])
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
        dataset = as_dataset_id(dataset)
        instance_of("embedder", embedder, Embedder, "an Embedder")
        store = embedder.store or _cached_store(dataset, embedder)
        embedder = dataclasses.replace(embedder, store=store, verbose=embedder.verbose or verbose)
        documents = ir_datasets.load(dataset).docs_iter()
        return cls.build(({"docno": doc.doc_id, "text": doc.default_text()} for doc in documents), embedder)

    def __len__(self) -> int:
        return len(self.docnos)

    def __repr__(self) -> str:
        return f"<DenseIndex of {len(self)} documents, embedded by {self.embedder}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DenseIndex)
            and self.embedder == other.embedder
            and np.array_equal(self.docnos, other.docnos)
            and np.array_equal(self.embeddings.counts, other.embeddings.counts)
            and np.array_equal(self.embeddings.vectors, other.embeddings.vectors)
        )

    def __hash__(self) -> int:
        return hash(repr(self))


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
