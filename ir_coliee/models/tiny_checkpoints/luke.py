"""LUKE and mLUKE, which read entities beside words; their vocabularies are those of RoBERTa and XLM-RoBERTa."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_coliee.models.tiny_checkpoints import xlm_roberta
from ir_coliee.models.tiny_checkpoints.layout import Files, Layout
from ir_coliee.models.tiny_checkpoints.vocabularies import byte_level

_ENTITIES = ("[MASK]", "[UNK]", "[PAD]", "[MASK2]")
_LUKE: Mapping[str, Any] = {
    **xlm_roberta.config(512),
    "entity_emb_size": 16,
    "use_entity_aware_attention": True,
    "entity_vocab_size": len(_ENTITIES),
}


def _entity_vocabulary(*languages: str) -> dict[str, int]:
    names = [f"{language}:{entity}" for language in languages for entity in _ENTITIES] if languages else _ENTITIES
    return {name: number % len(_ENTITIES) for number, name in enumerate(names)}


def _byte_level() -> Files:
    vocabulary, merges = byte_level(("<s>", "<pad>", "</s>", "<unk>"), ("<mask>", "<ent>", "<ent2>"))
    settings = {"tokenizer_class": "LukeTokenizer", "additional_special_tokens": ["<ent>", "<ent2>"]}
    return {
        "vocab.json": vocabulary,
        "merges.txt": merges,
        "entity_vocab.json": _entity_vocabulary(),
        "tokenizer_config.json": settings,
    }


def _spm() -> Files:
    special = {**xlm_roberta.TOKENS, "additional_special_tokens": ["<ent>", "<ent2>", "<ent>", "<ent2>"]}
    return {
        "sentencepiece.bpe.model": xlm_roberta.spm(),
        "entity_vocab.json": _entity_vocabulary(),
        "added_tokens.json": {"<ent>": _rows() - 2, "<ent2>": _rows() - 1},
        "tokenizer_config.json": {**special, "tokenizer_class": "MLukeTokenizer", "model_max_length": 512},
        "special_tokens_map.json": special,
    }


def _rows() -> int:
    from sentencepiece import SentencePieceProcessor

    pieces: int = SentencePieceProcessor(model_proto=xlm_roberta.spm()).vocab_size()
    return pieces + 4  # <pad>, which has no piece, <mask>, <ent> and <ent2>


_MLUKE = Layout("LukeForMaskedLM", _spm, _LUKE, rows=_rows)
PUBLISHED = {
    "studio-ousia/luke-base": Layout("LukeForMaskedLM", _byte_level, _LUKE),
    "studio-ousia/luke-japanese-base-lite": _MLUKE,
    "studio-ousia/mluke-base": _MLUKE,
}
