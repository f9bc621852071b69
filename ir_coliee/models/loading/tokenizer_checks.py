"""Checks that the tokenizer of a checkpoint fits its weights."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from ir_coliee.errors import ColieeError, ColieeWarning, printable
from ir_coliee.models.loading.japanese_dictionaries import known_dictionary
from ir_coliee.models.loading.mluke import is_mluke_tokenizer


def check_tokenizer(name: str, tokenizer: Any, config: Any) -> None:
    """Raise `ColieeError` if a checkpoint has no tokenizer, or one that does not fit its weights.

    Without a tokenizer, the transformers library creates an empty one, which drops all words of a text. From files of
    an earlier version it can create one with other token ids.

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
        If the tokenizer encodes no word, if it has tokens without an embedding, if its special tokens are not those of
        the configuration, or if it splits Japanese words with another dictionary than the model was trained on.

    Warns
    -----
    ColieeWarning
        If the dictionary that splits Japanese words is not known.
    """
    tokens = tokenizer("yes はい", verbose=False)["input_ids"]
    if not tokenizer.decode(tokens, skip_special_tokens=True).strip():
        raise ColieeError(f"The tokenizer of {printable(name)} is missing. Give the folder of a complete checkpoint.")
    differences = list(_differences(tokenizer, config))
    if differences:
        raise ColieeError(
            f"The tokenizer of {printable(name)} does not fit its weights.\n"
            f"{'; '.join(differences)}. {_next_step(tokenizer)}"
        )
    _check_dictionary(name, tokenizer, config)


def _differences(tokenizer: Any, config: Any) -> Iterator[str]:
    """Yield descriptions of the ids that differ between the tokenizer and the configuration."""
    text = config.get_text_config()
    largest, size = max(tokenizer.get_vocab().values()), getattr(text, "vocab_size", None)
    if size is not None and largest >= size:
        yield f"Its largest token id is {largest}, but the model has embeddings for the ids below {size}"
    special = {*tokenizer.all_special_ids, *tokenizer.added_tokens_decoder}
    is_causal = _is_causal(config)
    for role in ("eos",) if is_causal else ("bos", "eos", "cls", "sep", "decoder_start"):
        for token_id in _ids(text, role):
            if token_id not in special:
                yield f"The configuration's {role}_token_id {token_id} is not a special token of the tokenizer"
    # these are ids that the network itself interprets, or that end a reply
    for role in () if is_causal else ("pad", "eos") if config.is_encoder_decoder else ("pad",):
        own = getattr(tokenizer, f"{role}_token_id")
        if own is not None and (expected := _ids(text, role)) and own not in expected:
            ids = " or ".join(map(str, expected))
            yield f"The tokenizer's {role}_token_id is {own}, that of the configuration {ids}"


def _ids(config: Any, role: str) -> list[int]:
    """Return the ids that a configuration gives for a role; models may have several that end a text."""
    value = getattr(config, f"{role}_token_id", None)
    ids = value if isinstance(value, list) else [value]
    return [token_id for token_id in ids if token_id is not None and token_id >= 0]


def _is_causal(config: Any) -> bool:
    """Whether a language model's configuration is causal, as opposed to that of an encoder."""
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM

    kind = type(config)
    is_language_model = kind in AutoModelForCausalLM._model_mapping
    return is_language_model and kind not in AutoModelForMaskedLM._model_mapping and not config.is_encoder_decoder


def _next_step(tokenizer: Any) -> str:
    if is_mluke_tokenizer(tokenizer):
        return "Convert it: ir_coliee.models.convert_checkpoint(model, folder)."
    return "Use the tokenizer that the weights were trained with, or correct the ids in config.json."


def _check_dictionary(name: str, tokenizer: Any, config: Any) -> None:
    if getattr(tokenizer, "word_tokenizer_type", None) != "mecab" or tokenizer.mecab_kwargs:
        return
    known = known_dictionary(name, config.vocab_size)
    if known is None:
        warnings.warn(
            f"The tokenizer of {printable(name)} does not name its dictionary; unidic_lite is used. If it was trained "
            'with another one, write "mecab_kwargs": {"mecab_dic": "ipadic"} into its tokenizer_config.json.',
            ColieeWarning,
            stacklevel=3,
        )
    elif known != "unidic_lite":
        raise ColieeError(
            f"The tokenizer of {printable(name)} needs the dictionary {known}, but uses unidic_lite.\n"
            f'Write "mecab_kwargs": {{"mecab_dic": "{known}"}} into its tokenizer_config.json.'
        )
