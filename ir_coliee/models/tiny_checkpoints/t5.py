"""T5, flan-T5, UL2, monoT5 and mT5 with sentencepiece vocabularies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_coliee.models.tiny_checkpoints.layout import HIDDEN, Files, Layout
from ir_coliee.models.tiny_checkpoints.vocabularies import sentencepiece

_T5: Mapping[str, Any] = {
    "d_model": HIDDEN,
    "d_kv": 16,
    "d_ff": 2 * HIDDEN,
    "num_layers": 2,
    "num_heads": 2,
    "n_positions": 512,
    "decoder_start_token_id": 0,
    "pad_token_id": 0,
    "eos_token_id": 1,
    "relative_attention_num_buckets": 32,
}
_FACTOR = 1.2  # of the spread of the weights: with the usual 1 all replies would be padding
_GATED = {**_T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False, "initializer_factor": _FACTOR}
_IDS = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
_TOKENS = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}


def _spiece() -> Files:
    extra = {"extra_ids": 100, "additional_special_tokens": [f"<extra_id_{number}>" for number in range(100)]}
    return {
        "spiece.model": sentencepiece(**_IDS),
        "tokenizer_config.json": {**_TOKENS, **extra, "model_max_length": 512},
        "special_tokens_map.json": {**_TOKENS, "additional_special_tokens": extra["additional_special_tokens"]},
    }


def _multilingual_spiece() -> Files:
    return {
        "spiece.model": sentencepiece(japanese=True, **_IDS),
        "tokenizer_config.json": {**_TOKENS, "extra_ids": 0, "additional_special_tokens": None},
        "special_tokens_map.json": _TOKENS,
    }


_FLAN = Layout("T5ForConditionalGeneration", _spiece, _GATED, converted=True, surplus=28)
_MONO_T5 = Layout("T5ForConditionalGeneration", _spiece, _T5, surplus=28)
PUBLISHED = {
    "t5-base": _MONO_T5,
    "t5-large": _MONO_T5,
    "castorini/monot5-base-msmarco": _MONO_T5,
    "castorini/monot5-large-msmarco": _MONO_T5,
    "castorini/monot5-large-msmarco-10k": _MONO_T5,
    "google/flan-t5-large": _FLAN,
    "google/flan-t5-xxl": _FLAN,
    "google/flan-ul2": _FLAN,
    "declare-lab/flan-alpaca-xxl": _FLAN,
    "csebuetnlp/mT5_multilingual_XLSum": Layout(
        "MT5ForConditionalGeneration", _multilingual_spiece, {**_GATED, "tokenizer_class": "T5Tokenizer"}
    ),
}
