"""Low-rank adapters: trained beside weights that stay, saved without them, loaded beside the same ones only."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tiny_layouts import tiny_like
from toy_candidates import toy_candidates

from ir_coliee.errors import ColieeError
from ir_coliee.models import LoadOptions, TrainingOptions
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers import PairScorer

LoraConfig = pytest.importorskip("peft").LoraConfig

torch = pytest.importorskip("torch")
pytest.importorskip("datasets")
pytest.importorskip("peft")
pytest.importorskip("sentence_transformers")

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

RUN, GOLD = toy_candidates(6)
LORA = LoraConfig(r=4, lora_alpha=16, lora_dropout=0.05)
TRAINING = TrainingOptions(epochs=2, learning_rate=1e-2, adapter=LORA)


def scorer(training=TRAINING, model=None, **options):
    return PairScorer(model or tiny_checkpoint("classifier"), training=training, max_tokens=32, **options)


@pytest.fixture(scope="module")
def fitted():
    return scorer().fit(RUN, GOLD)


@pytest.fixture
def saved(fitted, tmp_path):
    return fitted.save(tmp_path / "adapter")


def network_of(fitted):
    return fitted.fitted_model().network.transformers_model


def test_the_weights_of_the_base_stay_and_the_scores_change(fitted):
    before = PairScorer(tiny_checkpoint("classifier"), max_tokens=32)
    base = before._checkpoint().network.transformers_model.state_dict()
    trained = network_of(fitted).state_dict()
    same = [name for name in base if name in trained]
    assert len(same) > 5
    assert all(torch.equal(base[name], trained[name]) for name in same)
    assert not np.allclose(before(RUN)["score"], fitted(RUN)["score"], atol=1e-3)
    ranked = fitted(RUN)
    assert ranked.groupby("qid").first()["docno"].eq("2").all()


def test_an_adapter_is_saved_without_the_base_and_loads_with_it(fitted, saved, tmp_path):
    names = {path.name for path in (tmp_path / "adapter").iterdir()}
    assert {"adapter_model.safetensors", "adapter_config.json", "base_model.json"} <= names
    assert "model.safetensors" not in names
    assert (tmp_path / "adapter" / "adapter_model.safetensors").stat().st_size < 40_000
    pd.testing.assert_frame_equal(scorer(model=saved)(RUN), fitted(RUN))
    assert not any(b"light" in path.read_bytes() for path in (tmp_path / "adapter").iterdir())


def test_another_base_is_refused_and_a_missing_one_named(tmp_path):
    base = tmp_path / "base"
    shutil.copytree(tiny_checkpoint("classifier"), base)
    saved = scorer(replace(TRAINING, epochs=1), model=str(base)).fit(RUN, GOLD).save(tmp_path / "adapter")
    base.rename(tmp_path / "elsewhere")
    with pytest.raises(
        ColieeError, match=r"The base model of the adapter .*adapter is missing\.\nIt is .*base\. Put it there"
    ):
        scorer(model=saved)(RUN)
    shutil.copytree(tiny_checkpoint("classifier", seed=1), base)
    with pytest.raises(ColieeError, match=r"was trained with another base model\.\nIt was trained with .*base"):
        scorer(model=saved)(RUN)
    description = tmp_path / "adapter" / "base_model.json"
    moved = json.loads(description.read_text()) | {"name": str(tmp_path / "elsewhere")}
    description.write_text(json.dumps(moved))
    assert scorer(model=saved)(RUN)["score"].between(0, 1).all()


@pytest.mark.parametrize(
    "like",
    [
        "microsoft/deberta-v3-base",
        "roberta-base",
        "allenai/longformer-base-4096",
        "answerdotai/ModernBERT-base",
        "Qwen/Qwen3-0.6B",
    ],
)
def test_any_architecture_takes_an_adapter_and_loads_the_same(like, tmp_path):
    base = tiny_like(like)
    fitted = scorer(replace(TRAINING, epochs=1), model=base).fit(RUN.head(8), GOLD)
    loaded = scorer(model=fitted.save(tmp_path / "adapter"))
    pd.testing.assert_frame_equal(loaded(RUN.head(8)), fitted(RUN.head(8)))


def test_targets_that_no_layer_has_are_refused():
    with pytest.raises(ValueError, match="No modules were targeted"):
        scorer(replace(TRAINING, adapter=LoraConfig(target_modules=("gate_matrix",)))).fit(RUN, GOLD)


@pytest.mark.parametrize("load", [LoadOptions(dtype="bfloat16"), LoadOptions(quantise="4bit")])
def test_weights_of_low_precision_are_not_trained_whole(load):
    if load.quantise:
        pytest.importorskip("bitsandbytes")
    with pytest.raises(ColieeError, match="are trained with an adapter only: small updates are lost"):
        scorer(TrainingOptions(), load=load).fit(RUN, GOLD)


def test_an_adapter_of_a_model_in_half_precision_is_trained_in_full(tmp_path):
    load = LoadOptions(dtype="bfloat16")
    with pytest.raises(ColieeError, match=r"cannot be trained in float32.\nGive TrainingOptions\(precision='bfloat16'"):
        scorer(load=load).fit(RUN, GOLD)
    fitted = scorer(replace(TRAINING, precision="bfloat16"), load=load).fit(RUN, GOLD)
    assert fitted(RUN)["score"].between(0, 1).all()
    saved = fitted.save(tmp_path / "adapter")
    pd.testing.assert_frame_equal(scorer(model=saved, load=load)(RUN), fitted(RUN), rtol=1e-3)
