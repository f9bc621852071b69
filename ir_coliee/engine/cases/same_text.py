"""When two files have the same text: their words are the same, whatever stands between them."""

from __future__ import annotations

import re
import string
from hashlib import blake2b

_NON_ASCII_GAP = re.compile(r"[^\w\x00-\x7f]")
_WORD = (string.ascii_letters + string.digits + "_").encode()
_GAPS = bytes(code if code >= 128 or code in _WORD else ord(" ") for code in range(256))


def text_key(text: str) -> int:
    r"""Return a key that is equal for files with the same text.

    Two texts are the same if they are equal in lower case with every sequence of non-word characters (``\W+``) as one
    blank, blanks at both ends left out.

    Parameters
    ----------
    text : str
        A text.

    Returns
    -------
    int
        A hash of 64 bits, identical on all platforms.

    Examples
    --------
    >>> text_key("[1]\nThe gate-keeper's LAMP.") == text_key("1 the gate keeper s lamp")
    True
    """
    text = text.lower()
    if not text.isascii():
        text = _NON_ASCII_GAP.sub(" ", text)
    words = text.encode(errors="surrogatepass").translate(_GAPS).split()
    return int.from_bytes(blake2b(b" ".join(words), digest_size=8).digest(), "little")
