"""PyTerrier's dataset provider: ``pt.get_dataset("coliee:task1/2025/test")``, an abbreviation of ``irds:coliee/…``."""

from __future__ import annotations

from collections.abc import Iterable

import pyterrier as pt

from ir_coliee.editions import dataset_ids


class ColieeDatasetProvider(pt.datasets.DatasetProvider):
    """The dataset provider that PyTerrier finds through the entry point ``pyterrier.dataset_provider``."""

    def get_dataset(self, name: str) -> pt.datasets.Dataset:
        """Return the dataset of the id ``coliee/{name}``.

        Raises
        ------
        KeyError
            If there is no such dataset; PyTerrier raises its own error instead.
        """
        return pt.get_dataset(f"irds:coliee/{name.removeprefix('coliee/')}")

    def list_dataset_names(self) -> Iterable[str]:
        """Return all names, without the prefix ``coliee/``."""
        return [name.removeprefix("coliee/") for name in dataset_ids()]
