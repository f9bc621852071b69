"""Registers all ids with ir_datasets, lazily: no file is opened here, and no reader imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ir_datasets
from ir_datasets.datasets.base import Dataset

from ir_coliee.editions import COLLECTIONS, SPLITS, unknown_id
from ir_coliee.editions.index import indexed_ids


class LazyDataset(Dataset):
    """A dataset that is built when it is first used.

    Some 1,500 datasets are registered whenever the package is imported. The modules that read files, and with them
    everything that they import, are therefore imported when one of the datasets is used.

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
            from ir_coliee.datasets.entities import components

            self._constituents = components(self._id)
        return self._constituents

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            self._build()
        return super().__getattr__(name)

    def __reduce__(self) -> tuple[type[LazyDataset], tuple[str]]:  # another process builds it again
        return LazyDataset, (self._id,)

    def metadata(self) -> Any:
        """Return the official counts.

        The registry of ir_datasets asks every dataset whether it has this method.

        Returns
        -------
        dict
            The number of items of each entity, as far as known.
        """
        return self._build()[0].metadata()  # type: ignore[attr-defined]


def register() -> None:
    """Register the ids of all editions with ir_datasets. Calling it again changes nothing.

    The ids of this package's editions are registered one by one, those of a user's own editions by a pattern, so that
    no file of the user's is opened before one of them is asked for.
    """
    ids = indexed_ids()
    if ids[0] in ir_datasets.registry:
        return
    for dataset_id in ids:
        ir_datasets.registry.register(dataset_id, LazyDataset(dataset_id))
    ir_datasets.registry.register_pattern(r"coliee(?:/.*)?$", _of_a_user)


def _of_a_user(dataset_id: str, _groups: Sequence[str]) -> LazyDataset:
    """The dataset of an id that only a user's edition can have. Raises `UnknownIdError`."""
    split_id, collection = dataset_id.removesuffix("/full"), dataset_id.removesuffix("/deleted")
    if split_id in SPLITS or collection in COLLECTIONS:
        return LazyDataset(dataset_id)
    raise unknown_id(dataset_id)
