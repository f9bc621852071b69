"""Base class of the transformers that encode query and text together with a cross-encoder.

Models are given by their Hugging Face name or folder, and loaded when they are first used. The extra ``neural`` is
needed, which includes the packages for fine-tuning. `CrossEncoderTransformer.save` writes a fine-tuned model to a
folder, without any text; the folder can be given in place of a name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ir_coliee.frames import Floats, check_checkpoint, instance_of, integer_at_least
from ir_coliee.models.loading.checkpoint_identity import folder_hash, requested_identity, weights_identity
from ir_coliee.models.loading.encoders import fixed_seed
from ir_coliee.models.loading.load_options import LoadOptions
from ir_coliee.models.loading.loading_errors import check_head
from ir_coliee.models.stores.score_store import ScoreStore, get_scores
from ir_coliee.models.token_batches import halving, token_batches
from ir_coliee.models.training.adapters import base_model, prepare_for_training, save_encoder
from ir_coliee.models.training.saved_models import save_model
from ir_coliee.models.training.trainer import check_training_packages
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.models.training.training_state import open_training_state
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder
from ir_coliee.transformers.rerankers.fine_tuning import TrainingData, fine_tune
from ir_coliee.transformers.rerankers.losses import LOSSES
from ir_coliee.transformers.rerankers.text_beginnings import beginnings


class CrossEncoderTransformer(BaseEstimator):
    """Base class: score pairs of texts with a cross-encoder. See `PairScorer` for the parameters."""

    def __init__(
        self,
        model: str,
        *,
        load: LoadOptions = LoadOptions(),
        training: TrainingOptions = TrainingOptions(),
        batch_size: int = 16,
        batch_tokens: int | None = None,
        max_tokens: int | None = None,
        score_store: ScoreStore | None = None,
        verbose: bool = False,
    ) -> None:
        self.model = check_checkpoint(model)
        self.load = instance_of("load", load, LoadOptions, "LoadOptions")
        self.training = instance_of("training", training, TrainingOptions, "TrainingOptions")
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.batch_tokens = None if batch_tokens is None else integer_at_least("batch_tokens", batch_tokens, 1)
        self.max_tokens = None if max_tokens is None else integer_at_least("max_tokens", max_tokens, 8)
        self.score_store = score_store
        self.verbose = verbose
        self._fitted_hash = ""
        super().__init__()

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Write the fine-tuned model, or the model as it is, to a new folder.

        Parameters
        ----------
        folder : str or path
            A new folder, or one that has the same weights already and is left as it is. It gets weights
            and tokenizer, and no text.

        Returns
        -------
        str
            The folder, which can be given as ``model``.

        Raises
        ------
        ExistingFileError
            If the folder exists and has other weights.
        """
        return save_model(partial(save_encoder, self._encoder()), folder)

    def _encoder(self) -> Any:
        if self._fitted_model is not None:
            return self._fitted_model
        return self._cached((self.model, self.max_tokens, self.training.seed, self.load), self._load_trained)

    def _load_trained(self) -> Any:
        encoder = self._load()
        check_head(self.model, encoder.transformers_model)
        return encoder

    def _load(self) -> Any:
        return load_cross_encoder(self.model, self.max_tokens, self.training.seed, self.load)

    def _load_with_labels(self, labels: Mapping[int, str]) -> Any:
        """Load the model with other labels, whose weights are new."""
        return load_cross_encoder(self.model, self.max_tokens, self.training.seed, self.load, labels)

    def _logits(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return the logits of each pair (row), stored or computed; equal pairs have bitwise equal logits."""
        return get_scores(pairs, self._computed, self.score_store, self._identity, verbose=self.verbose)

    def _computed(self, pairs: Sequence[tuple[str, ...]]) -> Iterator[tuple[Sequence[int], Floats]]:
        import torch

        encoder = self._encoder()
        pairs = beginnings(encoder, pairs)

        def compute(batch: Sequence[int]) -> Floats:
            logits = encoder.predict(
                [pairs[position] for position in batch],
                batch_size=len(batch),
                show_progress_bar=False,
                activation_fn=torch.nn.Identity(),
            )
            return np.asarray(logits, dtype=np.float64).reshape(len(batch), -1)

        lengths = _lengths(encoder, pairs)
        batches = token_batches(lengths, batch_size=self.batch_size, batch_tokens=self.batch_tokens)
        yield from halving(batches, compute)

    def _identity(self) -> str:
        """Return the key of the stored scores: the weights and all settings that affect the logits."""
        if self._fitted_model is not None:
            weights = [self._fitted_hash]
        else:
            weights = weights_identity(self.model, self.load.revision, self._encoder)
        return json.dumps(["cross-encoder", *weights, self.load.identity, self.max_tokens, self.training.seed])

    def _fine_tune(
        self, examples: object, prepare: Callable[[], TrainingData], loss: str | None = "cross-entropy"
    ) -> None:
        """Fine-tune a model, and store it as the fitted model.

        Parameters
        ----------
        examples : object
            The training and validation data, as far as they can be known before a model is loaded.
        prepare : callable
            Function that loads the model and returns it with its data.
        loss : str, optional
            The name of the loss function; None for the loss of single candidates that suits the model.
        """
        check_training_packages("Fine-tuning a cross-encoder")
        of_model = {"model": requested_identity(self.model), **self.load.identity, "max_tokens": self.max_tokens}
        of_lists = loss is not None and LOSSES[loss].form != "pairs"
        opened = open_training_state(self.training, {**of_model, "loss": loss}, examples, batches_matter=of_lists)
        with fixed_seed(self.training.seed), opened as state:
            if not state.has_ended:
                data = prepare()
                self._prepare_for_training(data.encoder)
                fine_tune(data, self.training, state, verbose=self.verbose)
                state.end(partial(save_encoder, data.encoder))
            self._fitted_hash = folder_hash(Path(state.model))
            self._fitted_model = load_cross_encoder(state.model, self.max_tokens, self.training.seed, self.load)

    def _prepare_for_training(self, encoder: Any) -> None:
        network, labels = encoder.transformers_model, labels_of_model(encoder.config)
        base = base_model(
            str(self.model),
            self.load,
            seed=self.training.seed,
            labels={str(number): label for number, label in labels.items()},
        )
        prepare_for_training(network, self.training, self.load, base)


def labels_of_model(config: Any) -> dict[int, str]:
    """Return the labels of a model by their index."""
    return {int(index): str(label) for index, label in config.id2label.items()}


def _lengths(encoder: Any, pairs: Sequence[tuple[str, ...]]) -> list[int]:
    """Return the number of tokens of each pair, as the encoder truncates it."""
    tokens = encoder.tokenizer(list(pairs), truncation=True, max_length=encoder.max_seq_length, verbose=False)
    return [len(row) for row in tokens["input_ids"]]
