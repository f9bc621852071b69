"""Checks that the tokenizer of a checkpoint fits its weights, and help for those that need it."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, ColieeWarning, MissingExtraError, printable

# The dictionary with which MeCab splits words for a Japanese BERT.


_BY_NAME = {
    r"bert-base-japanese(-char)?(-whole-word-masking)?": "ipadic",
    r"bert-(base-japanese(-char)?-v[23]|large-japanese(-char)?(-v2)?)": "unidic_lite",
}
"""Dictionary by the name of a checkpoint of Tohoku University. Source: their model cards."""

_BY_VOCABULARY = {32000: "ipadic", 4000: "ipadic", 32768: "unidic_lite", 6144: "unidic_lite", 7027: "unidic_lite"}
"""Dictionary by the size of the vocabulary, for models that were trained from one of these checkpoints."""


def known_dictionary(name: str, vocabulary: int | None) -> str | None:
    """Return the dictionary of a Japanese BERT, None if it is not known.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint.
    vocabulary : int or None
        Size of its vocabulary.

    Examples
    --------
    >>> known_dictionary("cl-tohoku/bert-base-japanese-whole-word-masking", None)
    'ipadic'
    >>> known_dictionary("our-fine-tuned-model", 32768)
    'unidic_lite'
    """
    matching = (word for pattern, word in _BY_NAME.items() if re.search(rf"(?:^|[-/\\]){pattern}[/\\]?$", name))
    return next(matching, _BY_VOCABULARY.get(vocabulary or 0))


def dictionary_keywords(name: str, **source: Any) -> dict[str, Any]:
    """Return the keyword argument of ``from_pretrained`` that gives the tokenizer its dictionary, if it needs one.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint.
    **source
        Its revision, as for ``from_pretrained``.

    Raises
    ------
    MissingExtraError
        If MeCab or the dictionary is not installed.
    """
    from transformers import PretrainedConfig
    from transformers.models.auto.tokenization_auto import get_tokenizer_config

    settings = get_tokenizer_config(name, **source)
    if settings.get("word_tokenizer_type") != "mecab":
        return {}
    keywords = {}
    if not settings.get("mecab_kwargs"):
        config, _ = PretrainedConfig.get_config_dict(name, **source)
        dictionary = known_dictionary(name, config.get("vocab_size"))
        keywords = {} if dictionary is None else {"mecab_kwargs": {"mecab_dic": dictionary}}
    _check_installed(name, keywords.get("mecab_kwargs") or settings.get("mecab_kwargs") or {})
    return keywords


def _check_installed(name: str, settings: Mapping[str, Any]) -> None:
    """Raise `MissingExtraError` without MeCab or the dictionary; sentence-transformers would hide the reason."""
    for library in ("fugashi", settings.get("mecab_dic", "unidic_lite")):
        try:
            import_module(library or "fugashi")  # no dictionary: the user gives the folder of one in mecab_option
        except ImportError:
            raise MissingExtraError(f"The tokenizer of {printable(name)}", "ja") from None


# Tokenizers of mLUKE and Japanese LUKE, whose files transformers 5 reads with other token ids.


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
    file = cached_file(name, "added_tokens.json", _raise_exceptions_for_missing_entries=False, **source)
    added = _ENTITY_TOKENS if file is None else json.loads(Path(file).read_text(encoding="utf-8"))
    tokens = [AddedToken(token, special=True, normalized=False) for token in sorted(added, key=added.__getitem__)]
    tokenizer.add_special_tokens({"extra_special_tokens": tokens})
    return tokenizer


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
        If the tokenizer encodes no word, if it has tokens without an embedding, or if its special tokens are not those
        of the configuration.

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
            f"{'; '.join(differences)}. Use the tokenizer that the weights were trained with, "
            "or correct the ids in config.json."
        )
    if getattr(tokenizer, "word_tokenizer_type", None) == "mecab" and not tokenizer.mecab_kwargs:
        warnings.warn(
            f"The tokenizer of {printable(name)} does not name its dictionary; unidic_lite is used. If it was trained "
            'with another one, write "mecab_kwargs": {"mecab_dic": "ipadic"} into its tokenizer_config.json.',
            ColieeWarning,
            stacklevel=2,
        )


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
