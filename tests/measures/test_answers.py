import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import P

from ir_coliee import AnswerAccuracy


def accuracy(qrels, run):
    return ir_measures.calc_aggregate([AnswerAccuracy], qrels, run)[AnswerAccuracy]


def test_the_answer_with_the_higher_score_counts():
    qrels = {"R99-01-A": {"Y": 1}, "R99-01-I": {"N": 1}, "R99-02-A": {"N": 1}}
    run = {"R99-01-A": {"Y": 0.9, "N": 0.1}, "R99-01-I": {"Y": 0.6, "N": 0.4}, "R99-02-A": {"N": 1.0}}
    assert accuracy(qrels, run) == pytest.approx(2 / 3)


def test_an_unanswered_question_is_wrong_and_stays_in_the_denominator():
    assert accuracy({"R99-01-A": {"Y": 1}, "R99-01-I": {"N": 1}}, {"R99-01-A": {"Y": 1.0}}) == 0.5


def test_an_answer_to_an_unknown_question_is_ignored():
    assert accuracy({"R99-01-A": {"Y": 1}}, {"R99-01-A": {"Y": 1.0}, "R98-01-A": {"N": 1.0}}) == 1.0


@pytest.mark.parametrize(("right", "questions", "printed"), [(79, 101, 0.7822), (65, 81, 0.8025), (72, 111, 0.6486)])
def test_published_counts_give_the_published_accuracy(right, questions, printed):
    ids = [f"R99-{number:03d}" for number in range(questions)]
    run = {query: {"Y" if number < right else "N": 1.0} for number, query in enumerate(ids)}
    assert round(accuracy({query: {"Y": 1} for query in ids}, run), 4) == printed


labels = st.sampled_from(["Y", "N"])
questions = st.sampled_from("1234")
scores = st.sampled_from([0.5, 0.5 + 1e-9, 0.25, 1.0, 0.0])


@given(
    st.dictionaries(questions, labels, min_size=1),
    st.dictionaries(questions, st.dictionaries(labels, scores, min_size=1), min_size=1),
)
@settings(max_examples=100, deadline=None)
def test_every_question_has_the_value_of_precision_at_one(gold, run):
    qrels = {query: {label: 1} for query, label in gold.items()}
    metrics = list(ir_measures.iter_calc([AnswerAccuracy, P @ 1], qrels, run))
    ours = {metric.query_id: metric.value for metric in metrics if metric.measure == AnswerAccuracy}
    theirs = {metric.query_id: metric.value for metric in metrics if metric.measure == P @ 1}
    assert ours == theirs
    assert accuracy(qrels, run) == ir_measures.calc_aggregate([P @ 1], qrels, run)[P @ 1]
