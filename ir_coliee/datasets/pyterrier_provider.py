"""PyTerrier's dataset provider: ``pt.get_dataset("coliee:task1/2025/test")``, an abbreviation of ``irds:coliee/…``."""

from __future__ import annotations

from collections.abc import Iterable

import ir_datasets
import pyterrier as pt

from ir_coliee.editions import dataset_ids, split_behind, unknown_id
from ir_coliee.errors import ColieeError


class ColieeDatasetProvider(pt.datasets.DatasetProvider):
    """The dataset provider that PyTerrier finds through the entry point ``pyterrier.dataset_provider``."""

    def get_dataset(self, name: str) -> pt.datasets.Dataset:
        """Return the dataset of the id ``coliee/{name}``.

        Raises
        ------
        ColieeError
            If there is no such dataset; the message has the nearest ids. It is not a `KeyError`, of which PyTerrier
            shows a message of its own instead.
        """
        dataset_id = f"coliee/{name.removeprefix('coliee/')}"
        if split_behind(dataset_id) is None:
            raise ColieeError(str(unknown_id(dataset_id)))
        dataset = pt.get_dataset(f"irds:{dataset_id}")
        # PyTerrier's own address is a page of ir-datasets.com that does not exist
        dataset.info_url = lambda: dataset.irds_ref().documentation()["info_url"]
        return dataset

    def list_dataset_names(self) -> Iterable[str]:
        """Return the names from a user's own editions; PyTerrier lists the others as ``irds:coliee/…``."""
        listed = {*ir_datasets.registry}
        return [name.removeprefix("coliee/") for name in dataset_ids() if name not in listed]
