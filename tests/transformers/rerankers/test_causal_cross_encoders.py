"""Causal language models as cross-encoders: a new classification layer that reads the last token."""

import numpy as np
import pytest

pytest.importorskip("sentence_transformers")

import torch
import transformers
from tiny_layouts import tiny_like

from ir_coliee.models import LoadOptions
from ir_coliee.models.adapters import save_encoder
from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder

PAIRS = [("Is it old?", " ".join(["The lamp is old."] * number)) for number in range(6)]
likes = pytest.mark.parametrize(
    "like",
    ["Qwen/Qwen3-0.6B", "meta-llama/Llama-3.1-8B-Instruct", "google/gemma-2-2b-it", "openai-community/gpt2"],
)


def load(like, **options):
    return load_cross_encoder(tiny_like(like, "causal"), None, 0, LoadOptions(device="cpu"), **options)


def logits(encoder, pairs, batch_size=6):
    return encoder.predict(pairs, batch_size=batch_size, activation_fn=torch.nn.Identity())


@likes
def test_a_pair_gets_the_score_of_its_last_token_in_any_batch(like):
    encoder = load(like)
    scores = logits(encoder, PAIRS)
    network = transformers.AutoModelForSequenceClassification.from_pretrained(tiny_like(like, "causal"), num_labels=1)
    network.score.weight.data = encoder.model.score.weight.data
    for pair, score in zip(PAIRS, scores):
        tokens = torch.tensor(encoder.tokenizer([pair])["input_ids"])
        with torch.inference_mode():
            states = network.eval().base_model(tokens).last_hidden_state
            assert score == pytest.approx(float(network.score(states[0, -1])), abs=1e-4)
    assert np.std(scores) > 0.1
    assert logits(encoder, PAIRS[::-1], batch_size=1)[::-1] == pytest.approx(scores, abs=1e-5)


@likes
def test_a_saved_one_gives_the_same_scores(like, tmp_path):
    encoder = load(like)
    save_encoder(encoder, str(tmp_path))
    saved = load_cross_encoder(str(tmp_path), None, 1, LoadOptions(device="cpu"))
    assert logits(saved, PAIRS) == pytest.approx(logits(encoder, PAIRS), abs=1e-5)


def test_it_can_have_other_labels():
    encoder = load("Qwen/Qwen3-0.6B", labels={0: "contradiction", 1: "entailment"})
    assert logits(encoder, PAIRS).shape == (6, 2)
    assert encoder.config.id2label == {0: "contradiction", 1: "entailment"}
