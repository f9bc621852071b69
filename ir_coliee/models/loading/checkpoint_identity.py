"""What identifies the weights of a checkpoint: the hash of its folder, or its name and revision."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from ir_coliee.errors import ColieeError, printable

# each checkpoint and adapter has one; the last is Mistral's own, which vLLM reads
_DESCRIPTIONS = ("config.json", "modules.json", "adapter_config.json", "params.json")
_BLOCK = 2**20  # the number of bytes read at a time

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
    return _files_hash(folder, "*")


def weights_hash(folder: Path) -> str:
    """Return a hash of the files of weights of a folder, without those of the tokenizer and of settings."""
    return _files_hash(folder, "*.safetensors")


def _files_hash(folder: Path, pattern: str) -> str:
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
    identity = checkpoint_identity(name, revision)
    if identity is None:
        download()
        identity = checkpoint_identity(name, revision)
    return identity or [name]


def requested_identity(name: str) -> str:
    """Return the hash of the files of a folder, or the name of a published checkpoint, which may not be there yet."""
    return folder_hash(Path(name)) if os.path.isdir(name) else str(name)


@lru_cache(maxsize=64)
def _hash(folder: Path, signature: _Signature) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name, size, _ in signature:
        digest.update(f"{name}\0{size}\0".encode(errors="surrogateescape"))
        with (folder / name).open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()
