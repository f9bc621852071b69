"""Kanji and roman numerals, as statutes write them."""

from __future__ import annotations

import re

from ir_coliee.errors import ColieeError, printable

_DIGITS = "〇一二三四五六七八九"
_UNITS = {"千": 1000, "百": 100, "十": 10}
_ONE_TO_NINE = f"[{_DIGITS[1:]}]"

#: The pattern of a kanji numeral from 1 to 9999, with units (三百九十八, 五百〇八) or as a row of digits (五〇八).
KANJI_NUMERAL = (
    rf"(?:{_ONE_TO_NINE}[{_DIGITS}]{{1,3}}(?![{_DIGITS}{''.join(_UNITS)}])"
    rf"|(?=[{_DIGITS[1:]}{''.join(_UNITS)}])"
    + "".join(f"(?:〇?{_ONE_TO_NINE}?{unit})?" for unit in _UNITS)
    + f"(?:〇?{_ONE_TO_NINE})?)"
)
_KANJI_NUMERAL = re.compile(KANJI_NUMERAL)

_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50}
_ROMAN_TENS = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX")
_ROMAN_ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")


def kanji_to_int(numeral: str) -> int:
    """Read a kanji numeral from 1 to 9999, also in place-value form (``五〇八``).

    Raises
    ------
    ColieeError
        For an empty string, other characters, units out of order (``十百``), and numbers above 9999.

    Examples
    --------
    >>> kanji_to_int("三百九十八"), kanji_to_int("千四十四"), kanji_to_int("五〇八")
    (398, 1044, 508)
    """
    if not _KANJI_NUMERAL.fullmatch(numeral):
        raise ColieeError(
            f"No kanji numeral from 1 to 9999: {printable(numeral)!r}. It looks like 三百九十八 or 三九八."
        )
    total = digits = 0
    for character in numeral:
        if character in _UNITS:
            total += (digits or 1) * _UNITS[character]
            digits = 0
        else:
            digits = digits * 10 + _DIGITS.index(character)
    return total + digits


def branched_number(number: str, branches: str) -> str:
    """Return a number in kanji with its branches in arabic digits.

    Examples
    --------
    >>> branched_number("三百九十八", "の二の三")
    '398-2-3'
    """
    return "-".join(str(kanji_to_int(numeral)) for numeral in [number, *branches.split("の")[1:]])


def int_to_kanji(number: int) -> str:
    """Write a number from 1 to 9999 in kanji, as statutes do.

    Raises
    ------
    ColieeError
        For another number.

    Examples
    --------
    >>> int_to_kanji(398), int_to_kanji(1044), int_to_kanji(10)
    ('三百九十八', '千四十四', '十')
    """
    if not 1 <= number <= 9999:
        raise ColieeError(f"The number must be an integer from 1 to 9999 to be written in kanji, got {number}.")
    written = ""
    for unit, size in _UNITS.items():
        digit, number = divmod(number, size)
        if digit:
            written += ("" if digit == 1 else _DIGITS[digit]) + unit
    return written + (_DIGITS[number] if number else "")


def roman_to_int(numeral: str) -> int:
    """Read a roman numeral below 90, in upper or lower case.

    Unusual orders (``IIII``) are accepted.

    Raises
    ------
    ColieeError
        For an empty numeral or a letter other than I, V, X and L.

    Examples
    --------
    >>> roman_to_int("xiv"), roman_to_int("XLIX")
    (14, 49)
    """
    values = [_ROMAN.get(letter, 0) for letter in numeral.upper()]
    if not values or not all(values):
        raise ColieeError(f"No roman numeral below 90: {printable(numeral)!r}. It has the letters I, V, X and L alone.")
    return sum(-value if value < following else value for value, following in zip(values, [*values[1:], 0]))


def int_to_roman(number: int) -> str:
    """Write a number from 1 to 89 as an upper-case roman numeral.

    Examples
    --------
    >>> int_to_roman(14), int_to_roman(49)
    ('XIV', 'XLIX')
    """
    tens, ones = divmod(number, 10)
    return _ROMAN_TENS[tens] + _ROMAN_ONES[ones]
