"""Conversion of checkpoints in layouts of earlier years: pickled weights, and the vocabulary of mLUKE."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, MissingExtraError, printable, reason_of
from ir_coliee.frames import new_folder
from ir_coliee.models.loading.japanese_dictionaries import dictionary_keywords
from ir_coliee.models.loading.mluke import ADDED, ENTITIES, VOCABULARY, mluke_tokenizer

PICKLED = ("pytorch_model*.bin", "adapter_model*.bin")
"""Names of files with pickled weights."""


def convert_checkpoint(
    model: str | os.PathLike[str], folder: str | os.PathLike[str], *, revision: str | None = None
) -> str:
    """Write a checkpoint in the layout of today to a new folder: safetensors, and a tokenizer that fits the weights.

    Pickled weights are read without running any code of theirs. A tokenizer of mLUKE or Japanese LUKE is replaced by
    one with the token ids of the weights; it has no entities, so that the model reads texts alone. The tokenizer of a
    Japanese BERT gets the name of its dictionary.

    Parameters
    ----------
    model : str or path
        Name of a published checkpoint, or its folder.
    folder : str or path
        A folder that does not exist yet.
    revision : str, optional
        Branch, tag or commit of a published checkpoint.

    Returns
    -------
    str
        The folder, which can be given in place of the name.

    Raises
    ------
    ExistingFileError
        If the folder exists.
    MissingExtraError
        If the extra ``neural`` is not installed.
    ColieeError
        If the checkpoint is not found, or if its weights are not tensors alone.
    """
    target = Path(new_folder(folder))
    try:
        import safetensors.torch  # noqa: F401
        import sentencepiece  # noqa: F401
        import transformers  # noqa: F401
    except ImportError:
        raise MissingExtraError("The conversion of a checkpoint", "neural") from None
    source = _folder(os.fspath(model), revision)
    partial = target.with_name(f".{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)  # of a call that was killed
    try:
        _convert(source, partial, dictionary_keywords(os.fspath(model), revision=revision))
        partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return str(target)


def _convert(source: Path, target: Path, tokenizer_settings: dict[str, Any]) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*PICKLED, "*.bin.index.json", ".*"))
    for weights in pickled_weights(source):
        _convert_weights(weights, target / weights.relative_to(source).parent)
    if (target / VOCABULARY).is_file() and (target / ENTITIES).is_file():
        _convert_mluke(target)
    if tokenizer_settings:
        file = target / "tokenizer_config.json"
        file.write_text(json.dumps(_read_json(file) | tokenizer_settings, indent=2), encoding="utf-8")


def pickled_weights(folder: Path) -> list[Path]:
    """Return the files with pickled weights that lie in a folder without the same in safetensors."""
    found = sorted(path for pattern in PICKLED for path in folder.rglob(pattern))
    return [path for path in found if not any(path.parent.glob("*.safetensors"))]


def _convert_mluke(folder: Path) -> None:
    tokenizer = mluke_tokenizer(str(folder))
    for name in (VOCABULARY, ENTITIES, ADDED, "special_tokens_map.json", "tokenizer_config.json"):
        (folder / name).unlink(missing_ok=True)
    tokenizer.save_pretrained(folder)


def _folder(model: str, revision: str | None) -> Path:
    if Path(model).is_dir():
        return Path(model)
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, revision=revision, ignore_patterns=["*.h5", "*.msgpack", "*.onnx"]))
    except Exception as error:  # downloads raise errors of any type
        problem = f"The model {printable(model, 50)} cannot be downloaded."
        raise ColieeError(f"{problem}\nThe reason: {reason_of(error)}") from error


def _convert_weights(path: Path, folder: Path) -> None:
    """Write the tensors of a pickled file to a file of safetensors, and the index of a sharded checkpoint."""
    import pickle

    import torch
    from safetensors.torch import save_file

    try:
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError) as error:
        raise ColieeError(
            f"{printable(str(path), 60)} cannot be read as tensors.\n"
            f"The reason: {reason_of(error)}\n"
            "It contains other Python objects, or it is not complete. Use another checkpoint."
        ) from error
    separate = {name: tensor.clone().contiguous() for name, tensor in tensors.items()}  # they may share memory
    save_file(separate, folder / _new_name(path.name), metadata={"format": "pt"})
    index = _read_json(path.with_name("pytorch_model.bin.index.json"))
    if index:
        index["weight_map"] = {name: _new_name(file) for name, file in index["weight_map"].items()}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2), encoding="utf-8")


def _new_name(name: str) -> str:
    return name.replace("pytorch_model", "model").replace(".bin", ".safetensors")


def _read_json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return content
