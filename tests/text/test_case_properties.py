"""The properties that a decision states of itself."""

from datetime import date

import pytest

from ir_coliee.text.years import case_properties, judges_mentioned

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
