"""Years of the Japanese bar exam, as the questions of tasks 3 and 4 name them."""

from __future__ import annotations

import re

#: One exam year, or the first and the last of several: ``R06``, ``H18-R05``.
WRITTEN_EXAM_YEARS = re.compile(r"([HR])([0-9]{2})(?:-([HR])([0-9]{2}))?")

_LAST_OF_HEISEI = 30  # the exam of the year 31 of Heisei is that of the first year of Reiwa, R01


def parse_exam_years(written: str) -> tuple[str, ...]:
    """Return the exam years from the first to the last.

    Parameters
    ----------
    written : str
        One exam year, or the first and the last joined by a hyphen: ``R06``, ``H18-R05``.

    Returns
    -------
    tuple of str
        The exam years in order; empty where the last comes before the first, and where one of them does not exist, such
        as ``R00`` or ``H31``.

    Raises
    ------
    ValueError
        If the text is not of this form.

    Examples
    --------
    >>> parse_exam_years("H29-R02")
    ('H29', 'H30', 'R01', 'R02')
    """
    match = WRITTEN_EXAM_YEARS.fullmatch(written)
    if match is None:
        raise ValueError(f"{written!r} is no exam year such as R06 and no range such as H18-R05.")
    first, start, last, end = match[1], int(match[2]), match[3] or match[1], int(match[4] or match[2])
    if not (_is_year(first, start) and _is_year(last, end)):
        return ()
    if first == last:
        return tuple(f"{first}{year:02}" for year in range(start, end + 1))
    if first == "R":
        return ()
    heisei = (f"H{year:02}" for year in range(start, _LAST_OF_HEISEI + 1))
    return (*heisei, *(f"R{year:02}" for year in range(1, end + 1)))


def _is_year(era: str, year: int) -> bool:
    """Whether an era has an exam of this year."""
    return year >= 1 and (era == "R" or year <= _LAST_OF_HEISEI)
