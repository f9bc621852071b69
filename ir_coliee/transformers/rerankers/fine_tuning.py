"""Fine-tuning of cross-encoders. It needs the extra ``neural``."""

from __future__ import annotations

from typing import Any, NamedTuple

from ir_coliee.models.training.trainer import run_trainer
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.models.training.training_state import TrainingState
from ir_coliee.transformers.rerankers.losses import LOSSES, TrainingColumns
from ir_coliee.transformers.rerankers.text_beginnings import beginnings


class TrainingData(NamedTuple):
    """A cross-encoder and what it is trained with.

    Attributes
    ----------
    encoder : sentence_transformers.CrossEncoder
        The model.
    loss : str
        The name of the loss function.
    examples : dict of str to list
        The training data in the form that the loss expects, see `training_columns`.
    valid : dict of str to list, optional
        Validation data. With them, the weights of the epoch with the lowest validation loss are used, otherwise those
        of the last epoch.
    """

    encoder: Any
    loss: str
    examples: TrainingColumns
    valid: TrainingColumns | None


def fine_tune(data: TrainingData, training: TrainingOptions, state: TrainingState, *, verbose: bool) -> None:
    """Fine-tune a cross-encoder in place.

    Parameters
    ----------
    data : TrainingData
        The model and its data.
    training : TrainingOptions
        The options of the training.
    state : TrainingState
        The state of the training.
    verbose : bool
        Whether to show progress bars.

    Raises
    ------
    ColieeError
        If the training diverges, if memory runs out, or if its state cannot be stored.
    """
    from datasets import Dataset
    from sentence_transformers.base.training_args import BatchSamplers
    from sentence_transformers.cross_encoder import CrossEncoderTrainer, CrossEncoderTrainingArguments, losses

    encoder, loss, examples, valid = data
    device = encoder.device
    arguments = training.arguments(
        str(state.folder),
        num_examples=len(next(iter(examples.values()))),
        validate=valid is not None,
        device=device.type,
        verbose=verbose,
    )
    # or a text could be its own negative
    sampler = BatchSamplers.NO_DUPLICATES if loss == "contrastive" else BatchSamplers.BATCH_SAMPLER

    def dataset(columns: TrainingColumns) -> Any:
        if loss == "cross-entropy":
            columns = {**columns, "label": [int(label) for label in columns["label"]]}
        return Dataset.from_dict({name: beginnings(encoder, values) for name, values in columns.items()})

    run_trainer(
        CrossEncoderTrainer,
        state,
        model=encoder,
        args=CrossEncoderTrainingArguments(**arguments, batch_sampler=sampler),
        train_dataset=dataset(examples),
        eval_dataset=None if valid is None else dataset(valid),
        loss=getattr(losses, LOSSES[loss].class_name)(encoder),
    )
    encoder.to(device)
