"""RoBERTa and Longformer with byte-level BPE vocabularies, whose positions begin after the padding index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_coliee.models.tiny_checkpoints.layout import SIZES, Files, Layout
from ir_coliee.models.tiny_checkpoints.vocabularies import byte_level

_ROBERTA: Mapping[str, Any] = {
    **SIZES,
    "max_position_embeddings": 514,
    "type_vocab_size": 1,
    "bos_token_id": 0,
    "pad_token_id": 1,
    "eos_token_id": 2,
}
_LONGFORMER = {**_ROBERTA, "max_position_embeddings": 4098, "attention_window": [32, 32], "sep_token_id": 2}
_NLI = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")


def _byte_level() -> Files:
    vocabulary, merges = byte_level(("<s>", "<pad>", "</s>", "<unk>"), ("<mask>",))
    return {"vocab.json": vocabulary, "merges.txt": merges}


PUBLISHED = {
    "roberta-base": Layout("RobertaForMaskedLM", _byte_level, _ROBERTA, converted=True),
    "lexlms/legal-roberta-base": Layout("RobertaForMaskedLM", _byte_level, _ROBERTA, converted=True),
    "FacebookAI/roberta-large-mnli": Layout(
        "RobertaForSequenceClassification",
        _byte_level,
        {
            **_ROBERTA,
            "id2label": dict(enumerate(_NLI)),
            "label2id": {label: number for number, label in enumerate(_NLI)},
        },
        converted=True,
    ),
    "allenai/longformer-base-4096": Layout("LongformerForMaskedLM", _byte_level, _LONGFORMER, converted=True),
}
