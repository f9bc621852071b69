"""Japanese words, by a morphological analyser and its dictionary."""

from __future__ import annotations

import importlib.metadata
import unicodedata
from functools import cache
from typing import Any

from ir_coliee.errors import MissingExtraError


def japanese_words(text: str) -> list[str]:
    """The words of a Japanese text as they are written, without signs; full-width letters and digits are folded.

    MeCab with the dictionary unidic-lite parts them. Raises `MissingExtraError` without the extra.
    """
    tagger = _tagger()
    # MeCab reads bytes up to a zero, and cannot be given half a character
    lines = unicodedata.normalize("NFKC", text).lower().replace("\0", " ").encode(errors="replace").decode().split("\n")
    words = (str(word.surface) for line in lines for word in tagger(line))
    return [word for word in words if any(character.isalnum() for character in word)]


def dictionary_version() -> str:
    """The versions of fugashi and unidic-lite: others may part words otherwise. Raises `MissingExtraError` without."""
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
