"""Comparison of the articles that an exam question quotes with the local civil code, for the audit.

They are known to differ: a question may quote an article only partly, in an older wording, or with a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ir_coliee.releases.civil_code import Article
from ir_coliee.text.statutes import caption_of, head_of

# in a file of 2017 the articles of a question follow each other on one line
_CAPTION_AND_HEAD = re.compile(r"(?<=.)(?=\([^()]*\)\s*Article\s+\d)")


def split_quotation(t1: str, language: str) -> Iterator[tuple[str, list[str]]]:
    r"""Split the quotation of a question into articles.

    Parameters
    ----------
    t1 : str
        The quotation.
    language : {"en", "ja"}

    Yields
    ------
    tuple
        The number of an article, and the quoted lines without head and caption.

    Examples
    --------
    >>> list(split_quotation("(Keys)\nArticle 18\nA key opens.\n(Locks)\nArticle 20 A lock closes.", "en"))
    [('18', ['A key opens.']), ('20', ['A lock closes.'])]
    """
    written = [line for line in t1.splitlines() if line.strip()]
    if language == "en" and len(written) == 1:
        written = _CAPTION_AND_HEAD.sub("\n", t1).splitlines()
    number, lines = "", list[str]()
    for line in written:
        head = head_of(line, language)
        if head is None:
            lines.append(line)
            continue
        if number:
            yield number, _without_caption(lines, language)
        number, lines = head.number, [head.body] if head.body else []
    if number:
        yield number, lines


def _without_caption(lines: list[str], language: str) -> list[str]:
    """Remove the caption of the next article from the lines above its head."""
    return lines[:-1] if lines and caption_of(lines[-1], language) is not None else lines


def differing_quotations(t1: str, language: str, code: Mapping[str, Article]) -> Iterator[tuple[str, bool]]:
    """Find the quoted articles whose text differs from that of the civil code.

    White space and articles that are not in the code are ignored.

    Yields
    ------
    tuple
        The number of an article, and whether every quoted line occurs in its text, which means that the quotation is
        only shortened.
    """
    for number, lines in split_quotation(t1, language):
        if number in code:
            text = _without_blanks(code[number].text)
            if _without_blanks("".join(lines)) != text:
                yield number, all(_without_blanks(line) in text for line in lines)


def _without_blanks(text: str) -> str:
    """Remove white space and the number of a first paragraph, which is sometimes missing."""
    return "".join(text.split()).removeprefix("(1)")
