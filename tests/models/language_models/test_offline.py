"""vLLM's offline class behind the interface of language models, by a stand-in with its signatures."""

import pickle
import sys
from math import exp

import pytest
from vllm_stand_in import stand_in

from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.models import OfflineModel, Question, Reply, ReplyStore, get_replies
from ir_coliee.models.language_models.language_model import HasWindow
from ir_coliee.text.templates import Turn

QUESTIONS = [Question((Turn("user", f"question {number}"),)) for number in range(10)]


@pytest.fixture
def vllm(monkeypatch):
    """Put a stand-in that replies by a function in the place of vLLM."""

    def install(says=lambda turns, _: f"re: {turns[-1]['content']}", **options):
        module = stand_in(says, **options)
        monkeypatch.setitem(sys.modules, "vllm", module)
        monkeypatch.setitem(sys.modules, "vllm.sampling_params", module.sampling_params)
        return module

    return install


def test_each_question_gets_its_own_reply_in_batches(vllm):
    module = vllm()
    found = get_replies(OfflineModel("a-model", batch_size=4), QUESTIONS)
    assert {q: r.text for q, r in found.items()} == {q: f"re: {q.conversation[0].content}" for q in QUESTIONS}
    assert [len(batch) for batch in module.batches] == [4, 4, 2]
    assert module.loaded == [("a-model", "safetensors", False, 1, "auto")]  # once, and no code of the checkpoint


def test_a_kill_loses_one_batch_at_most(vllm, tmp_path):
    def dies(turns, _):
        if turns[-1]["content"] == "question 7":
            raise KeyboardInterrupt
        return "Yes"

    module = vllm(dies)
    model, path = OfflineModel("a-model", batch_size=3), tmp_path / "replies.sqlite"
    with pytest.raises(KeyboardInterrupt):
        get_replies(model, QUESTIONS, ReplyStore(path))
    assert len(ReplyStore(path).find(model.identity, QUESTIONS)) == 6
    assert len(module.batches) == 3
    module = vllm()
    get_replies(OfflineModel("a-model", batch_size=3), QUESTIONS, ReplyStore(path))
    assert module.batches == [["question 6", "question 7", "question 8"], ["question 9"]]


def test_reasoning_is_kept_apart_and_the_probability_is_that_of_the_answer(vllm):
    vllm(lambda *_: "<think>Yes at first sight</think> No")
    (reply,) = get_replies(OfflineModel("a-model", probabilities=True), QUESTIONS[:1]).values()
    assert (reply.text, reply.reasoning, reply.truncated) == ("No", "Yes at first sight", False)
    assert reply.yes == pytest.approx(exp(-1.5) / (exp(-0.25) + exp(-1.5)))


def test_a_block_that_the_prompt_opens_is_known(vllm):
    pytest.importorskip("torch")  # for the chat template, as where vLLM is installed
    vllm(lambda *_: "Yes at first sight")
    model = OfflineModel("a-model", chat_options={"enable_thinking": True}, probabilities=True)
    assert get_replies(model, QUESTIONS[:1])[QUESTIONS[0]] == Reply("", None, "Yes at first sight")
    vllm(lambda *_: "Yes at first sight</think>No")
    model = OfflineModel("a-model", chat_options={"enable_thinking": True})
    assert get_replies(model, QUESTIONS[:1])[QUESTIONS[0]] == Reply("No", None, "Yes at first sight")


def test_an_option_that_the_chat_template_does_not_have_is_refused(vllm):
    pytest.importorskip("torch")  # for the chat template, as where vLLM is installed
    vllm(lambda *_: "Yes")
    with pytest.raises(ColieeError, match="a-model has no option thinking"):
        get_replies(OfflineModel("a-model", chat_options={"thinking": True}), QUESTIONS[:1])


def test_a_reply_at_the_token_limit_is_truncated(vllm):
    vllm(lambda *_: "one two three four five")
    model = OfflineModel("a-model", max_tokens=3)
    assert get_replies(model, QUESTIONS[:1])[QUESTIONS[0]] == Reply("one two three", truncated=True)


def test_samples_have_their_own_seeds_and_schemas_are_handed_on(vllm):
    seen = []
    vllm(lambda _, sampling: seen.append(sampling) or "Yes")
    questions = [QUESTIONS[0]._replace(sample=n, schema='{"type": "object"}' if n else "") for n in range(3)]
    get_replies(OfflineModel("a-model", temperature=0.7), questions)
    assert [(each.temperature, each.seed) for each in seen] == [(0.7, 0), (0.7, 1), (0.7, 2)]
    assert [each.structured_outputs and each.structured_outputs.json for each in seen[:2]] == [
        None,
        '{"type": "object"}',
    ]
    get_replies(OfflineModel("a-model"), QUESTIONS[:1])
    assert (seen[-1].temperature, seen[-1].seed) == (0, None)


def test_questions_beyond_the_window_are_counted_and_do_not_stop_the_others(vllm):
    vllm(window=120)
    model = OfflineModel("a-model", max_tokens=50)
    assert isinstance(model, HasWindow)
    long = Question((Turn("user", "x" * 100),))
    replies = {}
    with pytest.raises(ColieeError, match=r"(?s)1 of 11 questions .* 120 tokens, of which max_tokens=50") as caught:
        model.ask([long, *QUESTIONS], replies.__setitem__)
    assert "xxx" not in str(caught.value)
    assert set(replies) == set(QUESTIONS)


def test_the_identity_holds_what_replies_depend_on_and_not_how_the_work_is_distributed():
    own = OfflineModel("a-model").identity
    assert own == OfflineModel("a-model", batch_size=3, engine={"tensor_parallel_size": 2}).identity
    options = [
        {"max_tokens": 9},
        {"temperature": 0.5},
        {"probabilities": True},
        {"chat_options": {"enable_thinking": False}},
        {"engine": {"dtype": "float16"}},
    ]
    assert len({own, *(OfflineModel("a-model", **each).identity for each in options)}) == 6


def test_options_of_the_engine_are_handed_on(vllm):
    module = vllm()
    model = OfflineModel("a-model", engine={"tensor_parallel_size": 2, "dtype": "bfloat16"})
    get_replies(model, QUESTIONS[:1])
    assert module.loaded == [("a-model", "safetensors", False, 2, "bfloat16")]
    assert pickle.loads(pickle.dumps(model)) == model


def test_a_model_that_cannot_be_loaded_and_a_missing_extra_are_named(vllm, monkeypatch):
    module = vllm()
    with pytest.raises(ColieeError, match=r"a-model cannot be loaded\.\nThe reason: .*unknown_option"):
        get_replies(OfflineModel("a-model", engine={"unknown_option": 1}), QUESTIONS)
    assert module.batches == []
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(MissingExtraError, match="vllm"):
        get_replies(OfflineModel("a-model"), QUESTIONS)


@pytest.mark.parametrize(
    "options", [{"max_tokens": 0}, {"batch_size": 0}, {"engine": {1: {2}}}, {"chat_options": "no"}]
)
def test_parameters_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        OfflineModel("a-model", **options)
