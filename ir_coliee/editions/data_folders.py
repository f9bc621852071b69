"""The data folders, in which local releases and a user's own editions are searched."""

from __future__ import annotations

import os
from pathlib import Path

from ir_coliee.errors import ColieeError


def data_folders() -> list[Path]:
    """Return the folders below which local releases are searched, in order.

    Returns
    -------
    list of pathlib.Path
        The folders in ``$COLIEE_HOME``, joined there by the system's path separator; else ``$IR_DATASETS_HOME/coliee``,
        else ``~/.ir_datasets/coliee``. They need not exist.

    Raises
    ------
    ColieeError
        If a folder begins with ``~`` and the home folder of that user is unknown.
    """
    named = [folder for folder in os.environ.get("COLIEE_HOME", "").split(os.pathsep) if folder.strip()]
    if named:
        try:
            return [Path(folder.strip()).expanduser() for folder in named]
        except RuntimeError as error:
            raise ColieeError(f"COLIEE_HOME={os.environ['COLIEE_HOME']!r}: {error}") from None
    return [ir_datasets_folder()]


def ir_datasets_folder() -> Path:
    """Return our folder in the folder of ir_datasets; neither needs to exist, and none is created."""
    home = os.environ.get("IR_DATASETS_HOME")
    return (Path(home) if home else Path.home() / ".ir_datasets") / "coliee"
