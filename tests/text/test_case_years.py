"""The years and dates that a decision mentions, and its own."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.case_years import dated_years, dates, decision_date, decision_year, mentioned_years


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("In 1999 and 2004", [1999, 2004]),
        ("2004, then 1999, then 2004 again", [2004, 1999, 2004]),
        ("1799 1800 1899 1900 2099 2100", [1800, 1899, 1900, 2099]),
        ("IMM-20041-98 and 12004 and A2004 and 2004A", []),
        ("(2004) [1998] 2001-02, s.1987.", [2004, 1998, 2001, 1987]),
        ("", []),
    ],
)
def test_years_are_four_digits_standing_alone(text, years):
    assert mentioned_years(text, latest=2099) == years


def test_a_year_after_the_edition_is_no_year():
    assert mentioned_years("2024 2025 2026", latest=2025) == [2024, 2025]


@given(st.lists(st.integers(0, 99_999), max_size=10), st.integers(1900, 2099))
def test_the_years_among_numbers_are_those_of_the_range(numbers, latest):
    expected = [number for number in numbers if 1800 <= number <= latest]
    assert mentioned_years(" ".join(map(str, numbers)), latest) == expected


def test_the_year_of_a_decision_is_the_latest_that_it_mentions():
    assert decision_year("Heard in 2003, about events of 1998, by 2050", latest=2024) == 2003


def test_a_decision_without_a_year_has_none():
    assert decision_year("Heard long ago.", latest=2024) is None


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("On June 27, 2002.", [2002]),
        ("le 27 juin 2002, le 1er août 1998", [2002, 1998]),
        ("the 3rd day of March, 1999", [1999]),
        ("27 June 2002; Sept. 5, 2001; DECEMBER 1, 2003", [2002, 2001, 2003]),
        ("in May 2001", [2001]),
        ("June 31, 2002", [2002]),
        ("[2098] 3 X.C. 9, [2001] 1 X.C. 2 (1987)", [2001, 1987]),
        ("form 1999, in 1998, Kestry 12, 1997, 3 of 1996", []),
        ("", []),
    ],
)
def test_dated_years_stand_at_the_end_of_dates_or_behind_a_bracket(text, years):
    assert dated_years(text, latest=2024) == years


MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
}
FORMS = {
    "{month} {day}, {year}": "en",
    "{day} {month} {year}": "en",
    "{day}th day of {month}, {year}": "en",
    "le {day} {month} {year}": "fr",
}


@given(st.lists(st.tuples(st.dates(date(1800, 1, 1), date(2099, 12, 31)), st.sampled_from(sorted(FORMS))), max_size=5))
def test_dates_are_read_in_every_form(written):
    texts = [form.format(day=day.day, month=MONTHS[FORMS[form]][day.month - 1], year=day.year) for day, form in written]
    assert dates("; ".join(texts), latest=2099) == [day for day, _ in written]


@pytest.mark.parametrize(
    "text", ["June 31, 2002", "February 29, 2001", "0 June 2002", "Lamp 3, 2002", "June 2002", "2002"]
)
def test_what_no_calendar_has_is_no_date(text):
    assert dates(text, latest=2024) == []
    assert decision_date(text, latest=2024) is None


def test_the_first_of_a_month_in_french():
    assert dates("le 1er mai 2001", latest=2024) == [date(2001, 5, 1)]


def test_the_date_of_a_decision_is_the_latest_of_its_header_else_of_all():
    header = "Heard May 1, 2002.\nJune 27, 2002.\n"
    body = "[1]\nOn May 5, 2003, and May 6, 2001."
    assert decision_date(header + body, latest=2024) == date(2002, 6, 27)
    assert decision_date(body, latest=2024) == date(2003, 5, 5)
    assert decision_date(header + body, latest=2001) == date(2001, 5, 6)


@given(
    st.text()
    | st.lists(st.sampled_from(["1999", "(", "[", "May", "31", "er", "day of", ",", " ", "٣", "\ud800"])).map(" ".join)
)
def test_years_and_dates_are_read_from_any_text(text):
    mentioned = mentioned_years(text, latest=2050)
    assert set(dated_years(text, latest=2050)) <= set(mentioned)
    assert {day.year for day in dates(text, latest=2050)} <= set(dated_years(text, latest=2050))
    assert (decision_year(text, latest=2050) is None) == (not mentioned)
