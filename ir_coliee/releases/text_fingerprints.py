"""Fingerprints of texts, to find identical and near-identical texts without keeping them in memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any, NamedTuple

_NON_ASCII_GAPS = re.compile(r"[^\w\x00-\x7f]+")
_ASCII_GAPS = bytes(code for code in range(128) if re.match(r"\W", chr(code)))


class Fingerprint(NamedTuple):
    """The fingerprints of a document or query.

    Attributes
    ----------
    id : str
    whole : bytes
        Equal for identical texts.
    normalised : bytes
        Equal for texts whose `normalised_text` is equal.
    is_damaged : bool
        Whether the text has U+FFFD, which replaces bytes that could not be decoded.
    """

    id: str
    whole: bytes
    normalised: bytes
    is_damaged: bool


def text_digest(text: str) -> bytes:
    """Return a digest that is equal for identical texts; CR LF and LF are equal."""
    return _digest(_with_one_line_end(text))


def fingerprint(text_id: str, text: str) -> Fingerprint:
    """Return the fingerprints of a text; CR LF and LF are equal."""
    whole = _with_one_line_end(text)
    # a text without word characters has no normalised text to compare
    return Fingerprint(text_id, _digest(whole), _digest(normalised_text(text) or whole), "\ufffd" in text)


def normalised_text(text: str) -> bytes:
    r"""Return the word characters (``\w``) of a text in lower case, in UTF-8.

    Examples
    --------
    >>> normalised_text("[1]\nThe gate-keeper’s LAMP.") == normalised_text("[1] The gatekeeper's lamp")
    True
    """
    text = text.lower()
    if not text.isascii():
        text = _NON_ASCII_GAPS.sub("", text)
    return _encoded(text).translate(None, _ASCII_GAPS)  # several times faster than one regular expression


def _with_one_line_end(text: str) -> bytes:
    return _encoded(text.replace("\r\n", "\n"))


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # JSON can contain a lone surrogate


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def groups_by(texts: Iterable[Fingerprint], key: Callable[[Fingerprint], Any]) -> list[list[Fingerprint]]:
    """Return the groups of two or more texts that have the same key."""
    by_key: dict[Any, list[Fingerprint]] = {}
    for text in texts:
        by_key.setdefault(key(text), []).append(text)
    return [group for group in by_key.values() if len(group) > 1]
