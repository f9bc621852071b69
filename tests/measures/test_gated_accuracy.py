import ir_measures
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import GatedAccuracy, MacroR

QRELS = [("1", "12", 1, "Y"), ("1", "13", 1, "Y"), ("2", "20", 1, "N"), ("3", "30", 1, "Y"), ("4", "40", 1, "N")]
RUN = [
    *[("1", "12", 3.0, "Y"), ("1", "99", 2.0, "Y"), ("1", "13", 1.0, "Y")],  # right, all articles and one more
    ("2", "20", 1.0, "Y"),  # all articles, wrong
    ("3", "31", 1.0, "Y"),  # right, without the article
]


def value(qrels=QRELS, run=RUN, measure=GatedAccuracy):
    qrels = pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance", "gold_answer"])
    run = pd.DataFrame(run, columns=["query_id", "doc_id", "score", "qanswer"])
    return ir_measures.calc_aggregate([measure], qrels, run)[measure]


def test_a_question_without_gold_articles_is_left_out():
    qrels = [*QRELS, ("5", "", 0, "Y"), ("6", "60", 0, "N")]
    assert value(qrels, [*RUN, ("5", "12", 1.0, "Y"), ("6", "60", 1.0, "Y")]) == 1 / 4
    assert value([("5", "", 0, "Y")], [("5", "12", 1.0, "Y")]) == 0.0


def test_a_cutoff_and_rel_apply_to_the_articles():
    assert value(measure=GatedAccuracy @ 2) == 0.0
    assert value(measure=GatedAccuracy @ 3) == 1 / 4
    # with rel=2 one article of question 1 is left, and no other question has any
    assert value([("1", "12", 2, "Y"), *QRELS[1:]], measure=GatedAccuracy(rel=2) @ 1) == 1.0


def test_published_78_of_82():
    qrels = [(f"R99-{number:02d}", "1", 1, "Y") for number in range(82)]
    run = [(query, article, 1.0, "Y" if number < 78 else "N") for number, (query, article, _, _) in enumerate(qrels)]
    assert round(value(qrels, run), 3) == 0.951


questions = st.sampled_from("1234")
articles = st.sampled_from("abc")
pairs = st.lists(st.tuples(questions, articles), min_size=1, max_size=10)
labels = st.dictionaries(questions, st.sampled_from("YN"))


@pytest.mark.slow
@given(pairs, pairs, labels, labels)
@settings(max_examples=25)
def test_the_value_is_that_of_plain_sets(gold, returned, right_labels, given_labels):
    passed = []
    for query in {query for query, _ in gold}:
        wanted = {article for q, article in gold if q == query}
        found = {article for q, article in returned if q == query}
        passed.append(wanted <= found and given_labels.get(query) == right_labels.get(query, "Y"))
    qrels = [(query, article, 1, right_labels.get(query, "Y")) for query, article in gold]
    run = [(query, article, 1.0, given_labels.get(query)) for query, article in returned]
    assert value(qrels, run) == pytest.approx(sum(passed) / len(passed))
    # it is never above recall
    assert value(qrels, run) <= value(qrels, run, MacroR) + 1e-12
