"""Questions and the texts that they are asked about, as the columns of a frame have them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from itertools import accumulate

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.errors import ColieeWarning, listed
from ir_coliee.frames import text_values

Asked = tuple[str, str, str]  #: The id of a question, itself, its text.

_BETWEEN = "\n\n"


def with_their_texts(inp: pd.DataFrame, numbers: npt.NDArray[np.intp], queries: int) -> list[Asked]:
    """Each query with the texts of its rows, one after the other in the order of the frame, each once.

    ``numbers``: of each row's query, from 0. Raises `ColieeError` for what is no text.
    """
    texts: list[dict[str, None]] = [{} for _ in range(queries)]  # in order, each once
    if "text" in inp.columns:
        for number, text in zip(numbers, text_values(inp, "text")):
            if text.strip():
                texts[number].setdefault(text)
    first = inp.drop_duplicates("qid")
    return [
        (str(qid), query, _BETWEEN.join(of_query))
        for qid, query, of_query in zip(first["qid"], text_values(first, "query"), texts)
    ]


def halves(text: str) -> tuple[str, str]:
    """Taken apart behind the line that ends nearest to the middle; a text of one line, in the middle."""
    middle = len(text) // 2
    ends = [end for end in accumulate(map(len, text.splitlines(keepends=True))) if end < len(text)]
    at = min(ends, key=lambda end: abs(end - middle), default=middle)
    return text[:at], text[at:]


def warn_of(names: Iterable[str], problem: str) -> None:
    """A `ColieeWarning` that counts the questions by their ids, each once; nothing where there are none."""
    if of := list(dict.fromkeys(names)):
        warnings.warn(f"{len(of)} questions were {problem}: {listed(of)}.", ColieeWarning, stacklevel=5)
