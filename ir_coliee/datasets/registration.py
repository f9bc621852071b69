"""Lazy registration of all ids with ir_datasets, without opening files or importing readers."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:  # as ir_datasets does when it is imported, where an error would end the import
    _home = Path(os.environ.get("IR_DATASETS_HOME") or Path.home() / ".ir_datasets")
    if not _home.exists():
        _home.mkdir(parents=True, exist_ok=True)
except (OSError, RuntimeError) as error:
    _temporary_home = tempfile.TemporaryDirectory(prefix="ir_datasets-")
    os.environ["IR_DATASETS_HOME"] = _temporary_home.name
    sys.stderr.write(f"warning: no folder for ir_datasets ({error}): nothing is cached. Set IR_DATASETS_HOME to one.\n")

import ir_datasets
from ir_datasets.datasets.base import Dataset

#: The file of ids that ``python -m ir_coliee.editions`` writes. It is read here, because importing that package would
#: take longer than the rest of the import.
_IDS = Path(__file__).parents[1] / "etc" / "editions" / "ids.txt"


class LazyDataset(Dataset):
    """A dataset that is built when it is first used.

    About 770 datasets are registered when the package is imported. To keep this fast, the modules that read files are
    only imported when a dataset is used.

    Parameters
    ----------
    dataset_id : str
        The id of the dataset.
    """

    def __init__(self, dataset_id: str) -> None:
        super().__init__()
        self._constituents: list[object] = []
        self._id = dataset_id

    def _build(self) -> list[object]:
        if not self._constituents:
            from ir_coliee.datasets.handlers import components

            self._constituents = components(self._id)
        return self._constituents

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            self._build()
        return super().__getattr__(name)

    def __reduce__(self) -> tuple[type[LazyDataset], tuple[str]]:  # rebuilt in the other process
        return LazyDataset, (self._id,)

    def metadata(self) -> Any:
        """Return the official counts.

        ir_datasets checks for this method in all registered datasets.

        Returns
        -------
        dict
            The number of items of each entity, if known.
        """
        return self._build()[0].metadata()  # type: ignore[attr-defined]


def register() -> None:
    """Register the ids of all editions with ir_datasets. Calling it again changes nothing.

    The ids of the built-in editions are registered individually. Views with all fields (``…/full``), the ids above
    those of splits, such as ``coliee/task1``, and the user's own editions are registered by a pattern: they are not
    listed, and the user's files are not opened before such an id is requested.
    """
    ids = _IDS.read_text(encoding="ascii").split()
    if ids[0] in ir_datasets.registry:
        return
    for dataset_id in ids:
        ir_datasets.registry.register(dataset_id, LazyDataset(dataset_id))
    ir_datasets.registry.register_pattern(r"coliee(?:/.*)?$", _unlisted_dataset)


def _unlisted_dataset(dataset_id: str, _groups: Sequence[str]) -> LazyDataset:
    """Return the dataset of an id that is not listed. Raises `UnknownIdError` if no edition has the id."""
    from ir_coliee.editions import split_behind, splits_below, unknown_id

    if split_behind(dataset_id) is None and not splits_below(dataset_id):
        raise unknown_id(dataset_id)
    return LazyDataset(dataset_id)
