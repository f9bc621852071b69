"""Text that the publisher, not the court, added to a decision: labels, notices and the last lines."""

from __future__ import annotations

import re

BLANKS = r"[ \t\u00a0]*"

#: The notices that a decision is in two languages; each of a pair says it in one language.
PAIRS_OF_NOTICES = (
    (
        "[French language version follows English language version]",
        "[La version française vient à la suite de la version anglaise]",
    ),
    (
        "[English language version follows French language version]",
        "[La version anglaise vient à la suite de la version française]",
    ),
)
NOTICES = tuple(notice for pair in PAIRS_OF_NOTICES for notice in pair)
#: What stands before words of which the decision gives a translation.
TRANSLATIONS = ("[Translation]", "[translation]", "[TRANSLATION]")

_END = r"Editor: .*|\[?(?i:editor['’]s note).*|\[End of document\]"
_LABEL = r"MLB unedited judgment|MLB headnote and full text|Temp\. Cite.*"
_NOTICE = "|".join(map(re.escape, NOTICES))
_LAST_LINE = re.compile(_END)
# opens with a line feed, which a text is given in front: the search leaps from line to line
_EDITORIAL_LINE = re.compile(rf"\n{BLANKS}(?:{_END}|{_LABEL}|{_NOTICE})")


def remove_editorial_lines(text: str) -> str:
    r"""Remove the publisher's lines and ``[Translation]``; header and counsel stay.

    If a line continues after a bilingual notice, only the notice is removed.

    Examples
    --------
    >>> remove_editorial_lines("MLB unedited judgment\nA lamp.\n[End of document]").split()
    ['A', 'lamp.']
    """
    text = _EDITORIAL_LINE.sub("\n", "\n" + text)[1:]
    for word in TRANSLATIONS:
        text = text.replace(word, " ")
    return text


def opens_editorial_line(text: str) -> bool:
    """Whether the first line of a text is one of the publisher's.

    Examples
    --------
    >>> opens_editorial_line("Editor's note: a lamp."), opens_editorial_line("An editor's note.")
    (True, False)
    """
    return _EDITORIAL_LINE.match("\n" + text) is not None


def trailer_start(text: str) -> int:
    r"""Offset of the final lines that only name the editor and the end of the document, else the text's length.

    Examples
    --------
    >>> trailer_start("A lamp.\nEditor: Nobody/xyz\n[End of document]\n")
    8
    """
    start = end = len(text)
    while end > 0:
        first = text.rfind("\n", 0, end) + 1
        line = text[first:end].strip()
        if line and not _LAST_LINE.fullmatch(line):
            break
        start = first if line else start
        end = first - 1
    return start
