"""Models on this machine, by checkpoints of random weights: what they say means nothing, but it can be computed."""

import json
import shutil
from functools import cache
from math import sqrt

import pytest

pytest.importorskip("torch")

import torch
import transformers

from ir_coliee.errors import ColieeError
from ir_coliee.models import LocalModel, Question, Reply, ServedModel, get_replies
from ir_coliee.models import local as checkpoint_module
from ir_coliee.models.language_model import HasWindow
from ir_coliee.models.loading import LoadOptions
from ir_coliee.models.local import AnswerLogits
from ir_coliee.models.templates import Turn
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint

torch.set_num_threads(1)  # for models so small, threads do little but wait for each other

END = 1  # the token that ends a text, in both
QUESTIONS = [
    Question((Turn("user", f"Is a lamp {'very ' * (number % 7)}old? {number}"),), number % 2) for number in range(12)
]

kinds = pytest.mark.parametrize("kind", ["causal", "seq2seq"])


def model(kind, **options):
    return LocalModel(tiny_checkpoint(kind), **{"max_tokens": 8, **options})


def asked(words, sample=0):
    return Question((Turn("user", words),), sample)


@cache
def network(kind):
    classes = {"causal": transformers.AutoModelForCausalLM, "seq2seq": transformers.AutoModelForSeq2SeqLM}
    return classes[kind].from_pretrained(tiny_checkpoint(kind)).eval()


@cache
def tokenizer(kind):
    return transformers.AutoTokenizer.from_pretrained(tiny_checkpoint(kind))


def next_logits(kind, text, said=()):
    """Of the token behind a text and what was said of the reply, computed without anything of ours."""
    with torch.inference_mode():
        if kind == "causal":
            tokens = [3 + byte for byte in text.encode()] + list(said)  # the tokens of ByT5 are bytes, from 3
            return network(kind)(torch.tensor([tokens])).logits[0, -1]
        tokens = torch.tensor([tokenizer(kind)(text)["input_ids"]])
        return network(kind)(input_ids=tokens, decoder_input_ids=torch.tensor([[0, *said]])).logits[0, -1]


def text_of(question):
    return question.conversation[-1].content


@pytest.mark.slow
@kinds
def test_a_sampled_reply_is_the_same_in_any_batch_and_order(kind):  # without sampling: test_architectures
    options = {"temperature": 1.0, "probabilities": True}
    alone = get_replies(model(kind, batch_size=1, **options), QUESTIONS)
    for batch_size in (5, 100):
        together = get_replies(model(kind, batch_size=batch_size, **options), QUESTIONS[::-1])
        assert {q: r.text for q, r in together.items()} == {q: r.text for q, r in alone.items()}
        assert [together[q].yes for q in QUESTIONS] == pytest.approx([alone[q].yes for q in QUESTIONS], abs=1e-5)


@kinds
def test_without_temperature_each_token_is_the_most_probable(kind):
    for question, reply in get_replies(model(kind), QUESTIONS[:3]).items():
        said = []
        while len(said) < 8 and said[-1:] != [END]:
            said.append(int(next_logits(kind, text_of(question), said).argmax()))
        assert reply.text == tokenizer(kind).decode(said, skip_special_tokens=True)
        assert reply.yes is None


YES, NO = {"y", "t", "Y", "T", "yes", "Yes", "true"}, {"n", "f", "N", "F", "no", "No", "false"}


def is_word(piece):
    return any(letter.isalnum() for letter in piece) or piece == "_"


@kinds
def test_how_probable_yes_is_follows_from_the_first_token(kind):
    say = get_replies(model(kind, probabilities=True), QUESTIONS)
    words = [tokenizer(kind).decode([n], skip_special_tokens=True).strip() for n in range(len(tokenizer(kind)))]
    compared = 0
    for question in QUESTIONS:
        said = []
        weights = next_logits(kind, text_of(question))
        while not is_word(words[top := int(weights.argmax())]) and top != END and len(said) < 7:
            said.append(top)
            weights = next_logits(kind, text_of(question), said)
        compared += is_word(words[top])
        weights = torch.softmax(weights.double(), 0)
        yes, no = (sum(float(weights[n]) for n, word in enumerate(words) if word in begins) for begins in (YES, NO))
        assert say[question].yes == pytest.approx(yes / (yes + no), abs=1e-6)
    assert compared >= 6 or kind == "seq2seq"  # this one writes no words


def steps(*weights):
    """The record of the steps of three replies of four tokens: a blank, yes, no, and the end."""
    record = AnswerLogits({1: "yes", 2: "no"})
    for step in weights:
        record(None, torch.tensor(step).log())
    return record


def test_the_token_with_which_the_answer_begins_counts():
    one, other = [0.1, 0.6, 0.2, 0.1], [0.1, 0.2, 0.6, 0.1]
    record = steps([one, one, one], [other, one, other])
    assert [record.yes(reply, 1) for reply in range(3)] == pytest.approx([0.25, 0.75, 0.25])
    assert record.yes(0, 0) == pytest.approx(0.75)
    assert record.yes(0, None) is None


@pytest.mark.slow
def test_tokens_are_drawn_as_often_as_they_are_probable():
    number, temperature = 3000, 0.7
    drawn = get_replies(
        model("causal", max_tokens=1, temperature=temperature, batch_size=500),
        [asked("A lamp", sample) for sample in range(number)],
    )
    expected = torch.softmax(next_logits("causal", "A lamp").double() / temperature, 0)
    likely = [token for token in expected.argsort(descending=True).tolist() if 3 + 33 <= token < 3 + 127][:5]
    for token in likely:
        share = sum(reply.text == chr(token - 3) for reply in drawn.values()) / number
        probability = float(expected[token])
        assert abs(share - probability) < 4 * sqrt(probability * (1 - probability) / number)
    assert float(expected[likely].sum()) > 0.25


@kinds
def test_what_fits_the_window_is_known_to_the_token(kind):
    window = 2048 if kind == "causal" else None
    one = model(kind, max_tokens=100, load=LoadOptions(device="cpu"), window=window)
    assert isinstance(one, HasWindow)
    # one byte a token, and the reply; one letter a token behind the mark of a word, and the end
    longest = {"causal": "x" * (2048 - 100), "seq2seq": "x" * (512 - 2)}[kind]
    assert len(tokenizer(kind)(longest)["input_ids"]) == {"causal": 2048 - 100 + 1, "seq2seq": 512}[kind]
    assert one.fits(asked(longest).conversation)
    assert not one.fits(asked(longest + "x").conversation)
    assert "network" not in one._checkpoint.__dict__  # no weights are needed for it
    assert len(get_replies(one, [asked(longest)])) == 1


# --- prompts ---------------------------------------------------------------------------------------


def with_chat_template(template, folder):
    shutil.copytree(tiny_checkpoint("causal"), folder)
    one = transformers.AutoTokenizer.from_pretrained(folder)
    one.chat_template = template
    one.save_pretrained(folder)
    return LocalModel(str(folder))


def prompt(one, *turns):
    return bytes(token - 3 for token in one._checkpoint.prompt(turns, one.chat_options)).decode()


TURNS = [Turn("system", "Be brief."), Turn("user", "A?"), Turn("assistant", "Yes"), Turn("user", "B?")]
TURN = "<{{ turn.role }}>{{ turn.content }}"
CHAT = f"{{% for turn in messages %}}{TURN}{{% endfor %}}{{% if add_generation_prompt %}}<reply>{{% endif %}}"
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + CHAT


def test_a_chat_template_makes_the_prompt(tmp_path):
    one = with_chat_template(CHAT, tmp_path / "chat")
    assert prompt(one, *TURNS) == "<system>Be brief.<user>A?<assistant>Yes<user>B?<reply>"


def test_where_a_chat_template_knows_no_system_the_user_says_it(tmp_path):
    one = with_chat_template(NO_SYSTEM, tmp_path / "chat")
    assert prompt(one, *TURNS) == "<user>Be brief.\n\nA?<assistant>Yes<user>B?<reply>"
    assert prompt(one, *TURNS[1:]) == "<user>A?<assistant>Yes<user>B?<reply>"


# --- what it is ------------------------------------------------------------------------------------


def test_the_identity_holds_all_that_replies_depend_on(tmp_path):
    own = model("causal").identity
    assert own == model("causal", batch_size=3, load=LoadOptions(device="cpu")).identity
    others = [model("causal", **o) for o in ({"max_tokens": 9}, {"temperature": 0.5}, {"probabilities": True})]
    named = LocalModel("a-model")
    assert len({own, *(other.identity for other in others), named.identity}) == 5
    copy = shutil.copytree(tiny_checkpoint("causal"), tmp_path / "copy")
    assert LocalModel(str(copy), max_tokens=8).identity == own
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + bytes([weights.read_bytes()[-1] ^ 1]))
    assert LocalModel(str(copy), max_tokens=8).identity != own
    assert json.loads(named.identity)[1] == "a-model"
    assert named.identity != ServedModel("a-model").identity


# --- odd input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "network"), [("classifier", "BertForSequenceClassification"), ("encoder", "BertModel")]
)
def test_a_checkpoint_of_another_kind_is_refused(kind, network):
    with pytest.raises(ColieeError, match=f"is not a language model: it is a {network}"):
        model(kind).fits(QUESTIONS[0].conversation)  # before its weights are loaded


@pytest.mark.parametrize(
    "options", [{"max_tokens": 0}, {"batch_size": 0}, {"batch_size": 1.5}, {"temperature": -1}, {"temperature": "hot"}]
)
def test_parameters_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        model("causal", **options)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("<think>Yes</think> No\1", Reply("No", None, "Yes")),
        ("Yes</think>No\1", Reply("No", None, "Yes")),
        ("<think>Yes", Reply("", None, "Yes", truncated=True)),
        ("Yes, bec", Reply("Yes, bec", truncated=True)),
    ],
)
def test_reasoning_is_kept_apart_and_a_reply_without_its_end_is_truncated(said, expected, monkeypatch):
    tokens = [END if letter == "\1" else 3 + ord(letter) for letter in said]
    monkeypatch.setattr(checkpoint_module.Checkpoint, "reply_tokens", lambda *_: [tokens])
    assert get_replies(model("causal"), QUESTIONS[:1])[QUESTIONS[0]] == expected


def test_options_of_the_chat_template_are_used_and_unknown_ones_refused(tmp_path):
    one = with_chat_template(CHAT + "{% if enable_thinking %}<think>{% endif %}", tmp_path / "chat")
    thinking = LocalModel(one.name, chat_options={"enable_thinking": True})
    assert prompt(thinking, *TURNS[1:]).endswith("<reply><think>")
    assert prompt(one, *TURNS[1:]).endswith("<reply>")
    assert thinking.identity != one.identity
    unknown = ((one.name, "enable_thinkin"), (one.name, "think"), (tiny_checkpoint("causal"), "enable_thinking"))
    for name, option in unknown:
        with pytest.raises(ColieeError, match=rf"has no option {option}\.\nCorrect"):  # also no word of the template
            LocalModel(name, chat_options={option: 1}).fits(QUESTIONS[0].conversation)
