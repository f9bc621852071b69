"""The subjects of the Japanese Civil Code, which are its five parts, by heading and by number of an article."""

from __future__ import annotations

from bisect import bisect_left

from ir_coliee.text.references import unit_number

#: The names of the parts, in the order of the code.
SUBJECTS = ("general provisions", "real rights", "claims", "family", "inheritance")
_LAST_ARTICLES = (174, 398, 724, 881, 1050)  # without their branches, such as 398-22


def subject_of_heading(heading: str) -> str | None:
    """Subject of the part with a heading, by its number; None without heading and for other numbers.

    Examples
    --------
    >>> subject_of_heading("Part II Real Rights"), subject_of_heading("第三編　債権"), subject_of_heading("")
    ('real rights', 'claims', None)
    """
    numbered = dict(zip(map(str, range(1, len(SUBJECTS) + 1)), SUBJECTS))
    return numbered.get(unit_number(heading))


def subject_of_number(article: str) -> str | None:
    """Subject of an article by its number in arabic digits; None for one that is no number of the code.

    Examples
    --------
    >>> [subject_of_number(number) for number in ("174-2", "398-22", "724-2", "725", "1050", "1051")]
    ['general provisions', 'real rights', 'claims', 'family', 'inheritance', None]
    """
    number = article.partition("-")[0]
    place = bisect_left(_LAST_ARTICLES, int(number)) if number.isdecimal() and int(number) else len(SUBJECTS)
    return SUBJECTS[place] if place < len(SUBJECTS) else None
