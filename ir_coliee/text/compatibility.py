"""Unicode's compatibility normalisation (NFKC) in linear time."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

# Combining characters are no word characters, but for the voicing marks in half width. A sequence of them is
# sorted by unicodedata, in a time that grows with its square.
_MANY_MARKS = re.compile(r"[\W\uff9e\uff9f]{32,}")


def nfkc(text: str) -> str:
    """Text in Unicode's normal form NFKC, in which full-width letters are ASCII.

    The result is that of `unicodedata.normalize`, whose time grows with the square of a sequence of
    combining characters.

    Examples
    --------
    >>> nfkc("Ａ１ ｶﾞ")
    'A1 ガ'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _MANY_MARKS.sub(_marks_sorted, text))


def _marks_sorted(run: re.Match[str]) -> str:
    """Characters taken apart, with the marks of each character in the order of the normal form."""
    apart = "".join(unicodedata.normalize("NFKD", character) for character in run[0])
    groups = groupby(apart, key=lambda character: unicodedata.combining(character) > 0)
    return "".join("".join(sorted(group, key=unicodedata.combining) if marks else group) for marks, group in groups)
