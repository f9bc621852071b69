"""Rule-based sentences and clauses of legal text, and windows of sentences, as offsets.

The rules are our own; no COLIEE source publishes any. In doubtful cases a sentence continues.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ir_coliee.text.decisions import MARK, Span


def sentences(text: str, language: str = "en") -> list[Span]:
    """Sentences of an English (``en``) or Japanese (``ja``) text."""
    return english_sentences(text) if language == "en" else japanese_sentences(text)


def windows(sentences: Sequence[Span], *, size: int = 10, stride: int = 5, max_windows: int | None = 25) -> list[Span]:
    """Windows of neighbouring sentences.

    Parameters
    ----------
    sentences : sequence of Span
        Sentences in order.
    size : int
        Sentences per window; the last window may be shorter.
    stride : int
        Distance between the starts of windows, in sentences.
    max_windows : int or None
        Largest number of windows; None for no limit.

    Notes
    -----
    The last window ends with the last sentence, unless ``max_windows`` is reached first; the remaining sentences are
    then in no window. The defaults (10 sentences, distance 5, 25 windows) are those of NeuralMind at COLIEE 2021.

    Examples
    --------
    >>> windows([Span(0, 3), Span(4, 7), Span(8, 11)], size=2, stride=1)
    [Span(start=0, end=7), Span(start=4, end=11)]
    """
    if not sentences:
        return []
    last = max(len(sentences) - size, 0)
    # the first that reaches the end is the last
    starts = range(0, min(last + stride, len(sentences)), stride)[:max_windows]
    return [Span(sentences[start].start, sentences[min(start + size, len(sentences)) - 1].end) for start in starts]


def _spans(text: str, bounds: Iterable[int]) -> list[Span]:
    """Spans between consecutive bounds, stripped of white space; empty ones are left out."""
    pieces = (Span(start, end).stripped(text) for start, end in pairwise(bounds))
    return [piece for piece in pieces if piece.start < piece.end]


# --- English ---------------------------------------------------------------------------------------

_REST = r"[ \t\u00a0\r]*\n"  # of a line that has no more words
# a whole run of stops and closing marks at once, however long; empty lines; a paragraph mark with those behind it
_END = re.compile(
    r"(?P<stops>[.!?\u2026]+)(?P<closing>[\"'\u201d\u2019\u00bb)\]]*)"
    rf"|\n(?:(?={_REST})|(?P<mark>{MARK}(?:{_REST}(?={_REST}))*))"
)
_FIRST_MARK = re.compile(rf"{MARK}(?:{_REST}(?={_REST}))*")
_BEHIND = re.compile(r"\s+(?P<opening>[\"'\u201c\u2018\u00ab(\[<]*)")
_CONTINUING = frozenset(".,;:!?\u2026)]%/")
_WORD = re.compile(r"[\w.'\u2019]+$")
_LETTERS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_LIST_MARK = re.compile(r"\n[ \t\u00a0]*[(\[]?(?:\d{1,3}|[ivxl]{1,6}|[a-zA-Z])[)\]]?$")
_FAR_ENOUGH = 16  # characters, to know an abbreviation or the number of a list

#: Behind these something always follows.
_INTRODUCING = frozenset(
    (
        *("v", "vs", "cf", "viz", "e.g", "i.e", "mr", "mrs", "ms", "messrs", "mme", "mlle", "dr", "prof"),
        *("hon", "st", "sgt", "cst", "cpl", "insp", "capt", "sch", "exh", "app"),
    )
)
#: Behind these a number or a bracket follows, or else a sentence ends.
_BEFORE_NUMBERS = frozenset(
    (
        *("ss", "sec", "secs", "art", "arts", "para", "paras", "par", "pars", "cl", "cls", "ch", "pt"),
        *("reg", "regs", "no", "nos", "pp", "vol", "fn", "fig", "ex", "approx", "inc", "ltd", "co", "corp"),
        *("al", "etc", "a.m", "p.m", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sept", "sep", "oct"),
        *("nov", "dec"),
    )
)


def english_sentences(text: str) -> list[Span]:
    """Sentences of an English text, stripped of white space; all other characters are in one of them.

    Notes
    -----
    A sentence ends with a full stop, question mark or exclamation mark (and closing quotation marks and brackets)
    before white space, unless a lower-case letter or a punctuation mark follows. It also ends at an empty line and
    before a paragraph mark at the start of a line, which belongs to the next sentence, also across empty lines. A full
    stop after a single letter, initials, an abbreviation or a list number does not end a sentence.

    Examples
    --------
    >>> text = "See s. 12 of the Act. Lamp v. Gate, para. 4, says so."
    >>> [sentence.of(text) for sentence in english_sentences(text)]
    ['See s. 12 of the Act.', 'Lamp v. Gate, para. 4, says so.']
    """
    first_mark = _FIRST_MARK.match(text)
    ends = (
        found.end() if found["mark"] is None else found.start("mark")
        for found in _END.finditer(text, first_mark.end() if first_mark else 0)
        if not found["stops"] or _ends_sentence(text, found)
    )
    return _spans(text, [0, *ends, len(text)])


def _ends_sentence(text: str, stop: re.Match[str]) -> bool:
    behind = _BEHIND.match(text, stop.end())
    if not behind or behind.end() == len(text):
        return False
    follows = text[behind.end()]
    if follows.islower() or follows in _CONTINUING:
        return False
    if stop["stops"] != "." or stop["closing"]:
        return True
    start = stop.start() - _FAR_ENOUGH
    before = text[start : stop.start()] if start >= 0 else "\n" + text[: stop.start()]
    if _LIST_MARK.search(before):
        return False
    word = _WORD.search(before)
    abbreviation = word[0].lower() if word else ""
    if abbreviation in _BEFORE_NUMBERS:
        return not (follows.isdigit() or behind["opening"])
    return not (abbreviation in _INTRODUCING or _LETTERS.fullmatch(abbreviation))


# --- Japanese --------------------------------------------------------------------------------------

_JA_LINE = re.compile(r"[^\n]+")
_JA_MARK = re.compile(r"(?P<opening>[（(「『〔【［\[])|(?P<closing>[）)」』〕】］\]])|(?P<stop>[。！？]+|．(?!\d))")


def japanese_sentences(text: str) -> list[Span]:
    """Sentences of a Japanese text, stripped of white space; all other characters are in one of them.

    A sentence ends with 。, ！, ？, with ．unless a digit follows, and at the end of a line; never within a pair of
    brackets on one line.

    Examples
    --------
    >>> text = "甲（法人を含む。）は灯を貸す。乙は「返す。」と言う。"
    >>> [sentence.of(text) for sentence in japanese_sentences(text)]
    ['甲（法人を含む。）は灯を貸す。', '乙は「返す。」と言う。']
    """
    return [span for line in _JA_LINE.finditer(text) for span in _spans(text, _japanese_bounds(line))]


def _japanese_bounds(line: re.Match[str]) -> list[int]:
    """Offsets at which the sentences of a line begin and end."""
    outside: list[int] = []  # stops that stand in no pair of brackets, as far as is known
    open_brackets: list[int] = []  # how many stops stood before each
    for mark in _JA_MARK.finditer(line.string, line.start(), line.end()):
        if mark["opening"]:
            open_brackets.append(len(outside))
        elif mark["stop"]:
            outside.append(mark.end())
        elif open_brackets:
            del outside[open_brackets.pop() :]
    return [line.start(), *outside, line.end()]


def leading_words(text: str, number: int) -> str:
    """Text up to its ``number``-th word; words are separated by white space.

    Examples
    --------
    >>> leading_words("The lamp, at the gate", 2)
    'The lamp,'
    """
    pieces = text.split(None, number)
    return text[: len(text) - len(pieces[number])].rstrip() if len(pieces) > number else text


# --- Clauses --------------------------------------------------------------------------------------


_ENGLISH_MARK = re.compile(r"[,;:]\s")
_JAPANESE_MARK = re.compile(r"[、，,；：]")
_CLAUSE_WORD = re.compile(r"\w+")
_MIN_LENGTHS = {"en": 4, "ja": 8}  # words or characters of a clause; fewer belong to the clause before


def last_clause(text: str, language: str) -> Span:
    """Span of the last clause of the last sentence of a text.

    Parameters
    ----------
    text : str
        A statement.
    language : {"en", "ja"}
        Its language.

    Notes
    -----
    The clause begins after the last comma, semicolon or colon that at least four words follow, in Japanese at least
    eight characters; without one, it is the whole sentence. The rule is our own.

    Examples
    --------
    >>> statement = "A lent a lamp. If it is lost, B must replace it, too."
    >>> last_clause(statement, "en").of(statement)
    'B must replace it, too.'
    >>> last_clause("灯を失ったときは、借主はこれを償う。", "ja")
    Span(start=9, end=18)
    """
    *_, sentence = [Span(0, 0), *sentences(text, language)]
    mark = _ENGLISH_MARK if language == "en" else _JAPANESE_MARK
    starts = [sentence.start, *(found.end() for found in mark.finditer(text, *sentence))]
    end, length = sentence.end, 0
    for start in reversed(starts):
        length += len(_CLAUSE_WORD.findall(text, start, end)) if language == "en" else end - start
        if length >= _MIN_LENGTHS[language]:
            break
        end = start
    return Span(start, sentence.end).stripped(text)
