"""Checkpoints that are damaged or incomplete give no result, and an error with a short first line."""

import json
import re
import shutil

import pandas as pd
import pytest

pytest.importorskip("sentence_transformers")

import transformers
from safetensors.torch import load_file, save_file
from tiny_layouts import PUBLISHED, tiny_like

from ir_coliee.errors import ColieeError
from ir_coliee.models import Embedder, LocalModel, Question, Reply
from ir_coliee.models.loading import check_weights
from ir_coliee.models.templates import Turn
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers import EntailmentClassifier, MonoT5, PairScorer

PAIRS = pd.DataFrame({"qid": ["1"], "query": ["Is a lamp lit?"], "docno": ["a"], "text": ["A lamp."]})
QUESTIONS = [Question((Turn("system", "Be brief."), Turn("user", "Is a lamp lit?")))]


def ask(model, **options):
    found: list[Reply] = []
    LocalModel(model, max_tokens=4, **options).ask(QUESTIONS, lambda _question, reply: found.append(reply))
    return found


USES = {
    "causal": ask,
    "classifier": lambda model: PairScorer(model)(PAIRS),
    "encoder": lambda model: Embedder(model).embed_queries(["Is a lamp lit?"]),
    "entailment": lambda model: EntailmentClassifier(model)(PAIRS),
    "seq2seq": lambda model: MonoT5(model)(PAIRS),
}
CLASSES = {
    "causal": "AutoModelForCausalLM",
    "classifier": "AutoModelForSequenceClassification",
    "seq2seq": "AutoModelForSeq2SeqLM",
}
kinds = pytest.mark.parametrize("kind", USES)


@pytest.fixture
def copy(tmp_path):
    """Return a function that copies a tiny checkpoint into a folder with a long name."""

    def copied(kind):
        folder = tmp_path / ("a-long-name-" * 8) / kind
        shutil.copytree(tiny_checkpoint(kind), folder)
        return folder

    return copied


def refusal(use, model):
    with pytest.raises(ColieeError) as caught:
        use(str(model))
    assert len(str(caught.value).splitlines()[0]) <= 100
    return str(caught.value)


def change_weights(folder, change):
    path = next(folder.rglob("model.safetensors"))
    save_file(change(load_file(path)), path, metadata={"format": "pt"})


@kinds
def test_truncated_weights_are_refused(kind, copy):
    path = next((folder := copy(kind)).rglob("model.safetensors"))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert "cannot be loaded.\nThe reason: Error while deserializing header" in refusal(USES[kind], folder)


@kinds
def test_weights_that_lack_some_tensors_are_refused(kind, copy):
    folder = copy(kind)
    change_weights(folder, lambda weights: dict(list(weights.items())[1:]))
    assert "lacks weights" in refusal(USES[kind], folder)


@kinds
def test_the_configuration_of_another_model_is_refused(kind, copy):
    folder = copy(kind)
    path = folder / "config.json"
    config = json.loads(path.read_bytes())
    layers = next(name for name in ("num_hidden_layers", "n_layer", "num_layers") if name in config)
    path.write_text(json.dumps(config | {layers: 5}))
    assert "lacks weights" in refusal(USES[kind], folder)


@kinds
def test_weights_that_are_not_numbers_give_no_result(kind, copy):
    folder = copy(kind)
    change_weights(folder, lambda weights: {name: each * float("nan") for name, each in weights.items()})
    assert "In half precision large values overflow" in refusal(USES[kind], folder)


@kinds
def test_a_folder_without_a_checkpoint_is_refused_before_its_files_are_read(kind, tmp_path):
    (tmp_path / "file").symlink_to(tmp_path / "file")
    assert "is not the folder of a checkpoint" in refusal(USES[kind], tmp_path)
    with pytest.raises(ColieeError, match="is not the folder of a checkpoint"):
        LocalModel(str(tmp_path)).identity  # noqa: B018


@pytest.mark.parametrize(
    ("like", "lacked"),
    [
        ("castorini/monot5-large-msmarco", "(encoder|decoder).embed_tokens|lm_head"),
        ("csebuetnlp/mT5_multilingual_XLSum", "(encoder|decoder).embed_tokens"),
        ("openai-community/gpt2", "lm_head|[.]attn[.](masked_)?bias$"),
        ("Qwen/Qwen3-0.6B", "lm_head|score|inv_freq"),
        ("studio-ousia/mluke-base", "classifier|position_ids"),
        ("FacebookAI/xlm-roberta-base", "classifier|position_ids"),
    ],
)
def test_weights_that_are_tied_or_computed_or_new_may_be_lacking(like, lacked, tmp_path):
    layout = PUBLISHED[like]
    kind = "seq2seq" if layout.is_seq2seq else "causal" if layout.is_causal else "classifier"
    folder = shutil.copytree(tiny_like(like), tmp_path / "copy")
    change_weights(
        folder, lambda weights: {name: each for name, each in weights.items() if not re.search(lacked, name)}
    )
    check_weights(str(folder), getattr(transformers, CLASSES[kind]).from_pretrained(folder))
    check_weights(str(folder), transformers.AutoModel.from_pretrained(folder))


def test_sinusoidal_positions_are_computed(tmp_path):
    config = transformers.RoFormerConfig(
        vocab_size=10, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8
    )
    transformers.RoFormerModel(config).save_pretrained(tmp_path)
    change_weights(tmp_path, lambda weights: {name: each for name, each in weights.items() if "positions" not in name})
    check_weights(str(tmp_path), transformers.AutoModel.from_pretrained(tmp_path))


def test_weights_on_the_disk_are_not_lacking(copy, tmp_path):
    folder = copy("encoder")
    network = transformers.AutoModel.from_pretrained(
        folder, device_map={"": "disk"}, offload_folder=str(tmp_path / "disk")
    )
    check_weights(str(folder), network)


@pytest.mark.parametrize("template", ["{{ 1 / 0 }}", "{% for %}", "{{ messages[0].content.nothing.at }}"])
def test_a_chat_template_that_fails_is_named_without_the_text(template, copy):
    folder = copy("causal")
    (folder / "chat_template.jinja").write_text(template)
    message = refusal(ask, folder)
    assert "The chat template of" in message
    assert "lamp" not in message
