"""The years, dates and other properties that a decision states."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.years import (
    case_properties,
    dated_years,
    dates,
    decision_year,
    decision_years,
    judges_mentioned,
    mentioned_years,
)


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


@given(st.lists(st.integers(0, 99_999), max_size=10), st.integers(1900, 2099))
def test_the_years_among_numbers_are_those_of_the_range(numbers, latest):
    expected = [number for number in numbers if 1800 <= number <= latest]
    assert mentioned_years(" ".join(map(str, numbers)), latest) == expected


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
        *((text, []) for text in ("form 1999, in 1998, Kestry 12, 1997, 3 of 1996", "")),
    ],
)
def test_dated_years_stand_at_the_end_of_dates_or_behind_a_bracket(text, years):
    assert dated_years(text, latest=2024) == years


MONTHS = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
FORMS = {
    "{month} {day}, {year}": "en",
    "{day} {month} {year}": "en",
    "{day}th day of {month}, {year}": "en",
    "le {day} {month} {year}": "fr",
}


@given(st.lists(st.tuples(st.dates(date(1800, 1, 1), date(2099, 12, 31)), st.sampled_from(sorted(FORMS))), max_size=5))
def test_dates_are_read_in_every_form(written):
    texts = [
        form.format(day=day.day, month=MONTHS[FORMS[form]].split()[day.month - 1], year=day.year)
        for day, form in written
    ]
    assert dates("; ".join(texts), latest=2099) == [day for day, _ in written]


@pytest.mark.parametrize("written", ["June 31, 2002", "31 June 2002", "Lamp 3, 2002", "3 lamps 2002"])
def test_what_is_no_day_of_a_month_is_no_date(written):
    assert dates(f"On {written} a lamp was lit.", latest=2099) == []


HEADER = "Heard May 1, 2002.\nJune 27, 2002.\nSummary:\nA patent until July 5, 2019.\n- Topic 1\n"
BODY = "[1]\nHeard May 5, 2003. A permit until 2009."


@pytest.mark.parametrize(
    ("text", "latest", "years"),
    [
        (HEADER + BODY, 2024, (2002, 2002, "header")),
        (HEADER + BODY, 2001, (None, None, "none")),
        (BODY, 2024, (2003, 2009, "dated mention")),
        ("[1]\nA permit until May 1, 2009.", 2024, (None, 2009, "none")),
        ("[1]\nNothing is dated.", 2024, (None, None, "none")),
    ],
)
def test_a_decision_is_of_the_date_in_its_header_or_bounded_by_what_it_dates(text, latest, years):
    assert decision_years(text, latest) == years


@pytest.mark.parametrize(
    "mention",
    [
        *(
            *("[2011] 3 X.C. 9", "[2011] X.C.J. No. 9", "(2011), 12 X.T.R. 9", "2011 XCA 9", "2011 X.C. 9"),
            "2011 CanLII 9",
        ),
        *("heard at Kestry, Norvalle, on May 1, 2011", "DATE OF HEARING: MAY 1, 2011", "decided in May 2011"),
        *("dated at Kestry, this 3rd day of March, 2011", "in a decision of the Board in 2011", "delivered 1 May 2011"),
        *("une décision rendue le 1er mai 2011", "l'audience du 5 mai 2011", "a judgment of Sept. 5, 2011"),
    ],
)
def test_acts_of_courts_and_citations_date_a_decision(mention):
    assert decision_years(f"[1]\nIt was {mention}, and not 2012.", 2024) == (2011, 2012, "dated mention")


LATER = [
    *("The patent expires on May 1, {}.", "The order ends in {}.", "He is under supervision until May 1, {}."),
    *("The hearing is adjourned to May 1, {}.", "It is to be heard on May 1, {}."),
    *("It is set for hearing on May 1, {}.", "The next hearing on May 1, {} is far.", "The lease of {} has not begun."),
    "A removal ({}) is planned.",
]


@pytest.mark.parametrize("sentence", LATER)
def test_years_to_come_date_nothing(sentence):
    assert decision_years(f"[1]\nSee [2001] 3 X.C. 9. {sentence.format(2011)}", 2024) == (2001, 2011, "dated mention")


@given(
    st.text()
    | st.lists(st.sampled_from(["1999", "(", "[", "May", "31", "er", "day of", ",", " ", "٣", "\ud800"])).map(" ".join)
)
def test_years_and_dates_are_read_from_any_text(text):
    mentioned = mentioned_years(text, latest=2050)
    assert set(dated_years(text, latest=2050)) <= set(mentioned)
    assert {day.year for day in dates(text, latest=2050)} <= set(dated_years(text, latest=2050))
    assert decision_year(text, latest=2050) == max(mentioned, default=None)
    earliest, last, _ = decision_years(text, latest=2050)
    assert {earliest, last} - {None} <= {*mentioned}
    assert earliest is None or earliest <= last


# The properties that a decision states of itself.


DECISION = """ <FRAGMENT_SUPPRESSED>  (FC)
Kestry Court
Karu, J.
May 1, 2004.
June 3, 2004.
Summary: The ruling of Odd, J., was upheld.
[1]
Karu, J.: Heard on July 1, 2003. See <FRAGMENT_SUPPRESSED> at para. 12.
[2]
Madam Justice Odd held so at paragraphs 3-5, Tamm J.A. at [7], but paragraph 34(1) of the Act is another.
[End of document]"""


def test_each_property_of_a_decision():
    found = case_properties(DECISION)
    assert found.year == 2004
    assert found.header_date == date(2004, 6, 3).toordinal()
    assert found.judge == "karu"
    assert found.judges_mentioned == ("karu", "odd", "karu", "odd", "tamm")
    assert found.pinpoints == (12, 3)
    assert (found.num_paragraphs, found.num_characters, found.num_markers) == (2, len(DECISION), 2)


@pytest.mark.parametrize(
    ("text", "judge"),
    [
        ("(FC)\n[1]\nKaru, J. [Orally]: This is a motion.", "karu"),
        ("(FC)\n[1]\n[1] KARU J.: This is a motion.", "karu"),
        ("(FC)\n[1] The Honourable Mr. Justice de Karu: A motion.", "karu"),
        ("Mr. Justice Karu\n[1]\nOdd, J.: The header comes first.", "karu"),
        ("Counsel:\nOdd J. for the applicant\n[1]\nKaru, J.: Counsel is no judge.", "karu"),
        ("(FC)\n[1]\n" + "A lamp was lent. " * 5 + "Karu, J., is not the judge.", ""),
        ("(FC)\n[1]\n" + "A lamp was lent. " * 3 + "Justice Tamm-Karu agrees.", "tamm-karu"),
        ("Karu, J., of a text without marks.", ""),
    ],
)
def test_the_judge_is_named_in_the_header_or_behind_the_first_mark(text, judge):
    assert case_properties(text).judge == judge


@pytest.mark.parametrize(
    ("text", "judges"),
    [
        ("Karu J., Karu, J., Karu J.A., Karu C.J., Karu A.C.J., Karu CJ", ["karu"] * 6),
        ("Justice Tamm-Karu, Justice O'Odd, O’Odd J., Justice Éder", ["tamm-karu", "o'odd", "o'odd", "éder"]),
        ("MR. JUSTICE KARU, Madam Justice L'Odd, D’Odd J.", ["karu", "l'odd", "d'odd"]),
        ("Justice du Karu, Justice La Karu, Karu, JA", ["karu"] * 3),
        ("the Justice said, JUSTICE, justice karu, j., X J., Karu J's, Karu JOB, per J.", []),
        ("Karu and Odd JJ., Karu, Odd, and Tamm-Karu, JJ.A.", ["karu", "odd", "karu", "odd", "tamm-karu"]),
        ("Tamm C.J. and Karu & O’Odd JJ; Karu et Odd JJA", ["tamm", "karu", "o'odd", "karu", "odd"]),
        ("JJ., per JJ., Karu JJ's, Karu and Odd JJX", []),
        ("the Minister of Justice Canada, MINISTER OF JUSTICE KARU, Courts of Justice Act", []),
        ("Department of Justice Karu, Justice Canada, reasons of Justice Canadel", ["canadel"]),
        ("Karu\n\nJ.; Karu " + " " * 9 + "J.", ["karu"]),
    ],
)
def test_judges_are_named_by_their_title(text, judges):
    assert list(judges_mentioned(text)) == judges


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("para 12, Para. 13, paras. 14-15, at paragraphs 16 and 17, paragraph [18]", (12, 13, 14, 16, 18)),
        ("paragraph 34(1), para 12345, parade 7, separa 8, para x", ()),
    ],
)
def test_pinpoints_are_the_first_numbers_of_references_to_paragraphs(text, numbers):
    assert case_properties(text).pinpoints == numbers
