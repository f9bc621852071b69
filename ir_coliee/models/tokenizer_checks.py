"""Checks that the tokenizer of a checkpoint fits its weights."""

from __future__ import annotations

from typing import Any

from ir_coliee.errors import ColieeError, printable


def check_tokenizer(name: str, tokenizer: Any, config: Any) -> None:
    """Raise `ColieeError` if a checkpoint has no tokenizer, or one that does not fit its weights.

    Without a tokenizer, the transformers library creates an empty one, which drops all words of a text.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint, for messages.
    tokenizer : transformers.PreTrainedTokenizerBase
        Its tokenizer.
    config : transformers.PretrainedConfig
        Its configuration.

    Raises
    ------
    ColieeError
        If the tokenizer encodes no word.
    """
    tokens = tokenizer("yes はい", verbose=False)["input_ids"]
    if not tokenizer.decode(tokens, skip_special_tokens=True).strip():
        raise ColieeError(f"The tokenizer of {printable(name)} is missing. Give the folder of a complete checkpoint.")
