import pandas as pd
import pytest
from components.rule_parts import RulePart, SamePolarity

QUESTIONS = pd.DataFrame(
    {
        "qid": ["R99-1-1", "R99-1-2"],
        "query": ["A lent B a lamp. If B breaks it, B pays.", "A gate may be shut."],
        "text": [
            "(Loans)\nArticle 5\n(1) If a thing breaks, the borrower pays.\n(2) A lamp shines.\n"
            "Article 6(1) A well if dug.",
            "Article 7 A gate may not be shut.",
        ],
    },
    index=[3, 3],
)


def test_the_parts_of_rules_take_the_place_of_questions_and_articles():
    conditions, statements = (RulePart(part, "en")(QUESTIONS) for part in ("condition", "statement"))
    assert conditions["query"].tolist() == ["A lent B a lamp. If B breaks it", ""]
    assert conditions["text"].tolist() == ["If a thing breaks\nif dug", ""]
    assert statements["query"].tolist() == ["B pays.", "A gate may be shut."]
    assert statements["text"].tolist() == ["the borrower pays.\nA lamp shines.\nA well.", "A gate may not be shut."]


def test_the_polarity_of_the_nearest_rule_answers():
    answered = SamePolarity("en")(QUESTIONS)
    assert answered[["qanswer", "yes"]].values.tolist() == [["Y", 1.0], ["N", 0.0]]
    japanese = {"qid": ["1"], "query": ["灯を貸すことができない。"], "text": ["第五条　灯を貸すことができる。"]}
    assert SamePolarity("ja")(pd.DataFrame(japanese))["qanswer"].tolist() == ["N"]


def test_the_rules_of_all_rows_of_a_query_count():
    rows = pd.DataFrame(
        {"qid": ["1", "1"], "query": ["A gate may be shut."] * 2, "docno": ["5", "7"]}
        | {"text": ["Article 5 A lamp may not shine.", "Article 7 A gate may be shut."]}
    )
    for frame in (rows, rows[::-1]):
        assert SamePolarity("en")(frame)["qanswer"].tolist() == ["Y", "Y"]


@pytest.mark.parametrize(
    ("kind", "arguments"), [(RulePart, ("premise", "en")), (RulePart, ("condition", "fr")), (SamePolarity, ("fr",))]
)
def test_an_unknown_part_or_language_is_refused(kind, arguments):
    with pytest.raises(ValueError, match=r"got .premise|got .*fr"):
        kind(*arguments)
