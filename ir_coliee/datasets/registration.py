"""Registers all ids with ir_datasets, lazily: no file is opened here, and no reader imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import ir_datasets
from ir_datasets.datasets.base import Dataset

from ir_coliee.editions import COLLECTIONS, SPLITS, unknown_id


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
    """Register all ids. Calling it again changes nothing."""
    if next(iter(SPLITS)) in ir_datasets.registry:
        return
    splits = (f"{split_id}{view}" for split_id in SPLITS for view in ("", "/full"))
    collections = (f"{collection}{view}" for collection in COLLECTIONS for view in ("", "/deleted"))
    for dataset_id in (*splits, *collections):
        ir_datasets.registry.register(dataset_id, LazyDataset(dataset_id))
    ir_datasets.registry.register_pattern(r"coliee(?:/.*)?$", _refuse)


def _refuse(dataset_id: str, _groups: Sequence[str]) -> NoReturn:
    raise unknown_id(dataset_id)
