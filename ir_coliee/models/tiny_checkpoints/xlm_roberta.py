"""XLM-RoBERTa with a sentencepiece vocabulary whose ids are shifted by one, as encoders and rerankers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_coliee.models.tiny_checkpoints.layout import SIZES, Files, Layout
from ir_coliee.models.tiny_checkpoints.sentence_transformers import modules
from ir_coliee.models.tiny_checkpoints.vocabularies import sentencepiece

TOKENS = {
    **dict.fromkeys(("bos_token", "cls_token"), "<s>"),
    **dict.fromkeys(("eos_token", "sep_token"), "</s>"),
    "unk_token": "<unk>",
    "pad_token": "<pad>",
    "mask_token": {"content": "<mask>", "single_word": False, "lstrip": True, "rstrip": False, "normalized": True},
}


def _files(window: int) -> Files:
    settings = {**TOKENS, "model_max_length": window, "tokenizer_class": "XLMRobertaTokenizer"}
    return {
        "sentencepiece.bpe.model": spm(),
        "tokenizer_config.json": settings,
        "special_tokens_map.json": TOKENS,
    }


def spm() -> bytes:
    """Return the sentencepiece model, in which the unknown piece is the first and no piece is for padding."""
    return sentencepiece(japanese=True, unk_id=0, bos_id=1, eos_id=2, pad_id=-1)


def config(window: int, **settings: Any) -> Mapping[str, Any]:
    """Return the configuration, in which positions begin after the padding index."""
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    return {**SIZES, **ids, "max_position_embeddings": window + 2, "type_vocab_size": 1, **settings}


def _layout(network: str, window: int, files: Files | None = None, **settings: Any) -> Layout:
    return Layout(network, lambda: _files(window), config(window, **settings), converted=True, modules=files or {})


_ONE_SCORE: Mapping[str, Any] = {"id2label": {0: "LABEL_0"}, "label2id": {"LABEL_0": 0}}
PUBLISHED = {
    "FacebookAI/xlm-roberta-base": _layout("XLMRobertaForMaskedLM", 512),
    "intfloat/multilingual-e5-base": _layout("XLMRobertaModel", 512, modules("mean", 512)),
    "intfloat/multilingual-e5-large": _layout("XLMRobertaModel", 512, modules("mean", 512)),
    "BAAI/bge-m3": _layout("XLMRobertaModel", 8192, modules("cls", 8192)),
    "BAAI/bge-reranker-v2-m3": _layout("XLMRobertaForSequenceClassification", 8192, **_ONE_SCORE),
}
