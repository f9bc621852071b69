"""Low-rank adapters of loaded networks: adding, saving without the base weights, and loading beside the same base.

A folder with an adapter has peft's two files, and ``base_model.json``, which tells the base model.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, ColieeWarning, MissingExtraError, printable
from ir_coliee.models.loading.checkpoint_identity import checkpoint_identity
from ir_coliee.models.loading.encoders import without_progress_bars
from ir_coliee.models.loading.load_options import LoadOptions
from ir_coliee.models.loading.loading_errors import explained
from ir_coliee.models.training.lora import LoRA
from ir_coliee.models.training.training_options import TrainingOptions

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
    try:
        stored = BaseModel(**json.loads(path.read_bytes()))
        is_folder = len(stored.identity) == 1
    except (ValueError, TypeError):
        raise ColieeError(f"{printable(str(path), 60)} is damaged.\nSave the adapter again.") from None
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
            "A model with an adapter is trained further with the adapter only.\nGive TrainingOptions(adapter=LoRA())."
        )
    if load.quantise is not None or load.dtype not in (None, "float32"):
        raise ColieeError(
            f"Weights in {load.quantise or load.dtype} are trained with an adapter only: small updates are lost.\n"
            "Give TrainingOptions(adapter=LoRA()), or load in float32 and give TrainingOptions(precision='bfloat16')."
        )


def _add_adapter(network: Any, lora: LoRA, base: BaseModel) -> None:
    """Add a new adapter. The layers on top of the base model are trained whole, because they may be new."""
    writes = network.can_generate()
    config = lora.config(_task_of_language_model(network) if writes else _task_of_encoder(network))
    if not writes and (layers := _layers_on_top(network)):
        config.modules_to_save = layers
        config.exclude_modules = rf"^({'|'.join(map(re.escape, layers))})(\..*)?$"
    try:
        network.add_adapter(config)
    except ValueError as error:  # peft finds no layer with the names of the targets
        raise ColieeError(f"The adapter does not fit the model: {str(error).partition('. ')[0]}.") from error
    network.base_of_adapter = base


def _task_of_encoder(network: Any) -> str:
    return "SEQ_CLS" if hasattr(network, network.base_model_prefix) else "FEATURE_EXTRACTION"


def _task_of_language_model(network: Any) -> str:
    return "SEQ_2_SEQ_LM" if network.config.is_encoder_decoder else "CAUSAL_LM"


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
    MissingExtraError
        If peft is not installed.
    ColieeError
        If the folder holds no adapter, or one of a model with other layers.
    """
    try:
        from peft import PeftConfig
    except ImportError:
        raise MissingExtraError("A low-rank adapter", "neural") from None
    with explained(folder, "The adapter"):
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
