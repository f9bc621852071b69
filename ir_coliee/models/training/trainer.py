"""Running a trainer of transformers or sentence-transformers: resumed, without texts on disk, with errors that help."""

from __future__ import annotations

import time
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.models.loading.encoders import without_progress_bars
from ir_coliee.models.training.adapters import has_adapter, load_adapter_weights
from ir_coliee.models.training.training_state import TrainingState, stored_in
from ir_coliee.progress import steps

_SECONDS_BETWEEN_CHECKPOINTS = 600.0


def run_trainer(kind: type, state: TrainingState, **arguments: Any) -> Any:
    """Train a model in place, from the last checkpoint of the state if it has one.

    Parameters
    ----------
    kind : type
        ``transformers.Trainer`` or a subclass, such as ``CrossEncoderTrainer``.
    state : TrainingState
        The state of the training. The output folder of the trainer's arguments must be its folder.
    **arguments
        Arguments of the trainer.

    Returns
    -------
    transformers.Trainer

    Raises
    ------
    ColieeError
        If the training diverges, if memory runs out, or if a checkpoint cannot be written.
    """
    from transformers.trainer_callback import PrinterCallback

    checkpoint = state.begin()
    # not with the bars and figures of transformers
    verbose, arguments["args"].disable_tqdm = not arguments["args"].disable_tqdm, True
    trainer = _class(kind)(**arguments)
    trainer.remove_callback(PrinterCallback)
    if trainer.args.save_strategy != "no":
        trainer.add_callback(_regular_checkpoints())
    # hides the bars of writing checkpoints; and that the batch size differs from that of the checkpoint
    with ExitStack() as shown, warnings.catch_warnings(), without_progress_bars(reports=checkpoint is None):
        if verbose:
            trainer.add_callback(_progress(shown))
        # sentence-transformers has the old name only
        warnings.filterwarnings("ignore", ".*gradient_checkpointing_enable", FutureWarning)
        trainer.train(resume_from_checkpoint=checkpoint)
    _check_weights(trainer.model)
    return trainer


def check_training_packages(what: str) -> None:
    """Raise `MissingExtraError` if the packages that trainers need are not installed; ``what`` begins its message."""
    try:
        import accelerate  # noqa: F401
        import datasets  # noqa: F401
    except ImportError:
        raise MissingExtraError(what, "neural") from None


def mean_cross_entropy(logits: Any, labels: Any, num_items_in_batch: Any = None) -> Any:
    """Return the mean cross-entropy of labelled tokens, over all batches whose gradients are added up.

    The trainer adds up the losses of these batches as if each were a share of all, which T5's own loss is not.

    Parameters
    ----------
    logits : torch.Tensor of shape (n_texts, n_tokens, n_vocabulary)
        The logits.
    labels : torch.Tensor of shape (n_texts, n_tokens)
        The ids of the tokens; -100 for those that are not learned.
    num_items_in_batch : torch.Tensor or int, optional
        The number of labelled tokens of all these batches. By default that of this batch, as in a validation.
    """
    from torch.nn.functional import cross_entropy

    labels = labels.to(logits.device).flatten()
    if num_items_in_batch is None:
        return cross_entropy(logits.flatten(0, 1).float(), labels)
    return cross_entropy(logits.flatten(0, 1).float(), labels, reduction="sum") / num_items_in_batch


def _class(base: type) -> Any:
    class Trainer(base):
        def add_model_card_callback(self, _: object) -> None:
            """Do nothing: the model card of sentence-transformers would quote texts."""

        def training_step(self, *args: Any, **kwargs: Any) -> Any:
            import torch

            try:
                loss = super().training_step(*args, **kwargs)
            except torch.OutOfMemoryError as error:
                raise ColieeError(
                    f"Memory ran out in training with batch_size={self.args.per_device_train_batch_size}.\n"
                    "Use a smaller batch_size with accumulate, checkpointing=True, precision='bfloat16', an adapter, "
                    "or fewer max_tokens."
                ) from error
            if not torch.isfinite(loss):
                raise _diverged(f"the loss of step {self.state.global_step + 1} is not a number")
            return loss

        def _save_checkpoint(self, *args: Any, **kwargs: Any) -> None:
            _check_weights(self.model)
            with stored_in(Path(self.args.output_dir)):
                super()._save_checkpoint(*args, **kwargs)

        def _load_from_checkpoint(self, folder: str, *args: Any) -> None:
            network = getattr(self.model, "transformers_model", self.model)
            if has_adapter(network):  # the trainers would load the base again
                load_adapter_weights(network, folder)
            else:
                super()._load_from_checkpoint(folder, *args)

        def _issue_warnings_after_load(self, load_result: Any) -> None:
            tied = getattr(self.model, "all_tied_weights_keys", None) or ()  # missing in every checkpoint
            missing = [name for name in load_result.missing_keys if name not in tied]
            super()._issue_warnings_after_load(load_result._replace(missing_keys=missing))

        def _load_best_model(self) -> None:
            # the trainer's own logs an error instead of raising it, and fails when the folder was moved
            self._load_from_checkpoint(f"{self.args.output_dir}/checkpoint-{self.state.best_global_step}")

    return Trainer


def _progress(shown: ExitStack) -> Any:
    """Return a callback that shows the steps of a training until ``shown`` is closed, and where it continues."""
    from transformers import TrainerCallback

    class Progress(TrainerCallback):
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: object) -> None:
            done, total = state.global_step, state.max_steps
            description = f"training, continued at step {done + 1} of {total}" if done else "training"
            self._advance = shown.enter_context(steps(description, total=total, done=done, unit="steps"))

        def on_step_end(self, args: Any, state: Any, control: Any, **_: object) -> None:
            self._advance()

    return Progress()


def _regular_checkpoints() -> Any:
    """Return a callback that stores a checkpoint every ten minutes, besides those of each epoch."""
    from transformers import TrainerCallback

    class RegularCheckpoints(TrainerCallback):
        def __init__(self) -> None:
            self._last = time.monotonic()

        def on_step_end(self, args: Any, state: Any, control: Any, **_: object) -> None:
            # not after the last step of an epoch, or a training that continues there would skip its validation
            ends_epoch = state.global_step % (state.max_steps // args.num_train_epochs) == 0
            if time.monotonic() - self._last >= _SECONDS_BETWEEN_CHECKPOINTS and not ends_epoch:
                control.should_save = True
                self._last = time.monotonic()

    return RegularCheckpoints()


def _check_weights(model: Any) -> None:
    import torch

    if not all(torch.isfinite(weights).all() for weights in model.parameters() if weights.requires_grad):
        raise _diverged("a weight is not a number")


def _diverged(how: str) -> ColieeError:
    return ColieeError(
        f"The training diverged: {how}.\n"
        "Its model is not used. Use a lower learning rate, or precision='bfloat16' instead of 'float16'."
    )
