"""Loading encoders of sentence-transformers. It needs the extra ``neural``."""

from __future__ import annotations

from typing import Any, Literal, get_args

from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.models.loading.encoders import token_limit, without_progress_bars
from ir_coliee.models.loading.load_options import Dtype, LoadOptions
from ir_coliee.models.loading.loading_errors import check_weights, explained
from ir_coliee.models.loading.mluke import is_mluke_tokenizer, mluke_tokenizer
from ir_coliee.models.loading.tokenizer_checks import check_tokenizer
from ir_coliee.models.training.adapters import is_adapter, load_adapter, read_base_model

TokenPooling = Literal["cls", "mean", "lasttoken"]
TOKEN_POOLINGS: tuple[TokenPooling, ...] = get_args(TokenPooling)

_TOKENS_WITHOUT_LIMIT = 512


def load_sentence_encoder(
    name: str,
    max_tokens: int | None,
    token_pooling: TokenPooling | None,
    load: LoadOptions,
    default_dtype: Dtype | None = None,
) -> Any:
    """Load an encoder of texts.

    Parameters
    ----------
    name : str
        The Hugging Face name or the folder of a checkpoint, or the folder of an adapter.
    max_tokens : int or None
        The largest number of tokens of a text. None for the model's own limit, or 512 if it has none.
    token_pooling : {"cls", "mean", "lasttoken"} or None
        How the embeddings of tokens become one. None for the checkpoint's own way.
    load : LoadOptions
        Options of loading the weights.
    default_dtype : str, optional
        The number format if the options have none. By default that of the checkpoint.

    Returns
    -------
    sentence_transformers.SentenceTransformer

    Raises
    ------
    MissingExtraError
        If sentence-transformers is not installed.
    ColieeError
        If the checkpoint cannot be loaded, or if it is no model of texts with a pooling of their tokens.
    """
    if is_adapter(name):
        base = read_base_model(name)
        encoder = load_sentence_encoder(base.name, max_tokens, token_pooling, base.options(load), default_dtype)
        load_adapter(encoder.transformers_model, name, base)
        return encoder
    try:
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer.modules import Pooling
    except ImportError:
        raise MissingExtraError("An embedder", "neural") from None
    with without_progress_bars(reports=False), explained(name, "The embedder"):
        encoder = SentenceTransformer(name, **load.encoder_keywords(name, default_dtype))
        if is_mluke_tokenizer(encoder.tokenizer):
            encoder[0].processor = mluke_tokenizer(name, **load.source())
    poolings = [key for key, module in encoder.named_children() if isinstance(module, Pooling)]
    if not (callable(encoder.tokenizer) and poolings):
        raise ColieeError(
            f"{printable(name)} has no tokenizer of transformers, or no pooling of tokens.\n"
            "Give a sentence-transformers model of texts, or an encoder such as BERT."
        )
    check_tokenizer(name, encoder.tokenizer, encoder.transformers_model.config)
    check_weights(name, encoder.transformers_model)
    if token_pooling is not None:
        encoder[int(poolings[0])] = Pooling(encoder[int(poolings[0])].embedding_dimension, token_pooling)
    encoder.max_seq_length = token_limit(encoder, max_tokens) or _TOKENS_WITHOUT_LIMIT
    return encoder
