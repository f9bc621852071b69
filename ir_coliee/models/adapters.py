"""Options of fine-tuning, low-rank adapters (LoRA), and the saving of fine-tuned models."""

from __future__ import annotations

import copy
import json
import math
import os
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ir_measures.measures import Measure

from ir_coliee.errors import ColieeError, ColieeWarning, printable
from ir_coliee.frames import check_number, instance_of, integer_at_least, new_folder, one_of, shown
from ir_coliee.measures import ColieeMeasure
from ir_coliee.models.loading import LoadOptions, checkpoint_identity, explained, files_hash, without_progress_bars
from ir_coliee.storage import unfinished_folder

# Options of fine-tuning, the same for every model that is trained.


_LOGS = 20  # the number of times that the loss is shown in a training
_OWN_ARGUMENTS = frozenset(
    {"output_dir", "num_train_epochs", "learning_rate", "per_device_train_batch_size", "gradient_accumulation_steps"}
    | {"bf16", "fp16", "seed", "resume_from_checkpoint", "disable_tqdm"}
)
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
    adapter : peft.LoraConfig, optional
        Train a low-rank adapter, and keep the weights of the checkpoint as they are. Without ``target_modules``, all
        linear layers but the last get one. The task type and the layers on top of the model are set here.
    arguments : mapping, optional
        Further arguments of ``transformers.TrainingArguments``, such as ``{"weight_decay": 0.01, "lr_scheduler_type":
        "cosine"}`` or ``{"report_to": "tensorboard"}``; values that JSON can represent. Those that another parameter
        sets are refused.
    callbacks : sequence of transformers.TrainerCallback
        Callbacks of the trainer, such as ``EarlyStoppingCallback``. They do not count as settings of a training in a
        folder.
    measure : ir_measures.Measure or callable, optional
        How a reranker is measured after each epoch on the validation data, where the highest value selects the model: a
        measure of rankings such as ``R@5``, or a function of a ranking and its qrels, such as one that returns the
        micro F1 after the best cut-off. By default the validation loss selects.
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
    adapter: Any = field(default=None, hash=False)
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)
    callbacks: Sequence[Any] = ()
    measure: Any = None
    folder: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        for name, minimum in (("epochs", 1), ("batch_size", 1), ("accumulate", 1), ("seed", 0)):
            integer_at_least(name, getattr(self, name), minimum)
        check_number("learning_rate", self.learning_rate, "a finite number > 0", lambda rate: 0 < rate < math.inf)
        one_of("precision", self.precision, ("float32", "bfloat16", "float16"))
        if self.adapter is not None:
            _check_adapter(self.adapter)
        if self.measure is not None:
            _check_measure(self.measure)
        if own := sorted(_OWN_ARGUMENTS.intersection(self.arguments)):
            raise ValueError(f"arguments must not contain {own[0]!r}, which another parameter of TrainingOptions sets.")

    @property
    def measure_name(self) -> str:
        """The name of the measure that selects the model, or that of the validation loss."""
        if self.measure is None:
            return "loss"
        return str(self.measure) if isinstance(self.measure, Measure) else str(self.measure.__name__)

    def of_trainer(
        self, output_dir: str, *, num_examples: int, validate: bool = False, device: str = "cpu"
    ) -> dict[str, Any]:
        """Return the keyword arguments of ``transformers.TrainingArguments`` and its subclasses.

        Parameters
        ----------
        output_dir : str
            A folder for the trainer's files.
        num_examples : int
            The number of training examples.
        validate : bool
            Whether there are validation data. With them, the weights of the epoch with the best measure or the lowest
            validation loss are used, otherwise those of the last epoch.
        device : str
            The type of the model's device, such as ``cpu`` or ``cuda``.

        Returns
        -------
        dict

        Examples
        --------
        >>> TrainingOptions(batch_size=4, accumulate=2).of_trainer("folder", num_examples=80)["warmup_steps"]
        3
        """
        batches = math.ceil(num_examples / (self.batch_size * num_processes()))
        steps = self.epochs * math.ceil(batches / self.accumulate)
        return {
            "output_dir": output_dir,
            "num_train_epochs": self.epochs,
            "learning_rate": self.learning_rate,
            "warmup_steps": round(_WARM_UP * steps),
            "per_device_train_batch_size": self.batch_size,
            "per_device_eval_batch_size": self.batch_size,
            "gradient_accumulation_steps": self.accumulate,
            "gradient_checkpointing": self.checkpointing,
            "gradient_checkpointing_kwargs": {"use_reentrant": False},
            "bf16": self.precision == "bfloat16",
            "fp16": self.precision == "float16",
            "seed": self.seed,
            "use_cpu": device == "cpu",
            "eval_strategy": "epoch" if validate else "no",
            "save_strategy": "epoch" if validate or self.folder is not None else "no",
            "save_total_limit": 1,
            "load_best_model_at_end": validate,
            "metric_for_best_model": f"eval_{self.measure_name}" if validate else None,
            "greater_is_better": self.measure is not None if validate else None,
            "restore_callback_states_from_checkpoint": bool(self.callbacks),  # such as the patience of early stopping
            "logging_strategy": "steps",
            "logging_steps": max(1, steps // _LOGS),
            "report_to": "none",
            "ddp_find_unused_parameters": False,  # the search does not see what sentence-transformers' models return
            "disable_tqdm": True,  # not with the bars and figures of transformers
            **self.arguments,
        }


def num_processes() -> int:
    """Return the number of processes that train together, as started by ``torchrun`` or ``accelerate launch``."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def _check_adapter(adapter: object) -> None:
    from peft import LoraConfig

    bias = instance_of("adapter", adapter, LoraConfig, "a peft.LoraConfig").bias  # type: ignore[attr-defined]
    one_of("adapter.bias", bias, ("none",))  # others change weights of the base, which are not saved


def _check_measure(measure: object) -> None:
    if not (isinstance(measure, Measure) or callable(measure)):
        raise TypeError(f"measure must be a measure of ir_measures or a function, got {shown(measure)}.")
    if isinstance(measure, ColieeMeasure) and measure.num_evaluated is None:
        raise ValueError(
            f"measure={measure} needs a cut-off, or it is the same for all rankings of the candidates.\n"
            f"Give {measure}@1, or a function of a ranking and its qrels that cuts the ranking."
        )


# Low-rank adapters of loaded networks: adding, saving without the base weights, and loading beside the same base.


_BASE = "base_model.json"
_CONFIG = "adapter_config.json"
_WEIGHTS = "adapter_model.safetensors"
_NAME = "default"  # of the only adapter, in the names of weights
_PREFIX = "base_model.model."  # of the names in files of peft


@dataclass(frozen=True)
class BaseModel:
    """The base model of an adapter, as it was when the adapter was trained.

    Parameters
    ----------
    name : str
        The Hugging Face name or the folder of the checkpoint.
    identity : list of str
        What `checkpoint_identity` returned: the hash of the folder, or the name and the commit.
    seed : int
        The seed of weights that the checkpoint lacks.
    labels : dict of str to str, optional
        The labels of its classification layer by their number, if it has one.
    """

    name: str
    identity: list[str]
    seed: int = 0
    labels: dict[str, str] | None = None

    def options(self, load: LoadOptions) -> LoadOptions:
        """Return the options that load this very base model: those given, with the commit of a published one."""
        is_published = len(self.identity) > 1
        return replace(load, revision=self.identity[1]) if is_published else load


def base_model(name: str, load: LoadOptions, **settings: Any) -> BaseModel:
    """Return the description of a base model that has been loaded."""
    name = str(Path(name).absolute()) if os.path.isdir(name) else name
    return BaseModel(name, checkpoint_identity(name, load.revision) or [], **settings)


def is_adapter(name: str) -> bool:
    """Return whether ``name`` is the folder of an adapter that was saved here."""
    return os.path.isfile(os.path.join(name, _BASE))


def read_base_model(folder: str, name: str | None = None) -> BaseModel:
    """Return the base model of the adapter in a folder.

    Parameters
    ----------
    folder : str
        The folder of an adapter that was saved here.
    name : str, optional
        The base model that is to be used. By default the one that the adapter was trained with, where it was then.

    Raises
    ------
    ColieeError
        If the base model is missing, or if it is not the one that the adapter was trained with.
    """
    path = Path(folder) / _BASE
    with explained(folder, "The adapter"):
        stored = BaseModel(**json.loads(path.read_bytes()))
    is_folder = len(stored.identity) == 1
    base = replace(stored, name=name or stored.name)
    if is_folder and not os.path.isdir(base.name):
        raise ColieeError(
            f"The base model of the adapter {printable(folder, 50)} is missing.\n"
            f"It is {base.name}. Put it there, or change its name in {path}."
        )
    if checkpoint_identity(base.name) != base.identity if is_folder else base.name != stored.name:
        raise ColieeError(
            f"The adapter {printable(folder, 50)} was trained with another base model.\n"
            f"It was trained with {stored.name}, whose files have changed if {base.name} is the same."
        )
    return base


def base_of_foreign_adapter(folder: str, name: str, load: LoadOptions) -> BaseModel:
    """Return the base model that an adapter of another library is to be used with.

    Warns
    -----
    ColieeWarning
        If the adapter was trained for a checkpoint of another name.
    """
    with explained(folder, "The adapter"):
        config = json.loads((Path(folder) / _CONFIG).read_bytes())
    trained_for = str(config.get("base_model_name_or_path") or "")
    if Path(trained_for).name != Path(name).name:
        names = f"{printable(trained_for)} and is used with {printable(name)}"
        warnings.warn(f"The adapter {printable(folder)} was trained for {names}.", ColieeWarning, stacklevel=2)
    return base_model(name, load)


def prepare_for_training(network: Any, training: TrainingOptions, load: LoadOptions, base: BaseModel) -> None:
    """Add the adapter of a training to a network that has been loaded; a network that has one is trained on with it.

    Raises
    ------
    ColieeError
        If the weights as they were loaded cannot be trained with these options.
    """
    if training.adapter is None:
        _check_trained_whole(network, load)
        return
    if load.dtype not in (None, "float32") and training.precision != load.dtype:
        raise ColieeError(
            f"An adapter of a model in {load.dtype} cannot be trained in {training.precision}.\n"
            f"Give TrainingOptions(precision={load.dtype!r}), or load the model in float32."
        )
    if not has_adapter(network):
        _add_adapter(network, training.adapter, base)
    for weights in network.parameters():
        if weights.requires_grad:  # small updates are lost in half precision
            weights.data = weights.data.float()


def _check_trained_whole(network: Any, load: LoadOptions) -> None:
    if has_adapter(network):
        raise ColieeError(
            "A model with an adapter is trained further with the adapter only.\nGive TrainingOptions(adapter=...)."
        )
    if load.quantise is not None or load.dtype not in (None, "float32"):
        raise ColieeError(
            f"Weights in {load.quantise or load.dtype} are trained with an adapter only: small updates are lost.\n"
            "Give TrainingOptions(adapter=peft.LoraConfig()), or load in float32, with precision='bfloat16'."
        )


def _add_adapter(network: Any, lora: Any, base: BaseModel) -> None:
    """Add a new adapter. The layers on top of the base model are trained whole, because they may be new."""
    config = copy.deepcopy(lora)
    config.target_modules = config.target_modules or "all-linear"
    if network.can_generate():
        config.task_type = "SEQ_2_SEQ_LM" if network.config.is_encoder_decoder else "CAUSAL_LM"
    elif layers := _layers_on_top(network):
        config.task_type = "SEQ_CLS"
        config.modules_to_save = layers
        config.exclude_modules = rf"^({'|'.join(map(re.escape, layers))})(\..*)?$"
    else:
        config.task_type = "FEATURE_EXTRACTION"
    network.add_adapter(config)
    network.base_of_adapter = base


def _layers_on_top(network: Any) -> list[str]:
    """Return the names of the layers that classify; an encoder of texts is a base model without them."""
    if not hasattr(network, network.base_model_prefix):
        return []
    return [
        name
        for name, layer in network.named_children()
        if name != network.base_model_prefix and any(True for _ in layer.parameters())
    ]


def has_adapter(network: Any) -> bool:
    """Return whether an adapter has been added to a network."""
    return hasattr(network, "base_of_adapter")


def save_network(network: Any, tokenizer: Any, folder: str) -> None:
    """Write the weights of a network, or only those of its adapter, and a tokenizer to a folder."""
    with without_progress_bars():
        network.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    if has_adapter(network):
        base = json.dumps(asdict(network.base_of_adapter), indent=1)
        (Path(folder) / _BASE).write_text(f"{base}\n", encoding="utf-8")


def save_encoder(encoder: Any, folder: str) -> str:
    """Write the weights of a model of sentence-transformers, or only those of its adapter, and its tokenizer.

    There is no model card, which would quote training texts. The folder is returned.
    """
    if has_adapter(encoder.transformers_model):
        save_network(encoder.transformers_model, encoder.tokenizer, folder)
    else:
        with without_progress_bars():
            encoder.save_pretrained(folder, create_model_card=False)
    return folder


def load_adapter(network: Any, folder: str, base: BaseModel) -> None:
    """Add the adapter in a folder to the network of its base model.

    Raises
    ------
    ColieeError
        If the folder holds no adapter, or one of a model with other layers.
    """
    with explained(folder, "The adapter"):
        from peft import PeftConfig

        config = PeftConfig.from_pretrained(folder)
        config.inference_mode = False  # it can be trained further
        network.add_adapter(config)
        load_adapter_weights(network, folder)
    network.base_of_adapter = base
    network.eval()


def load_adapter_weights(network: Any, folder: str) -> None:
    """Set the weights of a network's adapter to those in a folder.

    Raises
    ------
    ColieeError
        If the folder holds an adapter of other layers.
    """
    from peft import set_peft_model_state_dict
    from safetensors.torch import load_file

    stored = load_file(Path(folder) / _WEIGHTS)
    result = set_peft_model_state_dict(network, {name.removeprefix(_PREFIX): each for name, each in stored.items()})
    of_adapter = [name for name in result.missing_keys if f".{_NAME}." in name]  # the others are of the base
    if different := [*result.unexpected_keys, *of_adapter]:
        raise ColieeError(f"The adapter in {printable(folder)} does not fit the model: {different[0]}.")


# Saving fine-tuned models in folders of the user.


def save_model(write: Callable[[str], object], folder: str | os.PathLike[str]) -> str:
    """Write a model to a new folder; a folder with the same weights is left as it is, so that a script can be repeated.

    Parameters
    ----------
    write : callable
        Function that writes the model to the folder of the given name, which does not exist.
    folder : str or path
        The folder of the user.

    Returns
    -------
    str
        The folder.

    Raises
    ------
    ExistingFileError
        If the folder exists and has other weights.
    """
    path = Path(folder)
    if not path.is_dir():
        write(new_folder(folder))
    else:
        with unfinished_folder(path.absolute().parent) as beside:
            write(str(beside / path.name))
            weights = files_hash(beside / path.name, "*.safetensors")
        if weights != files_hash(path, "*.safetensors"):
            new_folder(folder)
    return os.fspath(folder)
