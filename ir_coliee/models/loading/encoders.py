"""What the loading of cross-encoders and of embedders has in common."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


def token_limit(encoder: Any, max_tokens: int | None) -> int | None:
    """Return the largest number of tokens that an encoder of sentence-transformers reads, None if it has no limit.

    Parameters
    ----------
    encoder : sentence_transformers.SentenceTransformer or sentence_transformers.CrossEncoder
        The loaded model.
    max_tokens : int or None
        A smaller limit, if wanted.
    """
    limits = (max_tokens, encoder.max_seq_length, _position_limit(encoder))
    return min((limit for limit in limits if limit is not None), default=None)


def _position_limit(encoder: Any) -> int | None:
    """Return the number of tokens for which the model has position embeddings, None if it has no such table.

    Models like RoBERTa start positions after the padding index, so that only 512 of 514 positions can be used.
    """
    tables = (module for name, module in encoder.named_modules() if name.endswith("embeddings.position_embeddings"))
    table = next((table for table in tables if hasattr(table, "num_embeddings")), None)
    return None if table is None else table.num_embeddings - (0 if table.padding_idx is None else table.padding_idx + 1)


@contextmanager
def fixed_seed(seed: int) -> Iterator[None]:
    """Seed the random numbers of Python, numpy and torch, and restore their states afterwards."""
    import torch

    states = random.getstate(), np.random.get_state()
    with torch.random.fork_rng(range(torch.cuda.device_count())):
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)
        try:
            yield
        finally:
            random.setstate(states[0])
            np.random.set_state(states[1])


@contextmanager
def without_progress_bars(*, reports: bool = True) -> Iterator[None]:
    """Hide the progress bars of loading and writing weights.

    With ``reports=False``, the messages about newly initialised weights are hidden as well. Use it where new weights
    are intended.
    """
    from transformers.utils import logging

    bars_were_shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    if not reports:
        logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars_were_shown:
            logging.enable_progress_bar()
