"""The files of sentence-transformers beside an encoder: its modules, pooling, window and prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ir_coliee.models.tiny_checkpoints.layout import HIDDEN, Files

Pooling = Literal["mean", "cls", "lasttoken"]
_MODULES = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
_MODES = {
    "cls": "pooling_mode_cls_token",
    "mean": "pooling_mode_mean_tokens",
    "max": "pooling_mode_max_tokens",
    "sqrt": "pooling_mode_mean_sqrt_len_tokens",
    "weighted": "pooling_mode_weightedmean_tokens",
    "lasttoken": "pooling_mode_lasttoken",
}


def modules(pooling: Pooling, window: int | None, prompts: Mapping[str, str] | None = None) -> Files:
    """Return the files, as older versions wrote them and published checkpoints have them.

    Parameters
    ----------
    pooling : {"mean", "cls", "lasttoken"}
        How the vectors of the tokens become one; it is normalised after that.
    window : int or None
        The largest number of tokens; None for the tokenizer's own.
    prompts : mapping of str to str, optional
        Texts that are put before queries and documents.
    """
    listed = [
        {"idx": number, "name": str(number), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for number, (path, kind) in enumerate(_MODULES.items())
    ]
    versions = {"sentence_transformers": "2.0.0", "transformers": "4.6.1", "pytorch": "1.8.1"}
    prompt_settings = {"prompts": dict(prompts), "default_prompt_name": None} if prompts else {}
    return {
        "modules.json": listed,
        "1_Pooling/config.json": {
            "word_embedding_dimension": HIDDEN,
            **{mode: name == pooling for name, mode in _MODES.items()},
        },
        "sentence_bert_config.json": {"max_seq_length": window, "do_lower_case": False},
        "config_sentence_transformers.json": {"__version__": versions, **prompt_settings},
    }
