"""Japanese words, by a morphological analyser and its dictionary."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from ir_coliee.errors import MissingExtraError
from ir_coliee.text.compatibility import nfkc

# The time of MeCab grows with the square of a sequence of letters or signs. No line of a statute, a question or a claim
# is as long as such a piece; a longer line is divided behind a full stop or a blank.
_PIECE = re.compile(r"[^\n]{1,5000}(?=\n|\Z)|[^\n]{0,4999}[。 ]|[^\n]{5000}")

_FUNCTION_WORDS = ("助詞", "助動詞", "記号", "補助記号", "空白")  # unidic's names of the parts of speech


def japanese_words(text: str) -> list[str]:
    """Words of a Japanese text as written, without punctuation; full-width letters and digits are normalised (NFKC).

    The text is split by MeCab with the dictionary unidic-lite.

    Raises
    ------
    MissingExtraError
        Without the extra ``ja``.
    """
    return [str(word.surface) for word in _analysed(text)]


def japanese_lemmas(text: str) -> list[str]:
    """Dictionary forms of the content words of a Japanese text: without particles, auxiliaries and symbols.

    The text is split by MeCab with the dictionary unidic-lite. Of a word that the dictionary lacks the word itself is
    taken.

    Raises
    ------
    MissingExtraError
        Without the extra ``ja``.
    """
    return [*_lemmas(text)]


@lru_cache(maxsize=8192)  # an evidence of task 3 counts the articles and questions several times
def _lemmas(text: str) -> tuple[str, ...]:
    words = (word for word in _analysed(text) if word.feature.pos1 not in _FUNCTION_WORDS)
    return tuple(str(word.feature.lemma or word.surface) for word in words)


def _analysed(text: str) -> Iterator[Any]:
    """Yield the words of a text as MeCab gives them, without punctuation."""
    tagger = _tagger()
    # MeCab reads bytes up to a zero, and cannot be given a lone surrogate
    written = nfkc(text).lower().replace("\0", " ").encode(errors="replace").decode()
    for piece in _PIECE.findall(written):
        yield from (word for word in tagger(piece) if any(character.isalnum() for character in str(word.surface)))


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
        raise MissingExtraError("Splitting Japanese text into words", "ja") from None
    return fugashi.Tagger(f"-d {unidic_lite.DICDIR}")
