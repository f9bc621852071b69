"""Court decisions: suppressed citations, numbered paragraphs, years.

The organisers replace the citations of a decision by marks such as ``<FRAGMENT_SUPPRESSED>``; the
bare words occur too, sometimes glued to letters. Paragraph marks ``[12]`` open a line.
"""

from __future__ import annotations

import re

_MARKS = tuple(f"{what}_SUPPRESSED" for what in ("FRAGMENT", "REFERENCE", "CITATION", "DATE"))
# These open with a literal, so that the search leaps from line to line: a corpus has hundreds of megabytes.
# a mark of four digits stands alone on its line: before text it is the year of a report
_PARAGRAPH_MARK = re.compile(r"\n[ \t\u00a0]*\[(?:\d{1,3}\]|\d{4}\](?=[ \t\u00a0]*(?:\n|$)))")
_EDITORIAL_LINE = re.compile(
    r"\n[ \t\u00a0]*(?:Editor: .*|\[End of document\]|MLB unedited judgment|MLB headnote and full text|Temp\. Cite.*"
    r"|\[French language version follows English language version\]"
    r"|\[La version française vient à la suite de la version anglaise\]"
    r"|\[English language version follows French language version\]"
    r"|\[La version anglaise vient à la suite de la version française\])"
)
_YEAR = re.compile(r"(?:1[89]|20)\d\d\b(?<=\b\d{4})")


def clean_case(text: str) -> str:
    """A decision's words alone: no suppressed marks, paragraph marks, editorial lines or soft hyphens.

    White space is folded: one blank between words, one line feed between lines.

    >>> clean_case(" <FRAGMENT_SUPPRESSED>  (FC)\\n[1]\\nSee <FRAGMENT_SUPPRESSED> for more.\\n[End of document]")
    '(FC)\\nSee for more.'
    """
    text = "\n" + text.replace("\u00ad", "")
    if "_SUPPRESSED" in text:
        for mark in _MARKS:
            for written in (f"<{mark}>", f"<{mark}", f"{mark}>", mark):
                text = text.replace(written, " ")
    text = _EDITORIAL_LINE.sub("\n", _PARAGRAPH_MARK.sub("\n", text))
    text = _fold(text.replace("\t", " ").replace("\u00a0", " "), " ")
    return _fold(text.replace(" \n", "\n").replace("\n ", "\n"), "\n").strip()


def paragraphs(text: str) -> list[str]:
    """What stands before a decision's first paragraph mark, then the text behind each mark, in order.

    The place in the list is a paragraph's number, not what its mark says: numbers repeat and skip. Blanks at both ends
    are dropped; a paragraph may be empty.

    >>> paragraphs("Summary: a lamp.\\n[1]\\nA lamp was lent.\\n [1] \\n\\n[7] It was lost.")
    ['Summary: a lamp.', 'A lamp was lent.', '', 'It was lost.']
    """
    return [paragraph.strip() for paragraph in _PARAGRAPH_MARK.split("\n" + text)]


def _fold(text: str, blank: str) -> str:
    """``text`` with each run of ``blank`` made one. (Faster than a pattern, which stops at every blank.)"""
    while blank * 2 in text:
        text = text.replace(blank * 2, blank)
    return text


def mentioned_years(text: str, latest: int) -> list[int]:
    """The years from 1800 to ``latest`` that a text mentions, in order of appearance.

    >>> mentioned_years("In 1999 and 2004, file 20041, by 2050", latest=2024)
    [1999, 2004]
    """
    return [year for year in map(int, _YEAR.findall(text)) if year <= latest]


def decision_year(text: str, latest: int) -> int | None:
    """The year of a decision: the latest year that it mentions, None where it mentions none.

    This is the rule of THUIR at COLIEE 2023; ``latest`` is the year of the edition.

    >>> decision_year("Heard in 2003, about events of 1998.", latest=2024)
    2003
    """
    return max(mentioned_years(text, latest), default=None)
