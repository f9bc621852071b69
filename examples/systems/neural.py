"""The neural parts of the systems, with the checkpoints and settings of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from system import Models

from ir_coliee.models import (
    Embedder,
    EmbeddingExample,
    LanguageModel,
    LoadOptions,
    LocalModel,
    ServedModel,
    TrainingOptions,
)
from ir_coliee.transformers import EntailmentClassifier, MonoT5, PairScorer

_BATCH = 16  # the number of examples after which the weights of a model are changed
# the number of texts in memory together for large models, whose activations are computed again instead of stored, so
# that each system fits into 24 GB (`benchmarks/memory.py`)
_LARGE = {
    "FacebookAI/roberta-large-mnli": 16,
    "allenai/longformer-base-4096": 16,
    "castorini/monot5-large-msmarco": 4,
    "castorini/monot5-large-msmarco-10k": 4,
    "microsoft/deberta-v3-large": 16,
}
_TINY_WINDOW, _TINY_REPLY = 64, 8  # tokens


def cross_encoder(
    models: Models,
    published: str,
    seed: int = 0,
    *,
    loss: str | None = None,
    max_tokens: int | None = None,
    **training: Any,
) -> PairScorer:
    """A cross-encoder that reads the beginning of texts, as the published systems did.

    A tiny one reads less, unless it is told how much.

    Parameters
    ----------
    models, published, seed
        See `Models.classifier`; the seed is also that of the training.
    loss, max_tokens : optional
        As in `PairScorer`.
    **training
        Further `TrainingOptions`.
    """
    checkpoint = models.classifier(published, seed)
    if models.tiny("classifier") and max_tokens is None:
        max_tokens = _TINY_WINDOW
    options = _training(models, published, "relevance", seed, **training)
    reading: dict[str, Any] = {"max_tokens": max_tokens, "pooling": "first"}
    return PairScorer(checkpoint, training=options, loss=loss, **reading, **_scoring(models))


def mono_t5(
    models: Models,
    published: str = "castorini/monot5-large-msmarco",
    seed: int = 0,
    **training: Any,
) -> MonoT5:
    """A monoT5 that reads the beginning of texts, as the published systems did; a tiny one reads less.

    The parameters are those of `cross_encoder`.
    """
    checkpoint = models.seq2seq(published, seed)
    options = _training(models, published, "relevance", seed, **training)
    max_tokens = 2 * _TINY_WINDOW if models.tiny("seq2seq") else 512
    scoring = _scoring(models)
    return MonoT5(checkpoint, training=options, max_tokens=max_tokens, pooling="first", **scoring)


def entailment_classifier(
    models: Models,
    published: str,
    seed: int = 0,
    *,
    learned: str | None = None,
    **training: Any,
) -> EntailmentClassifier:
    """A classifier of questions and texts for fine-tuning, or the folder of one that has ``learned`` another task.

    The other parameters are those of `cross_encoder`.
    """
    checkpoint = learned or models.entailment(published, seed)
    options = _training(models, published, "entailment", seed, **training)
    return EntailmentClassifier(checkpoint, training=options, **_scoring(models))


def embedder(models: Models, published: str, **settings: Any) -> Embedder:
    """An embedder of decisions, whose windows are averaged; what it embeds is stored.

    Parameters
    ----------
    models, published
        See `Models.encoder`.
    **settings
        Further arguments of `Embedder`.
    """
    defaults: dict[str, Any] = {
        "load": models.load,
        "batch_size": models.batch_size or _BATCH,
        "pooling": "mean",
        "store": models.folder and models.folder.embeddings,
        "verbose": True,
    }
    return Embedder(models.encoder(published), **{**defaults, **settings})


def fitted_embedder(models: Models, published: str, examples: Sequence[EmbeddingExample], **training: Any) -> Embedder:
    """An embedder that is fine-tuned in full precision, on batches whose size does not depend on ``--batch-size``."""
    original = embedder(models, published, load=LoadOptions(device=models.load.device))
    options = _training(models, published, "retrieval", 0, **training)
    return original.fit(examples, training=replace(options, batch_size=_BATCH, accumulate=1))


def language_model(
    models: Models, published: str, seed: int = 0, *, max_tokens: int, probabilities: bool = False, batch_size: int = 8
) -> LocalModel:
    """A sequence-to-sequence model on this machine; a tiny one replies shortly, with the probability of yes."""
    name = models.seq2seq(published, seed)
    if models.tiny("seq2seq"):
        max_tokens, probabilities = min(max_tokens, _TINY_REPLY), True
    return LocalModel(
        name,
        load=models.load,
        batch_size=models.batch_size or batch_size,
        max_tokens=max_tokens,
        probabilities=probabilities,
        window=4096,
    )


def served_model(
    models: Models, published: str, *, max_tokens: int = 512, probabilities: bool = False
) -> LanguageModel:
    """A language model that a server on this machine offers under the published name; a tiny one runs here."""
    name = models.causal(published)
    if models.tiny("causal"):
        return LocalModel(name, max_tokens=1, probabilities=True)
    return ServedModel(name, max_tokens=max_tokens, probabilities=probabilities)


def stored_replies(models: Models) -> dict[str, Any]:
    """Arguments of transformers that ask a language model: replies are stored, and progress is shown."""
    return {"reply_store": models.folder.replies if models.folder else None, "verbose": True}


def _training(models: Models, published: str, task: str, seed: int, **options: Any) -> TrainingOptions:
    """Options of the fine-tuning of a requested checkpoint for a task; a tiny one is trained for one epoch."""
    if models.tiny(models.requested[published]):
        options["epochs"] = 1
    largest = min(_BATCH, models.batch_size or _LARGE.get(published, _BATCH))
    batch_size = next(size for size in range(largest, 0, -1) if _BATCH % size == 0)  # or another one could not continue
    return TrainingOptions(
        seed=seed,
        batch_size=batch_size,
        accumulate=_BATCH // batch_size,
        checkpointing=published in _LARGE,
        precision=models.load.dtype or "float32",
        folder=models.folder and models.folder.model(f"{published.replace('/', '--')}-{task}-{seed}"),
        **options,
    )


def _scoring(models: Models) -> dict[str, Any]:
    """Arguments of transformers that score pairs; what is fine-tuned is loaded in full precision."""
    return {
        "load": LoadOptions(device=models.load.device),
        "batch_size": models.batch_size or _BATCH,
        "score_store": models.folder and models.folder.scores,
        "verbose": True,
    }
