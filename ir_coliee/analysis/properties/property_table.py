"""Properties that are read together: names, types and meanings of the columns, and the function that reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import pandas as pd

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns

Rows = Iterable[tuple[str, tuple[object, ...]]]

Dtype = str | pd.CategoricalDtype
NUMBER, YES_OR_NO, CATEGORY = "Int64", "boolean", "object"


def one_of(*categories: str) -> pd.CategoricalDtype:
    """Return the type of a category with known values, in their order."""
    return pd.CategoricalDtype([*categories], ordered=True)


class Column(NamedTuple):
    """A property.

    Attributes
    ----------
    name : str
        The name of the column.
    dtype : str or pandas.CategoricalDtype
        `NUMBER`, `YES_OR_NO`, `CATEGORY` or the result of `one_of`; each has missing values.
    meaning : str
        A sentence without full stop for readers of the groups.
    """

    name: str
    dtype: Dtype
    meaning: str


class PropertyTable(NamedTuple):
    """Properties that are read together, so that they are left out together if their source is missing.

    Attributes
    ----------
    columns : tuple of Column
        The properties.
    rows : callable
        Function from the runs to the id of each query with the values of its properties, in the order of the columns.
        It raises `MissingReleaseError` if its source is not in the data folder.
    """

    columns: tuple[Column, ...]
    rows: Callable[[EvaluatedRuns], Rows]

    def frame(self, runs: EvaluatedRuns) -> pd.DataFrame:
        """Return the typed columns with a row for each of ``runs.query_ids``; a query without values has none."""
        values: Mapping[str, tuple[object, ...]] = dict(self.rows(runs))
        empty = (None,) * len(self.columns)
        by_column = zip(*(values.get(query_id, empty) for query_id in runs.query_ids))
        return pd.DataFrame(
            {column.name: pd.Series(list(each), dtype=column.dtype) for column, each in zip(self.columns, by_column)}
        )
