"""Errors of loading checkpoints, with the next step."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, MissingExtraError, printable, printable_list, reason_of
from ir_coliee.models.loading.checkpoint_identity import check_folder
from ir_coliee.models.loading.conversion import pickled_weights


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
    MissingExtraError
        If bitsandbytes is needed and not installed.

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
        if isinstance(error, ImportError) and "bitsandbytes" in str(error):
            raise MissingExtraError("Quantisation", "quantise") from error
        reason = reason_of(error)
        if "couldn't connect to" in reason and not Path(name).exists():
            raise _not_found(name, what) from error
        raise ColieeError(
            f"{what} {printable(name, 50)} cannot be loaded.\nThe reason: {reason}{_next_step(str(error))}"
        ) from error


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


def _not_found(name: str, what: str) -> ColieeError:
    from huggingface_hub.constants import HF_HUB_OFFLINE

    why = "is not asked, because HF_HUB_OFFLINE is set" if HF_HUB_OFFLINE else "cannot be reached"
    return ColieeError(
        f"{what} {printable(name, 50)} is neither a folder nor in the local cache.\n"
        f"The hub of Hugging Face {why}. Correct the name, or download the model when the hub can be reached."
    )


def _next_step(message: str) -> str:
    if "trust_remote_code" in message:
        return "\nIt brings Python code of its own. Read it, then give LoadOptions(allow_remote_code=True)."
    if "safetensors" in message and "does not appear to have a file" in message:
        return f"\nIts weights are not in safetensors. {_CONVERSION}"
    return ""


_CONVERSION = "Convert them: ir_coliee.models.convert_checkpoint(model, folder)."


def _check_safetensors(name: str) -> None:
    """Raise `ColieeError` for a folder whose weights are pickled only, because unpickling can run code."""
    if not os.path.isdir(name):
        return
    folder = Path(name)
    check_folder(folder)
    if files := pickled_weights(folder):
        raise ColieeError(
            f"The weights of {printable(name, 50)} are not in safetensors.\n"
            f"They are pickled: {printable_list([str(path.relative_to(folder)) for path in files])}. {_CONVERSION}"
        )
