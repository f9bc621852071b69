"""Years and dates that a decision mentions, and the years in which it can have been made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from operator import itemgetter
from typing import Literal, NamedTuple

from ir_coliee.text.case_sections import case_sections

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
# [2003] 1 F.C. 9 | [2003] F.T.R. TBEd. | (2003), 12 F.T.R. 9 | 2003 FC 9
_CITED_YEAR = re.compile(
    r"\[(?P<bracket>\d{4})\][^\S\n]+(?:\d{1,4}\s+)?[A-Z]"
    r"|\((?P<parenthesis>\d{4})\),?\s+\d{1,4}\s+[A-Z]"
    r"|\b(?P<neutral>\d{4})\s+(?:(?:[A-Z]\.?){2,6}|CanLII|Carswell[A-Z]\w{1,4})\s+\d"
)
# "heard at Kestry on May 1," before its year; "to be heard", "set for hearing" and "the next hearing" are in the future
_PAST_ACT = re.compile(
    r"(?<!\bbe )(?<!\bfor )(?<!\bnext )\b"
    r"(?i:heard|decided|delivered|rendered|dated|decision|judgment|hearing(?:\s+held)?"
    r"|entendue?|rendue?|datée?|décision|jugement|audience)"
    rf"(?:[\s,:]+(?:on|at|in|of|this|the|day|le|du|à|\d\d?(?:st|nd|rd|th|er)?|[A-ZÀ-Ý]\w+\.?|{'|'.join(_MONTHS)}))*"
    r"[\s,:]*\Z"
)
_ACT_WINDOW = 80  # the same for a year of an act of a court


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


class DecisionYears(NamedTuple):
    """The years in which a decision can have been made.

    Attributes
    ----------
    earliest, latest : int or None
        The first and the last of these years; None if the text does not bound them.
    source : {"header", "dated mention", "none"}
        What bounds the earliest year: the date in the header, which is then the latest year, too; a date of a decision
        or a hearing or a citation in the text; nothing.
    """

    earliest: int | None
    latest: int | None
    source: Literal["header", "dated mention", "none"]


def decision_years(text: str, latest: int) -> DecisionYears:
    r"""Bound the year of a decision by what its text dates.

    Parameters
    ----------
    text : str
        A decision.
    latest : int
        Last year that is accepted, usually the year of the edition.

    Notes
    -----
    The rule is our own. The latest complete date in the header, without its summary, is the date of the decision.
    Without one, a decision is not older than what it cites or reports as decided or heard, and not later than the
    latest year that it mentions. Ends of patents, licences and orders and hearings to come are years that it mentions
    but that date nothing. The latest citation that is left in a text is no upper bound, because citations are
    suppressed in the collections of task 1.

    Examples
    --------
    >>> decision_years("June 27, 2002.\n[1]\nThe patent ends on May 1, 2013.", latest=2024)
    DecisionYears(earliest=2002, latest=2002, source='header')
    >>> decision_years("[1]\nThe appeal was heard on May 1, 2001. The patent ends in 2013.", latest=2024)
    DecisionYears(earliest=2001, latest=2013, source='dated mention')
    """
    sections = case_sections(text)
    header, summary = sections.header, sections.summary
    headers = (
        (text[header.start : summary.start], text[summary.end : header.end]) if summary.end else (header.of(text),)
    )
    if header_dates := [day for part in headers for day in dates(part, latest)]:
        year = max(header_dates).year
        return DecisionYears(year, year, "header")
    cited = max((year for year in _cited_years(text) if 1800 <= year <= latest), default=0)
    mentioned = sorted(_years(text, latest, _ACT_WINDOW), key=itemgetter(0), reverse=True)
    acts = (year for year, before in mentioned if year > cited and _PAST_ACT.search(before))
    earliest = next(acts, cited) or None
    return DecisionYears(earliest, mentioned[0][0] if mentioned else None, "dated mention" if earliest else "none")


def _cited_years(text: str) -> Iterator[int]:
    return (int(citation[citation.lastgroup or 0]) for citation in _CITED_YEAR.finditer(text))


def _latest_year(text: str, latest: int) -> DecisionYears:
    year = decision_year(text, latest)
    return DecisionYears(year, year, "none")


def _latest_dated_year(text: str, latest: int) -> DecisionYears:
    year = max(dated_years(text, latest), default=None)
    return DecisionYears(year, year, "none" if year is None else "dated mention")


#: How the years of a decision are read, by name: a function of its text and of the last year that is accepted.
YEAR_RULES: Mapping[str, Callable[[str, int], DecisionYears]] = {
    "decision years": decision_years,
    "latest year": _latest_year,
    "latest dated year": _latest_dated_year,
}


def _years(text: str, latest: int, window: int = _WINDOW) -> Iterator[tuple[int, str]]:
    """Years up to ``latest``, each with the characters before it."""
    for match in _YEAR.finditer(text):
        if (year := int(match[0])) <= latest:
            yield year, text[max(0, match.start() - window) : match.start()]


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
