"""How weights are loaded: number format, device, quantisation, attention, revision, remote code."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from tiny_layouts import tiny_like

from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.models import LoadOptions, LocalModel, Question, get_replies
from ir_coliee.models.loading import explained
from ir_coliee.models.templates import Turn
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint

QUESTIONS = [Question((Turn("user", f"Is a lamp old? {number}"),)) for number in range(3)]


@pytest.mark.parametrize(
    "options",
    [
        {"dtype": "float8"},
        {"quantise": 4},
        {"attention": "fast"},
        {"allow_remote_code": [[1, 2]] and __import__("numpy").arange(2)},
    ],
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match=f"^{next(iter(options))} must be"):
        LoadOptions(**options)


def test_one_place_for_the_weights_is_given():
    with pytest.raises(ValueError, match="device and device_map exclude each other"):
        LoadOptions(device="cpu", device_map="auto")


def test_only_options_that_change_results_are_part_of_the_key_of_replies():
    model = LocalModel("a-model")
    same = [LoadOptions(device="cpu"), LoadOptions(device_map="auto"), LoadOptions(attention="eager")]
    assert {LocalModel("a-model", load=load).identity for load in same} == {model.identity}
    others = [LoadOptions(dtype="bfloat16"), LoadOptions(quantise="4bit"), LoadOptions(revision="v2")]
    assert len({model.identity, *(LocalModel("a-model", load=load).identity for load in others)}) == 4


torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


def network(kind="causal", like=None, **options):
    return LocalModel(tiny_like(like, kind), load=LoadOptions(**options))._checkpoint.network


def test_a_device_that_cannot_be_used_is_named_with_the_next_step():
    with pytest.raises(ColieeError, match=r"device='cuda:7' cannot be used: .*\nGive another device"):
        network(device="cuda:7" if not torch.cuda.is_available() else "abacus")


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A causal model of 128 dimensions: blocks of 4 bits are of 64 weights."""
    folder = tmp_path_factory.mktemp("wide")
    config = transformers.AutoConfig.from_pretrained(tiny_checkpoint("causal"), n_embd=128)
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


def test_without_bitsandbytes_the_extra_is_named(monkeypatch):
    monkeypatch.setattr("transformers.quantizers.quantizer_bnb_4bit.is_bitsandbytes_available", lambda: False)
    with pytest.raises(MissingExtraError, match=r"ir_coliee\[neural\]"):
        network(quantise="4bit", device="cpu")


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


@pytest.mark.parametrize("offline", [True, False])
def test_a_name_that_is_nowhere_is_no_failed_connection(offline, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", offline)
    why = "HF_HUB_OFFLINE is set" if offline else "cannot be reached"
    with (
        pytest.raises(ColieeError, match=rf"checkpoints/nope is neither a folder nor in the local cache\.\n.*{why}"),
        explained("checkpoints/nope"),
    ):
        raise OSError("We couldn't connect to 'https://huggingface.co' to load the files")


def test_a_torch_without_cuda_is_named(monkeypatch):
    pytest.importorskip("sentence_transformers")
    from ir_coliee.transformers import PairScorer

    monkeypatch.setattr("torch.backends.cuda.is_built", lambda: False)
    reranker = PairScorer(tiny_checkpoint("classifier"), load=LoadOptions(device="cuda:0"))
    with pytest.raises(ColieeError, match=r"^device='cuda:0' cannot be used: this installation of torch has no CUDA\."):
        reranker._encoder()


def test_layers_narrower_than_a_block_of_4_bits_give_scores():
    pytest.importorskip("bitsandbytes")
    pytest.importorskip("sentence_transformers")
    from ir_coliee.transformers import PairScorer

    reranker = PairScorer(tiny_checkpoint("classifier"), load=LoadOptions(quantise="4bit", device="cpu"))
    assert reranker._encoder().predict([("a", "b")]).shape == (1,)
