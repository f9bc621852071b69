"""Hugging Face language models that run on this machine, with the transformers library."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import shown
from ir_coliee.models.language_models.checkpoint import Checkpoint
from ir_coliee.models.language_models.decoding import AnswerLogits, GumbelSampler
from ir_coliee.models.language_models.language_model import (
    Question,
    Reply,
    ReplyCallback,
    check_options,
    check_settings,
    named_tokens,
    settings_key,
)
from ir_coliee.models.language_models.yes_probability import first_answer_token
from ir_coliee.models.loading.checkpoint_identity import folder_hash, requested_identity
from ir_coliee.models.loading.load_options import LoadOptions
from ir_coliee.models.token_batches import halving, token_batches
from ir_coliee.models.training.saved_models import save_model
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.text.reasoning import opens_reasoning, split_reasoning
from ir_coliee.text.templates import Conversation

_END_OF_PROMPT = 16  # tokens, in which a block of reasoning may be opened


@dataclass(frozen=True)
class LocalModel:
    """A sequence-to-sequence model such as T5 or a causal language model such as GPT, on this machine.

    The tokenizer's chat template formats the turns as a prompt. Without a template, the texts of the turns are joined
    by blank lines. Tokenizer and model are loaded on first use. This class needs the extra ``neural``.

    Parameters
    ----------
    name : str
        Name of a published checkpoint, or its folder.
    load : LoadOptions
        Number format, device, quantisation and other options of loading the weights.
    batch_size : int
        Largest number of questions per batch. A batch is halved when memory runs out.
    batch_tokens : int, optional
        Largest number of tokens of the questions of a batch, including padding.
    max_tokens : int
        Maximum number of tokens of a reply, including its reasoning. A reply that is cut off there is marked as
        ``truncated``.
    temperature : float
        If 0, the most probable token is chosen (greedy decoding). If above 0, tokens are sampled with a seed that
        depends on the conversation and the number of the sample, so replies do not depend on the batches or the order.
    probabilities : bool or tuple of str
        Compute the probability of yes from the first word of the answer, after the reasoning. Use this only with
        prompts that ask for a one-word answer. ``("yes", "no")`` names the two tokens that are compared; with True, all
        tokens are with which yes or no can begin, in English and Japanese.
    chat_options : mapping, optional
        Variables of the tokenizer's chat template, such as ``{"enable_thinking": False}``.
    adapter : str, optional
        Folder of an adapter of the checkpoint, as `fit` with ``TrainingOptions(adapter=LoRA())`` and `save` write it.
    window : int, optional
        Size of the context window in tokens. The default is the limit of the checkpoint. Models with relative
        positions, such as T5, accept longer texts than those that they were trained on.

    Examples
    --------
    >>> LocalModel("google/flan-t5-xxl", temperature=0.7).batch_size
    8
    """

    name: str
    _: KW_ONLY
    load: LoadOptions = LoadOptions()
    batch_size: int = 8
    batch_tokens: int | None = None
    max_tokens: int = 512
    temperature: float = 0.0
    probabilities: bool | tuple[str, str] = False
    chat_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    adapter: str | None = None
    window: int | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and self.name):
            raise ValueError(f"name must be the name or the folder of a checkpoint, got {shown(self.name)}.")
        given = [name for name in ("batch_tokens", "window") if getattr(self, name) is not None]
        check_settings(self, batch_size=1, max_tokens=1, **dict.fromkeys(given, 1))
        check_options(self, "chat_options")
        named_tokens(self)

    @cached_property
    def identity(self) -> str:
        """Key of the stored replies: the name of the model, or a hash of its folder, and its settings."""
        settings = [self.temperature, self.max_tokens, self.probabilities]
        load = [self.load.identity] if self.load.identity else []
        adapter = {} if self.adapter is None else {"hash": folder_hash(Path(self.adapter))}
        return settings_key(
            "transformers",
            requested_identity(self.name),
            *settings,
            *load,
            chat_options=self.chat_options,
            adapter=adapter,
        )

    def fit(
        self,
        conversations: Sequence[Conversation],
        replies: Sequence[str],
        training: TrainingOptions = TrainingOptions(),
        *,
        verbose: bool = False,
    ) -> LocalModel:
        """Fine-tune the checkpoint to reply to conversations.

        Only the tokens of the replies and the token of their end are learned, not those of the conversations. Each call
        starts from the checkpoint, and is reproducible on the same machine. Conversations that do not fit into the
        window together with their reply are left out.

        Parameters
        ----------
        conversations : sequence of Conversation
            The prompts, as they are asked later.
        replies : sequence of str
            The reply to each conversation.
        training : TrainingOptions
            The options of the training. With an adapter, the checkpoint's own weights stay as they are, also in 4 bits
            (``LoadOptions(quantise="4bit")``).
        verbose : bool
            Whether to show progress.

        Returns
        -------
        LocalModel
            The fine-tuned model, with the other settings of this one. Its weights are in ``training.folder``; without
            one in a temporary folder, which is deleted when the program ends, so call `save`.

        Raises
        ------
        ColieeError
            If a model with an adapter, or weights that are quantised or in half precision, are to be trained without an
            adapter, or if the training fails.
        InsufficientTrainingDataError
            If no conversation fits into the window.

        Warns
        -----
        ColieeWarning
            If conversations are left out, with their number.
        """
        from ir_coliee.models.training.reply_training import (
            fine_tune,  # imports this module's dependencies only when needed
        )

        folder = fine_tune(self, conversations, replies, training, verbose=verbose)
        if training.adapter is not None:
            return replace(self, adapter=folder)
        return replace(self, name=folder, load=replace(self.load, revision=None))

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Write a fine-tuned model to a new folder: its adapter, or all weights, and its tokenizer.

        Parameters
        ----------
        folder : str or path
            A new folder, or one that has the same weights already and is left as it is. It gets no text.

        Returns
        -------
        str
            The folder, which can be given as ``adapter``, or as ``name`` if the model has none.

        Raises
        ------
        ExistingFileError
            If the folder exists and has other weights.
        ColieeError
            If the model is a published checkpoint that was not fine-tuned.
        """
        source = Path(self.adapter or self.name)
        if not source.is_dir():
            raise ColieeError(
                f"{printable(self.name)} was not fine-tuned, so there is nothing to save. Call fit first."
            )
        return save_model(partial(shutil.copytree, source), folder)

    def fits(self, conversation: Conversation) -> bool:
        """Whether the conversation fits into the context window, including the reply for a causal model."""
        return self._in_window(self._checkpoint.prompt(conversation, self.chat_options))

    def ask(self, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        """Ask all questions, the longest first. Questions that do not fit into the context window are skipped.

        Raises
        ------
        ColieeError
            At the end, if a question did not fit into the window; at the start, if the checkpoint cannot be loaded.
        """
        prompts = [
            (question, self._checkpoint.prompt(question.conversation, self.chat_options)) for question in questions
        ]
        fitting = [(question, prompt) for question, prompt in prompts if self._in_window(prompt)]
        batches = token_batches(
            [len(prompt) for _, prompt in fitting], batch_size=self.batch_size, batch_tokens=self.batch_tokens
        )
        for positions, replies in halving(batches, lambda batch: self._replies([fitting[p] for p in batch])):
            for position, reply in zip(positions, replies):
                on_reply(fitting[position][0], reply)
        if num_skipped := len(prompts) - len(fitting):
            raise ColieeError(
                f"{num_skipped} of {len(prompts)} questions are longer than the window of {printable(self.name)}, "
                f"{self._window_size} tokens{self._reply_reserve}.\nShorten them, or use a model with a longer window."
            )

    def _replies(self, batch: Sequence[tuple[Question, list[int]]]) -> list[Reply]:
        checkpoint = self._checkpoint
        named = named_tokens(self)
        answers = checkpoint.answer_tokens if named is None else checkpoint.named_tokens(named)
        logits = AnswerLogits(answers, named) if self.probabilities else None
        processors: list[Any] = [logits] if logits else []
        if self.temperature:
            processors.append(GumbelSampler([question for question, _ in batch], self.temperature))
        prompts = [prompt for _, prompt in batch]
        replies = []
        for number, tokens in enumerate(checkpoint.reply_tokens(prompts, self.max_tokens, processors)):
            opened = opens_reasoning(checkpoint.text(prompts[number][-_END_OF_PROMPT:]))
            reasoning, text = split_reasoning(checkpoint.text(tokens), opened=opened)
            position = first_answer_token(checkpoint.pieces(tokens), opened=opened) if logits else None
            yes = logits.yes(number, position) if logits else None
            replies.append(Reply(text, yes, reasoning, truncated=not checkpoint.is_complete(tokens)))
        return replies

    def _in_window(self, prompt: Sequence[int]) -> bool:
        reply = self.max_tokens if self._checkpoint.is_causal else 0
        return len(prompt) + reply <= self._window_size

    @property
    def _window_size(self) -> float:
        return self._checkpoint.window if self.window is None else self.window

    @property
    def _reply_reserve(self) -> str:
        return (
            f" of which max_tokens={self.max_tokens} are reserved for the reply" if self._checkpoint.is_causal else ""
        )

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(self.name, self.load, self.adapter)

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}
