"""`pt.get_dataset("coliee:task1/2025/test")`: the same datasets as ``irds:coliee/…``, with a shorter name."""

from __future__ import annotations

from collections.abc import Iterable

import ir_datasets
import pyterrier as pt


class ColieeDatasetProvider(pt.datasets.DatasetProvider):
    """Found by PyTerrier through the entry point ``pyterrier.dataset_provider``."""

    def get_dataset(self, name: str) -> pt.datasets.Dataset:
        """The dataset of the id ``coliee/{name}``. PyTerrier turns an unknown name into its own `KeyError`."""
        return pt.get_dataset(f"irds:coliee/{name.removeprefix('coliee/')}")

    def list_dataset_names(self) -> Iterable[str]:
        """All names, without the ``coliee/`` in front."""
        return [name.removeprefix("coliee/") for name in ir_datasets.registry if name.startswith("coliee/")]
