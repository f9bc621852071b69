"""DeBERTa with a byte-level BPE vocabulary, and DeBERTa-v3 with a sentencepiece vocabulary. Positions are relative."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_coliee.models.tiny_checkpoints.layout import SIZES, Files, Layout
from ir_coliee.models.tiny_checkpoints.vocabularies import byte_level, sentencepiece

_RELATIVE: Mapping[str, Any] = {
    **SIZES,
    "relative_attention": True,
    "max_relative_positions": -1,
    "max_position_embeddings": 512,
    "position_biased_input": False,
    "type_vocab_size": 0,
    "pad_token_id": 0,
    "layer_norm_eps": 1e-7,
}
_V1: Mapping[str, Any] = {**_RELATIVE, "pos_att_type": "c2p|p2c"}
_V3: Mapping[str, Any] = {
    **_RELATIVE,
    "pos_att_type": "p2c|c2p",
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
}
_NLI = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")
_NLI_LOWER = ("contradiction", "entailment", "neutral")
_SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")


def _labels(*labels: str) -> dict[str, Any]:
    return {"id2label": dict(enumerate(labels)), "label2id": {label: number for number, label in enumerate(labels)}}


def _byte_level() -> Files:
    vocabulary, merges = byte_level(_SPECIAL, ("[MASK]",))
    settings = {"do_lower_case": False, "vocab_type": "gpt2"}
    return {"vocab.json": vocabulary, "merges.txt": merges, "tokenizer_config.json": settings}


def _spm() -> Files:
    ids = {f"{name}_id": number for number, name in enumerate(("pad", "bos", "eos", "unk"))}
    pieces = {f"{name}_piece": piece for name, piece in zip(("pad", "bos", "eos", "unk"), _SPECIAL)}
    return {
        "spm.model": sentencepiece(**ids, **pieces),
        "tokenizer_config.json": {"do_lower_case": False, "vocab_type": "spm"},
    }


_V3_BODY = Layout("DebertaV2Model", _spm, _V3, half_precision=True)  # published without a head, in half precision
PUBLISHED = {
    "microsoft/deberta-large-mnli": Layout("DebertaForSequenceClassification", _byte_level, {**_V1, **_labels(*_NLI)}),
    "microsoft/deberta-v3-small": _V3_BODY,
    "microsoft/deberta-v3-base": _V3_BODY,
    "microsoft/deberta-v3-large": _V3_BODY,
    "cross-encoder/nli-deberta-v3-base": Layout(
        "DebertaV2ForSequenceClassification", _spm, {**_V3, **_labels(*_NLI_LOWER)}, converted=True
    ),
}
