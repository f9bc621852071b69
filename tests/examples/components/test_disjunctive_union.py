"""Yes or no by what lies outside the longest common subsequence."""

import pandas as pd
import pytest
from components.disjunctive_union import DisjunctiveUnion, distance, tokens
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError


def questions(*pairs):
    rows = [(str(number), query, text) for number, (query, text) in enumerate(pairs)]
    return pd.DataFrame(rows, columns=["qid", "query", "text"])


def gold(answers):
    return pd.DataFrame({"qid": [str(number) for number in range(len(answers))], "docno": list(answers), "label": 1})


@pytest.mark.parametrize(("adjusted", "expected"), [(None, 3), ("length", 3 / 9)])
def test_the_tokens_outside_are_counted_by_length_as_a_share_of_all(adjusted, expected):
    # in common: the gate shut; outside: is, old was
    assert distance("The gate is shut.", "The old gate was shut.", "en", adjusted).value == pytest.approx(expected)


def test_english_is_compared_by_words_and_japanese_by_characters_of_one_width():
    assert list(tokens("A gate's key.", "en")) == ["a", "gate", "s", "key"]
    assert list(tokens("Ａは、門を", "ja")) == ["a", "は", "門", "を"]
    assert distance("Ａは、門を閉める。", "Aは門を開ける", "ja").value == 4


@pytest.mark.parametrize("adjusted", [None, "similarity", "length"])
def test_equal_texts_have_no_distance_and_nothing_is_far_from_nothing(adjusted):
    assert distance("a gate", "A gate.", "en", adjusted).value == pytest.approx(0.0)
    assert distance("", "", "en", adjusted).value == (1.0 if adjusted == "length" else 0.0)
    assert DisjunctiveUnion("en", adjusted)(questions(("", "")))["qanswer"].tolist() == ["N"]


@pytest.mark.parametrize("adjusted", [None, "length"])
def test_without_fit_yes_is_where_less_lies_outside_than_inside(adjusted):
    asked = questions(("gate lamp", "gate lamp well"), ("gate lamp", "gate well"), ("gate lamp", "well"))
    assert DisjunctiveUnion("en", adjusted)(asked)["qanswer"].tolist() == ["Y", "N", "N"]


def test_of_several_rows_the_nearest_article_counts_and_all_bear_the_answer():
    asked = questions(("gate lamp", "well road sea"), ("gate lamp", "gate lamp")).assign(qid="1")
    results = DisjunctiveUnion("en")(asked)
    assert results["qanswer"].tolist() == ["Y", "Y"]
    assert results["yes"].tolist() == [1.0, 1.0]
    assert DisjunctiveUnion("en")(asked[:1])["qanswer"].tolist() == ["N"]


def test_fit_finds_the_threshold_that_parts_the_answers():
    seen = questions(("a b c d", "a b c d"), ("a b c d", "a b c x"), ("a b c d", "a b x y"), ("a b c d", "x y z w"))
    fitted = DisjunctiveUnion("en").fit(seen, gold("YYNN"))  # distances 0, 2, 4, 8
    results = fitted(seen)
    assert results["qanswer"].tolist() == ["Y", "Y", "N", "N"]
    assert results["yes"].tolist() == pytest.approx([1.0, 3 / 5, 3 / 7, 3 / 11])


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=12))
def test_no_threshold_would_have_more_answers_right(examples):
    labels = "".join("Y" if yes else "N" for _, yes in examples)
    seen = questions(*(("a", " ".join(["a", *"bcdefg"[:number]])) for number, _ in examples))
    if len(set(labels)) < 2:
        with pytest.raises(ColieeError, match="nothing to learn"):
            DisjunctiveUnion("en").fit(seen, gold(labels))
        return
    given_answers = DisjunctiveUnion("en").fit(seen, gold(labels))(seen)["qanswer"]
    correct = sum(answer == label for answer, label in zip(given_answers, labels))
    assert correct == max(sum((number < bound) is yes for number, yes in examples) for bound in range(8))


def test_questions_without_gold_are_not_learned_from():
    seen = questions(("a", "a"), ("a", "b c"), ("a", "d e f g"))
    fitted = DisjunctiveUnion("en").fit(seen, gold("YN"))
    assert fitted == DisjunctiveUnion("en").fit(seen[:2], gold("YN"))
    assert fitted != DisjunctiveUnion("en")


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        (gold("YY"), "all 2 labels are the same"),
        (gold("YU"), "Query 1: its answer is neither Y nor N"),
        (pd.concat([gold("YN"), gold("N")]), "Query 0 has two correct answers"),
    ],
)
def test_gold_to_learn_nothing_from_is_refused(qrels, message):
    with pytest.raises(ColieeError, match=message):
        DisjunctiveUnion("en").fit(questions(("a", "a"), ("a", "b")), qrels)
