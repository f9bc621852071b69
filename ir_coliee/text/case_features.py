"""How the files of real decisions differ from the usual one, as a table: what a cleaner or splitter has to expect.

A decision of task 1 has paragraph marks ``[1]``, ``[2]``, … alone on their lines and ends with ``[End of document]``;
a paragraph of task 2 begins with its mark, and a fragment is one line. Each trait is a way in which some do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ir_coliee.text.editorial import BLANKS, NOTICES, PAIRS_OF_NOTICES, TRANSLATIONS
from ir_coliee.text.markers import MARKERS


class Written(NamedTuple):
    """A text as it lies in its file: the file's name without extension, its bytes, and the text read from them."""

    name: str
    data: bytes
    text: str


class Trait(NamedTuple):
    """A stable name, the words for the texts that have the trait, and whether one has it."""

    name: str
    words: str
    is_shown_by: Callable[[Written], bool]


# All patterns open with a line feed, which a text is given in front: the search leaps from line to line.
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


def shown(traits: Iterable[Trait], written: Written) -> list[str]:
    """The names of those traits that a text has.

    >>> shown(OF_DECISIONS, Written("900001", b"", "[1]\\nA lamp.\\n[3]\\nA gate."))
    ['skipped-mark', 'no-end-mark']
    """
    return [trait.name for trait in traits if trait.is_shown_by(written)]


# --- decisions -------------------------------------------------------------------------------------


def paragraph_marks(text: str) -> list[int]:
    """The numbers of the paragraph marks that stand alone on their lines, in the order of the text.

    >>> paragraph_marks(" [1] \\nAs in\\n[2007] 3 X.C. 9\\n[2]\\nsaid.")
    [1, 2]
    """
    return [int(number) for _, number, _ in _OWN_LINE_MARK.findall("\n" + text)]


def _repeats_a_mark(written: Written) -> bool:
    numbers = paragraph_marks(written.text)
    return len(set(numbers)) < len(numbers)


def _skips_a_mark(written: Written) -> bool:
    highest = 0
    for number in paragraph_marks(written.text):
        if number > highest + 1:
            return True
        highest = max(highest, number)
    return False


def _has_spaced_mark(written: Written) -> bool:
    return any(before or behind for before, _, behind in _OWN_LINE_MARK.findall("\n" + written.text))


def _has_glued_suppression(written: Written) -> bool:
    return "_SUPPRESSED" in written.text and bool(_GLUED.search(written.text))


def _notices(text: str) -> list[tuple[str, str]]:
    """The bilingual notices at the start of a line, each with the suppression mark behind it, if there is one."""
    return _NOTICE.findall("\n" + text) if " version " in text else []


def _has_notice_before_suppression(written: Written) -> bool:
    return any(suppression for _, suppression in _notices(written.text))


def _lacks_one_of_a_pair_of_notices(written: Written) -> bool:
    notices = {notice for notice, _ in _notices(written.text)}
    return any(len(notices.intersection(pair)) == 1 for pair in PAIRS_OF_NOTICES)


_OF_BOTH = (
    Trait("crlf", "with CR LF at the end of lines, which are read as LF", lambda it: b"\r\n" in it.data),
    Trait("no-break-space", "with no-break spaces (U+00A0)", lambda it: "\u00a0" in it.text),
    Trait("soft-hyphen", "with soft hyphens (U+00AD)", lambda it: "\u00ad" in it.text),
)

#: Traits of the decisions of task 1.
OF_DECISIONS = (
    *_OF_BOTH,
    Trait("glued-suppression", "with suppression marks glued to letters", _has_glued_suppression),
    Trait("no-first-mark", "without [1]", lambda it: "[1]" not in it.text),
    Trait("repeated-mark", "with a number twice among the paragraph marks that have their own line", _repeats_a_mark),
    Trait("skipped-mark", "with a number skipped by the paragraph marks that have their own line", _skips_a_mark),
    Trait("spaced-mark", "with blanks around paragraph marks", _has_spaced_mark),
    Trait(
        "text-on-mark-line",
        "with text on the line of a paragraph mark",
        lambda it: bool(_MARK_BEFORE_TEXT.search("\n" + it.text)),
    ),
    Trait("translation", "with [Translation]", lambda it: any(word in it.text for word in TRANSLATIONS)),
    Trait("bilingual-notice", "with a notice of two languages", lambda it: bool(_notices(it.text))),
    Trait(
        "bilingual-notice-before-suppression",
        "with a suppression mark behind a notice of two languages",
        _has_notice_before_suppression,
    ),
    Trait(
        "bilingual-notice-alone",
        "with a notice of two languages in one language alone",
        _lacks_one_of_a_pair_of_notices,
    ),
    Trait("headnote", "with a line that begins Summary:", lambda it: bool(_SUMMARY.search("\n" + it.text))),
    Trait("no-end-mark", "without [End of document]", lambda it: "[End of document]" not in it.text),
    Trait("blank-line", "with blank lines", lambda it: bool(_BLANK_LINE.search("\n" + it.text))),
)


# --- paragraphs and fragments ----------------------------------------------------------------------


def _opening(written: Written) -> re.Match[str] | None:
    return _OPENING_MARK.match(written.text)


def _has_mark_unlike_its_name(written: Written) -> bool:
    mark = _opening(written)
    return bool(mark and written.name.isdecimal() and mark["number"].lstrip("0") != written.name.lstrip("0"))


def _opens_with_spaced_mark(written: Written) -> bool:
    mark = _opening(written)
    return bool(mark and mark["own"] is not None and (mark["before"] or mark["behind"]))


def _has_text_behind_mark(written: Written) -> bool:
    mark = _opening(written)
    return bool(mark and mark["own"] is None)


def _has_line_above_mark(written: Written) -> bool:
    mark = _opening(written)
    return bool(mark and mark["above"] is not None)


def _opens_without_bracket(written: Written) -> bool:
    return bool(_OPENING_WITHOUT_BRACKET.match(written.text))


#: Traits of the paragraphs of task 2.
OF_PARAGRAPHS = (
    *_OF_BOTH,
    Trait("mark-unlike-name", "with another number in their mark than in their name", _has_mark_unlike_its_name),
    Trait("spaced-mark", "with blanks around their mark", _opens_with_spaced_mark),
    Trait("text-on-mark-line", "with text on the line of their mark", _has_text_behind_mark),
    Trait("line-above-mark", "with a blank line before their mark", _has_line_above_mark),
    Trait("mark-without-bracket", "with a mark that lost its bracket", _opens_without_bracket),
    Trait("no-mark", "without a mark", lambda it: not _opening(it) and not _opens_without_bracket(it)),
)

#: Traits of the fragments of task 2.
OF_FRAGMENTS = (Trait("several-lines", "of several lines", lambda it: "\n" in it.text.strip()),)
