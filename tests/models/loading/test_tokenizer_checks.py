"""A tokenizer that does not fit its weights is refused; Japanese ones say their dictionary."""

import json
import shutil
import warnings
from pathlib import Path

import pytest
from tiny_layouts import tiny_like, with_layer

from ir_coliee.errors import ColieeError, ColieeWarning, MissingExtraError
from ir_coliee.models import LoadOptions
from ir_coliee.models.tokenizers import check_tokenizer, mluke_tokenizer
from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder

transformers = pytest.importorskip("transformers")
pytest.importorskip("sentence_transformers")

MLUKE, JAPANESE = "studio-ousia/mluke-base", "cl-tohoku/bert-base-japanese-whole-word-masking"


def of(folder, **options):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options)
    return tokenizer, transformers.AutoConfig.from_pretrained(folder)


def changed(like, tmp_path, **settings):
    """The tokenizer of a layout, and its configuration with other settings."""
    tokenizer, config = of(tiny_like(like))
    config.update(settings)
    return tokenizer, config


@pytest.mark.parametrize("like", ["roberta-base", "google/flan-t5-large", "microsoft/deberta-v3-base"])
def test_another_padding_is_refused(like, tmp_path):
    with pytest.raises(ColieeError, match=r"does not fit its weights.\n.*pad_token_id is [01], that of .* 7\. Use"):
        check_tokenizer("x", *changed(like, tmp_path, pad_token_id=7))


def test_embeddings_that_lack_tokens_are_refused(tmp_path):
    with pytest.raises(ColieeError, match=r"largest token id is \d+, but the model has embeddings for the ids below 9"):
        check_tokenizer("x", *changed("roberta-base", tmp_path, vocab_size=9))


@pytest.mark.parametrize(
    ("like", "role"),
    [
        ("roberta-base", "bos_token_id"),
        ("roberta-base", "eos_token_id"),
        ("google/flan-t5-large", "decoder_start_token_id"),
        ("Qwen/Qwen3-0.6B", "eos_token_id"),
    ],
)
def test_special_tokens_that_are_words_of_the_tokenizer_are_refused(like, role, tmp_path):
    with pytest.raises(ColieeError, match=f"{role} 20 is not a special token"):
        check_tokenizer("x", *changed(like, tmp_path, **{role: 20}))


def test_where_another_token_ends_a_chat_the_tokenizer_fits(tmp_path):
    """Chat models name the end of a turn in the tokenizer, and the end of a text in the configuration."""
    tokenizer, config = changed("Qwen/Qwen3-0.6B", tmp_path)
    config.eos_token_id = tokenizer.pad_token_id
    assert tokenizer.eos_token_id != tokenizer.pad_token_id
    check_tokenizer("x", tokenizer, config)


def test_the_vocabulary_of_mluke_as_transformers_reads_it_is_refused():
    with pytest.raises(ColieeError, match=r"pad_token_id is \d+, that of the configuration 1"):
        check_tokenizer("mluke", *of(tiny_like(MLUKE)))


MLUKE_TEXTS = [
    "The owner of the lamp may rescind the contract.",
    "灯台の所有者は契約を解除することができる。",
    "（ａ） ＡＢＣ ㈱ １２３",  # what the sentencepiece model normalises
    "  two   spaces \n and a line ",
    "🏮 unknown ☂",
]


def ids_by_hand(folder, text):
    """As fairseq numbers the pieces: <s> 0, <pad> 1, </s> 2, <unk> 3, and the pieces from 3 on at their number + 1."""
    pieces = pytest.importorskip("sentencepiece").SentencePieceProcessor(model_file=f"{folder}/sentencepiece.bpe.model")
    return [0, *(piece + 1 if piece else 3 for piece in pieces.encode(text)), 2]


@pytest.mark.parametrize("text", MLUKE_TEXTS)
def test_the_tokenizer_of_mluke_has_the_ids_of_its_weights(text):
    folder = tiny_like(MLUKE)
    tokenizer = mluke_tokenizer(folder)
    assert tokenizer(text)["input_ids"] == ids_by_hand(folder, text)
    wrong = transformers.AutoTokenizer.from_pretrained(folder)
    assert wrong(text)["input_ids"] != ids_by_hand(folder, text)
    encoder = load_cross_encoder(folder, None, 0, LoadOptions(device="cpu"))
    assert encoder.tokenizer(text)["input_ids"] == ids_by_hand(folder, text)


# --- Japanese dictionaries ---------------------------------------------------------------------------

fugashi = pytest.importorskip("fugashi")
pytest.importorskip("ipadic")
pytest.importorskip("unidic_lite")

TEXT = "未成年者が法律行為をするには、その法定代理人の同意を得なければならない。"


def words_by(dictionary):
    import importlib

    folder = importlib.import_module(dictionary).DICDIR
    return [word.surface for word in fugashi.GenericTagger(f'-d "{folder}" -r "{folder}/mecabrc"')(TEXT)]


def old_japanese(folder, **settings):
    """A Japanese BERT whose tokenizer names no dictionary, as those of 2019."""
    shutil.copytree(tiny_like(JAPANESE), folder)
    file = folder / "tokenizer_config.json"
    content = json.loads(file.read_text())
    content.pop("mecab_kwargs", None)
    file.write_text(json.dumps(content | settings))
    return str(folder)


@pytest.mark.parametrize(
    ("name", "dictionary"),
    [
        ("bert-base-japanese-whole-word-masking", "ipadic"),
        ("bert-base-japanese", "ipadic"),
        ("bert-base-japanese-v3", "unidic_lite"),
    ],
)
def test_the_name_of_a_checkpoint_decides_its_dictionary(name, dictionary, tmp_path):
    folder = old_japanese(tmp_path / name)
    tokenizer, config = of(folder, **LoadOptions().tokenizer_keywords(folder))
    check_tokenizer(folder, tokenizer, config)
    assert tokenizer.word_tokenizer.tokenize(TEXT) == words_by(dictionary)
    assert words_by("ipadic") != words_by("unidic_lite")


def test_the_vocabulary_decides_where_the_name_says_nothing(tmp_path):
    folder = old_japanese(tmp_path / "our-model")
    config = Path(folder, "config.json")
    config.write_text(json.dumps(json.loads(config.read_text()) | {"vocab_size": 32000}))
    assert LoadOptions().tokenizer_keywords(folder)["mecab_kwargs"] == {"mecab_dic": "ipadic"}


def test_a_dictionary_that_nothing_names_is_said(tmp_path):
    folder = old_japanese(tmp_path / "our-model")
    with pytest.warns(ColieeWarning, match="does not name its dictionary; unidic_lite is used"):
        check_tokenizer(folder, *of(folder, **LoadOptions().tokenizer_keywords(folder)))


def test_a_cross_encoder_splits_words_by_its_dictionary_and_keeps_it(tmp_path):
    from ir_coliee.transformers import PairScorer

    scorer = PairScorer(with_layer(tiny_like(JAPANESE)), load=LoadOptions(device="cpu"))
    saved = scorer.save(tmp_path / "our-model")
    with warnings.catch_warnings():
        warnings.simplefilter("error", ColieeWarning)
        again = PairScorer(saved, load=LoadOptions(device="cpu"))._checkpoint().network
    for encoder in (scorer._checkpoint().network, again):
        assert encoder.tokenizer.word_tokenizer.tokenize(TEXT) == words_by("ipadic")


def test_a_dictionary_that_is_not_installed_is_an_extra(monkeypatch):
    import sys

    from ir_coliee.transformers import PairScorer

    monkeypatch.setitem(sys.modules, "ipadic", None)
    with pytest.raises(MissingExtraError, match=r"ir_coliee\[ja\]"):
        PairScorer(tiny_like(JAPANESE))._checkpoint()
