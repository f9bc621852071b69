from dataclasses import dataclass, field

import pandas as pd
import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.models import Reply, ReplyStore
from ir_coliee.transformers import RewriteText


@dataclass
class Shouting:
    """Repeats the last line in capitals, but is silent about wells."""

    identity: str = "shouting"
    asked: list = field(default_factory=list, compare=False)

    def ask(self, questions, on_reply):
        for question in questions:
            self.asked.append(question.conversation)
            line = question.conversation[-1].content.splitlines()[-1]
            on_reply(question, Reply(" \n" if "well" in line else f" {line.upper()}\n"))


ROWS = pd.DataFrame({"qid": ["1", "2", "2"], "query": ["q", "r", "r"], "text": ["a lamp", "a gate", "a lamp"]})


def test_the_reply_takes_the_place_of_the_text_and_each_text_is_asked_about_once():
    model = Shouting()
    assert RewriteText(model, "In short:")(ROWS).to_dict("list") == ROWS.to_dict("list") | {
        "text": ["A LAMP", "A GATE", "A LAMP"]
    }
    assert [turns[-1].content for turns in model.asked] == ["In short:\n\na lamp", "In short:\n\na gate"]
    assert [turn.role for turns in model.asked for turn in turns] == ["user", "user"]


def test_a_model_that_does_one_thing_needs_no_instruction():
    model = Shouting()
    RewriteText(model)(ROWS[:1])
    assert model.asked[0][-1].content == "a lamp"


def test_queries_are_rewritten_too():
    assert RewriteText(Shouting(), on="query")(ROWS)["query"].tolist() == ["Q", "R", "R"]
    both = RewriteText(Shouting(), on=None)(ROWS)
    assert both[["query", "text"]].values.tolist() == [["Q", "A LAMP"], ["R", "A GATE"], ["R", "A LAMP"]]


def test_blank_texts_and_those_with_a_blank_reply_stay():
    model = Shouting()
    texts = ["", " ", None, "a well"]
    frame = pd.DataFrame({"docno": list("abcd"), "text": texts})
    assert RewriteText(model)(frame)["text"].fillna("missing").tolist() == ["", " ", "missing", "a well"]
    assert len(model.asked) == 1


def test_what_was_said_is_kept(tmp_path):
    model = Shouting()
    rewritten = RewriteText(model, reply_store=ReplyStore(tmp_path / "replies.sqlite"))
    assert rewritten(ROWS).equals(rewritten(ROWS))
    assert len(model.asked) == 2


def test_what_is_no_text_is_refused():
    with pytest.raises(ColieeError, match="type int"):
        RewriteText(Shouting())(ROWS.assign(text=["a", 7, "b"]))
