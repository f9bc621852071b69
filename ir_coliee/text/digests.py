"""Digests by which identical and near-identical texts are found."""

from __future__ import annotations

import re
from hashlib import blake2b

_NON_ASCII_GAPS = re.compile(r"[^\w\x00-\x7f]+")
_ASCII_GAPS = bytes(code for code in range(128) if re.match(r"\W", chr(code)))


def text_digest(text: str) -> bytes:
    """Return a digest that is equal for identical texts; CR LF and LF are equal."""
    return _digest(text.replace("\r\n", "\n").encode(errors="surrogatepass"))


def normalised_digest(text: str) -> bytes:
    """Return a digest that is equal for texts with the same `normalised_text`, or identical ones without any."""
    normalised = normalised_text(text)
    return _digest(normalised) if normalised else text_digest(text)


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
    data = text.encode(errors="surrogatepass")  # JSON can contain a lone surrogate
    return data.translate(None, _ASCII_GAPS)  # several times faster than one regular expression


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()
