"""Clean court decisions for an index or a model, with a switch for each step."""

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
    r"""Clean a decision, by default from suppressed markers, paragraph marks and editorial lines.

    Parameters
    ----------
    text : str
        A decision.
    drop_markers : bool
        Replace suppressed markers by blanks.
    drop_marks : bool
        Remove paragraph marks ``[n]``, but not the text after them.
    drop_editorial : bool
        Remove the publisher's lines and ``[Translation]``.
    fold_blanks : bool
        Remove soft hyphens and reduce white space to one blank between words and one line feed between lines.
    drop_header : bool
        Remove the text before ``[1]``, or before the first mark if there is no ``[1]``. A text without marks is
        unchanged.
    drop_french : bool
        Remove French lines; see `ir_coliee.text.french.french_passages`.
    join_lines : bool
        Join broken lines; see `join_broken_lines`.

    Notes
    -----
    All seven steps together are the cleaning of THUIR at COLIEE 2023.

    Examples
    --------
    >>> decision = " <FRAGMENT_SUPPRESSED>  (FC)\n[1]\nSee\n<FRAGMENT_SUPPRESSED> for more.\n[End of document]"
    >>> clean_case(decision)
    '(FC)\nSee\nfor more.'
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
    r"""Join broken lines after the header and remove blank lines between them.

    Notes
    -----
    A line is broken if it ends no sentence, or if the next line begins with a lower-case letter or a closing mark.
    Lines are never joined before a paragraph mark, nor after a mark that is alone on its line. The rule is our own.

    Examples
    --------
    >>> join_broken_lines("[1]\nThe lamp of the\nKeeper was\nlit.\nThe gate was shut.")
    '[1]\nThe lamp of the Keeper was lit.\nThe gate was shut.'
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
    """Reduce white space to single blanks and single line feeds, with none at the ends of lines."""
    lines = map(str.strip, text.replace("\t", " ").replace("\u00a0", " ").split("\n"))
    return _BLANKS.sub(" ", "\n".join(filter(None, lines)))
