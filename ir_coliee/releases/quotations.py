"""The articles that an exam question quotes, compared with the civil code of the same copy.

They are known to differ: a question may quote an article in split, in the words of another law, or with a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ir_coliee.releases.civil_code import Article
from ir_coliee.text.statutes import caption_of, head_of

# in a form of 2017 the articles of a question run together on one line
_CAPTION_AND_HEAD = re.compile(r"(?<=.)(?=\([^()]*\)\s*Article\s+\d)")


def quotations(t1: str, language: str) -> Iterator[tuple[str, list[str]]]:
    """The number of each article that a text quotes, and the lines quoted of it, without head and caption.

    >>> list(quotations("(Keys)\\nArticle 18\\nA key opens.\\n(Locks)\\nArticle 20 A lock closes.", "en"))
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
    """The lines between two heads without the caption of the second."""
    return lines[:-1] if lines and caption_of(lines[-1], language) is not None else lines


def quoted_otherwise(t1: str, language: str, code: Mapping[str, Article]) -> Iterator[tuple[str, bool]]:
    """The numbers of the articles of the code that are quoted with another text than theirs, white space apart.

    With each, whether every quoted line stands in the article all the same, so that only some is left out.
    """
    for number, lines in quotations(t1, language):
        if number in code:
            text = _squeezed(code[number].text)
            if _squeezed("".join(lines)) != text:
                yield number, all(_squeezed(line) in text for line in lines)


def _squeezed(text: str) -> str:
    """The text without white space, and without the number of a first paragraph, which is not always written."""
    return "".join(text.split()).removeprefix("(1)")
