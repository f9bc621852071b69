"""Classification of texts by the embeddings of a sentence-transformers model and logistic regression.

The extras ``neural`` and ``learn`` are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Floats, check_checkpoint, integer_at_least
from ir_coliee.models.loading.load_options import LoadOptions
from ir_coliee.models.loading.loading_errors import check_weights, explained
from ir_coliee.models.loading.tokenizer_checks import check_tokenizer
from ir_coliee.transformers.answers.text_classifier import TextClassifier


class Embeddings:
    """Encode texts as vectors of length 1, with the interface of scikit-learn's transformers.

    The encoder is loaded when it is first used, and is not pickled.

    Parameters
    ----------
    model : str
        The name or folder of a sentence-transformers model.
    batch_size : int
        The number of texts that are encoded at a time.
    load : LoadOptions
        Options of loading the weights.
    """

    def __init__(self, model: str, batch_size: int, load: LoadOptions) -> None:
        self.model = model
        self.batch_size = batch_size
        self.load = load
        self._encoder: Any = None

    def fit(self, texts: Sequence[str], labels: object = None) -> Embeddings:
        """Return this object: the encoder is not fine-tuned."""
        return self

    def transform(self, texts: Sequence[str]) -> Floats:
        """Return a row for each text. Raises `MissingExtraError`, and `ColieeError` if the model cannot be loaded."""
        if self._encoder is None:
            self._encoder = _load(self.model, self.load)
        vectors: Floats = self._encoder.encode(
            list(texts), batch_size=self.batch_size, normalize_embeddings=True, show_progress_bar=False
        ).astype("float64")
        return vectors

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_encoder": None}


def _load(name: str, load: LoadOptions) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise MissingExtraError("An encoder of texts", "neural") from None
    with explained(name, "The encoder of texts"):
        encoder = SentenceTransformer(name, **load.encoder_keywords(name))
    if hasattr(encoder.tokenizer, "all_special_tokens"):  # some encoders have tokenizers of other libraries
        check_tokenizer(name, encoder.tokenizer, encoder.config)
        check_weights(name, encoder.transformers_model)
    return encoder


class EmbeddingClassifier(TextClassifier):
    """Classify texts by embeddings and logistic regression: R to R.

    Scores are probabilities. The encoder is not fine-tuned.

    Parameters
    ----------
    model : str
        The Hugging Face name or the folder of a sentence-transformers model. Texts are truncated to its window.
    column : {'query', 'text'}
        The column that is classified: ``query`` for queries that get one of their candidates as the label, ``text``
        for candidates that are relevant or not. See `TfidfClassifier`.
    batch_size : int
        The number of texts that are encoded at a time.
    load : LoadOptions
        Number format, device and other options of loading the weights.

    Examples
    --------
    >>> EmbeddingClassifier("intfloat/multilingual-e5-small", "text").column
    'text'
    """

    LABEL = "Embedding classifier"

    def __init__(self, model: str, column: str, *, load: LoadOptions = LoadOptions(), batch_size: int = 32) -> None:
        self.model = check_checkpoint(model)
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.load = load
        super().__init__(column)

    def vectoriser(self) -> Any:
        """Return the encoder with the interface of scikit-learn's transformers."""
        return Embeddings(self.model, self.batch_size, self.load)
