"""The beginnings of texts that a cross-encoder reads: the same tokens, in linear time and memory."""

import pytest

pytest.importorskip("sentence_transformers")

from tiny_layouts import tiny_like

from ir_coliee.models import LoadOptions
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers.rerankers.checkpoints import beginnings, load_cross_encoder

LONG, SHORT = "The lamp, which is lit at night. " * 60, "A gate is shut. "
WINDOW = 100


@pytest.mark.parametrize(
    "like",
    [
        "bert-base-uncased",
        "allenai/longformer-base-4096",
        "microsoft/deberta-v3-base",
        "cl-tohoku/bert-base-japanese-whole-word-masking",
    ],
)
def test_the_model_reads_the_same_tokens(like):
    if "japanese" in like:
        pytest.importorskip("fugashi")
    encoder = load_cross_encoder(tiny_like(like), WINDOW, 0, LoadOptions())
    pairs = [[SHORT, LONG], [LONG, SHORT], [SHORT, SHORT], ["", LONG]]
    cut = beginnings(encoder, pairs)

    def tokens(pairs):
        return encoder.tokenizer([*map(tuple, pairs)], truncation=True, max_length=WINDOW)["input_ids"]

    assert tokens(cut) == tokens(pairs)
    assert all(len(encoder.tokenizer.tokenize(text)) <= WINDOW for pair in cut for text in pair)
    assert cut[2] == pairs[2]


def test_lists_of_texts_are_cut_and_numbers_are_kept():
    encoder = load_cross_encoder(tiny_checkpoint("classifier"), WINDOW, 0, LoadOptions())
    (texts,), numbers = beginnings(encoder, [[LONG, SHORT]]), beginnings(encoder, [1.0, [0, 2]])
    assert LONG.startswith(texts[0])
    assert len(texts[0]) < len(LONG)
    assert texts[1] == SHORT
    assert numbers == [1.0, [0, 2]]
