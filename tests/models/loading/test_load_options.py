"""How weights are loaded: number format, device, quantisation, attention, revision, remote code."""

import itertools
import json
import shutil
import sys
from pathlib import Path

import pytest
from tiny_layouts import tiny_like

from ir_coliee.errors import ColieeError
from ir_coliee.models import LoadOptions, LocalModel, Question, get_replies
from ir_coliee.models.templates import Turn
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint

QUESTIONS = [Question((Turn("user", f"Is a lamp old? {number}"),)) for number in range(3)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": "float8"}, "^dtype must be"),
        ({"quantise": 4}, "^quantise must be"),
        ({"attention": "fast"}, "^attention must be"),
        ({"allow_remote_code": "no"}, "^allow_remote_code must be"),
        ({"device": "cpu", "device_map": "auto"}, "device and device_map exclude each other"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        LoadOptions(**options)


def test_only_options_that_change_results_are_part_of_the_key_of_replies():
    model = LocalModel("a-model")
    same = [LoadOptions(device="cpu"), LoadOptions(device_map="auto"), LoadOptions(attention="eager")]
    assert {LocalModel("a-model", load=load).identity for load in same} == {model.identity}
    others = [LoadOptions(dtype="bfloat16"), LoadOptions(quantise="4bit"), LoadOptions(revision="v2")]
    assert len({model.identity, *(LocalModel("a-model", load=load).identity for load in others)}) == 4


torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
safetensors = pytest.importorskip("safetensors.torch")


def network_of(folder, **options):
    return LocalModel(str(folder), load=LoadOptions(**options))._checkpoint.network


def network(**options):
    return network_of(tiny_checkpoint("causal"), **options)


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A causal model of 128 dimensions: blocks of 4 bits are of 64 weights."""
    folder = tmp_path_factory.mktemp("wide")
    config = transformers.AutoConfig.from_pretrained(
        tiny_checkpoint("causal"), hidden_size=128, intermediate_size=128, head_dim=64
    )
    torch.manual_seed(0)
    transformers.AutoModelForCausalLM.from_config(config).save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(tiny_checkpoint("causal")).save_pretrained(folder)
    return str(folder)


@pytest.mark.parametrize(("quantise", "share"), [("8bit", 0.5), ("4bit", 0.4)])
def test_quantised_weights_take_less_memory_and_give_replies(wide, quantise, share):
    pytest.importorskip("bitsandbytes")
    pytest.importorskip("accelerate")
    whole, small = (
        LocalModel(wide, max_tokens=2, load=LoadOptions(quantise=given, device="cpu", dtype="float32"))
        for given in (None, quantise)
    )
    assert len(get_replies(small, QUESTIONS)) == len(QUESTIONS)
    sizes = [model._checkpoint.network.model.layers[0].mlp.up_proj.weight.nbytes for model in (whole, small)]
    assert sizes[1] < share * sizes[0]
    assert small._checkpoint.network.lm_head.weight.dtype == torch.float32  # outputs are not quantised


def test_new_layers_of_a_cross_encoder_are_not_quantised():
    pytest.importorskip("bitsandbytes")
    pytest.importorskip("sentence_transformers")
    from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder

    encoder = load_cross_encoder(tiny_like("roberta-base"), None, 0, LoadOptions(quantise="8bit", device="cpu"))
    classes = {name: type(module).__name__ for name, module in encoder.model.named_modules()}
    assert classes["classifier.dense"] == "Linear"
    assert classes["roberta.encoder.layer.0.output.dense"] == "Linear8bitLt"
    assert encoder.predict([("a", "b")]).shape == (1,)


def test_all_of_it_reaches_from_pretrained(monkeypatch):
    given = {}
    loading = transformers.AutoModelForCausalLM.from_pretrained

    def noted(name, **options):
        given.update(options)
        return loading(name, output_loading_info=True)

    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", noted)
    network(attention="flash_attention_2", revision="main", dtype="bfloat16", device_map="auto")
    assert given == {
        "output_loading_info": True,
        "attn_implementation": "flash_attention_2",
        "revision": "main",
        "dtype": torch.bfloat16,
        "device_map": "auto",
        "use_safetensors": True,
        "trust_remote_code": False,
    }


# --- remote code -------------------------------------------------------------------------------------

CODE = """
import pathlib
pathlib.Path({mark!r}).touch()
from transformers import {base}Config, {base}ForCausalLM
class OwnConfig({base}Config):
    model_type = "own"
class OwnModel({base}ForCausalLM):
    config_class = OwnConfig
"""


@pytest.fixture
def with_code(tmp_path, monkeypatch):
    """A checkpoint that brings Python code, which leaves a mark when it is run."""
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    folder = tmp_path / "own"
    shutil.copytree(tiny_checkpoint("causal"), folder)
    (folder / "own.py").write_text(CODE.format(mark=str(tmp_path / "mark"), base="Llama"))
    config = json.loads((folder / "config.json").read_text())
    classes = {"AutoConfig": "own.OwnConfig", "AutoModelForCausalLM": "own.OwnModel"}
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "own", "auto_map": classes}))
    yield folder
    for name in [name for name in sys.modules if name.startswith("transformers_modules")]:
        del sys.modules[name]


def test_code_of_a_checkpoint_is_run_only_if_the_user_says_so(with_code, tmp_path):
    with pytest.raises(ColieeError, match=r"LoadOptions\(allow_remote_code=True\)"):
        get_replies(LocalModel(str(with_code)), QUESTIONS)
    assert not Path(tmp_path / "mark").exists()
    allowed = LocalModel(str(with_code), max_tokens=2, load=LoadOptions(allow_remote_code=True))
    assert len(get_replies(allowed, QUESTIONS)) == len(QUESTIONS)
    assert Path(tmp_path / "mark").exists()


def test_a_name_that_is_nowhere_and_a_device_that_cannot_be_used_are_named(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ColieeError, match=r"checkpoints/nope cannot be loaded(.|\n)*neither a folder nor in the local"):
        network_of("checkpoints/nope")
    device = "cuda:7" if not torch.cuda.is_available() else "abacus"
    with pytest.raises(ColieeError, match=r"cannot be loaded.\nThe reason: .*\nGive another device"):
        network(device=device)


@pytest.mark.parametrize("shards", [1, 2])
def test_pickled_weights_are_refused_until_they_are_saved_as_the_page_shows(shards, tmp_path):
    folder = tmp_path / "old"
    shutil.copytree(tiny_checkpoint("causal"), folder, ignore=shutil.ignore_patterns("*.safetensors"))
    weights = safetensors.load_file(Path(tiny_checkpoint("causal"), "model.safetensors"))
    files = [f"pytorch_model-{number + 1}-of-{shards}.bin" for number in range(shards)]
    of_file = dict(zip(weights, itertools.cycle(files)))
    for file in files:
        torch.save({name: each for name, each in weights.items() if of_file[name] == file}, folder / file)
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"metadata": {}, "weight_map": of_file}))
    with pytest.raises(ColieeError, match=r"not in safetensors.\nThey are pickled: pytorch_model.*Use neural models"):
        network_of(folder)
    architecture = transformers.AutoConfig.from_pretrained(folder).architectures[0]
    getattr(transformers, architecture).from_pretrained(folder).save_pretrained(folder)
    saved = network_of(folder).state_dict()
    assert all(torch.equal(saved[name], each) for name, each in weights.items())
