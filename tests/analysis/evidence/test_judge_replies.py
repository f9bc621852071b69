"""Stored replies of a language model: what a pipeline has stored is found again, and nothing is asked."""

import pyterrier as pt
import pytest
from analysis.evidence.sample_pairs import PAIRS

from ir_coliee.analysis import evaluate, explain
from ir_coliee.analysis.evidence import evidence_for
from ir_coliee.models import Reply, ReplyStore
from ir_coliee.transformers import CandidateEntailment, CandidatePool, Entailment, QuotedArticles

TASK2, TASK4 = "coliee/task2/sample/test", "coliee/task4/sample/en/test"


class Model:
    """A model that says no, at first neither yes nor no."""

    def __init__(self, identity="a model", first="Answer: no, because of Article 9."):
        self.identity, self.first, self.may_be_asked = identity, first, True

    def ask(self, questions, on_reply):
        assert self.may_be_asked
        for question in questions:
            on_reply(question, Reply(self.first if question.sample == 0 else "No."))


@pytest.fixture
def store(tmp_path):
    return ReplyStore(tmp_path / "replies.sqlite")


def found(dataset, judge):
    """The replies of a judge to the pair of a split, without asking its model."""
    judge.model.may_be_asked = False
    query_id, doc_id = PAIRS[dataset]
    runs = evaluate(dataset, {"mine": {query_id: {doc_id: 1.0}}})
    records = evidence_for(runs, query_id, doc_id, judges=[judge])
    return [record for record in records if record.kind == "judge_replies"]


def test_the_replies_to_a_statement_are_shown_with_their_prompts(store):
    judge = Entailment(Model(), "plain.en", reply_store=store)
    (QuotedArticles(TASK4) >> judge)(pt.get_dataset(f"irds:{TASK4}").get_topics())
    (record,) = found(TASK4, judge)
    assert record.facts == {"model": "a model", "template": "plain.en"}
    assert record.table["answer"].tolist() == ["N"]
    assert record.texts[-1][0] == "[reply]"
    assert record.texts[-1][1].text == "Answer: no, because of Article 9."
    prompt = record.texts[-2][1].text
    assert "A pledge of a boat" in prompt
    assert "Article 55" in prompt


def test_the_replies_to_a_candidate_are_those_to_its_text(store):
    judge = CandidateEntailment(Model(), "entails.en", reply_store=store)
    texts = pt.text.get_text(pt.get_dataset(f"irds:{TASK2}"), "text")
    (CandidatePool(TASK2) >> texts >> judge)(pt.get_dataset(f"irds:{TASK2}").get_topics())
    (record,) = found(TASK2, judge)
    assert "the refusal remains on his record" in record.texts[-2][1].text


def test_a_question_that_was_asked_twice_has_both_replies(store):
    judge = Entailment(Model(first="I cannot say."), "plain.en", reply_store=store)
    (QuotedArticles(TASK4) >> judge)(pt.get_dataset(f"irds:{TASK4}").get_topics())
    (record,) = found(TASK4, judge)
    assert record.table["sample"].tolist() == [0, 1]
    assert record.table["answer"].tolist() == ["", "N"]


@pytest.mark.parametrize("other", [Model("another model"), Model("a model")])
def test_other_models_templates_and_stores_have_no_reply(store, other, tmp_path):
    judge = Entailment(Model(), "plain.en", reply_store=store)
    (QuotedArticles(TASK4) >> judge)(pt.get_dataset(f"irds:{TASK4}").get_topics())
    template = "plain.en" if other.identity != "a model" else "steps.en"
    assert found(TASK4, Entailment(other, template, reply_store=store)) == []
    assert found(TASK4, Entailment(Model(), "plain.en", reply_store=ReplyStore(tmp_path / "empty.sqlite"))) == []
    assert found(TASK4, Entailment(Model(), "plain.en")) == []


def test_a_query_is_shown_with_the_replies(store):
    judge = Entailment(Model(), "plain.en", reply_store=store)
    (QuotedArticles(TASK4) >> judge)(pt.get_dataset(f"irds:{TASK4}").get_topics())
    judge.model.may_be_asked = False
    query_id, _ = PAIRS[TASK4]
    text = str(explain(TASK4, query_id, judges=[judge]))
    assert "Replies of a language model" in text
    assert "Answer: no, because of Article 9." in text
    assert "Replies of a language model" not in str(explain(TASK4, query_id))
