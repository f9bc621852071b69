"""Chunks: the pieces of a decision between blanks, punctuation, suppressed markers and paragraph marks.

A chunk is an ASCII string of letters, digits and apostrophes, most often one word as it was written. Distinct chunks
are few, so that they can be split into tokens, and be compared without regard to case, once each.
"""

from __future__ import annotations

import re
import string

from ir_coliee.text.case_paragraphs import paragraph_spans
from ir_coliee.text.suppressed_markers import marker_spans

#: The chunks that stand for a suppressed marker and for the beginning of a paragraph. They have no tokens.
MARKER, PARAGRAPH = "!", "#"

_TOKEN = re.compile(r"[A-Za-z]+(?:'[a-z])?|[0-9]+")
_KEPT = (string.ascii_letters + string.digits + "'").encode()
_GAPS = bytes(code if code in _KEPT else ord(" ") for code in range(256))


def text_chunks(text: str) -> list[str]:
    r"""Return the chunks of a decision in reading order.

    Parameters
    ----------
    text : str
        The text of a decision.

    Returns
    -------
    list of str
        Chunks, with `MARKER` in place of each suppressed marker and `PARAGRAPH` before each paragraph mark.

    Examples
    --------
    >>> text_chunks("Judge: A. Lamp\n[1]\nThe court's s.14 <FRAGMENT_SUPPRESSED> rule")
    ['Judge', 'A', 'Lamp', '#', '1', 'The', "court's", 's', '14', '!', 'rule']
    """
    # one byte for each character, so that the offsets stay; several times as fast as a pattern
    kept = text.encode("ascii", "replace").translate(_GAPS).decode("ascii")
    cuts = [(span.start, span.end, MARKER) for span in marker_spans(text)]
    cuts += [(mark.start, mark.start, PARAGRAPH) for number, mark, _ in paragraph_spans(text) if number is not None]
    pieces, end = [], 0
    for start, after, chunk in sorted(cuts):
        pieces += [kept[end:start], chunk]
        end = after
    return " ".join([*pieces, kept[end:]]).split()


def is_token(text: str) -> bool:
    """Return whether a text is a token in lower case.

    Examples
    --------
    >>> is_token("court's"), is_token("14"), is_token("Court"), is_token("a b")
    (True, True, False, False)
    """
    return chunk_tokens(text) == [text] == [text.lower()]


def chunk_tokens(chunk: str) -> list[str]:
    """Return the tokens of a chunk as they were written.

    Examples
    --------
    >>> chunk_tokens("court's"), chunk_tokens("A14b"), chunk_tokens(MARKER)
    (["court's"], ['A', '14', 'b'], [])
    """
    return _TOKEN.findall(chunk)
