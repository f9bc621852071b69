"""Read texts of decisions in worker processes: their chunks and their properties, each text once.

A chunk is a piece of a decision between blanks, punctuation, suppressed markers and paragraph marks: an ASCII string of
letters, digits and apostrophes, most often one word as it was written. Distinct chunks are few, so that they can be
split into tokens, and be compared without regard to case, once each. Workers load no numerical library.
"""

from __future__ import annotations

import re
import string
from hashlib import blake2b

from ir_coliee.engine.counting import Counted, count_tokens
from ir_coliee.text.decisions import marker_spans, paragraph_spans
from ir_coliee.text.years import CaseProperties, case_properties

#: The chunks that stand for a suppressed marker and for the beginning of a paragraph. They have no tokens.
MARKER, PARAGRAPH = "!", "#"

_TOKEN = re.compile(r"[A-Za-z]+(?:'[a-z])?|[0-9]+")
_KEPT = (string.ascii_letters + string.digits + "'").encode()
_GAPS = bytes(code if code in _KEPT else ord(" ") for code in range(256))


def text_chunks(text: str) -> list[str]:
    r"""Return the chunks of a decision, with `MARKER` for each marker and `PARAGRAPH` before each paragraph mark.

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


def chunk_tokens(chunk: str) -> list[str]:
    """Return the tokens of a chunk as they were written.

    Examples
    --------
    >>> chunk_tokens("court's"), chunk_tokens("A14b"), chunk_tokens(MARKER)
    (["court's"], ['A', '14', 'b'], [])
    """
    return _TOKEN.findall(chunk)


def read_batch(texts: list[str], latest_year: int) -> tuple[Counted, list[CaseProperties]]:
    """Read texts in one process: their chunks in reading order, and the properties of each text."""
    chunks = count_tokens(texts, text_chunks, in_order=True)
    return chunks, [case_properties(text, latest_year) for text in texts]


# When two files have the same text: their words are the same, whatever stands between them.


_NON_ASCII_GAP = re.compile(r"[^\w\x00-\x7f]")
_WORD = (string.ascii_letters + string.digits + "_").encode()
_GAPS_SAME_TEXT = bytes(code if code >= 128 or code in _WORD else ord(" ") for code in range(256))


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
    words = text.encode(errors="surrogatepass").translate(_GAPS_SAME_TEXT).split()
    return int.from_bytes(blake2b(b" ".join(words), digest_size=8).digest(), "little")
