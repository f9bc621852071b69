import ir_measures
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import P

from ir_coliee import AnswerAccuracy, GatedAccuracy
from ir_coliee.errors import ColieeWarning, MalformedRunError
from ir_coliee.measures import correct_answers


def accuracy(qrels, run):
    return ir_measures.calc_aggregate([AnswerAccuracy], qrels, run)[AnswerAccuracy]


@pytest.mark.parametrize(("right", "questions", "printed"), [(79, 101, 0.7822), (65, 81, 0.8025), (72, 111, 0.6486)])
def test_published_counts_give_the_published_accuracy(right, questions, printed):
    ids = [f"R99-{number:03d}" for number in range(questions)]
    run = {query: {"Y" if number < right else "N": 1.0} for number, query in enumerate(ids)}
    assert round(accuracy({query: {"Y": 1} for query in ids}, run), 4) == printed


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
    assert accuracy(qrels, run) == ir_measures.calc_aggregate([P @ 1], qrels, run)[P @ 1]


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


def test_two_answers_to_a_question_and_none_in_the_gold_are_refused():
    with pytest.raises(MalformedRunError, match="The run: two different values of qanswer for 1"):
        on_columns(GOLD, [("1", "Y"), ("1", "N")])
    qrels = pd.DataFrame({"query_id": ["1", "1"], "gold_answer": ["Y", "N"]})
    with pytest.raises(MalformedRunError, match="The qrels lack a gold_answer for 2"):
        on_columns({"1": "Y", "2": None}, [("1", "Y")])
    with pytest.raises(MalformedRunError, match="The qrels: two different values of gold_answer for 1"):
        correct_answers(qrels, pd.DataFrame({"query_id": ["1"], "qanswer": ["Y"]}))


def test_a_missing_column_is_named():
    qrels, run = pd.DataFrame({"query_id": ["1"], "gold_answer": ["Y"]}), pd.DataFrame({"query_id": ["1"]})
    with pytest.raises(MalformedRunError, match="The run: no column 'qanswer'"):
        correct_answers(qrels, run)
    with pytest.raises(MalformedRunError, match="The qrels: no column 'gold_answer'"):
        ir_measures.calc_aggregate([GatedAccuracy], {"1": {"Y": 1}}, run.assign(qanswer="Y", doc_id="1", score=1.0))
