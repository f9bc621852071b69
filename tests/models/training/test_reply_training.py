"""Fine-tuning of tiny language models on conversations with replies."""

import shutil
import warnings
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("peft")

import torch
from safetensors.torch import load_file
from tiny_layouts import tiny_like

from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError
from ir_coliee.models import LocalModel, Question, get_replies
from ir_coliee.models import local as training_module
from ir_coliee.models.adapters import TrainingOptions
from ir_coliee.models.loading import LoadOptions
from ir_coliee.models.local import Checkpoint
from ir_coliee.models.templates import Conversation, Turn

LoraConfig = pytest.importorskip("peft").LoraConfig

torch.set_num_threads(1)

QWEN = ("causal", "Qwen/Qwen3-0.6B")
T5 = ("seq2seq", None)
LLAMA = ("causal", None)
CHATS = {
    "Qwen/Qwen3-0.6B": "<|im_end|>",
    "meta-llama/Llama-3.1-8B-Instruct": "<|eot_id|>",
}
architectures = pytest.mark.parametrize("architecture", [QWEN, LLAMA, T5], ids=lambda each: each[1] or each[0])

CONVERSATIONS = [
    Conversation([Turn("system", "Be brief."), Turn("user", f"Is {thing} lit? {'very ' * (number % 4)}{number}")])
    for number in range(6)
    for thing in ("a lamp", "a gate")
]
REPLIES = ["Yes", "No, never"] * 6
ADAPTER = LoraConfig(r=8, lora_alpha=16, lora_dropout=0.0)
FAST = {"epochs": 14, "learning_rate": 1e-2, "batch_size": 4}


def model(architecture, **options):
    kind, like = architecture
    return LocalModel(tiny_like(like, kind), **{"max_tokens": 12, "window": 256, **options})


def fit(one, conversations=CONVERSATIONS, replies=REPLIES, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of peft
        warnings.filterwarnings("ignore", message="fan_in_fan_out")
        return one.fit(conversations, replies, TrainingOptions(**options))


@cache
def fitted_once(architecture, has_adapter):
    return fit(model(architecture), **FAST, adapter=ADAPTER if has_adapter else None)


def fitted(architecture, adapter=None):
    return fitted_once(architecture, adapter is not None)


def replies_of(one, conversations=CONVERSATIONS):
    found = get_replies(one, [Question(conversation) for conversation in conversations])
    return [found[Question(conversation)] for conversation in conversations]


def weights(folder):
    return {name: value for path in Path(folder).glob("*.safetensors") for name, value in load_file(path).items()}


def same_weights(first, second):
    one, other = weights(first), weights(second)
    assert one.keys() == other.keys()
    return max(float((one[name] - other[name]).abs().max()) for name in one)


# --- what is learned -------------------------------------------------------------------------------


def test_the_loss_of_weights_in_4_bits_falls_with_an_adapter(monkeypatch):
    pytest.importorskip("bitsandbytes")
    load = LoadOptions(quantise="4bit", device="cpu", dtype="float32")
    assert_loss_falls(monkeypatch, model(QWEN, load=load), ADAPTER)


def assert_loss_falls(monkeypatch, one, adapter):
    losses = []
    loss_of = training_module._loss

    def watched(*args, **options):
        loss = loss_of(*args, **options)
        losses.append(float(loss.detach()))
        return loss

    monkeypatch.setattr(training_module, "_loss", watched)
    fit(one, epochs=5, learning_rate=1e-2, batch_size=12, adapter=adapter)
    assert losses[-1] < 0.9 * losses[0]


def batch_and_loss(architecture, conversations, replies):
    checkpoint = Checkpoint(model(architecture).name, LoadOptions())
    network = checkpoint.network
    examples = training_module._examples(checkpoint, network, model(architecture), conversations, replies)
    collate = training_module._causal_batch if checkpoint.is_causal else training_module._seq2seq_batch
    batch = collate(network, 0, examples)
    labels = batch.pop("labels")
    with torch.inference_mode():
        loss = training_module._loss(network(**batch), labels, (labels != -100).sum(), is_causal=checkpoint.is_causal)
    return checkpoint, examples, float(loss)


@architectures
def test_the_loss_is_the_mean_cross_entropy_of_the_tokens_of_the_replies_alone(architecture):
    checkpoint, examples, loss = batch_and_loss(architecture, CONVERSATIONS, REPLIES)
    log_probabilities = []
    for example in examples:  # one by one, without padding
        with torch.inference_mode():
            if checkpoint.is_causal:
                logits = checkpoint.network(torch.tensor([example.prompt + example.reply])).logits[0]
                logits = logits[len(example.prompt) - 1 : -1]
            else:
                start = checkpoint.config.decoder_start_token_id
                logits = checkpoint.network(
                    input_ids=torch.tensor([example.prompt]),
                    decoder_input_ids=torch.tensor([[start, *example.reply[:-1]]]),
                ).logits[0]
        log_probabilities += logits.log_softmax(-1)[range(len(example.reply)), example.reply].tolist()
    assert loss == pytest.approx(-sum(log_probabilities) / len(log_probabilities), abs=1e-4)
    assert len({len(example.prompt) for example in examples}) > 1
    assert len({len(example.reply) for example in examples}) > 1


@architectures
def test_the_prompt_is_the_one_that_is_asked(architecture):
    checkpoint, examples, _ = batch_and_loss(architecture, CONVERSATIONS, REPLIES)
    assert [example.prompt for example in examples] == [checkpoint.prompt(each, {}) for each in CONVERSATIONS]
    assert [checkpoint.text(example.reply) for example in examples] == REPLIES
    assert all(checkpoint.is_complete(example.reply) for example in examples)


@pytest.mark.parametrize(("like", "end"), CHATS.items())
def test_a_reply_ends_with_the_token_that_the_chat_template_writes_after_one(like, end):
    checkpoint, examples, _ = batch_and_loss(("causal", like), CONVERSATIONS[:1], ["Yes"])
    assert checkpoint.tokenizer.decode(examples[0].reply) == f"Yes{end}"


# --- resuming --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("adapter", "stop_at"),
    [(None, 8), (LoraConfig(r=4), 8)],
)
def test_a_training_that_was_stopped_gives_the_same_weights(adapter, stop_at, tmp_path, monkeypatch):
    options = {"epochs": 4, "batch_size": 4, "learning_rate": 1e-3, "adapter": adapter}
    uninterrupted = fit(model(LLAMA), **options)
    steps = []
    loss_of = training_module._loss

    def stopping(*args, **options):
        steps.append(1)
        if len(steps) == stop_at:
            raise KeyboardInterrupt
        return loss_of(*args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(training_module, "_loss", stopping)
        with pytest.raises(KeyboardInterrupt):
            fit(model(LLAMA), **options, folder=tmp_path / "state")
    steps.clear()
    monkeypatch.setattr(training_module, "_loss", lambda *args, **options: steps.append(1) or loss_of(*args, **options))
    resumed = fit(model(LLAMA), **options, folder=tmp_path / "state")
    assert len(steps) == 6  # after epoch 2 of 4, of 3 steps each
    folders = [each.adapter or each.name for each in (uninterrupted, resumed)]
    assert same_weights(*folders) < 1e-6
    again = fit(model(LLAMA), **options, folder=tmp_path / "state")
    assert (again, len(steps)) == (resumed, 6)
    texts = [path.read_bytes() for path in (tmp_path / "state").rglob("*") if path.is_file()]
    assert not any(b"Is a lamp lit" in text for text in texts)


# --- files -----------------------------------------------------------------------------------------


def test_an_adapter_is_saved_without_the_weights_of_the_checkpoint_and_loaded_again(tmp_path):
    one = fitted(QWEN, ADAPTER)
    folder = one.save(tmp_path / "adapter")
    assert {name.rpartition(".lora_")[1] for name in weights(folder)} == {".lora_"}
    assert (tmp_path / "adapter" / "tokenizer_config.json").exists()
    loaded = LocalModel(one.name, adapter=folder, max_tokens=12, window=256)
    assert replies_of(loaded) == replies_of(one)
    assert loaded.identity == one.identity != model(QWEN).identity
    assert one.name == model(QWEN).name


def test_a_folder_that_is_no_adapter_of_the_model_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ColieeError, match=r"empty is not the folder of a checkpoint\."):
        replies_of(model(QWEN, adapter=str(tmp_path / "empty")))
    adapter = shutil.copytree(fitted(QWEN, ADAPTER).adapter, tmp_path / "adapter")
    other = tiny_like(QWEN[1], seed=1)
    with pytest.raises(ColieeError, match="was trained with another base model"):
        replies_of(LocalModel(other, adapter=str(adapter)))
    (adapter / "base_model.json").unlink()  # as if peft had written it
    with (
        pytest.warns(ColieeWarning),
        pytest.raises(ColieeError, match=r"The adapter .* cannot be loaded\.\nThe reason: Target"),
    ):
        replies_of(model(("causal", "openai-community/gpt2"), adapter=str(adapter)))


def test_an_adapter_needs_its_base_model_whatever_the_name_of_its_folder(tmp_path):
    shutil.copytree(model(QWEN).name, tmp_path / "other-name")
    adapter = shutil.copytree(fitted(QWEN, ADAPTER).adapter, tmp_path / "adapter")
    one = LocalModel(str(tmp_path / "other-name"), adapter=str(adapter), max_tokens=12, window=256)
    assert replies_of(one, CONVERSATIONS[:2]) == replies_of(fitted(QWEN, ADAPTER), CONVERSATIONS[:2])
    (adapter / "base_model.json").unlink()
    again = LocalModel(one.name, adapter=str(adapter), max_tokens=12, window=256)
    with pytest.warns(ColieeWarning, match=r"was trained for .* and is used with .*other-name\.$"):
        assert replies_of(again, CONVERSATIONS[:2]) == replies_of(one, CONVERSATIONS[:2])


# --- limits ----------------------------------------------------------------------------------------


def test_conversations_beyond_the_window_are_left_out_and_counted():
    long = Conversation([Turn("user", "Is a lamp lit? " * 100)])
    with pytest.warns(ColieeWarning, match=r"1 of 13 conversations are longer than the window of 256 tokens"):
        fit(model(QWEN), [*CONVERSATIONS, long], [*REPLIES, "Yes"], epochs=1)
    with pytest.raises(InsufficientTrainingDataError, match=r"1 of 1 conversations are longer.*none is left"):
        fit(model(QWEN), [long], ["Yes"], epochs=1)


def test_what_cannot_be_trained_is_refused():
    with pytest.raises(ColieeError, match="Weights in bfloat16 are trained with an adapter only"):
        fit(model(QWEN, load=LoadOptions(dtype="bfloat16")))
    with pytest.raises(ColieeError, match="A model with an adapter is trained further with the adapter only"):
        fit(fitted(QWEN, ADAPTER))
    with pytest.raises(ValueError, match="one reply to each conversation, got 1 for 12"):
        fit(model(QWEN), replies=["Yes"])
    with pytest.raises(InsufficientTrainingDataError, match="0 of 0 conversations"):
        fit(model(QWEN), [], [])
