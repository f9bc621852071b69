"""ModernBERT with local and global attention: encoder, reranker, and the Japanese ruri with sentencepiece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_coliee.models.tiny_checkpoints.layout import SIZES, Files, Layout
from ir_coliee.models.tiny_checkpoints.sentence_transformers import modules
from ir_coliee.models.tiny_checkpoints.vocabularies import byte_level_file, sentencepiece

_SPECIAL = ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")
_TOKENS = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "cls", "sep", "pad", "mask")}
_MODERN: Mapping[str, Any] = {
    **SIZES,
    "max_position_embeddings": 8192,
    "local_attention": 32,
    "global_attn_every_n_layers": 2,
    "reference_compile": False,
}
_IDS = {f"{name}_token_id": f"[{name.upper()}]" for name in ("cls", "sep", "pad")}
_IDS |= {"bos_token_id": "[CLS]", "eos_token_id": "[SEP]"}


def _byte_level() -> Files:
    settings = {**_TOKENS, "model_max_length": 8192, "tokenizer_class": "PreTrainedTokenizerFast"}
    return {
        "tokenizer.json": byte_level_file(_SPECIAL, "[CLS]", "[SEP]"),
        "tokenizer_config.json": settings,
        "special_tokens_map.json": _TOKENS,
    }


def _spm() -> Files:
    tokens = {
        **dict.fromkeys(("bos_token", "cls_token"), "<s>"),
        **dict.fromkeys(("eos_token", "sep_token"), "</s>"),
        "unk_token": "<unk>",
        "pad_token": "<pad>",
    }
    flags = {"add_bos_token": True, "add_eos_token": True, "legacy": False, "add_dummy_prefix_space": False}
    ids = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": 3}
    return {
        "tokenizer.model": sentencepiece(
            japanese=True, model_type="bpe", byte_fallback=True, add_dummy_prefix=False, **ids
        ),
        "tokenizer_config.json": {**tokens, **flags, "model_max_length": 8192, "tokenizer_class": "LlamaTokenizer"},
        "special_tokens_map.json": tokens,
    }


PUBLISHED = {
    "answerdotai/ModernBERT-base": Layout("ModernBertForMaskedLM", _byte_level, _MODERN, token_ids=_IDS),
    "Alibaba-NLP/gte-reranker-modernbert-base": Layout(
        "ModernBertForSequenceClassification",
        _byte_level,
        {**_MODERN, "classifier_pooling": "mean", "id2label": {0: "LABEL_0"}, "label2id": {"LABEL_0": 0}},
        token_ids=_IDS,
    ),
    "cl-nagoya/ruri-v3-310m": Layout(
        "ModernBertModel",
        _spm,
        {**_MODERN, "bos_token_id": 1, "cls_token_id": 1, "eos_token_id": 2, "sep_token_id": 2, "pad_token_id": 3},
        modules=modules("mean", 8192, {"Query": "検索クエリ: ", "Document": "検索文書: "}),
        converted=True,
    ),
}
