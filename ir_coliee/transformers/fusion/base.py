"""Base class of the transformers that fuse the rankings of several pipelines."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyterrier as pt

from ir_coliee.transformers.base import BaseTransformer

_HINTS = {
    pd.DataFrame: "\nFuse data frames of results with the function: {function}([a, b]).",
    list: "\nPass each transformer as an argument: {name}(*transformers).",
    tuple: "\nPass each transformer as an argument: {name}(*transformers).",
}


class Fusion(BaseTransformer):
    """Base class of fusion transformers: run several pipelines on the same input and fuse their results.

    A subclass defines `fuse`. The result has the common columns of all rankings. Values other than score and rank come
    from the first ranking that contains the item. If a ranking contains an item twice, only the better rank is used. A
    score that is not finite is treated as missing. Queries are in order of their first appearance in the rankings.

    Parameters
    ----------
    *transformers : pyterrier.Transformer
        The pipelines, at least one.

    Attributes
    ----------
    FUNCTION : str
        The name of the function that fuses data frames in the same way.
    """

    FUNCTION: str

    def __init__(self, *transformers: pt.Transformer) -> None:
        name = type(self).__name__
        if not transformers:
            raise ValueError(f"{name} needs at least one transformer as a positional argument, got none.")
        for each in transformers:
            if not isinstance(each, pt.Transformer):
                hint = _HINTS.get(type(each), "").format(name=name, function=self.FUNCTION)
                raise TypeError(f"{name} fuses transformers, got a value of type {type(each).__name__}.{hint}")
        self.transformers = transformers

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Fuse rankings, one from each pipeline, into one."""
        raise NotImplementedError

    @property
    def schematic(self) -> dict[str, Any]:
        """How PyTerrier draws the transformer: the pipelines side by side."""
        return {**super().schematic, "inner_pipelines_mode": "linked"}

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns that all pipelines together need, one list for each combination of their inputs."""
        inputs = [pt.inspect.transformer_inputs(each) for each in self.transformers]
        return [list(dict.fromkeys(itertools.chain.from_iterable(way))) for way in itertools.product(*inputs)]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Run the pipelines and fuse their results. Each pipeline must return the columns qid, docno and score."""
        try:
            return self.fuse([each.transform(inp) for each in self.transformers])
        except pt.validate.InputValidationError as error:
            raise pt.validate.InputValidationError(f"in {self!r}: {error.args[0]}", error.modes) from error

    def arguments(self) -> dict[str, object]:
        """Return the pipelines and the constructor's keyword arguments."""
        return {"transformers": self.transformers, **super().arguments()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([*map(repr, self.transformers), *self.shown_arguments()])})"
