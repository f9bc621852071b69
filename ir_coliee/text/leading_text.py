"""The beginning of a text, by words or by numbered paragraphs."""

from __future__ import annotations

from itertools import islice

from ir_coliee.text.case_paragraphs import paragraphs


def leading_words(text: str, number: int) -> str:
    """Text up to its ``number``-th word; words are separated by white space.

    Examples
    --------
    >>> leading_words("The lamp, at the gate", 2)
    'The lamp,'
    """
    pieces = text.split(None, number)
    return text[: len(text) - len(pieces[number])].rstrip() if len(pieces) > number else text


def leading_paragraphs(text: str, number: int) -> str:
    r"""First ``number`` non-empty paragraphs that have a paragraph mark, one per line.

    A text without such paragraphs is returned unchanged.

    Examples
    --------
    >>> leading_paragraphs("(FC)\n[1]\nA lamp.\n[2]\n[3]\nA gate.\n[4]\nA well.", 2)
    'A lamp.\nA gate.'
    """
    marked = filter(None, paragraphs(text)[1:])
    return "\n".join(islice(marked, number)) or text
