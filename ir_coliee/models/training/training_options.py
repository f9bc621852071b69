"""Options of fine-tuning, the same for every model that is trained."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any

from ir_coliee.errors import ColieeError
from ir_coliee.frames import check_number, instance_of, integer_at_least, one_of
from ir_coliee.models.training.lora import LoRA

_WARM_UP = 0.1  # the share of the training steps in which the learning rate increases (warm-up)


@dataclass(frozen=True)
class TrainingOptions:
    """Options of fine-tuning, for every class with ``fit``.

    Parameters
    ----------
    epochs : int
        The number of training epochs, >= 1.
    learning_rate : float
        The highest learning rate, which is reached after a tenth of the training steps and falls to 0 at the end.
    batch_size : int
        The number of examples that are in memory together, >= 1. For a loss on groups, an example is a query with its
        candidates.
    accumulate : int
        The number of batches whose gradients are added up before the weights are changed, >= 1. Use it where a larger
        batch does not fit into memory.
    checkpointing : bool
        Whether to compute the activations of the layers again instead of storing them (gradient checkpointing). It
        needs about a third more time and a fraction of the memory.
    precision : {"float32", "bfloat16", "float16"}
        The precision of the computation. The weights that are trained and the optimiser's state are always stored in
        32 bits (mixed precision).
    seed : int
        The seed of the training, >= 0.
    adapter : LoRA, optional
        Train a low-rank adapter, and keep the weights of the checkpoint as they are.
    folder : str or path, optional
        A folder that stores the state of the training, so that `fit` called again after an interruption continues, and
        gives the same model as a training that was not interrupted. By default, nothing is stored.

    Notes
    -----
    The defaults were chosen for this package.

    Examples
    --------
    >>> TrainingOptions(epochs=1, batch_size=2, accumulate=8).batch_size
    2
    """

    epochs: int = 3
    learning_rate: float = 2e-5
    batch_size: int = 16
    accumulate: int = 1
    checkpointing: bool = False
    precision: str = "float32"
    seed: int = 0
    adapter: LoRA | None = None
    folder: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        for name, minimum in (("epochs", 1), ("batch_size", 1), ("accumulate", 1), ("seed", 0)):
            integer_at_least(name, getattr(self, name), minimum)
        check_number("learning_rate", self.learning_rate, "a finite number > 0", lambda rate: 0 < rate < math.inf)
        one_of("precision", self.precision, ("float32", "bfloat16", "float16"))
        if self.adapter is not None:
            instance_of("adapter", self.adapter, LoRA, "a LoRA")
        if self.folder is not None:
            os.fspath(self.folder)

    def arguments(
        self,
        output_dir: str,
        *,
        num_examples: int,
        validate: bool = False,
        device: str = "cpu",
        verbose: bool = False,
    ) -> dict[str, Any]:
        """Return the keyword arguments of ``transformers.TrainingArguments`` and its subclasses.

        Parameters
        ----------
        output_dir : str
            A folder for the trainer's files.
        num_examples : int
            The number of training examples.
        validate : bool
            Whether there are validation data. With them, the weights of the epoch with the lowest validation loss are
            used, otherwise those of the last epoch.
        device : str
            The type of the model's device, such as ``cpu`` or ``cuda``.
        verbose : bool
            Whether to show progress bars.

        Returns
        -------
        dict

        Raises
        ------
        ColieeError
            For float16 on a CPU.

        Examples
        --------
        >>> TrainingOptions(batch_size=4, accumulate=2).arguments("folder", num_examples=80)["warmup_steps"]
        3
        """
        if self.precision == "float16" and device == "cpu":
            raise ColieeError("precision='float16' needs a GPU.\nUse 'bfloat16' or 'float32'.")
        steps = self.epochs * math.ceil(math.ceil(num_examples / self.batch_size) / self.accumulate)
        return {
            "output_dir": output_dir,
            "num_train_epochs": self.epochs,
            "learning_rate": self.learning_rate,
            "warmup_steps": round(_WARM_UP * steps),
            "per_device_train_batch_size": self.batch_size,
            "per_device_eval_batch_size": self.batch_size,
            "gradient_accumulation_steps": self.accumulate,
            **(_checkpointing() if self.checkpointing else {}),
            "bf16": self.precision == "bfloat16",
            "fp16": self.precision == "float16",
            "seed": self.seed,
            "use_cpu": device == "cpu",
            "eval_strategy": "epoch" if validate else "no",
            "save_strategy": "epoch" if validate or self.folder is not None else "no",
            "save_total_limit": 1,
            "load_best_model_at_end": validate,
            "metric_for_best_model": "eval_loss" if validate else None,
            "logging_strategy": "no",
            "report_to": "none",
            "disable_tqdm": not verbose,
        }


def _checkpointing() -> dict[str, Any]:
    """Return the arguments of gradient checkpointing, whose names depend on the version of transformers."""
    from transformers import TrainingArguments

    name = "activation_checkpointing"
    if name not in TrainingArguments.__dataclass_fields__:
        name = "gradient_checkpointing"
    return {name: True, f"{name}_kwargs": {"use_reentrant": False}}
