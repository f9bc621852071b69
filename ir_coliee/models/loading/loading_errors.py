"""Errors of loading checkpoints, with the next step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ir_coliee.errors import ColieeError, MissingExtraError, printable, printable_list
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
    >>> with explained("no-such-model"):
    ...     raise OSError("not found")
    Traceback (most recent call last):
        ...
    ir_coliee.errors.ColieeError: The model no-such-model cannot be loaded: not found
    """
    _check_safetensors(name)
    try:
        yield
    except ColieeError:
        raise
    except Exception as error:  # libraries for weights, tokenizers, devices and downloads raise errors of any type
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        if isinstance(error, ImportError) and "bitsandbytes" in str(error):
            raise MissingExtraError("Quantisation", "quantise") from error
        if "couldn't connect to" in reason and not Path(name).exists():
            raise _not_found(name, what) from error
        raise ColieeError(f"{what} {printable(name)} cannot be loaded: {reason}{_next_step(str(error))}") from error


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
    folder = Path(name)
    if folder.is_dir() and (files := pickled_weights(folder)):
        raise ColieeError(
            f"The weights of {printable(name)} are not in safetensors.\n"
            f"They are pickled: {printable_list([str(path.relative_to(folder)) for path in files])}. {_CONVERSION}"
        )
