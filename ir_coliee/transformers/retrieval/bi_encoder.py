"""The interface of pyterrier_dr for our embedders, so that its indexes can be built and searched with them."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.models.embedders.embedder import Embedder
from ir_coliee.models.stores.embedding_store import Vectors


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
        raise MissingExtraError("An index of pyterrier_dr", "dense") from None
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
