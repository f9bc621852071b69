"""Answers to held-out train queries, and their comparison with chance."""

import ir_datasets
import pandas as pd
import pytest

from ir_coliee import AnswerAccuracy
from ir_coliee.baselines import run_baseline
from ir_coliee.baselines.answers import HeldOutAnswers, held_out_answers, held_out_groups
from ir_coliee.synthetic import write_release
from ir_coliee.transformers import MajorityAnswer, TfidfClassifier


def answers(correct, wrong):
    """Answers Y to questions of which so many are correct."""
    qids = [f"R99-{number:02}-A" for number in range(correct + wrong)]
    given = pd.DataFrame({"qid": qids, "docno": "Y", "score": 1.0, "rank": 0})
    gold = pd.DataFrame({"qid": qids, "docno": ["Y"] * correct + ["N"] * wrong, "label": 1})
    return given, gold


@pytest.mark.parametrize(
    ("chance_correct", "verdict"), [(50, ": above chance"), (79, ": not above chance"), (90, ": not above chance")]
)
def test_answers_are_above_chance_if_their_whole_interval_is(chance_correct, verdict):
    given, gold = answers(80, 20)
    right, wrong = gold["docno"], gold["docno"].map({"Y": "N", "N": "Y"})
    chance = given.assign(docno=[*right[:chance_correct], *wrong[chance_correct:]])
    note = HeldOutAnswers(given, gold).note(AnswerAccuracy, "the other", chance)
    # of a share of .8 of 100, the standard error is .04
    assert note.startswith("100 held-out train queries: AnswerAccuracy 0.800 (95 % interval 0.72")
    assert f"the other 0.{chance_correct}0" in note
    assert note.endswith(verdict)


@pytest.mark.parametrize(
    "qids",
    [
        [f"R{year}-{number}-A" for year in (97, 98, 99) for number in range(1, 5)],
        [f"R99-{number}-{option}" for number in range(1, 12) for option in "AI"],
    ],
)
def test_each_question_is_held_out_once_with_those_of_its_number(qids):
    groups = held_out_groups(qids)
    assert sorted(qid for group in groups.values() for qid in group) == sorted(qids)
    group_of = {qid: name for name, group in groups.items() for qid in group}
    assert all(group_of[qid] == group_of[qid.replace("-I", "-A")] for qid in qids)
    assert len(groups) in (3, 5)


def test_a_model_never_sees_what_it_answers():
    pool = pd.DataFrame({"qid": [f"R{year}-1-{option}" for year in (97, 98, 99) for option in "AI"], "docno": "Y"})
    gold = pool.assign(label=1)
    seen = []

    def answer(labelled, labels, held_out):
        assert set(labelled["qid"]) == set(labels["qid"])
        assert set(labels["qid"]).isdisjoint(held_out["qid"])
        seen.extend(held_out["qid"])
        return held_out.assign(score=1.0)

    found = held_out_answers(pool, gold, answer)
    assert seen == found.answers["qid"].tolist() == pool["qid"].tolist()
    assert found.gold.equals(gold)


def test_a_fifth_of_queries_without_exam_years_is_answered():
    """Fitting takes long in the pilot, so only the first of the five groups is held out."""
    pool = pd.DataFrame({"qid": [f"t{number}" for number in range(1, 12)], "docno": "Y"})
    groups = held_out_groups(pool["qid"].tolist())
    assert len(groups) == 5
    assert sorted(qid for group in groups.values() for qid in group) == sorted(pool["qid"])
    found = held_out_answers(pool, pool.assign(label=1), lambda _, labels, held_out: held_out.assign(score=len(labels)))
    assert found.gold["qid"].tolist() == found.answers["qid"].tolist() == ["t1", "t6", "t11"]
    assert found.answers["score"].tolist() == [8] * 3
    assert [*held_out_groups(["t1", "t2"]).values()] == [["t1"], ["t2"]]


@pytest.mark.slow
def test_task_5_is_learned_from_statements_alone(tmp_path, monkeypatch):
    """Its statements have no articles, so neither may those that the classifier is fitted on and estimated by."""
    write_release("coliee/task5/2021/en/test", tmp_path, scale=0.02, seed=3)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    texts = []
    monkeypatch.setattr(
        TfidfClassifier, "fit", lambda _, pool, gold: texts.extend(pool["query"]) or MajorityAnswer().fit(pool, gold)
    )
    majority, tfidf = run_baseline("coliee/task5/2021/en/test")
    statements = {query.statement for query in ir_datasets.load("coliee/task4/2021/en/train/full").queries_iter()}
    assert set(texts) == statements
    assert "held-out train queries: AnswerAccuracy" in tfidf.warnings[-1]
    assert tfidf.warnings[-1].endswith(": not above chance")  # the majority never is
    assert majority.answers["docno"].nunique() == 1
