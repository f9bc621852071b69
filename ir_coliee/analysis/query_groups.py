"""Groups of queries with the same value of a property; numbers are cut at their quartiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.frames import Booleans

#: The group of the queries that have no value of a property.
UNKNOWN = "unknown"
_QUARTILES = 4


class Group(NamedTuple):
    """Queries with the same value of a property, or with values in the same quarter.

    Attributes
    ----------
    property, name : str
        The property, and its values: ``1 to 3``, ``yes``, a category, or ``unknown`` for a missing value.
    members : numpy.ndarray of bool
        For each query whether it is in the group.
    """

    property: str
    name: str
    members: Booleans


def query_groups(properties: pd.DataFrame, names: Iterable[str]) -> Iterator[Group]:
    """Yield the groups of the queries by each of some properties, in order; each query is in one group of each.

    Parameters
    ----------
    properties : pandas.DataFrame
        The result of `ir_coliee.analysis.query_properties.query_properties`.
    names : iterable of str
        Columns of it.
    """
    for name in names:
        labels, order = group_names(properties[name])
        for label in order:
            yield Group(name, label, np.array([each == label for each in labels], dtype=np.bool_))


def group_names(values: pd.Series) -> tuple[list[str], list[str]]:
    """Return the name of each value's group, and the names in order.

    Parameters
    ----------
    values : pandas.Series
        Numbers, values of type ``boolean``, or categories: a categorical series, or names of type object.

    Returns
    -------
    labels : list of str
        The group of each value: ``yes`` and ``no``, the category, or for numbers the bounds of its quarter.
    order : list of str
        The groups with at least one value, in the order of their values, ``unknown`` last.

    Notes
    -----
    A number belongs to the quarter in which its mean rank lies, so that equal numbers are in one group.

    Examples
    --------
    >>> group_names(pd.Series([5, 1, 1, 1, 2, None], dtype="Int64"))
    (['5', '1', '1', '1', '2', 'unknown'], ['1', '2', '5', 'unknown'])
    >>> group_names(pd.Series([10, 7, 8, 9, 2, 3, 4, 1], dtype="Int64"))[1]
    ['1 to 2', '3 to 4', '7 to 8', '9 to 10']
    """
    known = values.dropna()
    if pd.api.types.is_bool_dtype(values.dtype):
        names = known.map({True: "yes", False: "no"}).astype(object)
        order = [name for name in ("yes", "no") if (names == name).any()]
    elif pd.api.types.is_numeric_dtype(values.dtype):
        quarter = ((known.rank() - 0.5) * _QUARTILES // max(len(known), 1)).astype(int)
        of_quarter = {number: _bounds(members) for number, members in known.groupby(quarter)}
        names, order = quarter.map(of_quarter), list(of_quarter.values())
    else:
        names = known.astype(object)
        categories = values.cat.categories if isinstance(values.dtype, pd.CategoricalDtype) else sorted(names.unique())
        order = [name for name in categories if (names == name).any()]
    labels = names.reindex(values.index).astype(object)
    labels = labels.where(values.notna(), UNKNOWN)
    return list(labels), [*order, *[UNKNOWN] * bool(values.isna().any())]


def _bounds(numbers: pd.Series) -> str:
    low, high = numbers.min(), numbers.max()
    return str(low) if low == high else f"{low} to {high}"
