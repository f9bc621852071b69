"""Shared parts of the dense systems of task 1: encoders, and a temporary index of embeddings."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any

import pyterrier as pt

FOLDER = tempfile.mkdtemp(prefix="dense-")  # embeddings of decisions are confidential, too: deleted at exit
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def first_token_encoder(checkpoint: str) -> Any:
    """An encoder that returns the embedding of the first token, such as SAILER; long texts are truncated."""
    from pyterrier_dr import HgfBiEncoder

    encoder = HgfBiEncoder.from_pretrained(checkpoint)
    window = encoder.model.config.max_position_embeddings
    encoder.tokenizer.model_max_length = min(
        encoder.tokenizer.model_max_length, window
    )  # not every tokenizer states the window
    return encoder


def sentence_encoder(checkpoint: str) -> Any:
    """A sentence-transformers encoder, or the mean of the tokens of another one; long texts are truncated."""
    from pyterrier_dr import SBertBiEncoder

    return SBertBiEncoder(checkpoint)


def dense_retrieval(encoder: Any, corpus: Iterable[Mapping[str, Any]], similarity: str = "cos") -> pt.Transformer:
    """Exact dense retrieval over a corpus, and rescoring of results: Q to R, R to R.

    Parameters
    ----------
    encoder
        An encoder of ``pyterrier_dr``.
    corpus : iterable of dict
        Documents with ``docno`` and ``text``.
    similarity : str
        ``cos`` or ``dot``.
    """
    from pyterrier_dr import FlexIndex

    index = FlexIndex(f"{tempfile.mkdtemp(dir=FOLDER)}/index", sim_fn=similarity, verbose=False)
    (encoder.doc_encoder() >> index.indexer()).index(corpus)
    return encoder.query_encoder() >> index
