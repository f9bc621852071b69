"""Registers all ids with ir_datasets, lazily: no file is opened here, and no reader imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ir_datasets
from ir_datasets.datasets.base import Dataset

from ir_coliee.editions import COLLECTIONS, SPLITS, unknown_id
from ir_coliee.editions.index import indexed_ids


class LazyDataset(Dataset):
    """A dataset that is no more than its id until it is first used.

    Some 1,500 are registered whenever the package is imported. So what they are made of, and with it all that reads
    files, is imported when one is used; nothing else in the package need be careful about what it imports.
    """

    def __init__(self, dataset_id: str) -> None:
        super().__init__()
        self._constituents: list[object] = []
        self._id = dataset_id

    def _made(self) -> list[object]:
        if not self._constituents:
            from ir_coliee.datasets.entities import constituents

            self._constituents = constituents(self._id)
        return self._constituents

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            self._made()
        return super().__getattr__(name)

    def __reduce__(self) -> tuple[type[LazyDataset], tuple[str]]:  # another process makes it anew
        return LazyDataset, (self._id,)

    def metadata(self) -> Any:
        """The official counts. (The registry asks every dataset whether it has this method.)"""
        return self._made()[0].metadata()  # type: ignore[attr-defined]


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
