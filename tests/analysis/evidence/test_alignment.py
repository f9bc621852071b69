"""Statements aligned with their articles."""

import pytest
from analysis.evidence.sample_pairs import pair_of

from ir_coliee.analysis.evidence import quoted_articles

ARTICLES = """(Lamps)
Article 18 A lamp that burns is a movable. (2) A gate is not a movable.
(Wells)
Article 20 Wells are deep."""
TASK4 = "coliee/task4/sample/{}/test"


def test_the_sentence_that_covers_most_of_the_statement_comes_first():
    statement = "If 3 persons meet, a gate is a movable at noon."
    evidence = quoted_articles(pair_of(TASK4.format("en"), query={"statement": statement, "t1": ARTICLES}))
    best = evidence.table.iloc[0]
    assert best["sentence"].endswith("A gate is not a movable.")
    assert best["tokens_covered"] == pytest.approx(2 / 6)  # gate and movable of 3, persons, meet, gate, movable, noon
    assert best["longest_match"] == 3
    assert best["negations"] == 1
    assert evidence.facts["negations of the statement"] == 0
    assert evidence.facts["tokens that the articles lack"] == "3, persons, meet, noon"
    assert evidence.facts["quantities that the articles lack"] == 1
    (name, marked), (_, articles) = evidence.texts
    assert name == "statement"
    assert "a gate is" in [marked.text[mark.start : mark.end] for mark in marked.marks]
    assert {mark.label for mark in articles.marks} == {"shared with statement"}


def test_japanese_is_aligned_by_letters():
    query = {"statement": "灯は動産でない。", "t1": "第十八条　燃える灯は動産である。"}
    evidence = quoted_articles(pair_of(TASK4.format("ja"), query=query))
    assert evidence.facts["longest match"] == 5
    assert evidence.facts["tokens that the articles lack"] == "でな、ない"
    marked = evidence.texts[0][1]
    assert [marked.text[mark.start : mark.end] for mark in marked.marks] == ["灯は動産で"]


def test_a_statement_without_articles_gets_a_note():
    evidence = quoted_articles(pair_of(TASK4.format("en"), query={"t1": ""}))
    assert evidence.notes == ("The statement quotes no article.",)


def test_of_long_texts_the_beginning_is_aligned():
    query = {"statement": "A lamp burns. " * 100_000, "t1": f"Article 18 {ARTICLES}" * 20_000}
    evidence = quoted_articles(pair_of(TASK4.format("en"), query=query))
    assert evidence.notes == ("Of each text, the first 10,000 characters are aligned.",)
