"""The beginnings of texts that a cross-encoder can read at most."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ir_coliee.models.windows import text_windows


def beginnings(encoder: Any, texts: Sequence[Any]) -> list[Any]:
    """Cut texts to the number of tokens that the model reads of a pair; pairs and lists of texts are cut inside.

    The model truncates pairs by itself, and reads the same; only of two texts that both are too long, the other one may
    have the odd token. But the tokenizer builds every combination of the truncated ends of both texts, so that its time
    and memory grow with the product of the lengths: seconds and gigabytes for a batch of pairs of court decisions.

    Parameters
    ----------
    encoder : sentence_transformers.CrossEncoder
        The model.
    texts : sequence
        Strings, or sequences of strings. Other values are kept.
    """
    limit = encoder.max_seq_length

    @lru_cache(maxsize=len(texts) or 1)
    def beginning(text: str) -> str:
        return text_windows(encoder.tokenizer, text, limit, "first")[0]

    def cut(value: Any) -> Any:
        if isinstance(value, str):
            return beginning(value) if len(value) > limit else value
        if isinstance(value, (list, tuple)):
            return type(value)(map(cut, value))
        return value

    return list(texts) if limit is None else [cut(text) for text in texts]
