"""Loading and saving cross-encoders of sentence-transformers. They need the extra ``neural``."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from ir_coliee.errors import MissingExtraError
from ir_coliee.models.load_options import LoadOptions
from ir_coliee.models.loading_errors import explained
from ir_coliee.models.tokenizer_checks import check_tokenizer


def load_cross_encoder(
    name: str, max_tokens: int | None, seed: int, load: LoadOptions, labels: Mapping[int, str] | None = None
) -> Any:
    """Load a cross-encoder.

    Parameters
    ----------
    name : str
        The Hugging Face name or the folder of a checkpoint.
    max_tokens : int or None
        The largest number of tokens of a pair. None for the model's own limit.
    seed : int
        The seed for initialising weights that the checkpoint lacks.
    load : LoadOptions
        Options of loading the weights. Their default number format is float32.
    labels : mapping of int to str, optional
        New labels of the classification layer, whose weights are then initialised.

    Returns
    -------
    sentence_transformers.CrossEncoder

    Raises
    ------
    MissingExtraError
        If sentence-transformers is not installed.
    ColieeError
        If the checkpoint cannot be loaded.
    """
    try:
        from sentence_transformers import CrossEncoder
    except ImportError:
        raise MissingExtraError("A cross-encoder", "neural") from None
    # in full precision by default: in half precision the updates of fine-tuning underflow
    options = load.encoder_keywords("float32")
    if labels is not None:
        numbers = {label: number for number, label in labels.items()}
        options["config_kwargs"] = {"num_labels": len(labels), "id2label": dict(labels), "label2id": numbers}
        options["model_kwargs"]["ignore_mismatched_sizes"] = True
    with fixed_seed(seed), without_progress_bars(reports=labels is None), explained(name, "The cross-encoder"):
        encoder = CrossEncoder(name, **options)
    check_tokenizer(name, encoder.tokenizer, encoder.config)
    limits = [limit for limit in (max_tokens, encoder.max_seq_length, _position_limit(encoder)) if limit is not None]
    if limits:
        encoder.max_seq_length = min(limits)
    return encoder


def _position_limit(encoder: Any) -> int | None:
    """Return the number of tokens for which the model has position embeddings, None if it has no such table.

    Models like RoBERTa start positions after the padding index, so that only 512 of 514 positions can be used.
    """
    tables = (
        module for name, module in encoder.model.named_modules() if name.endswith("embeddings.position_embeddings")
    )
    table = next((table for table in tables if hasattr(table, "num_embeddings")), None)
    return None if table is None else table.num_embeddings - (0 if table.padding_idx is None else table.padding_idx + 1)


def save_cross_encoder(encoder: Any, folder: str) -> None:
    """Write weights and tokenizer to a folder, without a model card, which would quote training texts."""
    with without_progress_bars():
        encoder.save_pretrained(folder, create_model_card=False)


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
