"""Quantities in legal texts: numbers with a unit, such as three months or 二分の一."""

from __future__ import annotations

import re

from ir_coliee.text.compatibility import nfkc
from ir_coliee.text.numerals import KANJI_NUMERAL, kanji_to_int

_SMALL = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: number for number, word in enumerate(_SMALL, 1)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_ENGLISH = re.compile(
    rf"\b(?:(?P<digits>\d{{1,9}})|(?:(?P<tens>{'|'.join(_TENS)})[- ])?(?P<word>{'|'.join(_VALUES)}))[- ]"
    r"(?P<unit>year|month|week|day|hour|time|yen|person|percent|half|halve|third|quarter|fourth|fifth|tenth)s?\b"
)
_JAPANESE = re.compile(
    rf"(?:(?P<digits>\d{{1,9}})|(?P<kanji>{KANJI_NUMERAL}))"
    rf"(?P<unit>年|[箇かカヶヵケ]?月|週|日|時間|人|回|倍|割|万?円|分の{KANJI_NUMERAL})"
)


def quantities(text: str, language: str) -> list[tuple[int, str]]:
    """Numbers with their units in a text, in order.

    Parameters
    ----------
    text : str
        A statement or an article.
    language : {"en", "ja"}
        Its language.

    Returns
    -------
    list of tuple of int and str
        Units are times, sums of money, persons and fractions, in the singular. Numbers of articles have no unit and are
        left out.

    Examples
    --------
    >>> quantities("Within twenty-five days or 3 months, one half, under Article 7.", "en")
    [(25, 'day'), (3, 'month'), (1, 'half')]
    >>> quantities("第七条の期間は、三箇月又は２年とし、二分の一とする。", "ja")
    [(3, '月'), (2, '年'), (2, '分の一')]
    """
    normalised = nfkc(text).lower()
    return [
        _japanese(found) if language == "ja" else _english(found) for found in _pattern(language).finditer(normalised)
    ]


def _pattern(language: str) -> re.Pattern[str]:
    return _JAPANESE if language == "ja" else _ENGLISH


def _english(found: re.Match[str]) -> tuple[int, str]:
    number = int(found["digits"]) if found["digits"] else _VALUES.get(found["tens"], 0) + _VALUES[found["word"]]
    return number, "half" if found["unit"] == "halve" else found["unit"]


def _japanese(found: re.Match[str]) -> tuple[int, str]:
    number = int(found["digits"]) if found["digits"] else kanji_to_int(found["kanji"])
    return number, "月" if found["unit"].endswith("月") else found["unit"]
