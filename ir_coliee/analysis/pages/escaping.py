"""Text of releases and runs in HTML: markup shows as text, and invisible characters are made visible."""

from __future__ import annotations

import html
import re

#: Control characters but line end and tab, characters that change the direction of writing, and halves of surrogates
#: and noncharacters, which no file in UTF-8 or no HTML document may have.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff\ufffe\uffff"
    "\ud800-\udfff" + "".join(map(chr, (p * 0x10000 + last for p in range(1, 17) for last in (0xFFFE, 0xFFFF)))) + "]"
)


def escaped(text: str) -> str:
    r"""Return a text as HTML shows it: every character of it, and no markup.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        HTML without elements. Control characters, marks of the direction of writing and lone surrogates are written as
        in Python; line ends and tabs are kept.

    Examples
    --------
    >>> print(escaped("<b>a & b\x00\u202e"))
    &lt;b&gt;a &amp; b\x00\u202e
    """
    lines = text.replace("\r\n", "\n")
    return html.escape(_INVISIBLE.sub(lambda match: match[0].encode("unicode_escape").decode(), lines))
