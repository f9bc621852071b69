"""Court decisions: suppressed citations, numbered paragraphs, years.

The organisers replace the citations of a decision by marks such as ``<FRAGMENT_SUPPRESSED>``; the
bare words occur too, sometimes glued to letters. Paragraph marks ``[12]`` stand alone on a line.
"""

from __future__ import annotations

import re

_SUPPRESSED = re.compile(r"<?(?:FRAGMENT|REFERENCE|CITATION|DATE)_SUPPRESSED>?")
_PARAGRAPH_MARK = re.compile(r"^[ \t\u00a0]*\[\d{1,4}\][ \t\u00a0]*", re.MULTILINE)
_FRAME = re.compile(
    r"^[ \t\u00a0]*(?:Editor: .*|\[End of document\]|MLB unedited judgment|MLB headnote and full text|Temp\. Cite.*"
    r"|\[French language version follows English language version\]"
    r"|\[La version française vient à la suite de la version anglaise\]"
    r"|\[English language version follows French language version\]"
    r"|\[La version anglaise vient à la suite de la version française\])",
    re.MULTILINE,
)
_BLANKS = re.compile(r"[ \t\u00a0]+")
_BLANK_LINES = re.compile(r" ?\n(?: ?\n)+")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")


def clean_case(text: str) -> str:
    """A decision's words alone: no suppressed marks, paragraph marks, editorial lines or soft hyphens.

    >>> clean_case(" <FRAGMENT_SUPPRESSED>  (FC)\\n[1]\\nSee <FRAGMENT_SUPPRESSED> for more.\\n[End of document]")
    '(FC)\\nSee for more.'
    """
    text = _SUPPRESSED.sub(" ", text.replace("\u00ad", ""))
    text = _FRAME.sub("", _PARAGRAPH_MARK.sub("", text))
    return _BLANK_LINES.sub("\n", _BLANKS.sub(" ", text)).strip()


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
