"""Saving fine-tuned models in folders of the user."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ir_coliee.frames import new_folder
from ir_coliee.models.loading.checkpoint_identity import weights_hash
from ir_coliee.storage import unfinished_folder


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
            weights = weights_hash(beside / path.name)
        if weights != weights_hash(path):
            new_folder(folder)
    return os.fspath(folder)
