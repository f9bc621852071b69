"""Texts rewritten by a language model."""

from dataclasses import dataclass, field

import pandas as pd
import pytest

from ir_coliee.models import Reply, ReplyStore
from ir_coliee.transformers.queries.texts import RewriteText


@dataclass
class Capitals:
    """Repeats the last line in capitals, but has no reply about wells."""

    identity: str = "capitals"
    asked: list = field(default_factory=list, compare=False)

    def ask(self, questions, on_reply):
        for question in questions:
            self.asked.append(question.conversation)
            line = question.conversation[-1].content.splitlines()[-1]
            on_reply(question, Reply(" \n" if "well" in line else f" {line.upper()}\n"))


ROWS = pd.DataFrame({"qid": ["1", "2", "2"], "query": ["q", "r", "r"], "text": ["a lamp", "a gate", "a lamp"]})
CHANGED = {"query": ["Q", "R", "R"], "text": ["A LAMP", "A GATE", "A LAMP"]}


@pytest.mark.parametrize("columns", [["text"], ["query"], ["query", "text"]])
def test_the_reply_replaces_the_text(columns):
    rewrite = RewriteText(Capitals(), on=columns[0] if len(columns) == 1 else None)
    assert rewrite(ROWS).to_dict("list") == ROWS.to_dict("list") | {column: CHANGED[column] for column in columns}


@pytest.mark.parametrize(("instruction", "before"), [("In short:", "In short:\n\n"), ("", "")])
def test_each_text_is_sent_once_after_the_instruction_and_replies_are_stored(tmp_path, instruction, before):
    model = Capitals()
    rewrite = RewriteText(model, instruction, reply_store=ReplyStore(tmp_path / "replies.sqlite"))
    assert rewrite(ROWS).equals(rewrite(ROWS))
    sent = [(turn.role, turn.content) for conversation in model.asked for turn in conversation]
    assert sent == [("user", f"{before}a lamp"), ("user", f"{before}a gate")]


def test_blank_texts_and_those_with_a_blank_reply_stay():
    model = Capitals()
    frame = pd.DataFrame({"docno": list("abcd"), "text": ["", " ", None, "a well"]})
    assert RewriteText(model)(frame)["text"].fillna("missing").tolist() == ["", " ", "missing", "a well"]
    assert len(model.asked) == 1
