"""A checkpoint of monoT5: its prompts, its scores, and its training. It needs the extra ``neural``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats
from ir_coliee.models.language_models.checkpoint import Checkpoint
from ir_coliee.models.loading.checkpoint_identity import checkpoint_identity
from ir_coliee.models.loading.load_options import LoadOptions
from ir_coliee.models.token_batches import padded
from ir_coliee.models.training.adapters import (
    base_model,
    is_adapter,
    prepare_for_training,
    read_base_model,
    save_network,
)
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.transformers.rerankers.relevance_prompts import RelevancePrompts


class MonoT5Checkpoint:
    """A checkpoint of monoT5, whose weights are loaded with its first use.

    Parameters
    ----------
    name : str
        The name or the folder of the checkpoint.
    load : LoadOptions
        Options of loading the weights; the default number format is float32.
    max_tokens : int
        The largest number of tokens of a prompt.

    Raises
    ------
    ColieeError
        If the checkpoint cannot be loaded or is not a T5 model.
    """

    def __init__(self, name: str, load: LoadOptions, max_tokens: int) -> None:
        self._name, self._load = name, load
        base, adapter = (read_base_model(name).name, name) if is_adapter(name) else (name, None)
        self._checkpoint = Checkpoint(base, replace(load, dtype=load.dtype or "float32"), adapter)
        if self._checkpoint.is_causal:
            raise ColieeError(f"{printable(name)} is not a sequence-to-sequence model such as monoT5.")
        self.tokenizer = self._checkpoint.tokenizer
        self.prompts = RelevancePrompts(base, self.tokenizer, self._checkpoint.config, max_tokens)

    @property
    def network(self) -> Any:
        """The model with its weights, on the device."""
        return self._checkpoint.network

    @cached_property
    def identity(self) -> list[str]:
        """What identifies the weights, including those of an adapter."""
        base = self._checkpoint.base_of_adapter
        of_base = [] if base is None else base.identity
        return [*of_base, *(checkpoint_identity(self._name, self._load.revision) or [self._name])]

    def loaded(self) -> MonoT5Checkpoint:
        """Return this object with its weights loaded, so that its folder is no longer needed."""
        self.identity, self.network  # noqa: B018
        return self

    def prepare_for_training(self, training: TrainingOptions) -> None:
        """Add the adapter of a training, so that only its weights are changed and saved."""
        prepare_for_training(self.network, training, self._load, base_model(self._name, self._load))

    def scores(self, prompts: Sequence[Sequence[int]]) -> Floats:
        """Return the logarithm of the probability of the word for relevant, relative to the other, for a batch.

        Padding follows the whole prompt and is masked, so that a score does not depend on the other prompts.
        """
        import torch

        network, padding = self.network, self.tokenizer.pad_token_id
        tokens, mask = padded(prompts, padding), padded([[1] * len(prompt) for prompt in prompts], 0)
        start = torch.full((len(prompts), 1), network.config.decoder_start_token_id)
        device = network.device
        with torch.inference_mode():
            logits = network(
                input_ids=tokens.to(device), attention_mask=mask.to(device), decoder_input_ids=start.to(device)
            ).logits[:, 0, list(self.prompts.answer_tokens)]
        scores: Floats = torch.log_softmax(logits.double(), dim=1)[:, 0].cpu().numpy()
        return scores

    def save(self, folder: str) -> None:
        """Write the weights, or only those of the adapter, and the tokenizer to a folder."""
        self.network.config.relevance_words = list(self.prompts.words)  # `RelevancePrompts` reads them again
        save_network(self.network, self.tokenizer, folder)
