"""Collections that are too large for one index: term counts in shards, with the statistics of all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.display import Block, Table, displayed
from ir_coliee.engine import shard_building, shards
from ir_coliee.engine.cluster import Cluster
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import Collection, Weighting
from ir_coliee.frames import Integers, integer_at_least
from ir_coliee.progress import progress, stage
from ir_coliee.text.analysers import Analysis
from ir_coliee.transformers.retrieval.retriever import Retriever
from ir_coliee.transformers.retrieval.retriever_methods import RetrieverMethods


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
            shard_building.build(documents, Path(path), analyser, documents_per_shard=size, cluster=cluster)
        return cls(path)

    def retriever(self, weighting: Weighting, **options: Any) -> Retriever:
        """Return a `ShardedRetriever` over this index with any weighting; ``options`` are those of that class."""
        from ir_coliee.transformers.retrieval.sharded_retriever import ShardedRetriever

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
