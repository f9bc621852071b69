"""The base class of transformers from text to text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError
from ir_coliee.transformers.base import BaseTransformer


class TextTransformer(BaseTransformer):
    """Base of transformers that change texts: Q to Q, D to D, R to R.

    Each of the columns ``query`` and ``text`` that a frame has is changed, or only the column ``on``. Rows, their order
    and all other columns are kept, including ``query_toks``. Missing texts (None, NaN) stay missing; empty texts are
    changed like any other. A subclass implements `changed`. Each distinct text of a column is changed once.

    Parameters
    ----------
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.
    """

    def __init__(self, *, on: str | None = None) -> None:
        self.on = on

    def changed(self, text: str) -> str:
        """Return the changed text."""
        raise NotImplementedError

    def all_changed(self, texts: list[str]) -> dict[str, str]:
        """Return the changed text of each of several distinct texts."""
        return {text: self.changed(text) for text in texts}

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns of queries and of documents; if a column is chosen, that column."""
        usual = [["qid", "query"], ["docno", "text"]]
        if self.on is None:
            return usual
        return [columns for columns in (*usual, [self.on]) if self.on in columns]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Change the texts of a frame; raise `ColieeError` for a value that is neither a string nor missing."""
        changed = {column: self._changed_column(inp[column]) for column in self._columns(inp)}
        frame: pd.DataFrame = inp.assign(**changed).reset_index(drop=True)
        return frame

    def _columns(self, inp: pd.DataFrame) -> list[str]:
        with pt.validate.any(inp, context=self) as frame:
            if self.on is not None:
                frame.columns(includes=[self.on], mode=self.on)
            else:
                frame.columns(includes=["qid", "query"], mode="query")
                frame.columns(includes=["docno", "text"], mode="text")
        return [self.on] if self.on is not None else [name for name in ("query", "text") if name in inp.columns]

    def _changed_column(self, column: pd.Series) -> pd.Series:
        values = column.to_numpy(dtype=object)
        rows = np.flatnonzero(column.notna())
        texts = values[rows]
        if pd.api.types.infer_dtype(texts, skipna=False) not in ("string", "empty"):
            row, kind = next((row, type(values[row]).__name__) for row in rows if not isinstance(values[row], str))
            raise ColieeError(f"Row {row}: {column.name} must be a string, got a value of type {kind}.")
        changed = self.all_changed(list(dict.fromkeys(texts)))
        values = values.copy()
        values[rows] = [changed[text] for text in texts]
        dtype = object if isinstance(column.dtype, pd.CategoricalDtype) else column.dtype
        series: pd.Series = pd.Series(values, index=column.index, dtype=dtype)
        return series
