"""Cleaning of decisions and the years in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.cases import clean_case, decision_year, mentioned_years


@pytest.mark.parametrize("what", ["FRAGMENT", "REFERENCE", "CITATION", "DATE"])
@pytest.mark.parametrize("written", ["<{}>", "{}", "<{}", "{}>"])
def test_a_suppressed_citation_leaves_its_neighbours(what, written):
    mark = written.format(f"{what}_SUPPRESSED")
    assert clean_case(f"see {mark} at para 4") == "see at para 4"


def test_a_mark_glued_to_letters_takes_none_of_them():
    assert clean_case("the caseFRAGMENT_SUPPRESSEDheld; IREFERENCE_SUPPRESSED") == "the case held; I"


def test_two_marks_glued_together_both_go():
    assert clean_case("a FRAGMENT_SUPPRESSEDDATE_SUPPRESSED<CITATION_SUPPRESSED> b") == "a b"


def test_the_word_suppressed_alone_is_a_word_of_the_decision():
    assert clean_case("The evidence was SUPPRESSED, see FRAGMENT 4.") == "The evidence was SUPPRESSED, see FRAGMENT 4."


@pytest.mark.parametrize("mark", ["[1]", " [12] ", "[1117]", "\t[3]", "\u00a0[3]\u00a0"])
def test_a_paragraph_mark_on_its_own_line_goes(mark):
    assert clean_case(f"One.\n{mark}\nTwo.") == "One.\nTwo."


def test_the_text_behind_a_paragraph_mark_stays():
    assert clean_case("One.\n[2] Two is [3] here.") == "One.\nTwo is [3] here."


def test_a_paragraph_mark_at_the_very_start_goes():
    assert clean_case("[1]\nOne.") == "One."


def test_five_digits_in_brackets_are_no_paragraph_mark():
    assert clean_case("One.\n[20041]\nTwo.") == "One.\n[20041]\nTwo."


@pytest.mark.parametrize(
    "line",
    [
        "Editor: Nobody/xyz",
        "[End of document]",
        "MLB unedited judgment",
        "MLB headnote and full text",
        "Temp. Cite: [2098] X.Y. Nr. 12",
        "[French language version follows English language version]",
        "[La version française vient à la suite de la version anglaise]",
        "[English language version follows French language version]",
        "[La version anglaise vient à la suite de la version française]",
    ],
)
@pytest.mark.parametrize("before", ["", " ", "\u00a0"])
def test_an_editorial_line_goes_wherever_it_stands(line, before):
    assert clean_case(f"{before}{line}\nOne.\n{before}{line}\nTwo.\n{before}{line}") == "One.\nTwo."


def test_a_bilingual_notice_goes_where_suppression_marks_follow_on_its_line():
    notice = " [French language version follows English language version] <FRAGMENT_SUPPRESSED> (FC)"
    assert clean_case(f"One.\n{notice}\nTwo.") == "One.\n(FC)\nTwo."


def test_the_word_editor_inside_a_line_stays():
    assert clean_case("She is an Editor: she edits.") == "She is an Editor: she edits."


def test_white_space_is_folded():
    assert clean_case("  One \t\u00a0 two \n\n \n three  ") == "One two\nthree"


def test_soft_hyphens_join_what_they_part():
    assert clean_case("rea\u00adson\u00adable") == "reasonable"


@pytest.mark.parametrize("text", ["", " ", "\n", "[1]", "<FRAGMENT_SUPPRESSED>", "[End of document]"])
def test_a_decision_without_words_is_empty(text):
    assert clean_case(text) == ""


NOISE = [
    "<FRAGMENT_SUPPRESSED>",
    "REFERENCE_SUPPRESSED",
    "\n[14]\n",
    "\n [14] \n",
    "\n[End of document]\n",
    "\nEditor: Nobody/xyz\n",
    "\n\n",
    "\u00a0",
    "\t",
]


@given(st.lists(st.sampled_from(["ferry", "Board", "s.", "14(2)", "élevée", *NOISE])))
def test_exactly_the_words_are_left_in_their_order(pieces):
    assert clean_case(" ".join(pieces)).split() == [piece for piece in pieces if piece not in NOISE]


@given(st.lists(st.sampled_from(["ferry", "é", "[1]", " ", "\n", "\t", "\u00a0", "<DATE_SUPPRESSED>"])).map("".join))
def test_no_white_space_is_doubled_and_none_stands_at_the_ends_of_lines(text):
    cleaned = clean_case(text)
    assert all(line and line == line.strip() and "  " not in line for line in cleaned.split("\n")) or cleaned == ""


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
