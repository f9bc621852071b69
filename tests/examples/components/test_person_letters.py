"""Copies of questions whose persons have other letters."""

import re

import pandas as pd
import pytest
from components.person_letters import swapped_persons
from components.persons import with_letters
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError

QUESTIONS = pd.DataFrame(
    {
        "qid": ["R99-01-A", "R99-01-I", "R99-01-U"],
        "query": ["B lent C's lamp to D, and C knew.", "A gate is shut.", "Ｂは、Ｃに門を売った。"],
        "text": ["If C is asked, C answers.", "The gate is B's.", None],
    }
)
GOLD = pd.DataFrame({"qid": ["R99-01-A", "R99-01-I", "R99-01-U"], "docno": list("YNN"), "label": 1})


def copies(questions, number=1, seed=0):
    return swapped_persons(questions, GOLD, number, seed)[0].iloc[len(questions) :]


def test_copies_have_names_of_their_own_and_the_labels_of_their_originals():
    more, more_gold = swapped_persons(QUESTIONS, GOLD, 2)
    assert more["qid"].tolist()[3:] == [f"{qid}~{number}" for number in (1, 2) for qid in QUESTIONS["qid"]]
    label = dict(zip(GOLD["qid"], GOLD["docno"]))
    assert all(label[qid.partition("~")[0]] == docno for qid, docno in zip(more_gold["qid"], more_gold["docno"]))
    assert set(more_gold["qid"]) == set(more["qid"])


def test_a_person_has_one_new_letter_in_question_and_text_and_all_else_stays():
    row = copies(QUESTIONS[:1]).iloc[0]
    found = re.fullmatch(r"(.) lent (.)'s lamp to (.), and (.) knew\.", row["query"])
    b, c, d, c_again = found.groups()
    assert c == c_again
    assert row["text"] == f"If {c} is asked, {c} answers."
    assert not {b, c, d} & set("ABCDI")
    assert len({b, c, d}) == 3


def test_all_rows_of_a_question_are_copied_with_the_same_letters():
    two = pd.DataFrame({"qid": "1", "query": "B asked C.", "docno": ["Y", "N"]})
    changed = copies(two)
    assert changed["qid"].tolist() == ["1~1", "1~1"]
    assert changed["docno"].tolist() == ["Y", "N"]
    assert changed["query"].nunique() == 1


def test_letters_are_drawn_by_seed_and_question_alone():
    pd.testing.assert_frame_equal(copies(QUESTIONS), copies(QUESTIONS))
    assert copies(QUESTIONS)["query"].tolist() != copies(QUESTIONS, seed=1)["query"].tolist()
    assert copies(QUESTIONS[2:])["query"].tolist() == copies(QUESTIONS)["query"].tolist()[2:]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (swapped_persons(QUESTIONS, GOLD), ColieeError, "R99-01-A~1 already exists"),
        ((QUESTIONS.assign(query=[7, "", ""]), GOLD), ColieeError, "Query R99-01-A: query must be a string"),
        ((QUESTIONS.assign(qid=["1", None, "2"]), GOLD), ColieeError, "has no id"),
        ((QUESTIONS, GOLD, -1), ValueError, "number must be an integer >= 0, got -1"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, error, message):
    with pytest.raises(error, match=message):
        swapped_persons(*arguments)


@given(st.permutations("BCDEFG"), st.lists(st.sampled_from("BCDEFGＢＣ"), max_size=5))
def test_other_letters_and_back_is_the_text_itself(others, named):
    text = "、".join(f"{letter}は門を売った" for letter in named)
    there = dict(zip("BCDEFG", others))
    changed = with_letters(text, there)
    assert with_letters(changed, {new: old for old, new in there.items()}) == text
    assert [letter.isascii() for letter in changed] == [letter.isascii() for letter in text]
