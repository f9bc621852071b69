"""The French of decisions in two languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.cleaning import french_passages, is_french, remove_french
from ir_coliee.text.decisions import NOTICES


@pytest.mark.parametrize(
    ("text", "french"),
    [
        ("La demande est rejetée.", True),
        ("LA DEMANDE EST REJETÉE", True),
        ("L'appelant n'a rien dit", True),
        ("L’appelant n’a rien dit", True),
        ("Il s'agit d'une lampe\u00a0: elle brille", True),
        ("The application is dismissed.", False),
        ("The judgment of the Cour du Québec is upheld by the court.", False),
        ("Lamp v. Conseil de Kestry", None),
        ("Nobody, J.", None),
        ("12", None),
        ("", None),
        ("la of de the", None),
        ("la la of", True),
        ("la of the", False),
        ("de novo", None),
    ],
)
def test_the_language_is_that_of_most_function_words(text, french):
    assert is_french(text) is french


ENGLISH, FRENCH = "The lamp was lit by the keeper.", "La lampe a été allumée par le gardien."


def decision(*paragraphs):
    return "".join(f"[{number}]\n{text}\n" for number, text in paragraphs)


def test_french_paragraphs_go_with_their_marks():
    text = decision((1, ENGLISH), (1, FRENCH), (2, ENGLISH))
    assert remove_french(text) == decision((1, ENGLISH), (2, ENGLISH))
    assert remove_french(text, by="line") == decision((1, ENGLISH), (2, ENGLISH))


def test_what_does_not_tell_its_language_follows_the_last_that_does():
    text = f"{ENGLISH}\n{FRENCH}\nNobody, J.\n{ENGLISH}\n{decision((1, ENGLISH))}"  # a header goes by lines
    assert remove_french(text) == f"{ENGLISH}\n{ENGLISH}\n{decision((1, ENGLISH))}"
    text = decision((1, "Nobody, J."), (2, FRENCH), (3, "Nobody, J."), (4, ENGLISH), (5, "Nobody, J."))
    assert remove_french(text) == decision((1, "Nobody, J."), (4, ENGLISH), (5, "Nobody, J."))


def test_a_paragraph_is_judged_as_one_or_line_by_line():
    text = decision((1, f"{ENGLISH}\n{FRENCH}\n{ENGLISH}"), (2, ENGLISH))
    assert remove_french(text) == text
    assert remove_french(text, by="line") == decision((1, f"{ENGLISH}\n{ENGLISH}"), (2, ENGLISH))


@pytest.mark.parametrize("notice", NOTICES)
def test_a_notice_of_two_languages_does_not_make_what_follows_french(notice):
    text = f" {notice} <FRAGMENT_SUPPRESSED>\nLamp v. Gate\n{decision((1, ENGLISH), (1, FRENCH))}"
    for by in ("paragraph", "line"):
        assert remove_french(text, by) == text.removesuffix(decision((1, FRENCH)))


def test_a_copy_has_the_number_of_an_english_paragraph():
    text = decision((1, ENGLISH), (1, FRENCH), (2, FRENCH), (1, FRENCH), (3, FRENCH), (3, ENGLISH))
    found = [(passage.number, passage.is_duplicate) for passage in french_passages(text)]
    assert found == [(1, True), (2, False), (1, False), (3, True)]
    assert remove_french(text, duplicates_only=True) == decision((1, ENGLISH), (2, FRENCH), (1, FRENCH), (3, ENGLISH))


def test_an_empty_paragraph_is_not_what_a_copy_doubles():
    text = decision((1, ""), (1, FRENCH), (2, ENGLISH))
    assert [passage.is_duplicate for passage in french_passages(text)] == [False]
    assert remove_french(text, duplicates_only=True) == text


def test_the_trailer_is_no_part_of_the_last_paragraph():
    text = decision((1, ENGLISH), (1, FRENCH)) + "Editor: Nobody/xyz\n[End of document]\n"
    for by in ("paragraph", "line"):
        assert remove_french(text, by=by) == decision((1, ENGLISH)) + "Editor: Nobody/xyz\n[End of document]\n"


def test_a_text_without_accents_is_not_searched():
    assert french_passages(decision((1, "la le de du des"))) == []
    assert len(french_passages(decision((1, "la le de du des e\u0301")))) == 1


pieces = st.lists(
    st.sampled_from(
        [
            "[1]",
            " [2] ",
            "[2098]",
            "[3] x",
            ENGLISH,
            FRENCH,
            "la",
            "the",
            "",
            "Nobody",
            "[End of document]",
            "\x00",
            "\ud800é",
        ]
    )
).map("\n".join)


@given(pieces | st.text(), st.sampled_from(["paragraph", "line"]))
def test_passages_are_in_order_within_any_text_and_all_else_is_kept(text, by):
    passages = french_passages(text, by)
    bounds = [0, *(bound for passage in passages for bound in passage[:2]), len(text)]
    assert bounds == sorted(bounds)
    assert all(passage.start < passage.end for passage in passages)
    kept = "".join(text[start:end] for start, end in zip(bounds[::2], bounds[1::2]))
    assert remove_french(text, by) == kept
