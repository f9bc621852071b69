"""Irregularities in the files of court decisions that a cleaner or splitter of the texts has to expect.

A regular decision of task 1 has paragraph marks ``[1]``, ``[2]``, … alone on their lines and ends with
``[End of document]``; a paragraph of task 2 begins with its mark, and a fragment is one line. Each irregularity is a
way in which some texts differ. ``ir_coliee audit`` reports them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ir_coliee.text.editorial_lines import BLANKS, NOTICES, PAIRS_OF_NOTICES, TRANSLATIONS
from ir_coliee.text.suppressed_markers import MARKERS


class SourceText(NamedTuple):
    """A text and the file that it was read from.

    Attributes
    ----------
    name : str
        Name of the file, without extension.
    data : bytes
        Content of the file.
    text : str
        Text that was read from source.
    """

    name: str
    data: bytes
    text: str


class Irregularity(NamedTuple):
    """A way in which some texts differ from the regular form.

    Attributes
    ----------
    name : str
        Stable identifier, as in reports.
    description : str
        Phrase that follows the texts, as in "3 decisions *with blank lines*".
    occurs_in : callable
        Whether a text has the irregularity.
    """

    name: str
    description: str
    occurs_in: Callable[[SourceText], bool]


# All patterns begin with a line feed, which is prepended to the text, so that the search jumps from line to line.
_OWN_LINE_MARK = re.compile(rf"\n({BLANKS})\[(\d{{1,4}})\]({BLANKS})(?=\n|\Z)")
# a mark of four digits before text is the year of a report
_MARK_BEFORE_TEXT = re.compile(rf"\n{BLANKS}\[\d{{1,3}}\]{BLANKS}[^ \t\u00a0\n]")
_SUMMARY = re.compile(rf"\n{BLANKS}Summary:")
_BLANK_LINE = re.compile(rf"\n{BLANKS}\n")

_SUPPRESSION = rf"<?(?:{'|'.join(MARKERS)})"
_LETTER = r"[^\W\d_]"
_LETTER_BEFORE = "|".join(f"(?<={_LETTER}{opening}{marker})" for opening in ("", "<") for marker in MARKERS)
_GLUED = re.compile(rf"_SUPPRESSED(?:>?{_LETTER}|{_LETTER_BEFORE})")

_NOTICE = re.compile(rf"\n{BLANKS}({'|'.join(map(re.escape, NOTICES))})({BLANKS}{_SUPPRESSION})?")

_OPENING_MARK = re.compile(
    rf"(?P<above>\s*\n)?(?P<before>{BLANKS})\[(?P<number>\d{{1,4}})\](?P<behind>{BLANKS})(?P<own>\n|\Z)?"
)
_OPENING_WITHOUT_BRACKET = re.compile(r"\s*\d{1,4}\]")


def irregularity_names(irregularities: Iterable[Irregularity], source: SourceText) -> list[str]:
    r"""Names of those of the irregularities that a text has.

    Examples
    --------
    >>> irregularity_names(DECISION_IRREGULARITIES, SourceText("900001", b"", "[1]\nA lamp.\n[3]\nA gate."))
    ['skipped-mark', 'no-end-mark']
    """
    return [each.name for each in irregularities if each.occurs_in(source)]


# --- decisions -------------------------------------------------------------------------------------


def paragraph_marks(text: str) -> list[int]:
    r"""Numbers of the paragraph marks that are alone on their lines, in the order of the text.

    Examples
    --------
    >>> paragraph_marks(" [1] \nAs in\n[2007] 3 X.C. 9\n[2]\nsaid.")
    [1, 2]
    """
    return [int(number) for _, number, _ in _OWN_LINE_MARK.findall("\n" + text)]


def _repeats_a_mark(source: SourceText) -> bool:
    numbers = paragraph_marks(source.text)
    return len(set(numbers)) < len(numbers)


def _skips_a_mark(source: SourceText) -> bool:
    highest = 0
    for number in paragraph_marks(source.text):
        if number > highest + 1:
            return True
        highest = max(highest, number)
    return False


def _has_spaced_mark(source: SourceText) -> bool:
    return any(before or behind for before, _, behind in _OWN_LINE_MARK.findall("\n" + source.text))


def _has_glued_suppression(source: SourceText) -> bool:
    return "_SUPPRESSED" in source.text and bool(_GLUED.search(source.text))


def _notices(text: str) -> list[tuple[str, str]]:
    """Bilingual notices at the start of a line, each with the suppression mark after it, if any."""
    return _NOTICE.findall("\n" + text) if " version " in text else []


def _has_notice_before_suppression(source: SourceText) -> bool:
    return any(suppression for _, suppression in _notices(source.text))


def _lacks_one_of_a_pair_of_notices(source: SourceText) -> bool:
    notices = {notice for notice, _ in _notices(source.text)}
    return any(len(notices.intersection(pair)) == 1 for pair in PAIRS_OF_NOTICES)


_OF_BOTH = (
    Irregularity("crlf", "with CR LF at the end of lines, which are read as LF", lambda source: b"\r\n" in source.data),
    Irregularity("no-break-space", "with no-break spaces (U+00A0)", lambda source: "\u00a0" in source.text),
    Irregularity("soft-hyphen", "with soft hyphens (U+00AD)", lambda source: "\u00ad" in source.text),
)

#: Irregularities of the decisions of task 1.
DECISION_IRREGULARITIES = (
    *_OF_BOTH,
    Irregularity("glued-suppression", "with suppression marks glued to letters", _has_glued_suppression),
    Irregularity("no-first-mark", "without [1]", lambda source: "[1]" not in source.text),
    Irregularity(
        "repeated-mark", "with a number twice among the paragraph marks that have their own line", _repeats_a_mark
    ),
    Irregularity(
        "skipped-mark", "with a number skipped by the paragraph marks that have their own line", _skips_a_mark
    ),
    Irregularity("spaced-mark", "with blanks around paragraph marks", _has_spaced_mark),
    Irregularity(
        "text-on-mark-line",
        "with text on the line of a paragraph mark",
        lambda source: bool(_MARK_BEFORE_TEXT.search("\n" + source.text)),
    ),
    Irregularity("translation", "with [Translation]", lambda source: any(word in source.text for word in TRANSLATIONS)),
    Irregularity("bilingual-notice", "with a notice of two languages", lambda source: bool(_notices(source.text))),
    Irregularity(
        "bilingual-notice-before-suppression",
        "with a suppression mark behind a notice of two languages",
        _has_notice_before_suppression,
    ),
    Irregularity(
        "bilingual-notice-alone",
        "with a notice of two languages in one language alone",
        _lacks_one_of_a_pair_of_notices,
    ),
    Irregularity(
        "headnote", 'with a line that begins with "Summary"', lambda source: bool(_SUMMARY.search("\n" + source.text))
    ),
    Irregularity("no-end-mark", "without [End of document]", lambda source: "[End of document]" not in source.text),
    Irregularity("blank-line", "with blank lines", lambda source: bool(_BLANK_LINE.search("\n" + source.text))),
)


# --- paragraphs and fragments ----------------------------------------------------------------------


def _opening(source: SourceText) -> re.Match[str] | None:
    return _OPENING_MARK.match(source.text)


def _has_mark_unlike_its_name(source: SourceText) -> bool:
    mark = _opening(source)
    return bool(mark and source.name.isdecimal() and mark["number"].lstrip("0") != source.name.lstrip("0"))


def _opens_with_spaced_mark(source: SourceText) -> bool:
    mark = _opening(source)
    return bool(mark and mark["own"] is not None and (mark["before"] or mark["behind"]))


def _has_text_behind_mark(source: SourceText) -> bool:
    mark = _opening(source)
    return bool(mark and mark["own"] is None)


def _has_line_above_mark(source: SourceText) -> bool:
    mark = _opening(source)
    return bool(mark and mark["above"] is not None)


def _opens_without_bracket(source: SourceText) -> bool:
    return bool(_OPENING_WITHOUT_BRACKET.match(source.text))


#: Irregularities of the paragraphs of task 2.
PARAGRAPH_IRREGULARITIES = (
    *_OF_BOTH,
    Irregularity("mark-unlike-name", "with another number in their mark than in their name", _has_mark_unlike_its_name),
    Irregularity("spaced-mark", "with blanks around their mark", _opens_with_spaced_mark),
    Irregularity("text-on-mark-line", "with text on the line of their mark", _has_text_behind_mark),
    Irregularity("line-above-mark", "with a blank line before their mark", _has_line_above_mark),
    Irregularity("mark-without-bracket", "with a mark that lost its bracket", _opens_without_bracket),
    Irregularity(
        "no-mark", "without a mark", lambda source: not _opening(source) and not _opens_without_bracket(source)
    ),
)

#: Irregularities of the fragments of task 2.
FRAGMENT_IRREGULARITIES = (
    Irregularity("several-lines", "of several lines", lambda source: "\n" in source.text.strip()),
)
