"""BERT and its relatives with WordPiece vocabularies: ELECTRA, MPNet, SAILER, Legal-BERT, MiniLM."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ir_coliee.models.tiny_checkpoints.layout import SIZES, Files, Layout
from ir_coliee.models.tiny_checkpoints.vocabularies import words

_SPECIAL = ("[UNK]", "[CLS]", "[SEP]", "[MASK]")
_UNUSED = [f"[unused{number}]" for number in range(99)]  # between [PAD] and the others, whose ids are 100 to 103
_BERT: Mapping[str, Any] = {**SIZES, "max_position_embeddings": 512, "pad_token_id": 0}


def _word_piece(settings: Mapping[str, Any], *, lower: bool = True) -> Files:
    vocabulary = ["[PAD]", *_UNUSED, *_SPECIAL, *words(japanese=False, lower=lower)]
    return {"vocab.txt": "\n".join([*vocabulary, ""]), "tokenizer_config.json": {"do_lower_case": lower, **settings}}


PUBLISHED = {
    "bert-base-uncased": Layout(
        "BertForMaskedLM", partial(_word_piece, {"model_max_length": 512}), _BERT, converted=True
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
}
