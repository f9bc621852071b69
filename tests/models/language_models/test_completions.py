"""Requests to a server and what its responses hold: reasoning, limits, options of the chat template, schemas."""

from math import exp

import pytest

pytest.importorskip("httpx2")

from stub_server import StubServer, completion

from ir_coliee.errors import ColieeError
from ir_coliee.models import Question, Reply, ReplyStore, ServedModel, get_replies
from ir_coliee.models.templates import Turn, template

QUESTION = Question((Turn("user", "Is a lamp a movable?"),))


def well(text, *, steps=(), **fields):
    """A response. ``steps``: the tokens, each a list of alternatives, the first of which is the token itself."""
    if steps:
        tops = [[{"token": token, "logprob": logprob, "bytes": None} for token, logprob in step] for step in steps]
        fields["logprobs"] = {"content": [top[0] | {"top_logprobs": top} for top in tops], "refusal": None}
    return 200, {}, completion(text, **fields)


def asked(server, question=QUESTION, **options):
    return get_replies(ServedModel("stub", server.base_url, **options), [question])[question]


def reply_to(text, **options):
    with StubServer(lambda *_: well(text, **options)) as server:
        return asked(server)


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_reasoning_in_a_field_of_its_own_is_kept_apart(name):
    assert reply_to("No", **{name: "Yes at first sight."}) == Reply("No", reasoning="Yes at first sight.")


def test_reasoning_within_the_content_is_kept_apart():
    assert reply_to("<think>Yes at first sight.</think>\n\nNo") == Reply("No", reasoning="Yes at first sight.")
    assert reply_to("Yes at first sight.</think>No") == Reply("No", reasoning="Yes at first sight.")


def test_a_reply_that_is_all_reasoning_has_no_text():
    expected = Reply("", reasoning="Yes at first", truncated=True)
    assert reply_to(None, reasoning="Yes at first", finish_reason="length") == expected
    assert reply_to("<think>Yes at first", finish_reason="length") == expected


def test_a_reply_at_the_token_limit_is_truncated_and_stored_as_such(tmp_path):
    with StubServer(lambda *_: well("Yes, bec", finish_reason="length")) as server:
        model, store = ServedModel("stub", server.base_url), ReplyStore(tmp_path / "replies.sqlite")
        get_replies(model, [QUESTION], store)
        assert store.find(model.identity, [QUESTION])[QUESTION] == Reply("Yes, bec", truncated=True)


def tokens(*words):
    """Tokens of a reply, with half of the probability; the rest is that of the opposite word."""
    other = {"Yes": "No", "No": "Yes", "yes": "no"}
    return [[(word, -0.25), (other.get(word, "?"), -1.5)] for word in words]


YES = exp(-0.25) / (exp(-0.25) + exp(-1.5))


@pytest.mark.parametrize(
    ("text", "steps", "fields", "yes"),
    [
        ("<think>No</think>Yes", tokens("<think>", "No", "</think>", "Yes"), {}, YES),
        ("No</think>\n\nYes", tokens("No", "</think>", "\n\n", "Yes"), {}, YES),
        ("Yes", tokens("<think>", "No", "</think>", "Yes"), {"reasoning": "No"}, YES),
        ("Yes", tokens("Yes"), {"reasoning": "No"}, YES),  # a server that returns the answer's tokens only
        ("Yes", tokens("No", "\n", "Yes"), {"reasoning": "No"}, YES),  # a server that leaves the markers out
        ("No", tokens("Yes", "</think>", "No"), {"reasoning": "Yes"}, 1 - YES),
        ("**Answer:** Yes", tokens("**", "Answer", ":**", " ", "Yes"), {}, YES),
        ('{"answer": "yes"}', tokens('{"', "answer", '":', ' "', "yes", '"}'), {}, YES),
        ("", tokens("<think>", "Yes"), {"finish_reason": "length"}, None),
        ("<think>Yes", tokens("<think>", "Yes"), {"finish_reason": "length"}, None),
        (None, tokens("Yes"), {"reasoning": "Yes", "finish_reason": "length"}, None),
        ("Perhaps", tokens("Perhaps"), {}, None),
        ("Perhaps", (), {}, None),
    ],
)
def test_the_probability_of_yes_is_that_of_the_answer_and_not_of_the_reasoning(text, steps, fields, yes):
    with StubServer(lambda *_: well(text, steps=steps, **fields)) as server:
        assert asked(server, probabilities=True).yes == (yes if yes is None else pytest.approx(yes))


def test_options_of_the_chat_template_and_further_fields_are_sent():
    with StubServer(lambda *_: well("Yes")) as server:
        asked(server, chat_options={"enable_thinking": False}, extra_body={"top_p": 0.9, "reasoning_effort": "low"})
        asked(server)
    first, second = server.requests
    assert first["chat_template_kwargs"] == {"enable_thinking": False}
    assert (first["top_p"], first["reasoning_effort"]) == (0.9, "low")
    assert not {"chat_template_kwargs", "top_p", "response_format"} & set(second)


def test_a_schema_is_sent_and_its_replies_are_stored_apart(tmp_path):
    store = ReplyStore(tmp_path / "replies.sqlite")
    restricted = QUESTION._replace(schema=template("json.en").schema)
    with StubServer(lambda *_: well('{"answer": "yes"}')) as server:
        model = ServedModel("stub", server.base_url)
        get_replies(model, [restricted], store)
        assert store.find(model.identity, [QUESTION]) == {}
        assert set(store.find(model.identity, [restricted])) == {restricted}
    sent = server.requests[0]["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["schema"]["properties"]["answer"]["enum"] == ["yes", "no"]


@pytest.mark.parametrize("field", [{"reasoning": ["no"]}, {"reasoning": {"no": 1}}])
def test_reasoning_of_another_form_is_asked_for_again(field):
    with StubServer(lambda number, _: well("Yes", **(field if number == 0 else {}))) as server:
        assert asked(server) == Reply("Yes")
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(
            ({"extra_body": {own: 1}}, f"extra_body must not contain '{own}'")
            for own in ("model", "messages", "max_tokens", "chat_template_kwargs", "n", "stream")
        ),
        *(({name: [1]}, f"{name} must be a mapping") for name in ("chat_options", "extra_body")),
        ({"probabilities": ("yes", "yes")}, "probabilities must be True, False, or the tokens"),
    ],
)
def test_options_that_cannot_be_are_refused(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ServedModel("stub", **options)


def test_the_identity_holds_how_it_is_asked_and_not_where():
    same = ServedModel("a"), ServedModel("a", "http://127.0.0.1:2/v1", in_flight=2)
    assert {model.identity for model in same} == {'["a", 0.0, 512, false]'}
    options = [{"chat_options": {"a": 1}}, {"extra_body": {"a": 1}}, {"chat_options": {"a": 2}}, {"temperature": 0.5}]
    assert len({same[0].identity, *(ServedModel("a", **each).identity for each in options)}) == 5
    one, two = (ServedModel("a", chat_options=options) for options in ({"a": 1, "b": 2}, {"b": 2, "a": 1}))
    assert one.identity == two.identity
    assert isinstance(hash(one), int)


UNKNOWN = {
    "max_tokens": ("Unsupported parameter: 'max_tokens' is not supported with this model.", "max_completion_tokens"),
    "temperature": ("Unsupported value: 'temperature' does not support 0.0 with this model.", "temperature=None"),
}


@pytest.mark.parametrize("parameter", UNKNOWN)
def test_a_server_that_takes_no_temperature_or_another_limit_is_explained_by_its_message_and_can_be_asked(parameter):
    message, remedy = UNKNOWN[parameter]

    def behave(_number, request):
        return (400, {}, {"error": {"message": message, "param": parameter}}) if parameter in request else well("Yes")

    with StubServer(behave) as server:
        with pytest.raises(ColieeError, match=f"(?s)message is: Unsupported.*{remedy}"):
            asked(server, probabilities=True)
        assert asked(server, temperature=None, extra_body={"max_completion_tokens": 9}) == Reply("Yes")


def test_a_server_that_refuses_every_question_is_not_asked_them_all_and_its_message_is_shown():
    questions = [QUESTION._replace(sample=sample) for sample in range(50)]
    error = {"message": "Extra inputs are not permitted: logprobs"}
    with StubServer(lambda *_: (400, {}, {"error": error})) as server:
        model = ServedModel("stub", server.base_url, in_flight=2, probabilities=True)
        with pytest.raises(ColieeError, match=r"(?s)message is: Extra inputs .* logprobs\n.*probabilities=False"):
            get_replies(model, questions)
    assert len(server.requests) < 12
