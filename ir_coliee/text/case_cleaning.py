"""Cleaning of decisions: what is left for an index or a model, each step with a switch of its own."""

from __future__ import annotations

import re

from ir_coliee.text.case_paragraphs import first_mark, opens_paragraph, remove_marks
from ir_coliee.text.editorial_lines import remove_editorial_lines
from ir_coliee.text.french import remove_french
from ir_coliee.text.suppressed_markers import remove_markers

_BLANKS = re.compile("  +")
_CLOSING = "\"'”’»)]"  # may stand behind the end of a sentence
_ENDS_OF_SENTENCES = (".", "!", "?", ":", ";")
_CONTINUING = (",", ".", ";", ":", ")", "]")


def clean_case(
    text: str,
    *,
    drop_markers: bool = True,
    drop_marks: bool = True,
    drop_editorial: bool = True,
    fold_blanks: bool = True,
    drop_header: bool = False,
    drop_french: bool = False,
    join_lines: bool = False,
) -> str:
    """A decision's words alone: by default without suppressed markers, paragraph marks and editorial lines.

    ``drop_markers``: suppressed markers become blanks. ``drop_marks``: paragraph marks ``[n]`` go, but not the text
    behind them. ``drop_editorial``: the publisher's lines and ``[Translation]`` go. ``fold_blanks``: soft hyphens go,
    and there is one blank between words and one line feed between lines. ``drop_header``: what stands before ``[1]``
    goes (before the first mark where there is no ``[1]``; nothing without a mark). ``drop_french``: French lines go,
    see `ir_coliee.text.french.french_passages`. ``join_lines``: see `join_broken_lines`.

    All seven are the cleaning of THUIR at COLIEE 2023.

    >>> decision = " <FRAGMENT_SUPPRESSED>  (FC)\\n[1]\\nSee\\n<FRAGMENT_SUPPRESSED> for more.\\n[End of document]"
    >>> clean_case(decision)
    '(FC)\\nSee\\nfor more.'
    >>> clean_case(decision, drop_header=True, drop_french=True, join_lines=True)
    'See for more.'
    """
    if fold_blanks:
        text = text.replace("\u00ad", "")
    if drop_french:
        text = remove_french(text, by="line")
    if drop_header:
        text = text[first_mark(text) or 0 :]
    if drop_markers:
        text = remove_markers(text)
    if drop_editorial:
        text = remove_editorial_lines(text)
    if join_lines:
        text = join_broken_lines(text)
    if drop_marks:
        text = remove_marks(text)
    return _folded(text) if fold_blanks else text


def join_broken_lines(text: str) -> str:
    """The text behind the header with broken lines joined; those between them that are blank go.

    A line is broken that ends no sentence, or is followed by one that begins with a lower-case letter or with a
    closing mark; never before a paragraph mark, nor behind one that stands alone. The rule is ours.

    >>> join_broken_lines("[1]\\nThe lamp of the\\nKeeper was\\nlit.\\nThe gate was shut.")
    '[1]\\nThe lamp of the Keeper was lit.\\nThe gate was shut.'
    """
    body = first_mark(text) or 0
    joined: list[list[str]] = []
    for line in filter(None, map(str.strip, text[body:].split("\n"))):
        if joined and _goes_on(joined[-1][-1], line):
            joined[-1].append(line)
        else:
            joined.append([line])
    return text[:body] + "\n".join(map(" ".join, joined))


def _goes_on(line: str, following: str) -> bool:
    if opens_paragraph(following) or (opens_paragraph(line) and line.find("]") == len(line) - 1):
        return False
    ends_sentence = line.rstrip(_CLOSING).endswith(_ENDS_OF_SENTENCES)
    return not ends_sentence or following[0].islower() or following.startswith(_CONTINUING)


def _folded(text: str) -> str:
    """The text with single blanks and single line feeds, none at the ends of lines."""
    lines = map(str.strip, text.replace("\t", " ").replace("\u00a0", " ").split("\n"))
    return _BLANKS.sub(" ", "\n".join(filter(None, lines)))
