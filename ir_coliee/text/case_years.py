"""Years and dates that a decision mentions, and the date of the decision."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date

from ir_coliee.text.case_paragraphs import first_mark

_YEAR = re.compile(r"(?:1[89]|20)\d\d\b(?<=\b\d{4})")
_MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sept oct nov dec",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    )
    for number, name in enumerate(names.split(), start=1)
}
_NAME = r"([^\W\d_]{3,9})\.?"
# what stands before the year: June 27, | 27 June | 27th day of June, | 1er juin | June
_MONTH_DAY = re.compile(rf"\b{_NAME}\s+(\d\d?)(?:st|nd|rd|th)?\s*,?\s*\Z")
_DAY_MONTH = re.compile(rf"\b(\d\d?)(?:st|nd|rd|th|er)?\s+(?:day\s+of\s+)?{_NAME}\s*,?\s*\Z")
_MONTH = re.compile(rf"\b{_NAME}\s*,?\s*\Z")
_WINDOW = 40  # so many characters before a year are looked at


def mentioned_years(text: str, latest: int) -> list[int]:
    """Years from 1800 to ``latest`` that a text mentions, in order of appearance (THUIR at COLIEE 2023).

    Parameters
    ----------
    text : str
        Any text. A year is a number of exactly four digits.
    latest : int
        Last year that is accepted, at most 2099; at THUIR the year of the edition.

    Examples
    --------
    >>> mentioned_years("In 1999 and 2004, file 20041, by 2050", latest=2024)
    [1999, 2004]
    """
    return [year for year in map(int, _YEAR.findall(text)) if year <= latest]


def decision_year(text: str, latest: int) -> int | None:
    """Year of a decision: the latest year that it mentions (THUIR at COLIEE 2023).

    Parameters
    ----------
    text : str
        A decision.
    latest : int
        Last year that is accepted, usually the year of the edition.

    Returns
    -------
    int or None
        None if the decision mentions no year.

    Examples
    --------
    >>> decision_year("Heard in 2003, about events of 1998.", latest=2024)
    2003
    """
    return max(mentioned_years(text, latest), default=None)


def dated_years(text: str, latest: int) -> list[int]:
    """Years up to ``latest`` at the end of a date or after a bracket, in order (NOWJ at COLIEE 2023).

    A date ends with a month, or with month and day in either order, in English or French.

    Examples
    --------
    >>> dated_years("On June 27, 2002, see [1998] 3 X.C. 9; form 1999, made in May 2001", latest=2024)
    [2002, 1998, 2001]
    """
    return [year for year, before in _years(text, latest) if before.endswith(("[", "(")) or _ends_with_month(before)]


def dates(text: str, latest: int) -> list[date]:
    """Complete dates (day, month, year) up to the year ``latest`` that a text mentions, in order.

    Impossible dates are skipped.

    Examples
    --------
    >>> dates("June 27, 2002; 1er mai 2001; the 3rd day of March, 1999; June 31, 1998; May 1997", latest=2024)
    [datetime.date(2002, 6, 27), datetime.date(2001, 5, 1), datetime.date(1999, 3, 3)]
    """
    found = (_date(year, before) for year, before in _years(text, latest))
    return [day for day in found if day is not None]


def decision_date(text: str, latest: int) -> date | None:
    r"""Date of a decision: the latest date in its header, otherwise the latest that it mentions.

    Parameters
    ----------
    text : str
        A decision.
    latest : int
        Last year that is accepted, usually the year of the edition.

    Returns
    -------
    date or None
        None if the decision mentions no date.

    Notes
    -----
    The rule is our own, after THUIR's rule for the year.

    Examples
    --------
    >>> decision_date("June 27, 2002.\n[1]\nThe lamp was lent on May 1, 2003.", latest=2024)
    datetime.date(2002, 6, 27)
    """
    in_header = dates(text[: first_mark(text) or 0], latest)
    return max(in_header or dates(text, latest), default=None)


def _year_of_date(text: str, latest: int) -> int | None:
    decided = decision_date(text, latest)
    return None if decided is None else decided.year


def _latest_dated_year(text: str, latest: int) -> int | None:
    return max(dated_years(text, latest), default=None)


#: How the year of a decision is read, by name: a function of its text and of the last year that is accepted.
YEAR_RULES: Mapping[str, Callable[[str, int], int | None]] = {
    "latest year": decision_year,
    "latest date": _year_of_date,
    "latest dated year": _latest_dated_year,
}


def _years(text: str, latest: int) -> Iterator[tuple[int, str]]:
    """Years up to ``latest``, each with the characters before it."""
    for match in _YEAR.finditer(text):
        if (year := int(match[0])) <= latest:
            yield year, text[max(0, match.start() - _WINDOW) : match.start()]


def _month(name: str) -> int | None:
    return _MONTHS.get(name.lower())


def _ends_with_month(before: str) -> bool:
    named = _MONTH.search(before) or _MONTH_DAY.search(before)
    return named is not None and _month(named[1]) is not None


def _date(year: int, before: str) -> date | None:
    if named := _MONTH_DAY.search(before):
        name, day = named[1], named[2]
    elif named := _DAY_MONTH.search(before):
        day, name = named[1], named[2]
    else:
        return None
    month = _month(name)
    if month is None:
        return None
    try:
        return date(year, month, int(day))
    except ValueError:  # no such day
        return None
