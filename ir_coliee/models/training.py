"""Running the libraries' trainers in a folder from which a training that was interrupted continues.

The folder holds the settings and a hash of the examples (``training.json``), the trainer's checkpoints until the
training has ended, and the fitted model (``model``) from then on. It never holds a text.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.errors import ColieeError, ExistingFileError, printable, reason_of
from ir_coliee.models.adapters import TrainingOptions, has_adapter, load_adapter_weights, num_processes
from ir_coliee.models.loading import fixed_seed, without_progress_bars
from ir_coliee.progress import steps
from ir_coliee.storage import lock_folder

# The state of a training in a folder, so that a training that was interrupted continues where it was.


_SETTINGS = "training.json"
_MODEL = "model"
# the options that decide the weights; gradient checkpointing, for example, only saves memory
_DECIDING = ("epochs", "learning_rate", "batch_size", "accumulate", "precision", "seed")
_TRAINER_STATE = "trainer_state.json"  # the last file of a checkpoint that the trainer writes


class TrainingState:
    """The state of a training. Use `open_training_state`.

    Parameters
    ----------
    folder : pathlib.Path
        The folder of the state.
    settings : mapping of str to object, optional
        What the training is identified by; None for a temporary folder.

    Attributes
    ----------
    model : str
        The folder of the fitted model, which exists when the training has ended.
    """

    def __init__(self, folder: Path, settings: Mapping[str, object] | None = None) -> None:
        self.folder = folder
        self._settings = settings
        self.model = str(folder / _MODEL)

    @property
    def has_ended(self) -> bool:
        """Whether the fitted model is in the folder."""
        return Path(self.model).exists()

    def begin(self) -> str | None:
        """Store the settings, and return the folder of the last complete checkpoint, None if there is none.

        Incomplete checkpoints are deleted.
        """
        if _is_first_process():
            with stored_in(self.folder):
                if not (settings := self.folder / _SETTINGS).exists():
                    settings.write_text(json.dumps(self._settings or {}, indent=1) + "\n", encoding="utf-8")
            for path in self.folder.glob("checkpoint-*"):
                try:
                    json.loads((path / _TRAINER_STATE).read_bytes())
                except (OSError, ValueError):  # the process ended while it wrote this one
                    shutil.rmtree(path)
        _of_first_process("ready")
        complete = list(self.folder.glob("checkpoint-*"))
        return str(max(complete, key=lambda path: int(path.name.split("-")[1]))) if complete else None

    def kept(self) -> str:
        """Return the folder of the fitted model; out of a temporary state, it is moved to where it stays until exit."""
        if self._settings is None:
            kept = tempfile.mkdtemp(dir=_kept_until_exit().name)
            self.model = _of_first_process(shutil.move(self.model, kept) if _is_first_process() else "")
        return self.model

    def end(self, save: Callable[[str], object]) -> None:
        """Write the fitted model by ``save``, a function of a folder, and delete the trainer's checkpoints."""
        unfinished = Path(f"{self.model}.unfinished")
        with stored_in(self.folder):
            shutil.rmtree(unfinished, ignore_errors=True)
            save(str(unfinished))
            unfinished.replace(self.model)
            for path in self.folder.glob("checkpoint-*"):
                shutil.rmtree(path)


@cache
def _kept_until_exit() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fitted-models-")


@contextmanager
def open_training_state(
    training: TrainingOptions, settings: Mapping[str, object], examples: object, *, batches_matter: bool = False
) -> Iterator[TrainingState]:
    """Open the folder of a training, or a temporary one that is deleted afterwards.

    Parameters
    ----------
    training : TrainingOptions
        The options, with the folder.
    settings : mapping of str to object
        What the result depends on besides the options, such as the model and the loss; values that JSON can represent.
    examples : object
        The training and validation data; values that JSON can represent. Only a hash of them is stored.
    batches_matter : bool
        Whether the loss compares the examples of a batch. Otherwise, a training continues with a smaller ``batch_size``
        if ``accumulate`` is larger by the same factor.

    Yields
    ------
    TrainingState

    Raises
    ------
    ColieeError
        If the folder belongs to a training with other settings or examples, if another process trains there (where
        folders can be locked, which is not so on Windows), or if it cannot be written.
    ExistingFileError
        If the folder holds something else.

    Examples
    --------
    >>> with open_training_state(TrainingOptions(), {"model": "a-model"}, [("query", "text", 1)]) as state:
    ...     state.has_ended
    False
    """
    if training.folder is None:
        with tempfile.TemporaryDirectory(prefix="training-") as temporary:
            yield TrainingState(Path(_of_first_process(temporary)))
            _of_first_process("loaded")
        return
    folder = Path(training.folder).absolute()
    options = {name: getattr(training, name) for name in _DECIDING}
    options["adapter"] = None if training.adapter is None else training.adapter.to_dict()
    if training.arguments:
        options["arguments"] = training.arguments
    of_measure = {} if training.measure is None else {"measure": training.measure_name}
    all_settings = {**options, **of_measure, **settings, "examples": _hash(examples)}
    expected = json.loads(json.dumps(all_settings, default=lambda value: sorted(map(str, value))))
    state = TrainingState(folder, expected)
    with stored_in(folder):
        folder.mkdir(parents=True, exist_ok=True)
    try:  # when this process is killed, the system releases the lock
        lock = None if state.has_ended or not _is_first_process() else lock_folder(folder)
    except BlockingIOError:
        raise ColieeError(
            f"Another training is running in {printable(str(folder))}.\nWait for its end, or give another folder."
        ) from None
    try:
        if _is_first_process():
            with stored_in(folder):
                _check_settings(folder, expected, batches_matter=batches_matter)
        yield state
    finally:
        if lock is not None:
            os.close(lock)


def _is_first_process() -> bool:
    """Return whether this is the first of the processes of a training, which share its folder, or the only one."""
    return os.environ.get("RANK", "0") == "0"


def _of_first_process(value: str) -> str:
    """Wait for all processes of a training, and return the value of the first one."""
    if num_processes() > 1:
        from accelerate import PartialState
        from accelerate.utils import broadcast_object_list

        PartialState()  # connects them
        (value,) = broadcast_object_list([value])
    return value


@contextmanager
def stored_in(folder: Path) -> Iterator[None]:
    """Turn errors of writing into a `ColieeError` that names the folder."""
    try:
        yield
    except ColieeError:
        raise
    except Exception as error:  # torch and safetensors raise errors of their own when the disk is full
        reason = getattr(error, "strerror", None) or reason_of(error)
        raise ColieeError(
            f"The training cannot be stored in {printable(str(folder), 60)}.\n"
            f"The reason: {reason}. What was stored before is unchanged.\n"
            "Free space there, or give another folder, and call fit again."
        ) from error


def _check_settings(folder: Path, expected: dict[str, Any], *, batches_matter: bool) -> None:
    """Raise an error if the folder holds anything but this training."""
    path = folder / _SETTINGS
    if not path.exists():
        if any(folder.iterdir()):
            raise ExistingFileError(f"{folder} exists and holds no training. Give the name of a new folder.")
        return
    stored = json.loads(path.read_bytes())
    if not batches_matter:
        stored, expected = _with_product(stored), _with_product(expected)
    changed = [name for name in {**expected, **stored} if stored.get(name) != expected.get(name)]
    if changed:
        differences = [
            f"its {name} changed"
            if name in ("examples", "model")  # known by their hash
            else f"{name} was {stored.get(name)!r} and is {expected.get(name)!r} now"
            for name in changed
        ]
        raise ColieeError(
            f"{folder} belongs to another training.\nThere {'; '.join(differences)}. "
            "Give another folder, or call fit with the examples and settings of that training to continue it."
        )


def _with_product(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with the number of examples of a step in place of the sizes of its batches."""
    others = {name: value for name, value in settings.items() if name not in ("batch_size", "accumulate")}
    return {**others, "batch_size * accumulate": settings["batch_size"] * settings["accumulate"]}


def _hash(examples: object) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for piece in json.JSONEncoder().iterencode(examples):  # the JSON of all texts would take gigabytes
        digest.update(piece.encode())
    return digest.hexdigest()


# Running a trainer of transformers or sentence-transformers: resumed, without texts on disk, with errors that help.


_SECONDS_BETWEEN_CHECKPOINTS = 600.0
_SECONDS_WITHOUT_LOSSES = 30.0  # a training that takes longer shows its losses in any case


class TrainingJob(NamedTuple):
    """A model that is trained in place, and what it is trained with.

    Attributes
    ----------
    trainer, arguments : type
        ``transformers.Trainer`` or a subclass, such as ``CrossEncoderTrainer``, and the class of its arguments.
    model : torch.nn.Module
        The model, on its device.
    examples, valid : object
        The data sets of the trainer. With validation data, the weights of the epoch with the best measure or the lowest
        validation loss are used, otherwise those of the last epoch.
    save : callable
        Writes the model to a folder.
    of_arguments, of_trainer : dict
        Further arguments of both classes.
    measured : callable, optional
        Returns the value of the measure of `TrainingOptions` for the model as it is.
    """

    trainer: Any
    arguments: Any
    model: Any
    examples: Any
    valid: Any
    save: Callable[[str], object]
    of_arguments: Mapping[str, Any] = {}
    of_trainer: Mapping[str, Any] = {}
    measured: Callable[[], float] | None = None


@contextmanager
def train(
    training: TrainingOptions,
    settings: Mapping[str, object],
    data: object,
    prepare: Callable[[], TrainingJob],
    *,
    batches_matter: bool = False,
    verbose: bool = False,
) -> Iterator[TrainingState]:
    """Train a model in the folder of a training, from its last checkpoint if it has one, or find the fitted model.

    Parameters
    ----------
    training, settings, data, batches_matter
        As in `open_training_state`; ``data`` are its examples.
    prepare : callable
        Loads the model. It is not called if the training has ended.
    verbose : bool
        Whether to show the progress and the losses from the start. Losses are shown in any case after half a minute.

    Yields
    ------
    TrainingState
        The state, with the fitted model. Random numbers are seeded meanwhile.

    Raises
    ------
    ColieeError
        If the training diverges, if memory runs out, or if a checkpoint cannot be written.
    """
    opened = open_training_state(training, settings, data, batches_matter=batches_matter)
    with fixed_seed(training.seed), opened as state:
        if not state.has_ended:
            job = prepare()
            _run(job, training, state, verbose=verbose)
            if _is_first_process():
                state.end(job.save)
            _of_first_process("stored")
        yield state


def _run(job: TrainingJob, training: TrainingOptions, state: TrainingState, *, verbose: bool) -> None:
    from transformers.trainer_callback import PrinterCallback

    arguments = training.of_trainer(
        str(state.folder), num_examples=len(job.examples), validate=job.valid is not None, device=job.model.device.type
    )
    if training.measure is not None and (job.valid is None or job.measured is None):
        raise ColieeError(
            f"measure={training.measure_name} needs validation data with a ranking.\n"
            "Give them to fit of PairScorer or MonoT5, or leave measure out."
        )
    checkpoint = state.begin()
    # hides the bars of writing checkpoints; and that the batch size differs from that of the checkpoint
    with ExitStack() as shown, warnings.catch_warnings(), without_progress_bars(reports=False):
        warnings.filterwarnings("ignore", ".*gradient_checkpointing", FutureWarning)  # the old name, for all versions
        trainer = _class(job, training.measure_name)(
            model=job.model,
            args=job.arguments(**{**arguments, **job.of_arguments}),
            train_dataset=job.examples,
            eval_dataset=job.valid,
            callbacks=[*training.callbacks, _callback(shown, verbose=verbose)],
            **job.of_trainer,
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train(resume_from_checkpoint=checkpoint)
    _check_weights(trainer.model)


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


def _class(job: TrainingJob, measure: str) -> Any:
    class Trainer(job.trainer):  # type: ignore[name-defined]
        def evaluation_loop(self, *args: Any, **kwargs: Any) -> Any:
            output = super().evaluation_loop(*args, **kwargs)  # which leaves the model in the state of evaluation
            if measure != "loss":
                output.metrics[f"eval_{measure}"] = job.measured()  # type: ignore[misc]
            return output

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
            _check_finite([loss], f"the loss of step {self.state.global_step + 1}")
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

        def _load_best_model(self) -> None:
            # the trainer's own logs an error instead of raising it, and fails when the folder was moved
            self._load_from_checkpoint(f"{self.args.output_dir}/checkpoint-{self.state.best_global_step}")

    return Trainer


def _callback(shown: ExitStack, *, verbose: bool) -> Any:
    """Return a callback that shows steps and losses until ``shown`` is closed, and stores regular checkpoints."""
    from tqdm.auto import tqdm
    from transformers import TrainerCallback

    class Callback(TrainerCallback):
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: object) -> None:
            self._start = self._stored = time.monotonic()
            done, total = state.global_step, state.max_steps
            description = f"training, continued at step {done + 1} of {total}" if done else "training"
            self._advance = shown.enter_context(
                steps(description, total=total, done=done, unit="steps", verbose=verbose)
            )

        def on_step_end(self, args: Any, state: Any, control: Any, **_: object) -> None:
            self._advance()
            # besides those of each epoch, after whose last step the validation would be skipped when it is continued
            is_due = time.monotonic() - self._stored >= _SECONDS_BETWEEN_CHECKPOINTS
            ends_epoch = state.global_step % (state.max_steps // args.num_train_epochs) == 0
            if is_due and not ends_epoch and args.save_strategy != "no" and num_processes() == 1:  # whose clocks differ
                control.should_save = True
                self._stored = time.monotonic()

        def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, float], **_: object) -> None:
            is_long = time.monotonic() - self._start > _SECONDS_WITHOUT_LOSSES
            if not (state.is_world_process_zero and (verbose or is_long)):
                return
            names = {"loss": "loss", "eval_loss": "validation loss"}
            names[args.metric_for_best_model] = f"validation {str(args.metric_for_best_model).removeprefix('eval_')}"
            for key, name in names.items():
                if key in logs:
                    step = f"step {state.global_step} of {state.max_steps}"
                    tqdm.write(f"{step}: {name} {logs[key]:.4g}", file=sys.stderr)

    return Callback()


def _check_weights(model: Any) -> None:
    _check_finite((weights for weights in model.parameters() if weights.requires_grad), "a weight")


def _check_finite(tensors: Iterable[Any], what: str) -> None:
    import torch

    if not all(torch.isfinite(each).all() for each in tensors):
        raise ColieeError(
            f"The training diverged: {what} is not a number.\n"
            "Its model is not used. Use a lower learning rate, or precision='bfloat16' instead of 'float16'."
        )
