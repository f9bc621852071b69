"""A file of embeddings, by model and text, so that nothing is computed twice."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ir_coliee.models.stores.content_store import ContentStore

#: Embeddings of the windows of a text, one a row: 32-bit floating-point numbers.
Vectors: TypeAlias = npt.NDArray[np.float32]

_HEADER = 4  # bytes, the number of windows


class EmbeddingStore(ContentStore[Vectors]):
    """A SQLite file of embeddings.

    The key is the identity of the embedder and a hash of the text, so the file holds no text, and embeddings remain
    valid when ids change. An embedding still tells much about its text, so the data-use agreement also covers this
    file. Several processes can use the same file. A stored embedding that is not valid, because the file was altered,
    is treated as missing.

    Parameters
    ----------
    path : str or path-like
        The file. It is created if it does not exist.

    Raises
    ------
    ColieeError
        If the file is not a store of embeddings or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> store = EmbeddingStore(f"{tempfile.mkdtemp()}/embeddings.sqlite")
    >>> store.add("a model", {("a lamp",): np.ones((1, 2), np.float32)})
    >>> store.find("a model", [("a lamp",), ("a gate",)])
    {('a lamp',): array([[1., 1.]], dtype=float32)}
    """

    NAME = "embeddings"
    KIND = "store of embeddings"

    def _encoded(self, value: Vectors) -> bytes:
        return len(value).to_bytes(_HEADER, "little") + value.astype("<f4").tobytes()

    def _decoded(self, stored: bytes) -> Vectors | None:
        windows, content = int.from_bytes(stored[:_HEADER], "little"), stored[_HEADER:]
        if not windows or not content or len(content) % (4 * windows):
            return None
        vectors: Vectors = np.frombuffer(content, "<f4").astype(np.float32).reshape(windows, -1)
        return vectors if np.isfinite(vectors).all() else None
