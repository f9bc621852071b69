"""The encoding of a pair of texts as the checkpoints were trained with, where transformers 5 makes another one."""

from __future__ import annotations

from typing import Any

_BETWEEN = "\n\n"


def correct_pair_encoding(tokenizer: Any) -> None:
    """Correct how a tokenizer encodes two texts together.

    A Japanese BERT gets the segments of its two texts, a DeBERTa of the first version one separator between them
    instead of two, and a causal language model, which has no separator, a blank line.

    Parameters
    ----------
    tokenizer : transformers.PreTrainedTokenizerBase
        The tokenizer, which is changed.
    """
    kind = type(tokenizer).__name__
    if kind == "BertJapaneseTokenizer":
        names = ["input_ids", "token_type_ids", "attention_mask"]
        tokenizer.model_input_names = tokenizer.init_kwargs["model_input_names"] = names
    elif kind == "DebertaTokenizer":
        first, last = tokenizer.cls_token, tokenizer.sep_token
        _set_template(tokenizer, [first, "$A", last], [first, "$A", last, "$B", last])
    elif tokenizer.is_fast and not _ends_texts(tokenizer):
        first = tokenizer.bos_token if _begins_texts(tokenizer) else None
        _set_template(tokenizer, [first, "$A"], [first, "$A", _BETWEEN, "$B"])


def _ends_texts(tokenizer: Any) -> bool:
    return tokenizer("a")["input_ids"][-1] in tokenizer.all_special_ids


def _begins_texts(tokenizer: Any) -> bool:
    return tokenizer.bos_token is not None and tokenizer("a")["input_ids"][0] == tokenizer.bos_token_id


def _set_template(tokenizer: Any, single: list[str | None], pair: list[str | None]) -> None:
    from tokenizers.processors import TemplateProcessing

    backend = tokenizer.backend_tokenizer
    tokens = {_BETWEEN: backend.encode(_BETWEEN, add_special_tokens=False)}
    tokens |= {
        token: backend.encode(token, add_special_tokens=False)
        for token in pair
        if token and token not in (_BETWEEN, "$A", "$B")
    }
    backend.post_processor = TemplateProcessing(
        single=[token for token in single if token],
        pair=[token for token in pair if token],
        special_tokens=[
            {"id": token, "ids": encoded.ids, "tokens": encoded.tokens} for token, encoded in tokens.items()
        ],
    )
