"""Loading cross-encoders of sentence-transformers. It needs the extra ``neural``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_coliee.errors import MissingExtraError
from ir_coliee.models.loading.encoders import fixed_seed, token_limit, without_progress_bars
from ir_coliee.models.loading.load_options import LoadOptions, without_packing
from ir_coliee.models.loading.loading_errors import check_weights, explained
from ir_coliee.models.loading.mluke import is_mluke_tokenizer, mluke_tokenizer
from ir_coliee.models.loading.tokenizer_checks import check_tokenizer
from ir_coliee.models.training.adapters import is_adapter, load_adapter, read_base_model
from ir_coliee.transformers.rerankers.causal_cross_encoder import new_cross_encoder
from ir_coliee.transformers.rerankers.pair_encoding import correct_pair_encoding


def load_cross_encoder(
    name: str, max_tokens: int | None, seed: int, load: LoadOptions, labels: Mapping[int, str] | None = None
) -> Any:
    """Load a cross-encoder.

    Parameters
    ----------
    name : str
        The Hugging Face name or the folder of a checkpoint, or the folder of an adapter.
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
    if is_adapter(name):
        base = read_base_model(name)
        of_base = None if base.labels is None else {int(number): label for number, label in base.labels.items()}
        encoder = load_cross_encoder(base.name, max_tokens, base.seed, base.options(load), of_base)
        load_adapter(encoder.transformers_model, name, base)
        return encoder
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        raise MissingExtraError("A cross-encoder", "neural") from None
    with fixed_seed(seed), without_progress_bars(reports=labels is None), explained(name, "The cross-encoder"):
        # in full precision by default: in half precision the updates of fine-tuning underflow
        options = load.encoder_keywords(name, "float32")
        if labels is not None:
            numbers = {label: number for number, label in labels.items()}
            options["config_kwargs"] = {"num_labels": len(labels), "id2label": dict(labels), "label2id": numbers}
            options["model_kwargs"]["ignore_mismatched_sizes"] = True
        encoder = new_cross_encoder(name, load.source(), options)
        if is_mluke_tokenizer(encoder.tokenizer):
            encoder[0].processor = mluke_tokenizer(name, **load.source())
        correct_pair_encoding(encoder.tokenizer)
        without_packing(encoder)
    check_tokenizer(name, encoder.tokenizer, encoder.config)
    check_weights(name, encoder.transformers_model)
    if (limit := token_limit(encoder, max_tokens)) is not None:
        encoder.max_seq_length = limit
    return encoder
