"""Tiny checkpoints have the tokenizer classes, special ids, windows and files of the published ones."""

import json
from pathlib import Path

import pytest

pytest.importorskip("sentence_transformers")
pytest.importorskip("sentencepiece")

import safetensors.torch
from tiny_layouts import PUBLISHED, tiny_like

from ir_coliee.models import LoadOptions, LocalModel
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder

ENGLISH, JAPANESE = "The buyer may rescind the contract.", "買主は契約を解除することができる。"


def folder(like):
    return Path(tiny_like(like))


def tokenizer(like):
    if PUBLISHED[like].is_seq2seq or PUBLISHED[like].is_causal:
        return LocalModel(str(folder(like)), load=LoadOptions(device="cpu"))._checkpoint.tokenizer
    return load_cross_encoder(str(folder(like)), None, 0, LoadOptions(device="cpu")).tokenizer


# class of the tokenizer, ids of pad, cls or bos, sep or eos, files of the tokenizer in the published folder
LAYOUTS = {
    "bert-base-uncased": ("BertTokenizer", 0, 101, 102, "tokenizer.json vocab.txt"),
    "nlpaueb/legal-bert-base-uncased": ("BertTokenizer", 0, 101, 102, "vocab.txt"),
    "google/electra-base-discriminator": ("BertTokenizer", 0, 101, 102, "tokenizer.json vocab.txt"),
    "sentence-transformers/all-mpnet-base-v2": ("MPNetTokenizer", 1, 0, 2, "tokenizer.json vocab.txt"),
    "roberta-base": ("RobertaTokenizer", 1, 0, 2, "merges.txt tokenizer.json vocab.json"),
    "allenai/longformer-base-4096": ("RobertaTokenizer", 1, 0, 2, "merges.txt tokenizer.json vocab.json"),
    "microsoft/deberta-large-mnli": ("DebertaTokenizer", 0, 1, 2, "merges.txt vocab.json"),
    "microsoft/deberta-v3-large": ("DebertaV2Tokenizer", 0, 1, 2, "spm.model"),
    "FacebookAI/xlm-roberta-base": ("XLMRobertaTokenizer", 1, 0, 2, "sentencepiece.bpe.model tokenizer.json"),
    "studio-ousia/luke-base": ("LukeTokenizer", 1, 0, 2, "entity_vocab.json merges.txt vocab.json"),
    "studio-ousia/luke-japanese-base-lite": (
        "XLMRobertaTokenizer",  # that of MLukeTokenizer would have shifted ids
        *(1, 0, 2),
        "added_tokens.json entity_vocab.json sentencepiece.bpe.model",
    ),
    "cl-tohoku/bert-base-japanese-whole-word-masking": ("BertJapaneseTokenizer", 0, 2, 3, "vocab.txt"),
    "cl-tohoku/bert-base-japanese-char-whole-word-masking": ("BertJapaneseTokenizer", 0, 2, 3, "vocab.txt"),
    "tohoku-nlp/bert-base-japanese-v3": ("BertJapaneseTokenizer", 0, 2, 3, "vocab.txt"),
    "t5-large": ("T5Tokenizer", 0, None, 1, "spiece.model"),
    "google/flan-t5-xxl": ("T5Tokenizer", 0, None, 1, "spiece.model tokenizer.json"),
    "csebuetnlp/mT5_multilingual_XLSum": ("T5Tokenizer", 0, None, 1, "spiece.model"),
    "meta-llama/Llama-2-7b-hf": ("LlamaTokenizer", None, 1, 2, "tokenizer.model"),
    "google/gemma-2-2b-it": ("GemmaTokenizer", 0, 2, 1, "tokenizer.json tokenizer.model"),
}
ABSENT = {"config.json", "generation_config.json", "model.safetensors", "tokenizer_config.json"}
MODULES = {"modules.json", "1_Pooling", "sentence_bert_config.json", "config_sentence_transformers.json"}


@pytest.mark.parametrize("like", LAYOUTS)
def test_class_special_ids_and_files_are_the_published_ones(like):
    name, pad, first, last, files = LAYOUTS[like]
    found = tokenizer(like)
    begin = found.cls_token_id if found.cls_token_id is not None else found.bos_token_id
    end = found.sep_token_id if found.sep_token_id is not None else found.eos_token_id
    assert (type(found).__name__, found.pad_token_id, begin, end) == (name, pad, first, last)
    others = ABSENT | MODULES | {"special_tokens_map.json"}
    assert {path.name for path in folder(like).iterdir()} - others == set(files.split())


@pytest.mark.parametrize("like", PUBLISHED)
def test_the_folder_has_safetensors_and_a_row_of_embeddings_for_each_token(like):
    assert not list(folder(like).glob("*.bin"))
    weights = safetensors.torch.load_file(folder(like) / "model.safetensors")
    name = ("word_embeddings.weight", "embed_tokens.weight", "shared.weight", "wte.weight", "tok_embeddings.weight")
    rows = next(tensor.shape[0] for key, tensor in weights.items() if key.endswith(name) and "entity" not in key)
    found = tokenizer(like)
    assert len(found) <= rows == json.loads((folder(like) / "config.json").read_text())["vocab_size"]
    assert max(found(f"{ENGLISH} {JAPANESE}")["input_ids"]) < rows


WINDOWS = {
    "bert-base-uncased": 512,
    "google/electra-base-discriminator": 512,
    "roberta-base": 512,  # of 514 positions
    "allenai/longformer-base-4096": 4096,  # of 4098
    "BAAI/bge-reranker-v2-m3": 8192,  # of 8194
    "studio-ousia/luke-japanese-base-lite": 512,
    "microsoft/deberta-v3-large": 512,
    "answerdotai/ModernBERT-base": 8192,
}
LANGUAGE_WINDOWS = {"google/flan-t5-xxl": 512, "openai-community/gpt2": 1024, "Qwen/Qwen3-4B": 40960}


@pytest.mark.parametrize("like", WINDOWS)
def test_the_window_is_the_published_one_and_longer_texts_are_cut(like):
    encoder = load_cross_encoder(str(folder(like)), None, 0, LoadOptions(device="cpu"))
    assert encoder.max_seq_length == WINDOWS[like]
    assert 0 <= float(encoder.predict([("a", "a " * (WINDOWS[like] if WINDOWS[like] <= 512 else 600))])[0]) <= 1


@pytest.mark.parametrize("like", LANGUAGE_WINDOWS)
def test_the_window_of_a_language_model_is_the_published_one(like):
    assert LocalModel(str(folder(like)))._checkpoint.window == LANGUAGE_WINDOWS[like]


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
