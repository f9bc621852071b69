"""Cross-encoders of sentence-transformers: loading, encoding and windows of pairs. They need the extra ``neural``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.errors import MissingExtraError
from ir_coliee.models.adapters import is_adapter, load_adapter, read_base_model
from ir_coliee.models.batches import Pooling, Reading, pair_reading, text_windows
from ir_coliee.models.loading import (
    LoadOptions,
    check_weights,
    explained,
    fixed_seed,
    token_limit,
    without_progress_bars,
)
from ir_coliee.models.tokenizers import check_tokenizer, is_mluke_tokenizer, mluke_tokenizer

# Cross-encoders from causal language models such as Qwen3 and Llama: they get a classification layer.


_TEXTS_ONLY = {"text": {"method": "forward", "method_output_name": "logits"}}


def new_cross_encoder(name: str, source: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """Return a cross-encoder of sentence-transformers.

    Left alone, sentence-transformers scores pairs with the language model's own head and its chat template, which has
    no place for a query and a document. A causal language model therefore gets a classification layer with new
    weights, as any other checkpoint without one. It reads the state of the last token, and texts without the template.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint.
    source : mapping
        Its revision, as for ``from_pretrained``.
    options : mapping
        Keyword arguments of ``CrossEncoder``.
    """
    from sentence_transformers import CrossEncoder
    from sentence_transformers.base.modules import Transformer

    if not is_causal(name, source):
        return CrossEncoder(name, **options)
    transformer = Transformer(
        name,
        transformer_task="sequence-classification",
        modality_config=_TEXTS_ONLY,
        module_output_name="scores",
        model_kwargs=options["model_kwargs"],
        processor_kwargs={**source, **options["processor_kwargs"]},
        config_kwargs={**source, "num_labels": 1, **options.get("config_kwargs", {})},
    )
    if transformer.tokenizer.pad_token is None:
        transformer.tokenizer.pad_token = transformer.tokenizer.eos_token
    # the layer reads the last token that is not padding; padding on the left would shift the positions, whose rotations
    # have rounding errors, so that scores would depend on the other texts of a batch
    transformer.tokenizer.padding_side = "right"
    transformer.model.config.get_text_config().pad_token_id = transformer.tokenizer.pad_token_id
    transformer.model.config.pad_token_id = transformer.tokenizer.pad_token_id
    return CrossEncoder(modules=[transformer], device=options["device"])


def is_causal(name: str, source: Mapping[str, Any]) -> bool:
    """Whether a checkpoint is a causal language model, and not one that was saved as a cross-encoder."""
    from transformers import AutoConfig
    from transformers.utils import cached_file

    (architecture,) = (AutoConfig.from_pretrained(name, **source).architectures or [""])[:1]
    file = cached_file(name, "config_sentence_transformers.json", _raise_exceptions_for_missing_entries=False, **source)
    settings = {} if file is None else json.loads(Path(file).read_text(encoding="utf-8"))
    return architecture.endswith(("ForCausalLM", "LMHeadModel")) and settings.get("model_type") != "CrossEncoder"


# The encoding of a pair of texts as the checkpoints were trained with, where transformers 5 makes another one.


_BETWEEN = "\n\n"


def correct_pair_encoding(tokenizer: Any) -> None:
    """Correct how a tokenizer encodes two texts together.

    A Japanese BERT gets the segments of its two texts, a DeBERTa of the first version one separator between them
    instead of two, and a causal language model, which has no separator, a blank line.

    Parameters
    ----------
    tokenizer : transformers.PreTrainedTokenizerBase
        The tokenizer, which is changed.
    """
    kind = type(tokenizer).__name__
    if kind == "BertJapaneseTokenizer":
        names = ["input_ids", "token_type_ids", "attention_mask"]
        tokenizer.model_input_names = tokenizer.init_kwargs["model_input_names"] = names
    elif kind == "DebertaTokenizer":
        first, last = tokenizer.cls_token, tokenizer.sep_token
        _set_template(tokenizer, [first, "$A", last], [first, "$A", last, "$B", last])
    elif tokenizer.is_fast and not _ends_texts(tokenizer):
        first = tokenizer.bos_token if _begins_texts(tokenizer) else None
        _set_template(tokenizer, [first, "$A"], [first, "$A", _BETWEEN, "$B"])


def _ends_texts(tokenizer: Any) -> bool:
    return tokenizer("a")["input_ids"][-1] in tokenizer.all_special_ids


def _begins_texts(tokenizer: Any) -> bool:
    return tokenizer.bos_token is not None and tokenizer("a")["input_ids"][0] == tokenizer.bos_token_id


def _set_template(tokenizer: Any, single: list[str | None], pair: list[str | None]) -> None:
    from tokenizers.processors import TemplateProcessing

    backend = tokenizer.backend_tokenizer
    tokens = {_BETWEEN: backend.encode(_BETWEEN, add_special_tokens=False)}
    tokens |= {
        token: backend.encode(token, add_special_tokens=False)
        for token in pair
        if token and token not in (_BETWEEN, "$A", "$B")
    }
    backend.post_processor = TemplateProcessing(
        single=[token for token in single if token],
        pair=[token for token in pair if token],
        special_tokens=[
            {"id": token, "ids": encoded.ids, "tokens": encoded.tokens} for token, encoded in tokens.items()
        ],
    )


def load_cross_encoder(
    name: str, max_tokens: int | None, seed: int, load: LoadOptions, labels: Mapping[int, str] | None = None
) -> Any:
    """Load a cross-encoder.

    Parameters
    ----------
    name : str
        The Hugging Face name or the folder of a checkpoint, or the folder of an adapter.
    max_tokens : int or None
        The largest number of tokens of a pair. None for the model's own limit.
    seed : int
        The seed for initialising weights that the checkpoint lacks.
    load : LoadOptions
        Options of loading the weights. Their default number format is float32.
    labels : mapping of int to str, optional
        New labels of the classification layer, whose weights are then initialised.

    Returns
    -------
    sentence_transformers.CrossEncoder

    Raises
    ------
    MissingExtraError
        If sentence-transformers is not installed.
    ColieeError
        If the checkpoint cannot be loaded.
    """
    if is_adapter(name):
        base = read_base_model(name)
        of_base = None if base.labels is None else {int(number): label for number, label in base.labels.items()}
        encoder = load_cross_encoder(base.name, max_tokens, base.seed, base.options(load), of_base)
        load_adapter(encoder.transformers_model, name, base)
        return encoder
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        raise MissingExtraError("A cross-encoder", "neural") from None
    with fixed_seed(seed), without_progress_bars(reports=labels is None), explained(name, "The cross-encoder"):
        # in full precision by default: in half precision the updates of fine-tuning underflow
        options = load.encoder_keywords(name, "float32")
        if labels is not None:
            numbers = {label: number for number, label in labels.items()}
            options["config_kwargs"] = {"num_labels": len(labels), "id2label": dict(labels), "label2id": numbers}
            options["model_kwargs"]["ignore_mismatched_sizes"] = True
        encoder = new_cross_encoder(name, load.source(), options)
        if is_mluke_tokenizer(encoder.tokenizer):
            encoder[0].processor = mluke_tokenizer(name, **load.source())
        correct_pair_encoding(encoder.tokenizer)
    check_tokenizer(name, encoder.tokenizer, encoder.config)
    check_weights(name, encoder.transformers_model)
    if (limit := token_limit(encoder, max_tokens)) is not None:
        encoder.max_seq_length = limit
    return encoder


# The windows of pairs of texts that exceed the window of a cross-encoder.


_WORD = "a"  # a text of few tokens

Pair = tuple[str, str]


class PairWindows(NamedTuple):
    """The pairs that a cross-encoder reads in place of one pair, and how much of it they contain."""

    pairs: list[Pair]
    reading: Reading


def pair_windows(encoder: Any, qids: Iterable[str], pairs: Sequence[Pair], pooling: Pooling) -> list[PairWindows]:
    """Split pairs of a query and a text so that each fits the window of a cross-encoder.

    Parameters
    ----------
    encoder : sentence_transformers.CrossEncoder
        The model.
    qids : iterable of str
        The id of the query of each pair.
    pairs : sequence of tuple of str
        A query and a text.
    pooling : {"max", "mean", "first"}
        As in `token_windows`.

    Returns
    -------
    list of PairWindows
        A pair that fits is unchanged. The query is read with each window of the text, as far as `query_tokens_read`
        says.
    """
    tokenizer, limit = encoder.tokenizer, encoder.max_seq_length
    lengths = _lengths(tokenizer, {text for pair in pairs for text in pair} | {_WORD})
    room = None
    if limit is not None:
        of_words: int = encoder.preprocess([(_WORD, _WORD)])["input_ids"].shape[1]
        room = limit - (of_words - 2 * lengths[_WORD])
    found = []
    for qid, (query, text) in zip(qids, pairs):
        of_query, of_text = lengths[query], lengths[text]
        if room is None or of_query + of_text <= room:
            found.append(PairWindows([(query, text)], Reading(qid, of_query, of_query, of_text, of_text, 1)))
            continue
        reading, _ = pair_reading(qid, of_query, of_text, room, pooling)
        beginning = text_windows(tokenizer, query, reading.query_read, "first")[0]
        windows = text_windows(tokenizer, text, room - reading.query_read, pooling)
        found.append(PairWindows([(beginning, window) for window in windows], reading._replace(windows=len(windows))))
    return found


def _lengths(tokenizer: Any, texts: Iterable[str]) -> dict[str, int]:
    """Return the number of tokens of each text."""
    distinct = list(texts)
    encoded = tokenizer(distinct, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
    return dict(zip(distinct, map(len, encoded)))


# The beginnings of texts that a cross-encoder can read at most.


def beginnings(encoder: Any, texts: Sequence[Any]) -> list[Any]:
    """Cut texts to the number of tokens that the model reads of a pair; pairs and lists of texts are cut inside.

    The model truncates pairs by itself, and reads the same; only of two texts that both are too long, the other one may
    have the odd token. But the tokenizer builds every combination of the truncated ends of both texts, so that its time
    and memory grow with the product of the lengths: seconds and gigabytes for a batch of pairs of court decisions.

    Parameters
    ----------
    encoder : sentence_transformers.CrossEncoder
        The model.
    texts : sequence
        Strings, or sequences of strings. Other values are kept.
    """
    limit = encoder.max_seq_length

    @lru_cache(maxsize=len(texts) or 1)
    def beginning(text: str) -> str:
        return text_windows(encoder.tokenizer, text, limit, "first")[0]

    def cut(value: Any) -> Any:
        if isinstance(value, str):
            return beginning(value) if len(value) > limit else value
        if isinstance(value, (list, tuple)):
            return type(value)(map(cut, value))
        return value

    return list(texts) if limit is None else [cut(text) for text in texts]
