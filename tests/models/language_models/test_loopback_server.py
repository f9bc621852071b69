"""A language model behind OpenAI's API on this machine, asked as a served model is."""

import json
import urllib.error
import urllib.request

import pytest

pytest.importorskip("openai")
pytest.importorskip("torch")

from ir_coliee.errors import ColieeError
from ir_coliee.models import LocalModel, Question, ServedModel, get_replies
from ir_coliee.models.language_models.loopback_server import loopback_server
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.text.templates import Conversation, Turn

QUESTIONS = [
    Question(Conversation([Turn("system", "You are a judge."), Turn("user", f"Is lamp {number} old?")]))
    for number in range(6)
]


@pytest.fixture(scope="module")
def local():
    return LocalModel(tiny_checkpoint("causal", like="Qwen/Qwen3-0.6B"), max_tokens=4, probabilities=True, window=128)


@pytest.fixture(scope="module")
def address(local):
    with loopback_server(local) as address:
        yield address


def test_a_served_model_gives_the_replies_and_probabilities_of_the_local_one(local, address):
    served = get_replies(ServedModel("gpt-4", base_url=address, max_tokens=4, probabilities=True), QUESTIONS)
    expected = get_replies(local, QUESTIONS)
    assert {question: reply.text for question, reply in served.items()} == {
        question: reply.text for question, reply in expected.items()
    }
    yes = [served[question].yes for question in QUESTIONS]
    assert yes == pytest.approx([expected[question].yes for question in QUESTIONS], abs=1e-6)
    assert len({round(each, 4) for each in yes}) == len(QUESTIONS)


def test_probabilities_are_sent_only_if_they_are_requested(address):
    (reply,) = get_replies(ServedModel("gpt-4", base_url=address), QUESTIONS[:1]).values()
    assert reply.yes is None


def test_a_question_that_the_model_refuses_is_not_answered_but_the_others_are(address):
    long = Question(Conversation([Turn("user", "old " * 200)]))
    replies = []
    with pytest.raises(ColieeError, match="did not answer 1 of 3 questions"):
        ServedModel("gpt-4", base_url=address, in_flight=1).ask(
            [QUESTIONS[0], long, QUESTIONS[1]], lambda question, reply: replies.append(question)
        )
    assert replies == QUESTIONS[:2]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/chat/completions", b"no JSON", 400),
        ("/chat/completions", b'{"messages": [{}]}', 400),
        ("/chat/completions", b"[]", 400),
        ("/embeddings", b"{}", 404),
    ],
)
def test_a_request_that_is_no_chat_completion_is_refused(address, path, body, status):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(urllib.request.Request(address + path, body), timeout=10)
    with refused.value as response:
        assert response.code == status
        assert json.load(response)["error"]["message"]
