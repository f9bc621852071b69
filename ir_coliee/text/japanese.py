"""Japanese words, by a morphological analyser and its dictionary."""

from __future__ import annotations

import importlib.metadata
import unicodedata
from functools import cache
from typing import Any

from ir_coliee.errors import MissingExtraError


def japanese_words(text: str) -> list[str]:
    """Words of a Japanese text as written, without punctuation; full-width letters and digits are normalised (NFKC).

    The text is split by MeCab with the dictionary unidic-lite.

    Raises
    ------
    MissingExtraError
        Without the extra ``ja``.
    """
    tagger = _tagger()
    # MeCab reads bytes up to a zero, and cannot be given half a character
    lines = unicodedata.normalize("NFKC", text).lower().replace("\0", " ").encode(errors="replace").decode().split("\n")
    words = (str(word.surface) for line in lines for word in tagger(line))
    return [word for word in words if any(character.isalnum() for character in word)]


def dictionary_version() -> str:
    """Versions of fugashi and unidic-lite; other versions may split words differently.

    Raises
    ------
    MissingExtraError
        Without the extra ``ja``.
    """
    _tagger()
    return "-".join(importlib.metadata.version(name) for name in ("fugashi", "unidic-lite"))


@cache
def _tagger() -> Any:
    try:
        import fugashi
        import unidic_lite
    except ImportError:
        raise MissingExtraError("Parting Japanese text into words", "ja") from None
    return fugashi.Tagger(f"-d {unidic_lite.DICDIR}")
