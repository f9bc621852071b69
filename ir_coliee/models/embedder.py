"""Embeddings of queries and documents by sentence-transformers models."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np

from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError, MissingExtraError, printable
from ir_coliee.frames import Integers, check_checkpoint, instance_of, integer_at_least, one_of
from ir_coliee.models.adapters import (
    TrainingOptions,
    base_model,
    is_adapter,
    load_adapter,
    prepare_for_training,
    read_base_model,
    save_encoder,
    save_model,
)
from ir_coliee.models.batches import POOLINGS, Pooling, halving, text_windows, token_batches
from ir_coliee.models.language_model import NOT_FINITE, encodable
from ir_coliee.models.loading import (
    Dtype,
    LoadOptions,
    check_weights,
    explained,
    requested_identity,
    token_limit,
    weights_identity,
    without_progress_bars,
)
from ir_coliee.models.stores import EmbeddingStore, Texts, Vectors, computed_once
from ir_coliee.models.tokenizers import check_tokenizer, is_mluke_tokenizer, mluke_tokenizer
from ir_coliee.models.training import TrainingJob, train

# Loading encoders of sentence-transformers. It needs the extra ``neural``.


TokenPooling = Literal["cls", "mean", "lasttoken"]
TOKEN_POOLINGS: tuple[TokenPooling, ...] = get_args(TokenPooling)

_TOKENS_WITHOUT_LIMIT = 512


def load_sentence_encoder(
    name: str,
    max_tokens: int | None,
    token_pooling: TokenPooling | None,
    load: LoadOptions,
    default_dtype: Dtype | None = None,
) -> Any:
    """Load an encoder of texts.

    Parameters
    ----------
    name : str
        The Hugging Face name or the folder of a checkpoint, or the folder of an adapter.
    max_tokens : int or None
        The largest number of tokens of a text. None for the model's own limit, or 512 if it has none.
    token_pooling : {"cls", "mean", "lasttoken"} or None
        How the embeddings of tokens become one. None for the checkpoint's own way.
    load : LoadOptions
        Options of loading the weights.
    default_dtype : str, optional
        The number format if the options have none. By default that of the checkpoint.

    Returns
    -------
    sentence_transformers.SentenceTransformer

    Raises
    ------
    MissingExtraError
        If sentence-transformers is not installed.
    ColieeError
        If the checkpoint cannot be loaded, or if it is no model of texts with a pooling of their tokens.
    """
    if is_adapter(name):
        base = read_base_model(name)
        encoder = load_sentence_encoder(base.name, max_tokens, token_pooling, base.options(load), default_dtype)
        load_adapter(encoder.transformers_model, name, base)
        return encoder
    try:
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer.modules import Pooling
    except ImportError:
        raise MissingExtraError("An embedder", "neural") from None
    with without_progress_bars(reports=False), explained(name, "The embedder"):
        encoder = SentenceTransformer(name, **load.encoder_keywords(name, default_dtype))
        if is_mluke_tokenizer(encoder.tokenizer):
            encoder[0].processor = mluke_tokenizer(name, **load.source())
    poolings = [key for key, module in encoder.named_children() if isinstance(module, Pooling)]
    if not (callable(encoder.tokenizer) and poolings):
        raise ColieeError(
            f"{printable(name)} has no tokenizer of transformers, or no pooling of tokens.\n"
            "Give a sentence-transformers model of texts, or an encoder such as BERT."
        )
    check_tokenizer(name, encoder.tokenizer, encoder.transformers_model.config)
    check_weights(name, encoder.transformers_model)
    if token_pooling is not None:
        encoder[int(poolings[0])] = Pooling(encoder[int(poolings[0])].embedding_dimension, token_pooling)
    encoder.max_seq_length = token_limit(encoder, max_tokens) or _TOKENS_WITHOUT_LIMIT
    return encoder


# Fine-tuning of embedders on positives and hard negatives. It needs the extra ``neural``.


Columns = dict[str, list[str]]


class EmbeddingExample(NamedTuple):
    """A training example of an embedder.

    Attributes
    ----------
    query, positive : str
        A query, and a document that is relevant to it.
    negatives : tuple of str
        Documents that are not relevant to the query, by preference highly ranked ones.
    """

    query: str
    positive: str
    negatives: tuple[str, ...] = ()


def training_columns(examples: Sequence[EmbeddingExample]) -> Columns:
    """Return the columns of the training data: query, positive, negative_1, negative_2 and so on.

    All examples get as many negatives as the one that has the most; those with fewer repeat theirs.

    Raises
    ------
    ColieeError
        If there is no example, or if some have negatives and others have none.

    Examples
    --------
    >>> training_columns([EmbeddingExample("q", "p", ("a", "b")), EmbeddingExample("r", "s", ("c",))])["negative_2"]
    ['b', 'c']
    """
    without = sum(not example.negatives for example in examples)
    if not examples:
        raise InsufficientTrainingDataError(
            "There are no training examples. Check that relevant documents are in the results."
        )
    if 0 < without < len(examples):
        raise ColieeError(
            f"{without} of {len(examples)} training examples have no negatives.\nGive negatives to all or to none."
        )
    number = max(len(example.negatives) for example in examples)
    columns = {
        "query": [encodable(example.query) for example in examples],
        "positive": [encodable(example.positive) for example in examples],
    }
    for n in range(number):
        columns[f"negative_{n + 1}"] = [encodable(each.negatives[n % len(each.negatives)]) for each in examples]
    return columns


def _warn_about_long_texts(encoder: Any, columns: Columns) -> None:
    texts = list(dict.fromkeys(text for column in columns.values() for text in column))
    tokens = encoder.tokenizer(texts, truncation=False, verbose=False)["input_ids"]
    longer = sum(len(ids) > encoder.max_seq_length for ids in tokens)
    if longer:
        message = f"{longer} of {len(texts)} texts exceed the window of {encoder.max_seq_length} tokens; of these, only"
        warnings.warn(f"{message} the beginning is trained on. Split them to train on the rest.", ColieeWarning, 4)


Role = Literal["query", "document"]

_MARGIN = 2  # tokens; an instruction and a text can have more tokens together than apart


class Embeddings(NamedTuple):
    """Embeddings of texts.

    Attributes
    ----------
    vectors : numpy.ndarray of float32, shape (n_windows, n_dimensions)
        The embeddings of the windows of the first text, then those of the second, and so on.
    counts : numpy.ndarray of int64
        The number of windows of each text, 1 unless ``pooling="max"``.
    """

    vectors: Vectors
    counts: Integers


@dataclass(frozen=True)
class Embedder:
    """A sentence-transformers model, or any encoder with a pooling of its tokens, that embeds queries and documents.

    A text that is longer than the model's window is read in overlapping windows. The embedding of a text does not
    depend on other texts of the batch. The model is loaded on first use. This class needs the extra ``neural``.

    Parameters
    ----------
    model : str
        The Hugging Face name or the folder of a checkpoint.
    query_instruction, document_instruction : str, optional
        Put before each query and before each document, such as ``"query: "`` and ``"passage: "`` for E5. By default
        those in the checkpoint, if it has any; ``""`` for none.
    load : LoadOptions
        Options of loading the weights. By default in the checkpoint's number format.
    batch_size : int
        The largest number of windows in a batch. A batch is halved when memory runs out.
    batch_tokens : int, optional
        The largest number of tokens in a batch, including padding.
    max_tokens : int, optional
        The largest number of tokens of a window, including the instruction. By default the model's limit, or the
        first 512 of a model without one.
    pooling : {"max", "mean", "first"}
        What stands for a text of several windows: all windows, so that the similarity of two texts is the highest one
        of their windows; the mean of the windows' embeddings; or only the first window, so that the rest is not read.
    token_pooling : {"cls", "mean", "lasttoken"}, optional
        How the embeddings of tokens become one: the first token (SAILER), the mean, or the last token. By default as
        in the checkpoint, or the mean for a checkpoint of another library.
    normalise : bool
        Scale embeddings to length 1, so that their dot product is the cosine.
    dimensions : int, optional
        Keep only the first dimensions, for models trained that way (Matryoshka embeddings).
    store : EmbeddingStore, optional
        A file of embeddings. What this embedder has embedded before, in any process, is not computed again.
    verbose : bool
        Whether to show progress.

    Examples
    --------
    >>> Embedder("intfloat/e5-base-v2", query_instruction="query: ", document_instruction="passage: ", pooling="mean")
    Embedder('intfloat/e5-base-v2', query_instruction='query: ', document_instruction='passage: ', pooling='mean')
    """

    model: str
    _: KW_ONLY
    query_instruction: str | None = None
    document_instruction: str | None = None
    load: LoadOptions = LoadOptions()
    batch_size: int = 16
    batch_tokens: int | None = None
    max_tokens: int | None = None
    pooling: Pooling = "max"
    token_pooling: TokenPooling | None = None
    normalise: bool = True
    dimensions: int | None = None
    store: EmbeddingStore | None = None
    verbose: bool = False

    def __post_init__(self) -> None:
        check_checkpoint(self.model)
        instance_of("load", self.load, LoadOptions, "LoadOptions")
        integer_at_least("batch_size", self.batch_size, 1)
        for name, minimum in (("batch_tokens", 1), ("max_tokens", 8), ("dimensions", 1)):
            if getattr(self, name) is not None:
                integer_at_least(name, getattr(self, name), minimum)
        one_of("pooling", self.pooling, POOLINGS)
        one_of("token_pooling", self.token_pooling, (None, *TOKEN_POOLINGS))

    def __repr__(self) -> str:
        changed = [field for field in fields(self)[1:] if getattr(self, field.name) != field.default]
        return f"Embedder({', '.join((repr(self.model), *(f'{f.name}={getattr(self, f.name)!r}' for f in changed)))})"

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        """Return the embeddings of queries."""
        return self._embedded(texts, "query")

    def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        """Return the embeddings of documents."""
        return self._embedded(texts, "document")

    def fit(
        self,
        examples: Sequence[EmbeddingExample],
        examples_valid: Sequence[EmbeddingExample] | None = None,
        *,
        training: TrainingOptions = TrainingOptions(),
    ) -> Embedder:
        """Return this embedder, fine-tuned.

        The loss is the cross-entropy of the positive against all positives and negatives of the batch
        (``MultipleNegativesRankingLoss``). ``training.batch_size`` is therefore the number of examples that are
        compared; if it is larger than this embedder's ``batch_size``, gradients are cached in chunks (GradCache), so
        that memory does not limit it.

        Parameters
        ----------
        examples : sequence of EmbeddingExample
            Queries with a relevant document and hard negatives. Only the first window of a text is trained on.
        examples_valid : sequence of EmbeddingExample, optional
            The same for validation. With them, the model of the epoch with the lowest validation loss is used,
            otherwise that of the last epoch.
        training : TrainingOptions
            The options of the training. The fitted model is in ``training.folder``, or without one in a temporary
            folder that is deleted when the program ends; `save` keeps it.

        Returns
        -------
        Embedder
            An embedder that differs from this one in its model.

        Raises
        ------
        ColieeError
            If there are no examples, or if ``training.folder`` belongs to another training.
        """
        columns = training_columns(examples)
        valid = None if examples_valid is None else training_columns(examples_valid)
        instructions = {"query": self.query_instruction, "document": self.document_instruction}
        of_model = {"model": requested_identity(self.model), **self.load.identity}
        settings = {**of_model, "max_tokens": self.max_tokens, **instructions, "token_pooling": self.token_pooling}

        def prepare() -> TrainingJob:
            from datasets import Dataset
            from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
            from sentence_transformers.sentence_transformer import losses
            from sentence_transformers.sentence_transformer.training_args import BatchSamplers

            encoder = load_sentence_encoder(self.model, self.max_tokens, self.token_pooling, self.load, "float32")
            base = base_model(str(self.model), self.load)
            prepare_for_training(encoder.transformers_model, training, self.load, base)
            _warn_about_long_texts(encoder, columns)
            loss = losses.MultipleNegativesRankingLoss(encoder)
            if training.batch_size > self.batch_size:  # which are not in memory together
                loss = losses.CachedMultipleNegativesRankingLoss(encoder, mini_batch_size=self.batch_size)
            roles: dict[str, Role] = {column: "query" if column == "query" else "document" for column in columns}
            return TrainingJob(
                SentenceTransformerTrainer,
                SentenceTransformerTrainingArguments,
                encoder,
                Dataset.from_dict(columns),
                None if valid is None else Dataset.from_dict(valid),
                partial(save_encoder, encoder),
                {
                    "prompts": {column: self._prompt(role, encoder) for column, role in roles.items()},
                    "ddp_find_unused_parameters": True,  # such as a pooler beside the pooling
                    "batch_sampler": BatchSamplers.NO_DUPLICATES,  # or a text of the batch would be its own negative
                },
                {"loss": loss},
            )

        data = [columns, valid]
        with train(training, settings, data, prepare, batches_matter=True, verbose=self.verbose) as state:
            return replace(self, model=state.kept())

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Write weights and tokenizer to a new folder, without any text. One with the same weights is left as it is.

        Raises
        ------
        ExistingFileError
            If the folder exists and has other weights.
        """
        return save_model(partial(save_encoder, self.encoder), folder)

    @cached_property
    def encoder(self) -> Any:
        """The loaded ``sentence_transformers.SentenceTransformer``."""
        return load_sentence_encoder(self.model, self.max_tokens, self.token_pooling, self.load)

    @property
    def identity(self) -> str:
        """Key of the stored embeddings: the weights, and all settings that affect embeddings but the instruction."""
        weights = weights_identity(self.model, self.load.revision, lambda: self.encoder)
        settings = [self.max_tokens, self.pooling, self.token_pooling, self.normalise, self.dimensions]
        return json.dumps(["embedder", *weights, self.load.identity, *settings])

    def _embedded(self, texts: Sequence[str], role: Role) -> Embeddings:
        keys = [(encodable(text),) for text in texts]

        def identity() -> str:
            instruction = self.query_instruction if role == "query" else self.document_instruction
            return json.dumps([self.identity, role, instruction])

        def batches(missing: Sequence[Texts]) -> Iterator[Mapping[Texts, Vectors]]:
            return self._computed(missing, role)

        description = "embedding queries" if role == "query" else "embedding documents"
        found = computed_once(keys, batches, self.store, identity, description=description, verbose=self.verbose)
        vectors = [found[key] for key in keys]
        counts = np.array([len(each) for each in vectors], dtype=np.int64)
        return Embeddings(np.concatenate(vectors) if vectors else np.empty((0, 0), np.float32), counts)

    def _computed(self, texts: Sequence[Texts], role: Role) -> Iterator[dict[Texts, Vectors]]:
        longest_first = sorted((text for (text,) in texts), key=lambda text: -len(text))
        room = self._room(role)
        windows_of_longest, longer = 1, 0
        for start in range(0, len(longest_first), self.batch_size):
            block = longest_first[start : start + self.batch_size]
            windows = [text_windows(self.encoder.tokenizer, text, room, self.pooling) for text in block]
            windows_of_longest = max(windows_of_longest, *map(len, windows))
            longer += sum(each != [text] for each, text in zip(windows, block))
            vectors = self._vectors([window for of_text in windows for window in of_text], role)
            of_texts = np.split(vectors, np.cumsum([len(of_text) for of_text in windows])[:-1])
            yield {(text,): self._pooled(of_text) for text, of_text in zip(block, of_texts)}
        if longer:
            self._warn_about_windows(longer, len(texts), room, windows_of_longest)

    def _vectors(self, windows: Sequence[str], role: Role) -> Vectors:
        encoder = self.encoder
        prompt = self._prompt(role, encoder)
        encode = encoder.encode_query if role == "query" else encoder.encode_document

        def compute(batch: Sequence[int]) -> Vectors:
            options = {"normalize_embeddings": self.normalise, "truncate_dim": self.dimensions, "prompt": prompt}
            texts = [windows[position] for position in batch]
            return cast(Vectors, encode(texts, batch_size=len(batch), show_progress_bar=False, **options))

        lengths = [len(ids) for ids in encoder.tokenizer([*windows], truncation=False, verbose=False)["input_ids"]]
        batches = token_batches(lengths, batch_size=self.batch_size, batch_tokens=self.batch_tokens)
        results = list(halving(batches, compute))
        vectors = np.empty((len(windows), results[0][1].shape[1]), np.float32)
        for positions, of_batch in results:
            vectors[positions] = of_batch
        if not np.isfinite(vectors).all():
            raise ColieeError(f"{printable(str(self.model), 50)} gives an embedding that is not finite.\n{NOT_FINITE}")
        return vectors

    def _pooled(self, vectors: Vectors) -> Vectors:
        if self.pooling != "mean" or len(vectors) == 1:
            return vectors
        mean = vectors.mean(axis=0, keepdims=True, dtype=np.float64)
        length = np.linalg.norm(mean) if self.normalise else 1.0
        return cast(Vectors, (mean / (length or 1.0)).astype(np.float32))

    def _prompt(self, role: Role, encoder: Any) -> str:
        given = self.query_instruction if role == "query" else self.document_instruction
        if given is not None:
            return encodable(given)
        names = ("query",) if role == "query" else ("document", "passage", "corpus")
        return next((prompt for name in names if (prompt := encoder.prompts.get(name))), "")

    def _room(self, role: Role) -> int:
        """Return the largest number of tokens of a window beside the instruction and the special tokens."""
        prompt = self._prompt(role, self.encoder)
        taken = len(self.encoder.tokenizer(prompt, verbose=False)["input_ids"]) + (_MARGIN if prompt else 0)
        room: int = self.encoder.max_seq_length - taken
        if room < 1:
            raise ColieeError(
                f"The {role} instruction has {taken} tokens; max_tokens is {self.encoder.max_seq_length}.\n"
                "Give a shorter instruction or a larger max_tokens."
            )
        return room

    def _warn_about_windows(self, longer: int, total: int, room: int, windows: int) -> None:
        counts = {"max": "the most similar one counts", "mean": "the mean counts", "first": "only the first is read"}
        message = f"{longer} of {total} texts exceed the window of {room} tokens and have up to {windows} windows"
        warnings.warn(f"{message}, of which {counts[self.pooling]}.", ColieeWarning, stacklevel=2)
