"""The base class of frames that are results: Python and notebooks show them completely."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from ir_coliee.display import Block, displayed


@displayed
class ShownFrame(pd.DataFrame):
    """A `pandas.DataFrame` that is shown by its method ``display``. Every operation on it returns a plain frame."""

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    def display(self) -> Iterable[Block]:
        """Return the frame and what is needed to read it, as `ir_coliee.display` shows them."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return str(self)
