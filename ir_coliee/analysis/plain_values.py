"""Values and rows of frames as JSON has them: plain types, and None for what is missing."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd


def plain(value: Any) -> Any:
    """Return a value without types of numpy; None if it is missing or infinite.

    Examples
    --------
    >>> plain(pd.Series([3])[0]), plain(float("nan")), plain(pd.NA), plain("a")
    (3, None, None, 'a')
    """
    value = value.item() if hasattr(value, "item") else value
    is_missing = value is pd.NA or (isinstance(value, float) and not math.isfinite(value))
    return None if is_missing else value


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as dicts.

    Examples
    --------
    >>> plain_rows(pd.DataFrame({"run": ["mine", "other"], "rank": pd.array([0, None], dtype="Int64")}))
    [{'run': 'mine', 'rank': 0}, {'run': 'other', 'rank': None}]
    """
    return [{str(name): plain(value) for name, value in row.items()} for row in frame.to_dict("records")]
