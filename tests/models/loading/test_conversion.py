"""Checkpoints in the layouts of earlier years: pickled weights, and the vocabulary of mLUKE."""

import json
import shutil
from pathlib import Path

import pytest
from tiny_layouts import tiny_like, with_layer

from ir_coliee.errors import ColieeError, ExistingFileError
from ir_coliee.models import LoadOptions, LocalModel, Question, convert_checkpoint, get_replies
from ir_coliee.models.templates import Turn
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.models.tokenizers import mluke_tokenizer

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
sentencepiece = pytest.importorskip("sentencepiece")

MLUKE, JAPANESE = "studio-ousia/mluke-base", "cl-tohoku/bert-base-japanese-whole-word-masking"
QUESTIONS = [Question((Turn("user", f"Is a lamp old? {number}"),)) for number in range(3)]


def pickled(source, folder, shards=1):
    """A checkpoint whose weights are pickled, in one file or several."""
    from safetensors.torch import load_file

    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.safetensors"))
    weights = load_file(Path(source, "model.safetensors"))
    if shards == 1:
        torch.save(weights, folder / "pytorch_model.bin")
        return str(folder)
    files = [f"pytorch_model-{number + 1:05}-of-{shards:05}.bin" for number in range(shards)]
    file_of = {name: files[number % shards] for number, name in enumerate(weights)}
    for file in files:
        torch.save({name: tensor for name, tensor in weights.items() if file_of[name] == file}, folder / file)
    index = {"metadata": {"total_size": 1}, "weight_map": file_of}
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index))
    return str(folder)


@pytest.mark.parametrize("shards", [1, 2])
def test_pickled_weights_are_refused_and_the_same_model_when_they_are_converted(shards, tmp_path):
    expected = get_replies(LocalModel(tiny_checkpoint("causal"), max_tokens=4, probabilities=True), QUESTIONS)
    old = pickled(tiny_checkpoint("causal"), tmp_path / "old", shards)
    with pytest.raises(ColieeError, match=r"not in safetensors.\nThey are pickled: pytorch_model.*convert_checkpoint"):
        get_replies(LocalModel(old), QUESTIONS)
    new = convert_checkpoint(old, tmp_path / "new")
    assert get_replies(LocalModel(new, max_tokens=4, probabilities=True), QUESTIONS) == expected
    assert not list(Path(new).rglob("*.bin*"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "old"]


class Code:
    """What a hostile file runs when it is unpickled."""

    def __reduce__(self):
        return (Path.touch, (Path("was-run"),))


def test_no_code_of_a_pickled_file_is_run_and_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    old = tmp_path / "old"
    shutil.copytree(tiny_checkpoint("causal"), old, ignore=shutil.ignore_patterns("*.safetensors"))
    torch.save({"weight": Code()}, old / "pytorch_model.bin")
    with pytest.raises(ColieeError, match=r"pytorch_model.bin cannot be read as tensors"):
        convert_checkpoint(old, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_no_folder_is_overwritten(tmp_path):
    with pytest.raises(ExistingFileError):
        convert_checkpoint(tiny_checkpoint("causal"), tmp_path)


# --- mLUKE -------------------------------------------------------------------------------------------

TEXTS = [
    "The owner of the lamp may rescind the contract.",
    "灯台の所有者は契約を解除することができる。",
    "（ａ） ＡＢＣ ㈱ １２３",  # what the sentencepiece model normalises
    "  two   spaces \n and a line ",
    "🏮 unknown ☂",
]


def ids_by_hand(folder, text):
    """As fairseq numbers the pieces: <s> 0, <pad> 1, </s> 2, <unk> 3, and the pieces from 3 on at their number + 1."""
    pieces = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/sentencepiece.bpe.model")
    return [0, *(piece + 1 if piece else 3 for piece in pieces.encode(text)), 2]


@pytest.mark.parametrize("text", TEXTS)
def test_the_tokenizer_of_mluke_has_the_ids_of_its_weights(text, tmp_path):
    folder = tiny_like(MLUKE)
    tokenizer = mluke_tokenizer(folder)
    assert tokenizer(text)["input_ids"] == ids_by_hand(folder, text)
    wrong = transformers.AutoTokenizer.from_pretrained(folder)
    assert wrong(text)["input_ids"] != ids_by_hand(folder, text)


def test_a_converted_mluke_reads_and_scores_the_same_as_one_that_is_mended_when_it_is_loaded(tmp_path):
    pytest.importorskip("sentence_transformers")
    import pandas as pd

    from ir_coliee.transformers import PairScorer
    from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder

    folder = tiny_like(MLUKE)
    new = convert_checkpoint(folder, tmp_path / "new")
    tokenizer = transformers.AutoTokenizer.from_pretrained(new)
    assert [tokenizer(text)["input_ids"] for text in TEXTS] == [ids_by_hand(folder, text) for text in TEXTS]
    run = pd.DataFrame({"qid": "1", "query": "a lamp", "docno": list("abcde"), "text": TEXTS})
    scores = [PairScorer(with_layer(model), load=LoadOptions(device="cpu"))(run) for model in (folder, new)]
    pd.testing.assert_frame_equal(*scores)
    encoder = load_cross_encoder(folder, None, 0, LoadOptions(device="cpu"))
    assert encoder.tokenizer(TEXTS[0])["input_ids"] == ids_by_hand(folder, TEXTS[0])


def test_a_converted_japanese_bert_names_its_dictionary(tmp_path):
    pytest.importorskip("ipadic")
    new = convert_checkpoint(tiny_like(JAPANESE), tmp_path / "new")
    assert json.loads(Path(new, "tokenizer_config.json").read_text())["mecab_kwargs"] == {"mecab_dic": "ipadic"}
