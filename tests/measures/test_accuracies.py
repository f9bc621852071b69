"""The accuracies of answers, and of answers with all articles, on columns of answers and on labels."""

import ir_measures
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import P

from ir_coliee import AnswerAccuracy, GatedAccuracy, MacroR
from ir_coliee.errors import ColieeWarning, MalformedRunError
from ir_coliee.measures import correct_answers

labels = st.sampled_from(["Y", "N"])
questions = st.sampled_from("1234")
scores = st.sampled_from([0.5, 0.5 + 1e-9, 0.25, 1.0, 0.0])


@pytest.mark.slow
@given(
    st.dictionaries(questions, labels, min_size=1),
    st.dictionaries(questions, st.dictionaries(labels, scores, min_size=1), min_size=1),
)
@settings(max_examples=25)
def test_every_question_has_the_value_of_precision_at_one(gold, run):
    qrels = {query: {label: 1} for query, label in gold.items()}
    metrics = list(ir_measures.iter_calc([AnswerAccuracy, P @ 1], qrels, run))
    ours = {metric.query_id: metric.value for metric in metrics if metric.measure == AnswerAccuracy}
    theirs = {metric.query_id: metric.value for metric in metrics if metric.measure == P @ 1}
    assert ours == theirs
    assert len({*ir_measures.calc_aggregate([AnswerAccuracy, P @ 1], qrels, run).values()}) == 1


GOLD = {"1": "Y", "2": "N", "3": "Y"}


def on_columns(gold, answers):
    """The accuracy of (question, answer) pairs."""
    qrels = pd.DataFrame({"query_id": list(gold), "gold_answer": list(gold.values())})
    run = pd.DataFrame(answers, columns=["query_id", "qanswer"])
    right = correct_answers(qrels, run)
    return sum(right.values()) / len(right)


@pytest.mark.filterwarnings("error::ir_coliee.errors.ColieeWarning")
@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, "", "  "])
def test_a_missing_answer_in_a_column_is_wrong_and_stays_in_the_denominator(missing):
    assert on_columns(GOLD, [("1", "Y"), ("2", missing)]) == pytest.approx(1 / 3)


def test_a_question_may_have_a_row_for_each_article():
    qrels = pd.DataFrame({"query_id": ["1", "1", "2"], "gold_answer": ["Y", None, "N"]})
    run = pd.DataFrame({"query_id": ["1", "1", "1", "2"], "qanswer": ["Y", None, "Y ", "Y"]})
    assert correct_answers(qrels, run) == {"1": True, "2": False}


@pytest.mark.parametrize("strange", ["Yes", "y", "True", "No, because"])
def test_an_answer_that_is_no_label_counts_as_wrong_with_a_warning(strange):
    with pytest.warns(ColieeWarning, match=r"counted as wrong \(expected one of N, Y\): 1, 3$") as caught:
        assert on_columns(GOLD, [("1", strange), ("2", "N"), ("3", strange)]) == pytest.approx(1 / 3)
    assert "because" not in str(caught[0].message)


@pytest.mark.filterwarnings("error::ir_coliee.errors.ColieeWarning")
@pytest.mark.parametrize(("gold", "other"), [("Y", "N"), ("N", "Y"), ("True", "False"), ("False", "True")])
def test_the_other_label_is_known_where_all_gold_is_alike(gold, other):
    assert on_columns({"1": gold, "2": gold}, [("1", gold), ("2", other)]) == 0.5


ONE, TWO = pd.DataFrame({"query_id": ["1"], "qanswer": ["Y"]}), pd.DataFrame({"query_id": ["1", "1"]})
QRELS_OF_ONE = ONE.rename(columns={"qanswer": "gold_answer"})
REFUSED = [
    (QRELS_OF_ONE, TWO.assign(qanswer=["Y", "N"]), "The run: two different values of qanswer for 1"),
    (TWO.assign(gold_answer=["Y", "N"]), ONE, "The qrels: two different values of gold_answer for 1"),
    (QRELS_OF_ONE.assign(gold_answer=None), ONE, "The qrels lack a gold_answer for 1"),
    (QRELS_OF_ONE, ONE[["query_id"]], "The run: no column 'qanswer'"),
    (ONE, ONE, "The qrels: no column 'gold_answer'"),
]


@pytest.mark.parametrize(("qrels", "run", "problem"), REFUSED)
def test_what_has_no_answer_or_two_is_refused(qrels, run, problem):
    with pytest.raises(MalformedRunError, match=problem):
        correct_answers(qrels, run)


# --- the answer right, and all articles found -------------------------------------------------------


def gated(qrels, run, measure=GatedAccuracy):
    qrels = pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance", "gold_answer"])
    run = pd.DataFrame(run, columns=["query_id", "doc_id", "score", "qanswer"])
    return ir_measures.calc_aggregate([measure], qrels, run)[measure]


QRELS = [("1", "12", 1, "Y"), ("1", "13", 1, "Y"), ("2", "20", 1, "N"), ("3", "30", 1, "Y"), ("4", "40", 1, "N")]
RUN = [
    *[("1", "12", 3.0, "Y"), ("1", "99", 2.0, "Y"), ("1", "13", 1.0, "Y")],  # right, all articles and one more
    ("2", "20", 1.0, "Y"),  # all articles, wrong
    ("3", "31", 1.0, "Y"),  # right, without the article
]


@pytest.mark.parametrize(
    ("qrels", "run", "measure", "expected"),
    [
        # questions without gold articles are left out
        ([*QRELS, ("5", "", 0, "Y"), ("6", "60", 0, "N")], [*RUN, ("5", "12", 1.0, "Y")], GatedAccuracy, 1 / 4),
        ([("5", "", 0, "Y")], [("5", "12", 1.0, "Y")], GatedAccuracy, 0.0),
        # a cutoff and rel apply to the articles
        (QRELS, RUN, GatedAccuracy @ 2, 0.0),
        (QRELS, RUN, GatedAccuracy @ 3, 1 / 4),
        # one article of question 1 is left, and no other question has any
        ([("1", "12", 2, "Y"), *QRELS[1:]], RUN, GatedAccuracy(rel=2) @ 1, 1.0),
    ],
)
def test_parameters_apply_to_the_articles_and_a_question_without_them_is_left_out(qrels, run, measure, expected):
    assert gated(qrels, run, measure) == expected


pairs = st.lists(st.tuples(questions, st.sampled_from("abc")), min_size=1, max_size=10)
answers = st.dictionaries(questions, labels)


@pytest.mark.slow
@given(pairs, pairs, answers, answers)
@settings(max_examples=25)
def test_gated_accuracy_is_that_of_plain_sets_and_never_above_recall(gold, returned, right_labels, given_labels):
    passed = []
    for query in {query for query, _ in gold}:
        wanted = {article for q, article in gold if q == query}
        found = {article for q, article in returned if q == query}
        passed.append(wanted <= found and given_labels.get(query) == right_labels.get(query, "Y"))
    qrels = [(query, article, 1, right_labels.get(query, "Y")) for query, article in gold]
    run = [(query, article, 1.0, given_labels.get(query)) for query, article in returned]
    assert gated(qrels, run) == pytest.approx(sum(passed) / len(passed))
    assert gated(qrels, run) <= gated(qrels, run, MacroR) + 1e-12
