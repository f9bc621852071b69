"""`pt.get_dataset("coliee:task1/2025/test")`: the same datasets as ``irds:coliee/…``, with a shorter name."""

from __future__ import annotations

from collections.abc import Iterable

import pyterrier as pt

from ir_coliee.editions import dataset_ids


class ColieeDatasetProvider(pt.datasets.DatasetProvider):
    """Found by PyTerrier through the entry point ``pyterrier.dataset_provider``."""

    def get_dataset(self, name: str) -> pt.datasets.Dataset:
        """The dataset of the id ``coliee/{name}``. PyTerrier turns an unknown name into its own `KeyError`."""
        return pt.get_dataset(f"irds:coliee/{name.removeprefix('coliee/')}")

    def list_dataset_names(self) -> Iterable[str]:
        """All names, without the ``coliee/`` in front."""
        return [name.removeprefix("coliee/") for name in dataset_ids()]
