"""The state of a training in a folder, so that a training that was interrupted continues where it was.

The folder holds the settings and a hash of the examples (``training.json``), the trainer's checkpoints until the
training has ended, and the fitted model (``model``) from then on. It never holds a text.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, ExistingFileError, printable, reason_of
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.storage import lock_folder

_SETTINGS = "training.json"
_MODEL = "model"
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
        self._settings = dict(settings or {})
        self._is_temporary = settings is None
        self.model = str(folder / _MODEL)

    @property
    def has_ended(self) -> bool:
        """Whether the fitted model is in the folder."""
        return Path(self.model).exists()

    def begin(self) -> str | None:
        """Store the settings, and return the folder of the last complete checkpoint, None if there is none.

        Incomplete checkpoints are deleted.
        """
        with stored_in(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            if not (settings := self.folder / _SETTINGS).exists():
                settings.write_text(json.dumps(self._settings, indent=1) + "\n", encoding="utf-8")
        complete = []
        for path in self.folder.glob("checkpoint-*"):
            try:
                json.loads((path / _TRAINER_STATE).read_bytes())
            except (OSError, ValueError):  # the process ended while it wrote this one
                shutil.rmtree(path)
            else:
                complete.append(path)
        return str(max(complete, key=lambda path: int(path.name.split("-")[1]))) if complete else None

    def kept(self) -> str:
        """Return the folder of the fitted model; out of a temporary state, it is moved to where it stays until exit."""
        if self._is_temporary:
            self.model = shutil.move(self.model, tempfile.mkdtemp(dir=_kept_until_exit().name))
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
        The training and validation data: lists, tuples and mappings of values whose repr has their content. Only a
        hash of them is stored.
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
            yield TrainingState(Path(temporary))
        return
    folder = Path(training.folder).absolute()
    # memory only: gradient checkpointing does not change the weights
    options = {name: value for name, value in asdict(training).items() if name not in ("folder", "checkpointing")}
    expected = json.loads(json.dumps({**options, **settings, "examples": _hash(examples)}))
    state = TrainingState(folder, expected)
    with stored_in(folder):
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
    lock = None if state.has_ended else _lock(folder)
    try:
        with stored_in(folder):
            _check_settings(folder, expected, batches_matter=batches_matter)
        yield state
    finally:
        if lock is not None:
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """Lock a folder for this training. When its process is killed, the system releases the lock."""
    try:
        return lock_folder(folder)
    except BlockingIOError:
        raise ColieeError(
            f"Another training is running in {printable(str(folder))}.\nWait for its end, or give another folder."
        ) from None


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
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ExistingFileError(f"{folder} exists and holds no training. Give the name of a new folder.")
        return
    stored = json.loads(path.read_bytes())
    if not batches_matter:
        stored, expected = _with_product(stored), _with_product(expected)
    changed = [name for name in expected if stored.get(name) != expected[name]]
    if "model" in changed and "examples" in changed:
        changed.remove("examples")  # the same texts have other tokens with another tokenizer
    if changed:
        differences = [
            f"its {name} {'are others' if name == 'examples' else 'is another one'}"
            if name in ("examples", "model")  # known by their hash
            else f"{name} was {stored.get(name)!r} and is {expected[name]!r} now"
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

    def update(value: object) -> None:  # step by step, because the repr of all texts would take gigabytes
        if isinstance(value, Mapping):
            value = list(value.items())
        if isinstance(value, (list, tuple)):
            digest.update(f"{type(value).__name__} of {len(value)}\n".encode())
            for each in value:
                update(each)
        else:
            digest.update(f"{value!r}\n".encode(errors="surrogateescape"))

    update(examples)
    return digest.hexdigest()
