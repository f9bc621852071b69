"""The default tiny checkpoint of each kind, whose vocabularies have little more than single letters."""

from __future__ import annotations

import string
from typing import Any, Literal

from ir_coliee.models.tiny_checkpoints.layout import HIDDEN, SIZES

Kind = Literal["encoder", "classifier", "entailment", "seq2seq", "causal"]

_WINDOW = 512  # tokens, as in most published checkpoints
_ALPHABET = sorted(set(string.ascii_letters + string.digits + string.punctuation))
_SPREAD = 0.5  # standard deviation of the weights
_WORDS = ("yes", "no", "true", "false", "Yes", "No")


def write_default(kind: Kind, folder: str) -> None:
    """Write the default checkpoint of a kind to a new folder."""
    import transformers

    _WRITERS[kind](transformers, folder)


def _encoder(transformers: Any, folder: str) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    bare = f"{folder}-bare"
    transformers.BertModel(_bert(transformers)).save_pretrained(bare)
    _bert_tokenizer(transformers).save_pretrained(bare)
    words = modules.Transformer(bare, max_seq_length=_WINDOW)
    SentenceTransformer(modules=[words, modules.Pooling(HIDDEN)], device="cpu").save(folder)


def _classifier(transformers: Any, folder: str) -> None:
    transformers.BertForSequenceClassification(_bert(transformers, num_labels=1)).save_pretrained(folder)
    _bert_tokenizer(transformers).save_pretrained(folder)


def _entailment(transformers: Any, folder: str) -> None:
    labels = dict(enumerate(("entailment", "neutral", "contradiction")))
    config = _bert(transformers, id2label=labels, label2id={label: number for number, label in labels.items()})
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    _bert_tokenizer(transformers).save_pretrained(folder)


def _bert(transformers: Any, **settings: Any) -> Any:
    return transformers.BertConfig(
        vocab_size=len(_bert_vocabulary()),
        max_position_embeddings=_WINDOW,
        **{**SIZES, "initializer_range": _SPREAD},
        **settings,
    )


def _bert_vocabulary() -> dict[str, int]:
    inner = [f"##{letter}" for letter in _ALPHABET]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *_WORDS, *_ALPHABET, *inner]
    return {word: number for number, word in enumerate(words)}


def _bert_tokenizer(transformers: Any) -> Any:
    return transformers.BertTokenizer(vocab=_bert_vocabulary(), do_lower_case=False, model_max_length=_WINDOW)


def _seq2seq(transformers: Any, folder: str) -> None:
    pieces = ["<pad>", "</s>", "<unk>", "▁", *(f"▁{word}" for word in _WORDS), *_ALPHABET]
    # log-probabilities: whole words are preferred to single letters
    scores = [(piece, -1.0 if len(piece) > 1 else -2.0) for piece in pieces]
    tokenizer = transformers.T5Tokenizer(vocab=scores, extra_ids=0, model_max_length=_WINDOW)
    sizes = {"d_model": HIDDEN, "d_kv": 16, "d_ff": 2 * HIDDEN, "num_layers": 2, "num_heads": 2}
    config = transformers.T5Config(
        vocab_size=len(tokenizer),
        n_positions=_WINDOW,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
        **sizes,
    )
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _causal(transformers: Any, folder: str) -> None:
    tokenizer = transformers.ByT5Tokenizer()
    sizes = {"n_embd": HIDDEN, "n_layer": 2, "n_head": 2, "n_positions": 4 * _WINDOW, "initializer_range": _SPREAD}
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    config = transformers.GPT2Config(vocab_size=len(tokenizer), **sizes, **ends)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


_WRITERS = {
    "encoder": _encoder,
    "classifier": _classifier,
    "entailment": _entailment,
    "seq2seq": _seq2seq,
    "causal": _causal,
}
