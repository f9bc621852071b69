"""Asking that is interrupted says that the replies are kept, and continues with the other questions."""

from contextlib import contextmanager

import pandas as pd
import pytest

from ir_coliee.models import Question, Reply, ReplyStore, get_replies, stores
from ir_coliee.models.templates import Turn
from ir_coliee.transformers import Entailment

QUESTIONS = [Question((Turn("user", str(number)),)) for number in range(4)]


class Model:
    """Replies to as many questions as there are left, and is then interrupted."""

    name = identity = "a model"
    left = 3

    def fits(self, conversation):
        return True

    def ask(self, questions, on_reply):
        for question in questions:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            on_reply(question, Reply("Yes"))


@pytest.fixture
def shown(monkeypatch):
    """The descriptions of the progress, with the number and the unit of the steps."""
    shown, steps = [], stores.steps

    @contextmanager
    def shown_steps(description, **options):
        shown.append((description, options["total"], options["unit"]))
        with steps(description, **options) as advance:
            yield advance

    monkeypatch.setattr(stores, "steps", shown_steps)
    return shown


def test_after_an_interrupt_the_progress_says_how_many_replies_were_found(tmp_path, shown):
    model, store = Model(), ReplyStore(tmp_path / "replies.sqlite")
    with pytest.raises(KeyboardInterrupt):
        get_replies(model, QUESTIONS, store)
    model.left = 1
    assert len(get_replies(model, QUESTIONS, store)) == 4
    assert shown == [("asking", 4, "prompts"), ("asking, 3 replies found", 4, "prompts")]


def test_the_progress_tells_samples_from_questions_and_says_when_prompts_are_repeated(shown):
    class Undecided(Model):
        left = 99

        def ask(self, questions, on_reply):
            for question in questions:
                on_reply(question, Reply("Perhaps" if question.sample == 0 else "Yes"))

    topics = pd.DataFrame({"qid": ["1", "2"], "query": ["a lamp", "a gate"], "text": ""})
    Entailment(Undecided(), samples=3).transform(topics)
    assert shown == [
        ("asking, 3 samples of each", 6, "prompts"),
        ("asking again, as replies were neither yes nor no", 2, "prompts"),
    ]
