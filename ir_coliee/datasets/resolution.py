"""The conversion of dataset arguments, see `ir_coliee.editions.resolution`."""

from ir_coliee.editions.resolution import Dataset, as_dataset_id, as_split

__all__ = ["Dataset", "as_dataset_id", "as_split"]
