"""The dictionary with which MeCab splits words for a Japanese BERT.

A tokenizer that does not name its dictionary gets unidic_lite from the transformers library, although the first
Japanese BERTs were trained on words of ipadic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ir_coliee.errors import MissingExtraError, printable

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
