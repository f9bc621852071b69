"""The reasons of outcomes, as frames and in words."""

from __future__ import annotations

from typing import TypeAlias

import pandas as pd

#: The cause of a miss or the kind of a false answer, and a short sentence with ids, ranks and scores.
Reason: TypeAlias = "tuple[str, str]"


def with_reasons(items: pd.DataFrame, reasons: list[Reason], column: str) -> pd.DataFrame:
    """Return the ids of items with their reasons, the first part of which goes into a column of this name."""
    ids = items[["query_id", "doc_id"]].reset_index(drop=True)
    return ids.join(pd.DataFrame(reasons, columns=[column, "detail"], dtype=object))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "rank"), counted(3, "rank")
    ('1 rank', '3 ranks')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
