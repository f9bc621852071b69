"""Tokenizers of mLUKE and Japanese LUKE, whose files transformers 5 reads with other token ids.

Their vocabulary is that of XLM-RoBERTa: four special tokens precede the pieces of the sentencepiece model. The library
takes the numbers of the pieces as the ids, so that the model would read another text.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VOCABULARY, ENTITIES, ADDED = "sentencepiece.bpe.model", "entity_vocab.json", "added_tokens.json"
_ENTITY_TOKENS = {"<ent>": 0, "<ent2>": 1}  # in the order of their ids, at the end of the vocabulary


def is_mluke_tokenizer(tokenizer: Any) -> bool:
    """Whether a tokenizer is one of mLUKE, as the transformers library makes it."""
    return type(tokenizer).__name__ == "MLukeTokenizer"


def mluke_tokenizer(name: str, **source: Any) -> Any:
    """Return a tokenizer with the token ids of mLUKE's weights, for texts without entities.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint, with ``sentencepiece.bpe.model``.
    **source
        Its revision, as for ``from_pretrained``.

    Returns
    -------
    transformers.XLMRobertaTokenizer
    """
    from transformers import AddedToken, XLMRobertaTokenizer
    from transformers.utils import cached_file

    tokenizer = XLMRobertaTokenizer.from_pretrained(name, extra_special_tokens=[], **source)
    file = cached_file(name, ADDED, _raise_exceptions_for_missing_entries=False, **source)
    added = _ENTITY_TOKENS if file is None else json.loads(Path(file).read_text(encoding="utf-8"))
    tokens = [AddedToken(token, special=True, normalized=False) for token in sorted(added, key=added.__getitem__)]
    tokenizer.add_special_tokens({"extra_special_tokens": tokens})
    return tokenizer
