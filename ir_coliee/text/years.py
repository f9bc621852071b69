"""Properties that a decision states: its years and dates, its judge, whom and what it mentions, and sizes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from operator import itemgetter
from typing import Literal, NamedTuple

from ir_coliee.text.decisions import CaseSections, case_sections, marker_spans, paragraph_spans

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
_NAME = r"(?P<month>[^\W\d_]{3,9})\.?"
# what stands before the year: June 27, | 27 June | 27th day of June, | 1er juin | June
_MONTH_DAY = re.compile(rf"\b{_NAME}\s+(?P<day>\d\d?)(?:st|nd|rd|th)?\s*,?\s*\Z")
_DAY_MONTH = re.compile(rf"\b(?P<day>\d\d?)(?:st|nd|rd|th|er)?\s+(?:day\s+of\s+)?{_NAME}\s*,?\s*\Z")
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
    citations = (int(citation[citation.lastgroup or 0]) for citation in _CITED_YEAR.finditer(text))
    cited = max((year for year in citations if 1800 <= year <= latest), default=0)
    mentioned = sorted(_years(text, latest, _ACT_WINDOW), key=itemgetter(0), reverse=True)
    acts = (year for year, before in mentioned if year > cited and _PAST_ACT.search(before))
    earliest = next(acts, cited) or None
    return DecisionYears(earliest, mentioned[0][0] if mentioned else None, "dated mention" if earliest else "none")


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


def _ends_with_month(before: str) -> bool:
    named = _MONTH.search(before) or _MONTH_DAY.search(before)
    return named is not None and named["month"].lower() in _MONTHS


def _date(year: int, before: str) -> date | None:
    named = _MONTH_DAY.search(before) or _DAY_MONTH.search(before)
    try:
        return date(year, _MONTHS.get(named["month"].lower(), 0), int(named["day"])) if named else None
    except ValueError:  # no such month or day
        return None


# --- Properties of decisions ----------------------------------------------------------------------


_CAPITAL = "A-ZÀ-ÖØ-Þ"
_PERSON = rf"(?:[DLO]['’])?[{_CAPITAL}][^\W\d_]+(?:[-'’][^\W\d_]+)*"
_SURNAME = rf"({_PERSON})"
_INSTITUTION = r"(?i:(?<!minister\sof\sjustice)(?<!department\sof\sjustice)(?<!courts\sof\sjustice)(?!\s+canada\b))"
_PARTICLE = r"(?:(?:[Dd]es?|[Dd]u|[Ll][ae]|[Vv][ao]n)\s)?"
# What is searched for opens with a literal, so that the search leaps through the text.
_MENTION = re.compile(
    rf"J(?:ustice|USTICE){_INSTITUTION}\s{{1,3}}{_PARTICLE}{_SURNAME}|J(?P<several>J)?(?:\.?A)?\b(?!['’])"
)
_BEFORE_TITLE = re.compile(rf"(?<![\w'’-]){_SURNAME},?\s{{1,3}}(?:A\.?)?(?:C\.?)?\Z")
_BEFORE_PLURAL = re.compile(
    rf"(?<![\w'’-])({_PERSON}(?:(?:,|,?\s{{1,3}}(?:and|et|&))\s{{1,3}}{_PERSON})+),?\s{{1,3}}\Z"
)
_TITLE_WINDOW = 60  # characters before a title, and behind [1] in which the judge is named
_OPENING = re.compile(rf"(?:\s*\[1\])+([\s\S]{{0,{_TITLE_WINDOW}}}[\w'’-]*)")
_PINPOINT = re.compile(r"ara(?<=\b[Pp]ara)(?:graph)?s?\.?\s*\[?(\d{1,4})(?![\d(])")


class CaseProperties(NamedTuple):
    """Properties of a decision.

    Attributes
    ----------
    year : int or None
        The latest year that the decision mentions.
    header_date : int or None
        The latest date in the header, as `datetime.date.toordinal` numbers days.
    judge : str
        The judge's surname in lower case, from the header or from behind ``[1]``; empty if neither names one.
    judges_mentioned : tuple of str
        Surnames of the judges that the decision names as "Justice X" or "X J.", in lower case, with repetition.
    pinpoints : tuple of int
        Paragraph numbers of references to a place in a decision, such as "at para. 12".
    num_paragraphs : int
        Number of paragraphs that begin with a mark ``[n]``.
    num_characters : int
        Length of the text.
    num_markers : int
        Number of suppressed citations.
    """

    year: int | None
    header_date: int | None
    judge: str
    judges_mentioned: tuple[str, ...]
    pinpoints: tuple[int, ...]
    num_paragraphs: int
    num_characters: int
    num_markers: int


def case_properties(text: str, latest: int = 2099) -> CaseProperties:
    r"""Read the properties of a decision.

    Parameters
    ----------
    text : str
        A decision.
    latest : int, optional
        Last year that is accepted, usually the year of the edition.

    Notes
    -----
    The judge is the first that the header names above its summary and counsel, otherwise the first that is named in the
    60 characters behind ``[1]``. A number with a bracket behind it, "paragraph 34(1)", belongs to a statute and is no
    pinpoint. Of "paragraphs 3-5", the first number is read.

    Examples
    --------
    >>> case_properties("Karu, J.\nMay 1, 2098.\n[1]\nKaru, J.: I follow Justice Odd at para. 12.")
    ... # doctest: +NORMALIZE_WHITESPACE
    CaseProperties(year=2098, header_date=766035, judge='karu', judges_mentioned=('karu', 'karu', 'odd'),
                   pinpoints=(12,), num_paragraphs=1, num_characters=69, num_markers=0)
    """
    sections = case_sections(text)
    header_date = max(dates(sections.header.of(text), latest), default=None)
    return CaseProperties(
        decision_year(text, latest),
        header_date.toordinal() if header_date else None,
        _judge(text, sections),
        tuple(judges_mentioned(text)),
        tuple(map(int, _PINPOINT.findall(text))),
        sum(paragraph.number is not None for paragraph in paragraph_spans(text)),
        len(text),
        len(marker_spans(text)),
    )


def judges_mentioned(text: str) -> Iterator[str]:
    """Surnames of the judges that a text names as "Justice X" or "X J.", in lower case, in order, with repetition.

    The titles J., J.A., C.J. and A.C.J. are read with and without full stops, and so are JJ. and JJ.A. behind several
    names. A particle before a surname (de, du, la, von) is left out. Nobody is named by "Minister of Justice X",
    "Department of Justice X", "Courts of Justice X" and "Justice Canada".

    Examples
    --------
    >>> list(judges_mentioned("Odd J.A., as Madam Justice de Karu said; see O’Lamp, C.J."))
    ['odd', 'karu', "o'lamp"]
    """
    for mention in _MENTION.finditer(text):
        start = mention.start()
        before = _BEFORE_PLURAL if mention["several"] else _BEFORE_TITLE
        named = mention if mention[1] else before.search(text, max(0, start - _TITLE_WINDOW), start)
        for name in re.findall(_PERSON, named[1]) if named else ():
            yield name.lower().replace("’", "'")


def _judge(text: str, sections: CaseSections) -> str:
    header = sections.header.of(text)
    ends = [it.start - sections.header.start for it in (sections.counsel, sections.summary) if it.end]
    opening = _OPENING.match(text, sections.body.start)
    named = next(judges_mentioned(header[: min(ends, default=None)]), "")
    return named or next(judges_mentioned(opening[1] if opening else ""), "")
