"""Tiny checkpoints with random weights, to run the real code of a pipeline without a download.

They have the format of Hugging Face checkpoints, so that any code that loads a published checkpoint by name loads one
of these by its folder. The output of such a model is meaningless but reproducible, because its weights come from a
seed. Their vocabularies have little more than single letters.
"""

from __future__ import annotations

import string
import tempfile
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, get_args

from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import one_of
from ir_coliee.models.loading import without_progress_bars

Kind = Literal["encoder", "classifier", "entailment", "seq2seq", "causal"]

_WINDOW = 512  # tokens, as in most published checkpoints
_ALPHABET = sorted(set(string.ascii_letters + string.digits + string.punctuation))
_HIDDEN = 32
_SIZES: Mapping[str, Any] = {
    "hidden_size": _HIDDEN,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 2 * _HIDDEN,
    "initializer_range": 0.5,  # standard deviation of the weights: with the usual .02, scores would be nearly equal
}
_NLI_LABELS: Mapping[str, Any] = {
    "id2label": {0: "entailment", 1: "neutral", 2: "contradiction"},
    "label2id": {"entailment": 0, "neutral": 1, "contradiction": 2},
}
_WORDS = ("yes", "no", "true", "false", "Yes", "No")


def tiny_checkpoint(kind: Kind, seed: int = 0) -> str:
    """Return the folder of a tiny checkpoint. It is written on the first call and deleted when the program ends.

    Parameters
    ----------
    kind : {"encoder", "classifier", "entailment", "seq2seq", "causal"}
        A sentence encoder (sentence-transformers), a classifier of text pairs with one score (cross-encoder), a
        classifier with the three labels of natural language inference, a sequence-to-sequence model (T5), or a
        causal language model (Llama).
    seed : int
        Seed of the weights.

    Raises
    ------
    ValueError
        If the kind is not known.
    MissingExtraError
        If the extra ``neural`` is not installed.
    """
    one_of("kind", kind, get_args(Kind))
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError:
        raise MissingExtraError("A tiny checkpoint", "neural") from None
    return _written(kind, seed)


@cache
def _written(kind: Kind, seed: int) -> str:
    import torch
    import transformers

    folder = Path(_folder().name) / f"{kind}-{seed}"
    with torch.random.fork_rng(), without_progress_bars(reports=False):
        torch.manual_seed(seed)
        _WRITERS[kind](transformers, str(folder))
    return str(folder)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="tiny-checkpoints-")


def _encoder(transformers: Any, folder: str) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    bare = f"{folder}-bare"
    config, tokenizer = _bert(transformers)
    transformers.BertModel(config).save_pretrained(bare)
    tokenizer.save_pretrained(bare)
    words = modules.Transformer(bare, max_seq_length=_WINDOW)
    SentenceTransformer(modules=[words, modules.Pooling(_HIDDEN)], device="cpu").save(folder)


def _classifier(transformers: Any, folder: str, **labels: Any) -> None:
    config, tokenizer = _bert(transformers, **labels)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _bert(transformers: Any, **settings: Any) -> tuple[Any, Any]:
    """Return the configuration and the tokenizer of a BERT."""
    inner = [f"##{letter}" for letter in _ALPHABET]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *_WORDS, *_ALPHABET, *inner]
    vocabulary = {word: number for number, word in enumerate(words)}
    config = transformers.BertConfig(vocab_size=len(words), max_position_embeddings=_WINDOW, **_SIZES, **settings)
    return config, transformers.BertTokenizer(vocab=vocabulary, do_lower_case=False, model_max_length=_WINDOW)


def _seq2seq(transformers: Any, folder: str) -> None:
    pieces = ["<pad>", "</s>", "<unk>", "▁", *(f"▁{word}" for word in _WORDS), *_ALPHABET]
    # log-probabilities: whole words are preferred to single letters
    scores = [(piece, -1.0 if len(piece) > 1 else -2.0) for piece in pieces]
    tokenizer = transformers.T5Tokenizer(vocab=scores, extra_ids=0, model_max_length=_WINDOW)
    sizes = {"d_model": _HIDDEN, "d_kv": 16, "d_ff": 2 * _HIDDEN, "num_layers": 2, "num_heads": 2}
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
    tokenizer = transformers.ByT5Tokenizer()  # its tokens are bytes
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=2**15,
        num_key_value_heads=1,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        **_SIZES,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


_WRITERS: Mapping[Kind, Callable[[Any, str], None]] = {
    "encoder": _encoder,
    "classifier": partial(_classifier, num_labels=1),
    "entailment": partial(_classifier, **_NLI_LABELS),
    "seq2seq": _seq2seq,
    "causal": _causal,
}
