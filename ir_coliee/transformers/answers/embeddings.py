"""Texts as the vectors of an encoder of sentence-transformers, and what logistic regression learns from them.

The extras ``neural`` and ``learn`` are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_coliee.arguments import check_checkpoint, integer_at_least
from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.frames import Floats
from ir_coliee.models.local import refuse_wordless
from ir_coliee.transformers.answers.classifiers import _TextClassifier


class Embeddings:
    """From texts to vectors of length 1, as scikit-learn wants its features made.

    The encoder is loaded when it is first used, and not pickled.
    """

    def __init__(self, model: str, batch_size: int, device: str | None) -> None:
        self.model = model
        self.batch_size = batch_size
        self.device = device
        self._encoder: Any = None

    def fit(self, texts: Sequence[str], labels: object = None) -> Embeddings:
        """Nothing is learned: the encoder stays as it is."""
        return self

    def transform(self, texts: Sequence[str]) -> Floats:
        """A row for each text. Raises `MissingExtraError`, and `ColieeError` for a model that cannot be loaded."""
        if self._encoder is None:
            self._encoder = _load(self.model, self.device)
        vectors: Floats = self._encoder.encode(
            list(texts), batch_size=self.batch_size, normalize_embeddings=True, show_progress_bar=False
        ).astype("float64")
        return vectors

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_encoder": None}


def _load(name: str, device: str | None) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise MissingExtraError("An encoder of texts", "neural") from None
    try:
        encoder = SentenceTransformer(name, device=device)
    except Exception as error:  # libraries for weights, words, devices and downloads raise what they like
        raise ColieeError(f"{name} cannot be loaded as an encoder of texts: {error}") from error
    if hasattr(encoder.tokenizer, "all_special_tokens"):  # there are encoders with tokenizers of other libraries
        refuse_wordless(name, encoder.tokenizer)
    return encoder


class EmbeddingClassifier(_TextClassifier):
    """Embeddings and logistic regression: R to R, scores are probabilities.

    ``model``: a checkpoint of sentence-transformers, by its name at Hugging Face or its folder; it stays as it is, and
    reads as much of a text as fits its window. ``column`` as of `ir_coliee.transformers.TfidfClassifier`: ``query`` for
    texts that get one of their candidates as the label, ``text`` for candidates that are right or not.
    ``batch_size``: texts at a time. ``device``: None for a GPU where there is one.

    >>> EmbeddingClassifier("intfloat/multilingual-e5-small", "text").column
    'text'
    """

    LABEL = "Embedding classifier"

    def __init__(self, model: str, column: str, *, batch_size: int = 32, device: str | None = None) -> None:
        self.model = check_checkpoint(model)
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.device = device
        super().__init__(column)

    def _features(self) -> Any:
        """_TextClassifier._features"""
        return Embeddings(self.model, self.batch_size, self.device)
