"""Tiny checkpoints have the tokenizer classes, special ids, windows and files of the published ones."""

from pathlib import Path

import pytest

pytest.importorskip("sentence_transformers")
pytest.importorskip("sentencepiece")


from ir_coliee.models.tiny_checkpoints import tiny_checkpoint


def test_another_seed_gives_other_weights_and_the_same_seed_the_same_folder():
    first, second = (Path(tiny_checkpoint("classifier", seed)) for seed in (0, 1))
    assert tiny_checkpoint("classifier", seed=0) == str(first)
    assert (first / "tokenizer.json").read_bytes() == (second / "tokenizer.json").read_bytes()
    assert (first / "model.safetensors").read_bytes() != (second / "model.safetensors").read_bytes()


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match=r"kind must be 'encoder', .* or 'causal', got 'classifer'\."):
        tiny_checkpoint("classifer")


def test_no_progress_and_no_report_are_shown(capfd):
    tiny_checkpoint("seq2seq", seed=77)
    tiny_checkpoint("encoder", seed=77)
    assert capfd.readouterr().err == ""
