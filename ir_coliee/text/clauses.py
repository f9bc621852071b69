"""The last clause of a statement: what it claims, after the circumstances that it supposes."""

from __future__ import annotations

import re

from ir_coliee.text.sentences import sentences
from ir_coliee.text.spans import Span

_ENGLISH_MARK = re.compile(r"[,;:]\s")
_JAPANESE_MARK = re.compile(r"[、，,；：]")
_WORD = re.compile(r"\w+")
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
        length += len(_WORD.findall(text, start, end)) if language == "en" else end - start
        if length >= _MIN_LENGTHS[language]:
            break
        end = start
    return Span(start, sentence.end).stripped(text)
