"""What the dense systems of task 1 have in common: encoders, and an index of embeddings that is deleted at the end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from typing import Any

import pyterrier as pt

FOLDER = tempfile.TemporaryDirectory(prefix="dense-")  # what is made of decisions is as confidential as they are


def first_token_encoder(checkpoint: str) -> Any:
    """An encoder whose embedding is that of the first token, as SAILER's is; longer texts lose their end."""
    from pyterrier_dr import HgfBiEncoder

    encoder = HgfBiEncoder.from_pretrained(checkpoint)
    window = encoder.model.config.max_position_embeddings
    encoder.tokenizer.model_max_length = min(encoder.tokenizer.model_max_length, window)  # not every one says so
    return encoder


def sentence_encoder(checkpoint: str) -> Any:
    """An encoder of sentence-transformers, of other checkpoints the tokens' mean; longer texts lose their end."""
    from pyterrier_dr import SBertBiEncoder

    return SBertBiEncoder(checkpoint)


def dense_retrieval(encoder: Any, corpus: Iterable[Mapping[str, Any]], similarity: str = "cos") -> pt.Transformer:
    """Retrieval of a corpus by its embeddings, exact, and scores for documents that are given: Q to R, R to R.

    ``corpus``: dicts with ``docno`` and ``text``. ``similarity``: ``cos`` or ``dot``.
    """
    from pyterrier_dr import FlexIndex

    index = FlexIndex(f"{tempfile.mkdtemp(dir=FOLDER.name)}/index", sim_fn=similarity, verbose=False)
    (encoder.doc_encoder() >> index.indexer()).index(corpus)
    return encoder.query_encoder() >> index
