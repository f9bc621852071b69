"""Properties of a decision that its own text states: year, date, judge, who and what is mentioned, and sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ir_coliee.text.case_paragraphs import paragraph_spans
from ir_coliee.text.case_sections import CaseSections, case_sections
from ir_coliee.text.case_years import dates, decision_year
from ir_coliee.text.suppressed_markers import marker_spans

_CAPITAL = "A-ZÀ-ÖØ-Þ"
_NAME = rf"(?:[DLO]['’])?[{_CAPITAL}][^\W\d_]+(?:[-'’][^\W\d_]+)*"
_SURNAME = rf"({_NAME})"
_INSTITUTION = r"(?i:(?<!minister\sof\sjustice)(?<!department\sof\sjustice)(?<!courts\sof\sjustice)(?!\s+canada\b))"
_PARTICLE = r"(?:(?:[Dd]es?|[Dd]u|[Ll][ae]|[Vv][ao]n)\s)?"
# What is searched for opens with a literal, so that the search leaps through the text.
_MENTION = re.compile(
    rf"J(?:ustice|USTICE){_INSTITUTION}\s{{1,3}}{_PARTICLE}{_SURNAME}|J(?P<several>J)?(?:\.?A)?\b(?!['’])"
)
_BEFORE_TITLE = re.compile(rf"(?<![\w'’-]){_SURNAME},?\s{{1,3}}(?:A\.?)?(?:C\.?)?\Z")
_BEFORE_PLURAL = re.compile(rf"(?<![\w'’-])({_NAME}(?:(?:,|,?\s{{1,3}}(?:and|et|&))\s{{1,3}}{_NAME})+),?\s{{1,3}}\Z")
_WINDOW = 60  # characters before a title, and behind [1] in which the judge is named
_OPENING = re.compile(rf"(?:\s*\[1\])+([\s\S]{{0,{_WINDOW}}}[\w'’-]*)")
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
        named = mention if mention[1] else before.search(text, max(0, start - _WINDOW), start)
        for name in re.findall(_NAME, named[1]) if named else ():
            yield name.lower().replace("’", "'")


def _judge(text: str, sections: CaseSections) -> str:
    header = sections.header.of(text)
    ends = [it.start - sections.header.start for it in (sections.counsel, sections.summary) if it.end]
    opening = _OPENING.match(text, sections.body.start)
    named = next(judges_mentioned(header[: min(ends, default=None)]), "")
    return named or next(judges_mentioned(opening[1] if opening else ""), "")
