"""Loading checkpoints: options, what identifies a checkpoint, errors with the next step."""

from __future__ import annotations

import hashlib
import os
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ir_coliee.errors import ColieeError, printable, printable_list, reason_of
from ir_coliee.frames import one_of
from ir_coliee.models.tokenizers import dictionary_keywords

# How the weights of a model are loaded: number format, device, quantisation, attention, revision.


Dtype = Literal["float32", "bfloat16", "float16"]
_DTYPES = ("float32", "bfloat16", "float16")
_QUANTISATIONS = ("8bit", "4bit")
_ATTENTIONS = ("eager", "sdpa", "flash_attention_2")

# layers that are not quantised: outputs, and layers that are new in a checkpoint without a classification layer
_HEADS = ["lm_head", "embed_out", "classifier", "classification_head", "score", "pooler"]


@dataclass(frozen=True)
class LoadOptions:
    """Options for loading the weights of a checkpoint, for all classes that load one.

    Weights are read from safetensors files only.

    Parameters
    ----------
    dtype : {"float32", "bfloat16", "float16"}, optional
        Number format of the weights. By default that of the checkpoint for language models and embedders, and float32
        for models that are fine-tuned whole, because small updates are lost in half precision.
    device : str, optional
        Name of the torch device. By default a GPU if one is available, otherwise the CPU.
    device_map : str, optional
        Distribution of the layers over several devices, such as ``"auto"``, as defined by the accelerate library. It
        takes the place of ``device``.
    quantise : {"8bit", "4bit"}, optional
        Quantisation of the weights by bitsandbytes (only on Linux): about a quarter or an eighth of the memory
        of float32. A quantised model is fine-tuned with an adapter only.
    attention : {"eager", "sdpa", "flash_attention_2"}, optional
        Implementation of attention. By default the fastest one that torch has for the model.
    revision : str, optional
        Branch, tag or commit of a published checkpoint. By default its main branch.
    allow_remote_code : bool
        Run Python code that comes with the checkpoint. Read the code first.

    Examples
    --------
    >>> LoadOptions(dtype="bfloat16", device="cuda:1")
    LoadOptions(dtype='bfloat16', device='cuda:1')
    """

    dtype: Dtype | None = None
    device: str | None = None
    device_map: str | None = None
    quantise: Literal["8bit", "4bit"] | None = None
    attention: Literal["eager", "sdpa", "flash_attention_2"] | None = None
    revision: str | None = None
    allow_remote_code: bool = False

    def __post_init__(self) -> None:
        one_of("dtype", self.dtype, (*_DTYPES, None))
        one_of("quantise", self.quantise, (*_QUANTISATIONS, None))
        one_of("attention", self.attention, (*_ATTENTIONS, None))
        one_of("allow_remote_code", self.allow_remote_code, (True, False))  # "no" would allow it
        if self.device is not None and self.device_map is not None:
            raise ValueError("device and device_map exclude each other; give one of them.")

    def __repr__(self) -> str:
        changed = [field for field in fields(self) if getattr(self, field.name) != field.default]
        return f"LoadOptions({', '.join(f'{field.name}={getattr(self, field.name)!r}' for field in changed)})"

    @property
    def identity(self) -> dict[str, str]:
        """The options that change what a model computes, for the keys of stored replies and scores."""
        settings = {name: getattr(self, name) for name in ("revision", "dtype", "quantise")}
        return {name: value for name, value in settings.items() if value is not None}

    def source(self) -> dict[str, Any]:
        """Return keyword arguments of ``from_pretrained`` for a configuration."""
        revision = {} if self.revision is None else {"revision": self.revision}
        return {"trust_remote_code": self.allow_remote_code, **revision}

    def tokenizer_keywords(self, name: str) -> dict[str, Any]:
        """Return keyword arguments of ``from_pretrained`` for the tokenizer of a checkpoint."""
        source = self.source()
        return {**source, **dictionary_keywords(name, **source)}

    def keywords(self, default_dtype: Dtype | None = None) -> dict[str, Any]:
        """Return keyword arguments of ``from_pretrained`` for the weights of a model.

        Parameters
        ----------
        default_dtype : str, optional
            The number format if ``dtype`` is not given. By default that of the checkpoint.
        """
        import torch

        dtype = self.dtype or default_dtype
        options = {
            "dtype": "auto" if dtype is None else getattr(torch, dtype),
            "attn_implementation": self.attention,
            "device_map": self.device_map,
            "quantization_config": self._quantisation(),
        }
        if self.quantise is not None and self.device_map is None:  # quantised weights cannot be moved afterwards
            options["device_map"] = {"": self.device or best_device()}
        given = {name: value for name, value in options.items() if value is not None}
        return {"use_safetensors": True, **self.source(), **given}

    def encoder_keywords(self, name: str, default_dtype: Dtype | None = None) -> dict[str, Any]:
        """Return keyword arguments for a checkpoint of sentence-transformers. See `keywords`."""
        source = self.source()
        on_device = self.device_map is None and self.quantise is None
        return {
            **source,
            "processor_kwargs": dictionary_keywords(name, **source),
            "device": self.device or best_device() if on_device else None,
            "model_kwargs": self.keywords(default_dtype),
        }

    def place(self, network: Any) -> Any:
        """Move a loaded network to the device, unless its layers were distributed while it was loaded."""
        if self.device_map is not None or self.quantise is not None:
            return network
        return network.to(self.device or best_device())

    def _quantisation(self) -> Any:
        if self.quantise is None:
            return None
        import torch
        from transformers import BitsAndBytesConfig

        if self.quantise == "8bit":
            return BitsAndBytesConfig(load_in_8bit=True, llm_int8_skip_modules=_HEADS)
        return BitsAndBytesConfig(
            load_in_4bit=True,
            llm_int8_skip_modules=_HEADS,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=getattr(torch, self.dtype or "bfloat16"),
        )


def best_device() -> str:
    """Return the name of a GPU if one is available, otherwise that of the CPU."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


# What identifies the weights of a checkpoint: the hash of its folder, or its name and revision.


# each checkpoint and adapter has one; the last is Mistral's own, which vLLM reads
_DESCRIPTIONS = ("config.json", "modules.json", "adapter_config.json", "params.json")
_READ_BYTES = 2**20  # the number of bytes read at a time

_Signature = tuple[tuple[str, int, int], ...]


def check_folder(folder: Path) -> None:
    """Raise `ColieeError` if a folder is not that of a checkpoint or of an adapter."""
    if not any(os.path.isfile(folder / name) for name in _DESCRIPTIONS):
        raise ColieeError(
            f"{printable(str(folder), 60)} is not the folder of a checkpoint.\n"
            f"It has none of the files {', '.join(_DESCRIPTIONS)}. Give another folder."
        )


def folder_hash(folder: Path) -> str:
    """Return a hash of all files of a checkpoint's folder. It is computed again only when a file has changed.

    Raises
    ------
    ColieeError
        If the folder is not that of a checkpoint or of an adapter.
    """
    check_folder(folder)
    return files_hash(folder, "*")


def files_hash(folder: Path, pattern: str) -> str:
    """Return a hash of the files of a folder and its subfolders whose names match a pattern."""
    files = sorted(path for path in folder.rglob(pattern) if path.is_file())
    signature = [(path, path.stat()) for path in files]
    return _hash(folder, tuple((str(path.relative_to(folder)), at.st_size, at.st_mtime_ns) for path, at in signature))


def checkpoint_identity(name: str, revision: str | None = None) -> list[str] | None:
    """Return the strings that identify the weights of a checkpoint.

    Parameters
    ----------
    name : str
        The Hugging Face name or the folder of a checkpoint.
    revision : str, optional
        The branch, tag or commit of a name.

    Returns
    -------
    list of str or None
        The hash of the files of a folder, or the name and the commit that is in the cache of Hugging Face; None if the
        checkpoint is in neither.
    """
    if os.path.isdir(name):
        return [folder_hash(Path(name))]
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        config = try_to_load_from_cache(name, "config.json", revision=revision)
    except HFValidationError:
        return None
    return [name, Path(config).parent.name] if isinstance(config, str) else None


def weights_identity(name: str, revision: str | None, download: Callable[[], object]) -> list[str]:
    """Return the strings that identify the weights of a checkpoint, which ``download`` fetches if it is in no cache."""
    if checkpoint_identity(name, revision) is None:
        download()
    return checkpoint_identity(name, revision) or [name]


def requested_identity(name: str) -> str:
    """Return the hash of the files of a folder, or the name of a published checkpoint, which may not be there yet."""
    return folder_hash(Path(name)) if os.path.isdir(name) else str(name)


@lru_cache(maxsize=64)
def _hash(folder: Path, signature: _Signature) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name, size, _ in signature:
        digest.update(f"{name}\0{size}\0".encode(errors="surrogateescape"))
        with (folder / name).open("rb") as file:
            while block := file.read(_READ_BYTES):
                digest.update(block)
    return digest.hexdigest()


# What the loading of cross-encoders and of embedders has in common.


def token_limit(encoder: Any, max_tokens: int | None) -> int | None:
    """Return the largest number of tokens that an encoder of sentence-transformers reads, None if it has no limit.

    Parameters
    ----------
    encoder : sentence_transformers.SentenceTransformer or sentence_transformers.CrossEncoder
        The loaded model.
    max_tokens : int or None
        A smaller limit, if wanted.
    """
    limits = (max_tokens, encoder.max_seq_length, _position_limit(encoder))
    return min((limit for limit in limits if limit is not None), default=None)


def _position_limit(encoder: Any) -> int | None:
    """Return the number of tokens for which the model has position embeddings, None if it has no such table.

    Models like RoBERTa start positions after the padding index, so that only 512 of 514 positions can be used.
    """
    tables = (module for name, module in encoder.named_modules() if name.endswith("embeddings.position_embeddings"))
    table = next((table for table in tables if hasattr(table, "num_embeddings")), None)
    return None if table is None else table.num_embeddings - (0 if table.padding_idx is None else table.padding_idx + 1)


@contextmanager
def fixed_seed(seed: int) -> Iterator[None]:
    """Seed the random numbers of Python, numpy and torch, and restore their states afterwards."""
    import torch
    from transformers import set_seed

    states = random.getstate(), np.random.get_state()
    with torch.random.fork_rng(range(torch.cuda.device_count())):
        try:
            set_seed(seed)
            yield
        finally:
            random.setstate(states[0])
            np.random.set_state(states[1])


@contextmanager
def without_progress_bars(*, reports: bool = True) -> Iterator[None]:
    """Hide the progress bars of loading and writing weights.

    With ``reports=False``, the messages about newly initialised weights are hidden as well. Use it where new weights
    are intended.
    """
    from transformers.utils import logging

    bars_were_shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    if not reports:
        logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars_were_shown:
            logging.enable_progress_bar()


# Errors of loading checkpoints, with the next step.


@contextmanager
def explained(name: str, what: str = "The model") -> Iterator[None]:
    """Turn any error of loading a checkpoint into a `ColieeError` with its cause and the next step.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint.
    what : str
        What is loaded, for the message.

    Raises
    ------
    ColieeError
        If the checkpoint cannot be loaded.

    Examples
    --------
    >>> with explained("no-such-model"):  # doctest: +ELLIPSIS
    ...     raise OSError("not found")
    Traceback (most recent call last):
        ...
    ir_coliee.errors.ColieeError: The model no-such-model cannot be loaded.
    The reason: ...
    """
    _check_safetensors(name)
    try:
        yield
    except ColieeError:
        raise
    except Exception as error:  # libraries for weights, tokenizers, devices and downloads raise errors of any type
        reason, step = reason_of(error), _next_step(str(error))
        raise ColieeError(f"{what} {printable(name, 50)} cannot be loaded.\nThe reason: {reason}{step}") from error


def check_weights(name: str, network: Any) -> None:
    """Raise `ColieeError` if a checkpoint lacks weights of its network; they would be random.

    Layers on top of the network, and the pooling of BERT, may be new in a checkpoint that is fine-tuned. Weights that
    are computed, or that code of the checkpoint loads, are not checked.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint, for messages.
    network : transformers.PreTrainedModel, optional
        The network that was loaded, or None for a model without one, such as one of static embeddings.
    """
    if network is None or getattr(network, "hf_quantizer", None) is not None or hasattr(network, "peft_config"):
        return  # the last two get their weights after loading
    if network.is_custom_code():
        return
    may_lack = re.compile("|".join(["pooler", *(network._keys_to_ignore_on_load_missing or [])]))
    missing = [
        f"{place}.{key}"
        for place, layer in network.base_model.named_modules()
        if "Sinusoidal" not in type(layer).__name__
        for key, weights in layer.named_parameters(recurse=False)
        # weights that are kept on the disk lose the mark of those that were read
        if not (hasattr(weights, "_is_hf_initialized") or weights.is_meta or may_lack.search(f"{place}.{key}"))
    ]
    if missing:
        raise ColieeError(
            f"The checkpoint {printable(name, 50)} lacks weights of its model.\nIt has no {printable(missing[0])} for "
            f"{type(network).__name__}. It is incomplete, or its config.json is that of another model."
        )


def check_head(name: str, network: Any) -> None:
    """Raise `ColieeError` if a checkpoint lacks its classification layer, whose scores would be random.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint, for messages.
    network : transformers.PreTrainedModel
        The network that was loaded, and not trained afterwards. One with an adapter has the layer from there.
    """
    if hasattr(network, "peft_config") or network.is_custom_code():
        return
    of_base = {id(weights) for weights in network.base_model.parameters()}
    if new := [
        key
        for key, weights in network.named_parameters()
        if id(weights) not in of_base and not (hasattr(weights, "_is_hf_initialized") or weights.is_meta)
    ]:
        raise ColieeError(
            f"The checkpoint {printable(name, 50)} has no trained classification layer.\n"
            f"Its {printable(new[0])} would be random. Fine-tune it with fit, or give a form of it that has the layer: "
            "another name, or another LoadOptions(revision=...).\nA causal language model that was trained to answer "
            'yes or no, such as Qwen3-Reranker, is used by CandidateEntailment(LocalModel(...), "qwen3-reranker.en").'
        )


def _next_step(message: str) -> str:
    if "couldn't connect to" in message:
        return (
            "\nIt is neither a folder nor in the local cache. Correct the name, or download it when there is a network."
        )
    if "CUDA enabled" in message or "device string" in message:
        return "\nGive another device, or none for a GPU or the CPU."
    if "trust_remote_code" in message:
        return "\nIt brings Python code of its own. Read it, then give LoadOptions(allow_remote_code=True)."
    if "safetensors" in message and "does not appear to have a file" in message:
        return f"\nIts weights are not in safetensors. {_CONVERSION}"
    return ""


_CONVERSION = "Save them as safetensors, as the page Use neural models shows."
_PICKLED = ("pytorch_model*.bin", "adapter_model*.bin")


def _check_safetensors(name: str) -> None:
    """Raise `ColieeError` for a folder whose weights are pickled only, because unpickling can run code."""
    if not os.path.isdir(name):
        return
    folder = Path(name)
    check_folder(folder)
    found = sorted(path for pattern in _PICKLED for path in folder.rglob(pattern))
    if files := [str(path.relative_to(folder)) for path in found if not any(path.parent.glob("*.safetensors"))]:
        raise ColieeError(
            f"The weights of {printable(name, 50)} are not in safetensors.\n"
            f"They are pickled: {printable_list(files)}. {_CONVERSION}"
        )
