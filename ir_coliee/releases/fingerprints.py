"""Texts by their fingerprints: which are identical, and which are near-identical, without keeping one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any, NamedTuple

_NON_ASCII_GAPS = re.compile(r"[^\w\x00-\x7f]+")
_ASCII_GAPS = bytes(code for code in range(128) if re.match(r"\W", chr(code)))


class Fingerprint(NamedTuple):
    """A document or query by the fingerprints of its text."""

    id: str
    whole: bytes
    wording: bytes
    is_damaged: bool


def fingerprint(text_id: str, text: str) -> Fingerprint:
    """The fingerprints of a text. CR LF is as good as LF; U+FFFD stands for bytes that could not be decoded."""
    whole = _encoded(text.replace("\r\n", "\n"))
    # without a word character the wording says nothing
    return Fingerprint(text_id, _digest(whole), _digest(wording(text) or whole), "\ufffd" in text)


def wording(text: str) -> bytes:
    r"""The text in lower case without anything but word characters (``\w``), in UTF-8.

    >>> wording("[1]\nThe gate-keeper’s LAMP.") == wording("[1] The gatekeeper's lamp")
    True
    """
    text = text.lower()
    if not text.isascii():
        text = _NON_ASCII_GAPS.sub("", text)
    return _encoded(text).translate(None, _ASCII_GAPS)  # several times as fast as a pattern for all


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # JSON can hold half a character


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def sharing(texts: Iterable[Fingerprint], key: Callable[[Fingerprint], Any]) -> list[list[Fingerprint]]:
    """The texts that share their key with another one, by key."""
    by_key: dict[Any, list[Fingerprint]] = {}
    for text in texts:
        by_key.setdefault(key(text), []).append(text)
    return [group for group in by_key.values() if len(group) > 1]
