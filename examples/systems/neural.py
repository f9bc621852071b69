"""The neural parts of the systems, with the checkpoints and settings of the command line."""

from __future__ import annotations

from typing import Any

from system import Models

from ir_coliee.models import LanguageModel, LocalModel, ServedModel, TrainingOptions
from ir_coliee.models.tiny_checkpoints import Kind, tiny_checkpoint
from ir_coliee.transformers import EntailmentClassifier, PairScorer

_TINY_WINDOW, _TINY_REPLY = 64, 8  # tokens


def cross_encoder(
    models: Models, published: str, seed: int = 0, *, max_tokens: int | None = None, **training: Any
) -> PairScorer:
    """A cross-encoder for fine-tuning with these `TrainingOptions`; a tiny one reads the beginning of texts."""
    checkpoint = models.classifier(published, seed)
    if models.tiny("classifier"):
        max_tokens = _TINY_WINDOW
    options = _training(models, published, seed=seed, **training)
    return PairScorer(checkpoint, training=options, max_tokens=max_tokens, verbose=True)


def entailment_classifier(
    models: Models, published: str, seed: int = 0, *, learned: str | None = None, **training: Any
) -> EntailmentClassifier:
    """A classifier of questions and texts for fine-tuning, or the folder of one that has ``learned`` another task."""
    checkpoint = learned or models.entailment(published, seed)
    return EntailmentClassifier(checkpoint, training=_training(models, published, **training), verbose=True)


def _training(models: Models, published: str, **options: Any) -> TrainingOptions:
    """Options of the fine-tuning of a requested checkpoint; a tiny one is trained for one epoch."""
    if models.tiny(models.requested[published]):
        options["epochs"] = 1
    return TrainingOptions(**options)


def language_model(
    models: Models, kind: Kind, published: str, *, max_tokens: int, probabilities: bool = False, window: int = 4096
) -> LocalModel:
    """A language model on this machine; a tiny one replies with few tokens, and with the probability of yes."""
    name = {"seq2seq": models.seq2seq, "causal": models.causal}[kind](published)
    if models.tiny(kind):
        max_tokens, probabilities = min(max_tokens, _TINY_REPLY), True
    return LocalModel(name, max_tokens=max_tokens, probabilities=probabilities, window=window)


def served_model(
    models: Models, published: str, *, max_tokens: int = 512, probabilities: bool = False
) -> LanguageModel:
    """A language model that a server on this machine offers under the published name."""
    name = models.causal(published)
    if models.tiny("causal"):
        return LocalModel(tiny_checkpoint("seq2seq"), max_tokens=1, probabilities=True, window=2**14)
    return ServedModel(name, max_tokens=max_tokens, probabilities=probabilities)


def stored_replies(models: Models) -> dict[str, Any]:
    """Arguments of transformers that ask a language model: its replies are kept, and progress is shown."""
    return {"reply_store": models.folder.replies if models.folder else None, "verbose": True}
