"""Texts of releases and names of runs in HTML: markup shows as text, and invisible characters are made visible."""

from __future__ import annotations

import html

from ir_coliee.display import readable


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
    return html.escape(readable(text.replace("\r\n", "\n")))
