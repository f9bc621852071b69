from dataclasses import dataclass, field

import pandas as pd
import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.template_search import search_templates
from ir_coliee.models import Reply

QUESTIONS = pd.DataFrame({"qid": list("1234"), "query": ["lamp", "gate", "well", "road"], "text": "Article 1"})
GOLD = pd.DataFrame({"qid": list("12345"), "docno": list("YNYNY"), "label": 1})
RIGHT = {"lamp": "Yes", "gate": "No", "well": "Yes", "road": "No"}


@dataclass
class Lawyer:
    """Is right when asked for Issue, Rule, Application and Conclusion, and says no to the bare question."""

    identity: str = "lawyer"
    asked: list = field(default_factory=list, compare=False)

    def ask(self, questions, on_reply):
        for question in questions:
            self.asked.append(question)
            words = question.conversation[-1].content
            said = next(answer for query, answer in RIGHT.items() if f"Statement: {query}\n" in f"{words}\n")
            on_reply(question, Reply(said if "Issue" in words else "No"))


def test_the_most_accurate_template_is_the_best_and_answers():
    found = search_templates(Lawyer(), QUESTIONS, GOLD, ["plain.en", "irac.en", "steps.en"])
    assert found.accuracies == {"plain.en": 0.5, "irac.en": 1.0, "steps.en": 0.5}
    assert (found.entailment.template, found.accuracy) == ("irac.en", 1.0)
    assert found.entailment(QUESTIONS)["qanswer"].tolist() == ["Y", "N", "Y", "N"]


def test_questions_without_an_answer_are_neither_asked_nor_counted():
    model = Lawyer()
    found = search_templates(model, QUESTIONS, GOLD[1:2], ["plain.en"])
    assert (found.accuracy, len(model.asked)) == (1.0, 1)
    assert search_templates(model, QUESTIONS, GOLD.assign(label=[0, 1, 1, 1, 1])[:2], ["plain.en"]).accuracy == 1.0


def test_without_an_answer_nothing_is_compared():
    with pytest.raises(ColieeError, match="No question has an answer"):
        search_templates(Lawyer(), QUESTIONS, GOLD[:0], ["plain.en"])
