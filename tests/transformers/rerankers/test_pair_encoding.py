"""How the checkpoints of cross-encoders encode two texts together, by tiny ones in the published layouts."""

import pytest

pytest.importorskip("sentence_transformers")

import transformers
from tiny_layouts import PUBLISHED, tiny_like

from ir_coliee.models import LoadOptions
from ir_coliee.models.adapters import save_encoder
from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder

CPU = LoadOptions(device="cpu")
TEXTS = "yes", "no"
ENCODED = {
    "bert-base-uncased": "[CLS] yes [SEP] no [SEP]",
    "roberta-base": "<s> yes </s> </s> no </s>",
    "allenai/longformer-base-4096": "<s> yes </s> </s> no </s>",
    "FacebookAI/xlm-roberta-base": "<s> ▁yes </s> </s> ▁no </s>",
    "studio-ousia/mluke-base": "<s> ▁yes </s> </s> ▁no </s>",
    "microsoft/deberta-large-mnli": "[CLS] yes [SEP] no [SEP]",
    "microsoft/deberta-v3-base": "[CLS] ▁yes [SEP] ▁no [SEP]",
    "cl-tohoku/bert-base-japanese-whole-word-masking": "[CLS] yes [SEP] no [SEP]",
    "answerdotai/ModernBERT-base": "[CLS] yes [SEP] no [SEP]",
    "Qwen/Qwen3-0.6B": "yes Ċ Ċ no",
    "openai-community/gpt2": "yes Ċ Ċ no",
    "meta-llama/Llama-3.1-8B-Instruct": "<|begin_of_text|> yes Ċ Ċ no",
    "google/gemma-2-2b-it": "<bos> yes <0x0A> <0x0A> no",
}
SEGMENTS = ["bert-base-uncased", "cl-tohoku/bert-base-japanese-whole-word-masking"]


def encoder(like):
    kind = "causal" if PUBLISHED[like].is_causal else "classifier"
    return load_cross_encoder(tiny_like(like, kind), None, 0, CPU)


@pytest.mark.parametrize(("like", "encoded"), ENCODED.items())
def test_a_pair_is_encoded_as_the_checkpoint_was_trained(like, encoded):
    tokenizer = encoder(like).tokenizer
    assert tokenizer.convert_ids_to_tokens(tokenizer(*TEXTS)["input_ids"]) == encoded.split()


@pytest.mark.parametrize("like", SEGMENTS)
def test_the_network_gets_the_segments_of_the_two_texts(like):
    features = encoder(like).preprocess([TEXTS])
    assert features["token_type_ids"].tolist() == [[0, 0, 0, 1, 1]]


@pytest.mark.parametrize("like", ["cl-tohoku/bert-base-japanese-whole-word-masking", "Qwen/Qwen3-0.6B"])
def test_the_saved_tokenizer_encodes_pairs_in_the_same_way_without_this_package(like, tmp_path):
    loaded = encoder(like)
    save_encoder(loaded, str(tmp_path))
    saved = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert saved(*TEXTS) == loaded.tokenizer(*TEXTS)


def test_a_saved_deberta_is_corrected_again(tmp_path):
    loaded = encoder("microsoft/deberta-large-mnli")
    save_encoder(loaded, str(tmp_path))
    assert load_cross_encoder(str(tmp_path), None, 0, CPU).tokenizer(*TEXTS) == loaded.tokenizer(*TEXTS)
