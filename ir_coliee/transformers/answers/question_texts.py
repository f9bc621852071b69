"""Questions with their texts, read from the columns of a frame."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.errors import ColieeWarning, printable_list
from ir_coliee.frames import text_values

_SEPARATOR = "\n\n"


class QuestionText(NamedTuple):
    """A question with the text that it is answered from.

    Attributes
    ----------
    qid : str
        The id of the question.
    query : str
        The question.
    text : str
        The text, for example of articles; empty for none.
    """

    qid: str
    query: str
    text: str


def question_texts(frame: pd.DataFrame, numbers: npt.NDArray[np.intp], number_of_queries: int) -> list[QuestionText]:
    """Return each query of a frame with the texts of its rows.

    Parameters
    ----------
    frame : pandas.DataFrame
        The columns qid and query, and optionally text.
    numbers : numpy.ndarray
        The index of each row's query. Queries are numbered from 0 in order of appearance.
    number_of_queries : int
        The number of different queries.

    Returns
    -------
    list of QuestionText
        The queries in order of appearance. Their texts are joined in the order of the frame; repeated texts of a query
        and blank texts are left out.

    Raises
    ------
    ColieeError
        If a query or text is not a string.
    """
    texts: list[dict[str, None]] = [{} for _ in range(number_of_queries)]  # ordered, without duplicates
    if "text" in frame.columns:
        for number, text in zip(numbers, text_values(frame, "text")):
            if text.strip():
                texts[number].setdefault(text)
    first_rows = frame.drop_duplicates("qid")
    return [
        QuestionText(str(qid), query, _SEPARATOR.join(texts_of_query))
        for qid, query, texts_of_query in zip(first_rows["qid"], text_values(first_rows, "query"), texts)
    ]


def split_in_half(text: str) -> tuple[str, str]:
    r"""Split a text after the line that ends nearest to its middle, or in the middle of a text of one line.

    >>> split_in_half("one\ntwo\nthree\n")
    ('one\ntwo\n', 'three\n')
    """
    middle = len(text) // 2
    ends = [end for end in accumulate(map(len, text.splitlines(keepends=True))) if end < len(text)]
    end = min(ends, key=lambda end: abs(end - middle), default=middle)
    return text[:end], text[end:]


def warn_about_questions(qids: Iterable[str], problem: str, *, depth: int = 5) -> None:
    """Warn with a `ColieeWarning` that lists the questions, each once; do nothing if there is none.

    ``depth`` is the number of calls between the user's line and the warning.
    """
    if unique := list(dict.fromkeys(qids)):
        questions = "1 question was" if len(unique) == 1 else f"{len(unique)} questions were"
        message = f"{questions} {problem}: {printable_list(unique)}."
        warnings.warn(message, ColieeWarning, stacklevel=depth)
