"""What all our transformers share: they say what they are, and they keep one order."""

from __future__ import annotations

import inspect
import operator
import os
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, shown
from ir_coliee.measures.ids import numbered_in_blocks
from ir_coliee.releases.search import ORGANISERS

T = TypeVar("T")
L = TypeVar("L", bound=str)
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Declared(pt.Transformer):
    """A transformer that is the sum of its constructor's arguments.

    Each argument is kept under its own name. From that follow the repr that rebuilds it, equality
    (by which ``plan="tree"`` shares the beginnings of pipelines), and pickling.
    """

    LABEL: str

    @property
    def schematic(self) -> dict[str, str]:
        """How PyTerrier draws the transformer. Without a help_url it would look for one on the network."""
        return {"label": self.LABEL, "help_url": ORGANISERS}

    def _kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` returns, made anew when ``key``, the arguments that it depends on, has changed."""
        kept: tuple[Hashable, T] | None = self.__dict__.get("_memory")
        if kept is None or kept[0] != key:
            kept = self._memory = key, make()
        return kept[1]

    def _keeps(self, key: Hashable) -> bool:
        """Whether `_kept` has what belongs to the key."""
        kept = self.__dict__.get("_memory")
        return kept is not None and bool(kept[0] == key)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_memory"}

    def _arguments(self) -> dict[str, object]:
        _self, *parameters = inspect.signature(type(self).__init__).parameters.values()
        return {p.name: getattr(self, p.name) for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._arguments().items())})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._arguments() == other._arguments()

    def __hash__(self) -> int:
        return hash(repr(self))


def in_order(results: pd.DataFrame) -> pd.DataFrame:
    """The results with the queries in order of appearance, best first, and ranks from 0.

    Sorted by score descending; equal scores by the rank they had, else by docno ascending. A missing
    score (NaN) comes last. Raises `ColieeError` for a row without a qid, which pandas would drop or count
    apart without a word, for scores that are no numbers, for values by which ties cannot be put in order, and for a
    column that is there twice.
    """
    refuse_repeated_columns(results)
    if (missing := results["qid"].isna().to_numpy()).any():
        raise ColieeError(f"The results have no query id (qid) in row {missing.argmax()}. Read ids as strings.")
    queries = numbered_in_blocks(results["qid"])[0]
    by = "rank" if "rank" in results.columns else "docno"
    try:
        ties = pd.factorize(results[by].to_numpy(), sort=True)[0]
    except TypeError as error:
        raise ColieeError(f"Results cannot be put in the order of their {by} ({error}). Read ids as strings.") from None
    ties[ties < 0] = len(ties)  # a missing one comes last
    try:
        scores = results["score"].to_numpy(dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The column score must be numbers. {error}") from None
    order = best_first(queries, scores, ties)
    return results.iloc[order].reset_index(drop=True).assign(rank=ranks_from_0(queries[order]))


def sharing_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its strings as objects, which rows that are taken or merged share.

    Those of pandas 3 with pyarrow would be copied: a decision into each of its thousand results.
    """
    strings = [name for name, column in frame.items() if isinstance(column.dtype, pd.StringDtype)]
    return frame.astype(dict.fromkeys(strings, object))


def taken(frame: pd.DataFrame, rows: Integers) -> pd.DataFrame:
    """Rows of a frame, some of them several times, numbered anew. Their texts are shared."""
    return sharing_texts(frame).iloc[rows].reset_index(drop=True)


def refuse_repeated_columns(frame: pd.DataFrame) -> None:
    """Raises `ColieeError` for a frame that has two columns of one name."""
    if (twice := frame.columns.duplicated()).any():
        raise ColieeError(f"The column {shown(str(frame.columns[twice][0]))} is there twice. Give each once.")


def best_first(queries: Integers, scores: Floats, ties: Integers | Floats) -> Integers:
    """The order of rows by query, score descending (NaN last), and ``ties`` ascending; else they stay as they are."""
    order = np.argsort(_short(ties), kind="stable")
    for key in (-scores, _short(queries)):  # quicker than all keys at once
        order = order[np.argsort(key[order], kind="stable")]
    return order


def _short(key: Integers | Floats) -> npt.NDArray[Any]:
    """Numbers from 0 in 16 bits where they fit: numpy sorts those in linear time."""
    return key.astype(np.uint16) if key.dtype == np.int64 and key.max(initial=0) < 2**16 else key


def ranks_from_0(queries: Integers) -> Integers:
    """The place of each row among those of its query; ``queries`` ascend."""
    before = np.concatenate([[0], np.bincount(queries).cumsum()])
    ranks: Integers = np.arange(len(queries)) - before[queries]
    return ranks


def checkpoint_name(model: str) -> str:
    """``model`` as it is. Raises `ValueError` for what can be neither a checkpoint's name nor its folder."""
    if not (isinstance(model, (str, os.PathLike)) and str(model)):
        raise ValueError(f"model={model!r} is neither the name of a checkpoint nor a folder")
    return model


def known_language(language: L) -> L:
    """``language``. Raises `ValueError` for another than ``en`` and ``ja``."""
    if language not in ("en", "ja"):
        raise ValueError(f"language={language!r} is neither 'en' nor 'ja'")
    return language


def at_least(name: str, value: int, least: int) -> int:
    """``value`` as a whole number. Raises `ValueError`, which names it, below ``least``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise ValueError(f"{name}={value!r} is not a whole number from {least}")
    return number
