"""Japanese BERTs, whose words are those of MeCab: WordPiece or single characters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ir_coliee.models.tiny_checkpoints.layout import SIZES, Files, Layout
from ir_coliee.models.tiny_checkpoints.vocabularies import characters, words

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_BERT: Mapping[str, Any] = {
    **SIZES,
    "max_position_embeddings": 512,
    "pad_token_id": 0,
    "tokenizer_class": "BertJapaneseTokenizer",
}


def _mecab(subwords: str, **settings: Any) -> Files:
    pieces = characters(japanese=True) if subwords == "character" else words(japanese=True, lower=False)
    config = {"do_lower_case": False, "word_tokenizer_type": "mecab", "subword_tokenizer_type": subwords, **settings}
    return {"vocab.txt": "\n".join([*_SPECIAL, *pieces, ""]), "tokenizer_config.json": config}


_WHOLE_WORDS = Layout("BertForMaskedLM", partial(_mecab, "wordpiece", model_max_length=512), _BERT)
_CHARACTERS = Layout("BertForMaskedLM", partial(_mecab, "character", model_max_length=512), _BERT)
PUBLISHED = {
    # those of 2019 do not name their dictionary, which was ipadic
    "cl-tohoku/bert-base-japanese-whole-word-masking": _WHOLE_WORDS,
    "tohoku-nlp/bert-base-japanese-whole-word-masking": _WHOLE_WORDS,
    "cl-tohoku/bert-base-japanese-char-whole-word-masking": _CHARACTERS,
    "tohoku-nlp/bert-base-japanese-v3": Layout(
        "BertForPreTraining", partial(_mecab, "wordpiece", mecab_kwargs={"mecab_dic": "unidic_lite"}), _BERT
    ),
}
