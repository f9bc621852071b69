"""What transformers from text to text share: which columns they change, and what becomes of a text that is missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError
from ir_coliee.transformers.base import BaseTransformer


class TextTransformer(BaseTransformer):
    """Base of the transformers that change texts: Q to Q, D to D, R to R.

    Each of the columns ``query`` and ``text`` that a frame has is changed, or the column ``on`` alone. Rows, their
    order and all other columns stay, ``query_toks`` too. A missing text (None, NaN) stays missing, so that what comes
    behind can name its row; an empty one is changed as any other. A subclass says what one text becomes, and each
    different text of a column is changed once.
    """

    def __init__(self, *, on: str | None = None) -> None:
        """``on``: the one column that is changed; None stands for ``query`` and ``text``."""
        self.on = on

    def changed(self, text: str) -> str:
        """What a text becomes."""
        raise NotImplementedError

    def all_changed(self, texts: list[str]) -> dict[str, str]:
        """What each of several different texts becomes."""
        return {text: self.changed(text) for text in texts}

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Change the texts of a frame. Raises `ColieeError` for a value that is neither a string nor missing."""
        changed = {column: self._changed_column(inp[column]) for column in self._columns(inp)}
        return inp.assign(**changed).reset_index(drop=True)

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
        places = np.flatnonzero(column.notna())
        texts = values[places]
        if pd.api.types.infer_dtype(texts, skipna=False) not in ("string", "empty"):
            row, kind = next((row, type(values[row]).__name__) for row in places if not isinstance(values[row], str))
            raise ColieeError(f"Row {row} of {column.name}: a text is needed, not a value of the type {kind}.")
        becomes = self.all_changed(list(dict.fromkeys(texts)))
        values = values.copy()
        values[places] = [becomes[text] for text in texts]
        kept = object if isinstance(column.dtype, pd.CategoricalDtype) else column.dtype
        return pd.Series(values, index=column.index, dtype=kept)
