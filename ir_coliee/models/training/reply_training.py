"""Fine-tuning of language models on conversations with replies. It needs the extra ``neural``."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError, printable
from ir_coliee.models.language_models.checkpoint import Checkpoint
from ir_coliee.models.language_models.language_model import encodable
from ir_coliee.models.loading.checkpoint_identity import requested_identity
from ir_coliee.models.loading.encoders import fixed_seed
from ir_coliee.models.token_batches import padded
from ir_coliee.models.training.adapters import base_model, prepare_for_training, save_network
from ir_coliee.models.training.trainer import check_training_packages, mean_cross_entropy, run_trainer
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.models.training.training_state import open_training_state
from ir_coliee.text.templates import Conversation

if TYPE_CHECKING:
    from ir_coliee.models.language_models.local import LocalModel

_IGNORED = -100  # the label of tokens that are not learned, in torch's cross-entropy


class _Example(NamedTuple):
    prompt: list[int]
    reply: list[int]


def fine_tune(
    model: LocalModel,
    conversations: Sequence[Conversation],
    replies: Sequence[str],
    training: TrainingOptions,
    *,
    verbose: bool,
) -> str:
    """Fine-tune a model, and return the folder of the fitted weights or of the adapter.

    See `LocalModel.fit` for the parameters and errors.
    """
    if len(conversations) != len(replies):
        raise ValueError(f"There must be one reply to each conversation, got {len(replies)} for {len(conversations)}.")
    check_training_packages("Fine-tuning a language model")
    settings = {
        "model": requested_identity(model.name),
        **model.load.identity,
        "trained_adapter": None if model.adapter is None else requested_identity(model.adapter),
        "window": model.window,
        "chat_options": {**model.chat_options},
    }
    opened = open_training_state(training, settings, [*zip(conversations, replies)])
    with fixed_seed(training.seed), opened as state:
        if not state.has_ended:
            checkpoint = Checkpoint(model.name, model.load, model.adapter)
            network = checkpoint.load_network(None if training.adapter else "float32")
            prepare_for_training(network, training, model.load, base_model(model.name, model.load))
            examples = _examples(checkpoint, network, model, conversations, replies)
            arguments = training.arguments(
                str(state.folder), num_examples=len(examples), device=network.device.type, verbose=verbose
            )
            _train(checkpoint, network, examples, arguments, state)
            state.end(partial(save_network, network, checkpoint.tokenizer))
        return state.kept()


# --- examples --------------------------------------------------------------------------------------


def _examples(
    checkpoint: Checkpoint,
    network: Any,
    model: LocalModel,
    conversations: Sequence[Conversation],
    replies: Sequence[str],
) -> list[_Example]:
    """Return the tokens of each conversation and reply that fit into the window together."""
    prompts = [checkpoint.prompt(conversation, model.chat_options) for conversation in conversations]
    end = _end_token(checkpoint, network, model.chat_options) if checkpoint.is_causal else None
    tokenised = [_reply_tokens(checkpoint.tokenizer, reply, end) for reply in replies]
    window = checkpoint.window if model.window is None else model.window
    examples = [
        _Example(prompt, reply)
        for prompt, reply in zip(prompts, tokenised)
        if len(prompt) + (len(reply) if checkpoint.is_causal else 0) <= window
    ]
    if num_left_out := len(prompts) - len(examples):
        problem = f"longer than the window of {window} tokens"
        if not examples:
            raise InsufficientTrainingDataError(
                f"All {num_left_out} conversations are {problem}.\nShorten their texts."
            )
        message = f"{num_left_out} of {len(prompts)} conversations are {problem} and were left out of the training."
        warnings.warn(message, ColieeWarning, stacklevel=4)
    if not examples:
        raise InsufficientTrainingDataError("There is no conversation to train with.")
    return examples


def _reply_tokens(tokenizer: Any, reply: str, end: int | None) -> list[int]:
    if end is None:  # the tokenizer of a sequence-to-sequence model adds the token of the end itself
        target: list[int] = tokenizer(text_target=encodable(reply))["input_ids"]
        return target
    return [*tokenizer(encodable(reply), add_special_tokens=False)["input_ids"], end]


def _end_token(checkpoint: Checkpoint, network: Any, chat_options: Mapping[str, Any]) -> int:
    """Return the token that ends a reply: the first end-of-text token that the chat template writes after one."""
    ends = network.generation_config.eos_token_id
    tokens: list[int] = []
    if checkpoint.tokenizer.chat_template:
        turns = [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "REPLY"}]
        text = checkpoint.tokenizer.apply_chat_template(turns, tokenize=False, **chat_options)
        after = text.rpartition("REPLY")[2]
        tokens = checkpoint.tokenizer(after, add_special_tokens=False)["input_ids"]
    candidates = ends if isinstance(ends, list) else [ends]
    known: list[int] = [
        token
        for token in (*tokens, checkpoint.tokenizer.eos_token_id, *candidates)
        if token is not None and token in candidates
    ]
    if not known:
        raise ColieeError(
            f"{printable(network.name_or_path)} has no end-of-text token, so it cannot learn to end a reply."
        )
    return known[0]


# --- training --------------------------------------------------------------------------------------


def _train(
    checkpoint: Checkpoint, network: Any, examples: Sequence[_Example], arguments: dict[str, Any], state: Any
) -> None:
    from transformers import Trainer, TrainingArguments

    run_trainer(
        Trainer,
        state,
        model=network,
        args=TrainingArguments(**arguments, remove_unused_columns=False, label_names=["labels"]),
        train_dataset=examples,
        data_collator=partial(_causal_batch if checkpoint.is_causal else _seq2seq_batch, network, checkpoint.padding),
        compute_loss_func=partial(_loss, is_causal=checkpoint.is_causal),
    )


def _causal_batch(network: Any, padding: int, examples: Sequence[_Example]) -> dict[str, Any]:
    """Return prompts and replies, padded on the left, so that the logits of the last tokens suffice for the loss."""
    texts = [example.prompt + example.reply for example in examples]
    mask = padded([[1] * len(text) for text in texts], 0, left=True)
    labels = [[_IGNORED] * len(example.prompt) + example.reply for example in examples]
    batch = {
        "input_ids": padded(texts, padding, left=True),
        "attention_mask": mask,
        "labels": padded(labels, _IGNORED, left=True),
        "position_ids": (mask.cumsum(1) - 1).clamp(min=0),
        "logits_to_keep": max(len(example.reply) for example in examples) + 1,
    }
    arguments = inspect.signature(network.forward).parameters
    return {name: value for name, value in batch.items() if name in (*arguments, "labels")}


def _seq2seq_batch(network: Any, padding: int, examples: Sequence[_Example]) -> dict[str, Any]:
    labels = padded([example.reply for example in examples], _IGNORED)
    return {
        "input_ids": padded([example.prompt for example in examples], padding),
        "attention_mask": padded([[1] * len(example.prompt) for example in examples], 0),
        "labels": labels,
        "decoder_input_ids": network.prepare_decoder_input_ids_from_labels(labels=labels),
    }


def _loss(outputs: Any, labels: Any, num_items_in_batch: Any = None, *, is_causal: bool) -> Any:
    logits = outputs.logits
    if is_causal:  # the logits of a token are those of the next one
        labels = labels[:, -logits.shape[1] :][:, 1:]
        logits = logits[:, :-1]
    return mean_cross_entropy(logits, labels, num_items_in_batch)
