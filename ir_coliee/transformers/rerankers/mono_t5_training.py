"""Fine-tuning of monoT5. It needs the extra ``neural``."""

from __future__ import annotations

from typing import Any, NamedTuple

from ir_coliee.models.training.trainer import check_training_packages, mean_cross_entropy, run_trainer
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.models.training.training_state import TrainingState
from ir_coliee.transformers.rerankers.mono_t5_checkpoint import MonoT5Checkpoint
from ir_coliee.transformers.rerankers.relevance_prompts import Tokens


class TrainingPrompts(NamedTuple):
    """Prompts with their labels.

    Attributes
    ----------
    prompts : list of tuple of int
        The tokens that the model reads.
    relevant : list of bool
        Whether the text of each prompt is relevant.
    """

    prompts: list[Tokens]
    relevant: list[bool]


def fine_tune_mono_t5(
    checkpoint: MonoT5Checkpoint,
    examples: TrainingPrompts,
    valid: TrainingPrompts | None,
    training: TrainingOptions,
    state: TrainingState,
    *,
    verbose: bool,
) -> None:
    """Fine-tune monoT5 in place, by cross-entropy on the tokens of the words for relevant and for another text.

    Parameters
    ----------
    checkpoint : MonoT5Checkpoint
        The model.
    examples : TrainingPrompts
        The training data.
    valid : TrainingPrompts or None
        Validation data. With them, the weights of the epoch with the lowest validation loss are used, otherwise those
        of the last epoch.
    training : TrainingOptions
        The options of the training.
    state : TrainingState
        The state of the training.
    verbose : bool
        Whether to show progress bars.

    Raises
    ------
    MissingExtraError
        If a package for training is not installed.
    ColieeError
        If the training diverges, if memory runs out, or if its state cannot be stored.
    """
    check_training_packages("Fine-tuning monoT5")
    from transformers import DataCollatorForSeq2Seq, Trainer, TrainingArguments

    def dataset(data: TrainingPrompts) -> list[dict[str, list[int]]]:
        labels = {relevant: checkpoint.prompts.target(relevant) for relevant in (False, True)}
        return [
            {"input_ids": list(prompt), "attention_mask": [1] * len(prompt), "labels": labels[relevant]}
            for prompt, relevant in zip(*data)
        ]

    checkpoint.prepare_for_training(training)
    network = checkpoint.network
    arguments = training.arguments(
        str(state.folder),
        num_examples=len(examples.prompts),
        validate=valid is not None,
        device=network.device.type,
        verbose=verbose,
    )
    run_trainer(
        Trainer,
        state,
        model=network,
        args=TrainingArguments(**arguments),
        train_dataset=dataset(examples),
        eval_dataset=None if valid is None else dataset(valid),
        data_collator=DataCollatorForSeq2Seq(checkpoint.tokenizer, model=network),
        compute_loss_func=_loss,
    )


def _loss(outputs: Any, labels: Any, num_items_in_batch: Any = None) -> Any:
    return mean_cross_entropy(outputs.logits, labels, num_items_in_batch)
