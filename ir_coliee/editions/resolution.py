"""Conversion of the dataset argument of public functions (an id, or an ir_datasets or PyTerrier dataset)."""

from __future__ import annotations

from typing import Any, TypeAlias

import ir_datasets

from ir_coliee.editions.catalogue import split, unknown_id
from ir_coliee.editions.split import Split
from ir_coliee.errors import ColieeError

#: A dataset id, an ir_datasets dataset, a PyTerrier dataset, or a split.
Dataset: TypeAlias = Any


def as_dataset_id(dataset: Dataset) -> str:
    """Return the ir_datasets id of a dataset argument. Ids that begin with ``coliee/`` are checked when they are used.

    Parameters
    ----------
    dataset : str or Split or ir_datasets.Dataset or pyterrier.datasets.Dataset
        An id such as ``coliee/task1/2025/test`` (with PyTerrier's prefixes ``irds:`` or ``coliee:``, too), or a dataset
        that was loaded with ir_datasets or PyTerrier. Views such as ``…/full`` and collections of articles keep their
        own id.

    Returns
    -------
    str
        The id, by which the dataset can be stored and compared.

    Raises
    ------
    UnknownIdError
        For an id of neither COLIEE nor ir_datasets.
    ColieeError
        If the argument is not a dataset.

    Examples
    --------
    >>> as_dataset_id("coliee:task3/sample/en"), as_dataset_id("irds:coliee/task1/sample/test/full")
    ('coliee/task3/sample/en', 'coliee/task1/sample/test/full')
    """
    if isinstance(dataset, Split):
        return dataset.id
    if isinstance(dataset, str):
        return _without_prefix(dataset)
    if callable(load := getattr(dataset, "irds_ref", None)):  # PyTerrier's wrapper of an ir_datasets dataset
        dataset = load()
    if callable(dataset_id := getattr(dataset, "dataset_id", None)):
        return str(dataset_id())
    raise ColieeError(
        f"A dataset of the type {type(dataset).__name__} is not supported.\nPass an id such as "
        "'coliee/task1/sample/test', or a dataset loaded with ir_datasets or PyTerrier."
    )


def _without_prefix(name: str) -> str:
    """Return an id without PyTerrier's prefix. Raises `UnknownIdError` for an id of neither COLIEE nor ir_datasets."""
    if name.startswith("coliee:"):
        return f"coliee/{name.removeprefix('coliee:').removeprefix('coliee/')}"
    dataset_id = name.removeprefix("irds:")
    if not dataset_id.startswith("coliee/"):
        try:
            ir_datasets.registry[dataset_id]
        except KeyError:
            raise unknown_id(dataset_id) from None
    return dataset_id


def as_split(dataset: Dataset) -> Split:
    """Return the split of a dataset argument.

    Parameters
    ----------
    dataset : str or Split or ir_datasets.Dataset or pyterrier.datasets.Dataset
        As in `as_dataset_id`.

    Returns
    -------
    Split

    Raises
    ------
    UnknownIdError
        For an id that this package does not have.
    ColieeError
        For the id of a collection without queries, or if the argument is not a dataset.

    Examples
    --------
    >>> import ir_datasets
    >>> as_split(ir_datasets.load("coliee/task3/sample/en/test")).id
    'coliee/task3/sample/en/test'
    >>> as_split("coliee:task3/sample/en/test").id
    'coliee/task3/sample/en/test'
    """
    return dataset if isinstance(dataset, Split) else split(as_dataset_id(dataset))
