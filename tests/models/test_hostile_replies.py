"""Replies that are hard to read: the answer that they give, or none, and never the other one."""

import time
from collections import Counter

import pandas as pd
import pytest
from hostile_replies import DATA, hostile_replies
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeWarning
from ir_coliee.models.replies import split_reasoning, yes_or_no
from ir_coliee.transformers import Entailment
from ir_coliee.transformers.answers.prompting import reply_answer

PLAIN = [(text, answer) for answer, texts in DATA["plain"].items() for text in texts]


@pytest.mark.parametrize(("text", "answer"), [*PLAIN, ("\ud800", "neither")])
def test_a_plain_reply_is_read(text, answer):
    assert yes_or_no(text) == (None if answer == "neither" else answer)


@given(st.text("abcd ,.\n"), st.sampled_from(["Yes", "No"]))
def test_the_last_answer_counts_whatever_stands_before(before, word):
    assert yes_or_no(f"{before}\nAnswer: Yes\nNo.\nAnswer: {word}") == word[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_reply_is_read_as_its_answer_or_refused(seed):
    replies = [*hostile_replies(seed)]
    assert len(replies) > 500
    read = [(reply_answer(each.reply), each) for each in replies]
    assert [each for answer, each in read if answer not in (each.truth, None)] == []
    missed = Counter(each.kind for answer, each in read if answer != each.truth)
    has_answer = sum(each.truth is not None for each in replies)
    # what is refused: minds that change, double negations, options by their letter or number, and what is nearly JSON
    assert sum(missed.values()) < 0.2 * has_answer
    assert set(missed) <= {"changed mind", "negated", "markdown", "large", "JSON"}


def test_refused_replies_are_named_by_their_questions():
    refused = [each for each in hostile_replies() if each.kind in ("blank", "refusal", "cut")]
    frame = pd.DataFrame(
        {"qid": [f"R99-1-{n}" for n in range(len(refused))], "query": [f"q {n}" for n in range(len(refused))]}
    )
    by_query = {f"q {n}": each.reply for n, each in enumerate(refused)}

    class Model:
        identity = "hostile"

        def ask(self, questions, on_reply):
            for question in questions:
                words = question.conversation[-1].content
                on_reply(question, by_query[words.partition("Statement: ")[2].partition("\n")[0]])

    with pytest.warns(ColieeWarning) as caught:
        answered = Entailment(Model(), default="Y")(frame)
    assert set(answered["qanswer"]) == {"Y"}
    messages = [str(warning.message) for warning in caught]
    num_cut = sum(each.kind == "cut" for each in refused)
    assert len(messages) == 2
    assert f"{num_cut} questions were cut off at the token limit" in messages[0]
    assert f"{len(refused) - num_cut} questions were answered with neither yes nor no twice" in messages[1]
    assert all("the default is Y" in message for message in messages)


PIECES = [
    "Yes",
    "no",
    "answer",
    ": ",
    "<think>",
    "</think>",
    '"',
    "{",
    "}",
    "\n",
    " ",
    "but",
    ", ",
    "はい",
    "答え",
    "```",
]
PIECES += ["[THINK]", "assistantfinal"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3)))
def test_any_reply_is_read_without_an_error(pieces):
    text = "".join(pieces)
    assert yes_or_no(text) in ("Y", "N", None)
    reasoning, answer = split_reasoning(text)
    assert len(reasoning) + len(answer) <= len(text)


@given(st.lists(st.sampled_from(PIECES)), st.sampled_from(["Yes", "No"]))
def test_reasoning_that_a_prompt_opened_is_none_of_the_answer(pieces, word):
    inside = "".join(pieces).replace("<think>", "").replace("</think>", "").replace("[THINK]", "")
    assert split_reasoning(f"{inside}</think>{word}", opened=True).answer in (word, "")
    assert split_reasoning(inside.replace("assistantfinal", ""), opened=True).answer == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["Answer: ", "Yes\n", "'", "</think>", "<think ", "> x\n", '{"a":', "so no, ", "答えは", "```{"]
)
def test_a_reply_of_one_mb_takes_seconds_and_not_minutes(unit):
    start = time.process_time()
    yes_or_no(unit * (2**20 // len(unit)))
    yes_or_no((unit * 2**16)[: 2**16])
    assert time.process_time() - start < 2  # also beside other programs; in squared time, minutes
