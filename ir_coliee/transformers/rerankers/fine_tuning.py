"""Fine-tuning of cross-encoders. It needs the extra ``neural``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ir_coliee.arrays import Integers
from ir_coliee.errors import MissingExtraError
from ir_coliee.models.encoders import without_progress_bars
from ir_coliee.models.training_options import TrainingOptions


class TrainingPairs(NamedTuple):
    """Pairs of texts with their labels.

    Attributes
    ----------
    pairs : list of tuple of str
        The texts that the model reads together.
    labels : numpy.ndarray of int64
        The label of each pair.
    """

    pairs: list[tuple[str, str]]
    labels: Integers


def fine_tune(
    encoder: Any,
    examples: TrainingPairs,
    valid: TrainingPairs | None,
    training: TrainingOptions,
    folder: str,
    *,
    verbose: bool,
) -> None:
    """Fine-tune a cross-encoder in place.

    Parameters
    ----------
    encoder : sentence_transformers.CrossEncoder
        The model. One with a single label is trained by binary cross-entropy, others by cross-entropy.
    examples : TrainingPairs
        The training data.
    valid : TrainingPairs or None
        Validation data. With them, the weights of the epoch with the lowest validation loss are used, otherwise those
        of the last epoch.
    training : TrainingOptions
        The options of the training.
    folder : str
        A folder for the trainer's files.
    verbose : bool
        Whether to show progress bars.

    Raises
    ------
    MissingExtraError
        If accelerate or datasets is not installed.
    """
    try:
        import accelerate  # noqa: F401
        from datasets import Dataset
    except ImportError:
        raise MissingExtraError("Fine-tuning a cross-encoder", "neural") from None
    from sentence_transformers.cross_encoder import CrossEncoderTrainer, CrossEncoderTrainingArguments
    from sentence_transformers.cross_encoder.losses import BinaryCrossEntropyLoss, CrossEntropyLoss
    from transformers.trainer_callback import PrinterCallback

    def dataset(data: TrainingPairs) -> Any:
        first, second = zip(*data.pairs)
        labels = data.labels if encoder.num_labels > 1 else data.labels.astype(np.float64)
        return Dataset.from_dict({"first": first, "second": second, "label": labels})

    loss = BinaryCrossEntropyLoss if encoder.num_labels == 1 else CrossEntropyLoss
    device = encoder.device
    trainer = CrossEncoderTrainer(
        model=encoder,
        args=CrossEncoderTrainingArguments(
            **training.arguments(
                f"{folder}/trainer",
                num_examples=len(examples.pairs),
                validate=valid is not None,
                device=device.type,
                verbose=verbose,
            )
        ),
        train_dataset=dataset(examples),
        eval_dataset=None if valid is None else dataset(valid),
        loss=loss(encoder),
    )
    trainer.remove_callback(PrinterCallback)
    with without_progress_bars():  # of writing the weights of each epoch
        trainer.train()
    encoder.to(device)
