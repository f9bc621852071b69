"""Cross-encoders of sentence-transformers: loading, encoding and windows of pairs. They need the extra ``neural``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Floats
from ir_coliee.models.adapters import (
    TrainingOptions,
    base_model,
    is_adapter,
    load_adapter,
    prepare_for_training,
    read_base_model,
    save_encoder,
)
from ir_coliee.models.batches import Pooling, Reading, pair_reading, text_windows
from ir_coliee.models.loading import (
    LoadOptions,
    check_weights,
    explained,
    fixed_seed,
    token_limit,
    weights_identity,
    without_progress_bars,
)
from ir_coliee.models.tokenizers import check_tokenizer, is_mluke_tokenizer, mluke_tokenizer
from ir_coliee.models.training import TrainingJob
from ir_coliee.transformers.answers.prompting import QuestionText
from ir_coliee.transformers.rerankers.training import LOSSES, TrainingColumns

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
    elif tokenizer.is_fast and (ids := tokenizer("a")["input_ids"])[-1] not in tokenizer.all_special_ids:
        first = tokenizer.bos_token if ids[0] == tokenizer.bos_token_id else None
        _set_template(tokenizer, [first, "$A"], [first, "$A", _BETWEEN, "$B"])


def _set_template(tokenizer: Any, single: list[str | None], pair: list[str | None]) -> None:
    from tokenizers.processors import TemplateProcessing

    backend = tokenizer.backend_tokenizer
    fixed = [token for token in pair if token and token not in ("$A", "$B")]
    tokens = {token: backend.encode(token, add_special_tokens=False) for token in fixed}
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


class PairWindows(NamedTuple):
    """The texts that a model reads in place of a query and a text, one tuple a window, and how much they contain."""

    texts: list[tuple[str, ...]]
    reading: Reading


class CrossEncoderCheckpoint:
    """A cross-encoder of sentence-transformers, which is loaded with its first use.

    Parameters
    ----------
    name, max_tokens, seed, load, labels
        As in `load_cross_encoder`.

    Attributes
    ----------
    settings : list
        What affects the logits besides the weights and the options of loading them.
    """

    KIND = "cross-encoder"

    def __init__(
        self, name: str, max_tokens: int | None, seed: int, load: LoadOptions, labels: Mapping[int, str] | None = None
    ) -> None:
        self.name, self.load, self.seed = name, load, seed
        self.settings = [max_tokens, seed]
        self._arguments = name, max_tokens, seed, load, labels

    @cached_property
    def network(self) -> Any:
        """The `sentence_transformers.CrossEncoder`."""
        return load_cross_encoder(*self._arguments)

    @cached_property
    def identity(self) -> list[str]:
        """What identifies the weights."""
        return weights_identity(self.name, self.load.revision, lambda: self.network)

    def windows(self, questions: Sequence[QuestionText], pooling: Pooling) -> list[PairWindows]:
        """Split pairs of a query and a text so that each fits the window of the model.

        A pair that fits is unchanged. The query is read with each window of the text, as far as `query_tokens_read`
        says. ``pooling`` is as in `token_windows`.
        """
        tokenizer, room = self.network.tokenizer, self.network.max_seq_length
        texts = list({text for _, *pair in questions for text in pair} | {_WORD})
        encoded = tokenizer(texts, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
        lengths = dict(zip(texts, map(len, encoded)))
        if room is None:
            room = 2 * max(lengths.values())
        else:
            room -= self.network.preprocess([(_WORD, _WORD)])["input_ids"].shape[1] - 2 * lengths[_WORD]
        found = []
        for qid, query, text in questions:
            reading, _ = pair_reading(qid, lengths[query], lengths[text], room, pooling)
            windows = [text]
            if lengths[query] + lengths[text] > room:
                query = text_windows(tokenizer, query, reading.query_read, "first")[0]
                windows = text_windows(tokenizer, text, room - reading.query_read, pooling)
            found.append(PairWindows([(query, window) for window in windows], reading._replace(windows=len(windows))))
        return found

    def lengths(self, pairs: Sequence[tuple[str, ...]]) -> list[int]:
        """Return the number of tokens of each pair, as the model truncates it."""
        encoder = self.network
        tokens = encoder.tokenizer(list(pairs), truncation=True, max_length=encoder.max_seq_length, verbose=False)
        return [len(row) for row in tokens["input_ids"]]

    def logits(self, pairs: Sequence[tuple[str, ...]]) -> Floats:
        """Return the logits of each pair (row) of a batch."""
        import torch

        logits = self.network.predict(
            pairs, batch_size=len(pairs), show_progress_bar=False, activation_fn=torch.nn.Identity()
        )
        return np.asarray(logits, dtype=np.float64).reshape(len(pairs), -1)

    def save(self, folder: str) -> None:
        """Write the weights, or only those of the adapter, and the tokenizer to a folder."""
        save_encoder(self.network, folder)

    def training_job(
        self, loss: str, examples: TrainingColumns, valid: TrainingColumns | None, training: TrainingOptions
    ) -> TrainingJob:
        """Return the training.

        Parameters
        ----------
        loss : str
            The name of the loss function.
        examples, valid : dict of str to list
            Training and validation data in the form that the loss expects, see `training_columns`.
        training : TrainingOptions
            The options of the training.
        """
        from datasets import Dataset
        from sentence_transformers.base.training_args import BatchSamplers
        from sentence_transformers.cross_encoder import CrossEncoderTrainer, CrossEncoderTrainingArguments, losses

        encoder = self.network
        # or a text could be its own negative
        sampler = BatchSamplers.NO_DUPLICATES if loss == "contrastive" else BatchSamplers.BATCH_SAMPLER

        def dataset(columns: TrainingColumns) -> Any:
            if loss == "cross-entropy":
                columns = {**columns, "label": [int(label) for label in columns["label"]]}
            return Dataset.from_dict({name: beginnings(encoder, values) for name, values in columns.items()})

        labels = {str(number): label for number, label in encoder.config.id2label.items()}
        base = base_model(self.name, self.load, seed=self.seed, labels=labels)
        job = TrainingJob(
            CrossEncoderTrainer,
            CrossEncoderTrainingArguments,
            encoder,
            dataset(examples),
            None if valid is None else dataset(valid),
            self.save,
            {"batch_sampler": sampler},
            {"loss": getattr(losses, LOSSES[loss].class_name)(encoder)},
        )
        prepare_for_training(encoder.transformers_model, training, self.load, base)
        return job


# The beginnings of texts that a cross-encoder can read at most.


def beginnings(encoder: Any, texts: Sequence[Any]) -> list[Any]:
    """Cut texts to the number of tokens that the model reads of a pair; lists of texts are cut inside.

    The model truncates pairs by itself, and reads the same; only of two texts that both are too long, the other one may
    have the odd token. But the tokenizer builds every combination of the truncated ends of both texts, so that its time
    and memory grow with the product of the lengths: seconds and gigabytes for a batch of pairs of court decisions.

    Parameters
    ----------
    encoder : sentence_transformers.CrossEncoder
        The model.
    texts : sequence
        Strings, or lists of strings. Other values are kept.
    """
    limit = encoder.max_seq_length

    @lru_cache(maxsize=len(texts) or 1)
    def beginning(text: str) -> str:
        return text_windows(encoder.tokenizer, text, limit, "first")[0] if len(text) > limit else text

    def cut(value: Any) -> Any:
        if isinstance(value, list):
            return [*map(cut, value)]
        return beginning(value) if isinstance(value, str) else value

    return list(texts) if limit is None else [*map(cut, texts)]
