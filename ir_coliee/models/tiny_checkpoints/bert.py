"""BERT and its relatives with WordPiece vocabularies: Legal-BERT, SAILER, ELECTRA, MPNet, and encoders of sentences."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ir_coliee.models.tiny_checkpoints.layout import SIZES, Files, Layout
from ir_coliee.models.tiny_checkpoints.sentence_transformers import Pooling, modules
from ir_coliee.models.tiny_checkpoints.vocabularies import words

_SPECIAL = ("[UNK]", "[CLS]", "[SEP]", "[MASK]")
_UNUSED = [f"[unused{number}]" for number in range(99)]  # between [PAD] and the others, whose ids are 100 to 103
_BERT: Mapping[str, Any] = {**SIZES, "max_position_embeddings": 512, "pad_token_id": 0}


def _word_piece(settings: Mapping[str, Any], *, lower: bool = True, japanese: bool = False) -> Files:
    vocabulary = ["[PAD]", *_UNUSED, *_SPECIAL, *words(japanese=japanese, lower=lower)]
    return {"vocab.txt": "\n".join([*vocabulary, ""]), "tokenizer_config.json": {"do_lower_case": lower, **settings}}


def _mpnet() -> Files:
    vocabulary = ["<s>", "<pad>", "</s>", "<unk>", *_UNUSED, *_SPECIAL, *words(japanese=False, lower=True), "<mask>"]
    tokens = {"unk_token": "[UNK]", "tokenizer_class": "MPNetTokenizer"}
    return {
        "vocab.txt": "\n".join([*vocabulary, ""]),
        "tokenizer_config.json": {"do_lower_case": True, "model_max_length": 512, **tokens},
    }


def _sentence_encoder(pooling: Pooling) -> Layout:
    files = partial(_word_piece, {"model_max_length": 512})
    return Layout("BertModel", files, _BERT, converted=True, modules=modules(pooling, 512))


_MPNET = {**_BERT, "max_position_embeddings": 514, "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
PUBLISHED = {
    "bert-base-uncased": Layout(
        "BertForMaskedLM", partial(_word_piece, {"model_max_length": 512}), _BERT, converted=True
    ),
    "bert-base-multilingual-uncased": Layout(
        "BertForMaskedLM", partial(_word_piece, {"model_max_length": 512}, japanese=True), _BERT, converted=True
    ),
    "nlpaueb/legal-bert-base-uncased": Layout("BertForPreTraining", partial(_word_piece, {}), _BERT),
    "CSHaitao/SAILER_en_finetune": Layout("BertModel", partial(_word_piece, {"model_max_length": 512}), _BERT),
    "google/electra-base-discriminator": Layout(
        "ElectraForPreTraining", partial(_word_piece, {}), {**_BERT, "embedding_size": 16}, converted=True
    ),
    "cross-encoder/ms-marco-MiniLM-L6-v2": Layout(
        "BertForSequenceClassification",
        partial(_word_piece, {"model_max_length": 512}),
        {**_BERT, "id2label": {0: "LABEL_0"}, "label2id": {"LABEL_0": 0}},
        converted=True,
    ),
    "sentence-transformers/all-mpnet-base-v2": Layout(
        "MPNetForMaskedLM", _mpnet, _MPNET, converted=True, modules=modules("mean", 384)
    ),
    "intfloat/e5-base-v2": _sentence_encoder("mean"),
    "BAAI/bge-base-en-v1.5": _sentence_encoder("cls"),
}
