"""The persons of exam questions, which are denoted by letters, as a column of frames, and with other letters.

KIS (COLIEE 2023, task 4) treats questions with such persons separately.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, printable
from ir_coliee.text.cues import person_letters, persons
from ir_coliee.transformers.base import BaseTransformer

_TO_FULL_WIDTH = ord("Ａ") - ord("A")


def with_letters(text: str, letters: Mapping[str, str]) -> str:
    """Replace the letters of the persons of a text, keeping the width of each occurrence.

    Parameters
    ----------
    text : str
        An English or Japanese text.
    letters : mapping of str to str
        The new letter of each person, both in half width. Persons that are missing keep their letter.

    Examples
    --------
    >>> with_letters("A lent B's lamp to C; C must give it back to Ｂ.", {"A": "K", "B": "M"})
    "K lent M's lamp to C; C must give it back to Ｍ."
    """
    characters = list(text)
    for letter, start in persons(text):
        other = letters.get(letter, letter)
        characters[start] = other if characters[start].isascii() else chr(ord(other) + _TO_FULL_WIDTH)
    return "".join(characters)


class FindPersons(BaseTransformer):
    """Add the letters of the persons of each question, as a column ``persons`` of tuples: Q to Q, R to R.

    A question without a text (None, NaN) has no persons.

    Parameters
    ----------
    on : str
        The column with the questions.

    Examples
    --------
    >>> questions = pd.DataFrame({"qid": ["1", "2"], "query": ["A lent B a lamp.", "A lamp may be lent."]})
    >>> FindPersons()(questions).persons.tolist()
    [('A', 'B'), ()]
    """

    LABEL = "Find persons"

    def __init__(self, *, on: str = "query") -> None:
        self.on = on

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add the column.

        Raises
        ------
        ColieeError
            For a value that is neither a string nor missing.
        """
        pt.validate.columns(inp, includes=["qid", self.on], context=self)
        texts = np.where(inp[self.on].isna(), "", inp[self.on].to_numpy(dtype=object))
        found: dict[str, tuple[str, ...]] = {}
        for qid, text in zip(inp["qid"], texts):
            if not isinstance(text, str):
                kind = type(text).__name__
                raise ColieeError(
                    f"Query {printable(str(qid))}: its {self.on} is of the type {kind}; a string is needed."
                )
            if text not in found:
                found[text] = person_letters(text)
        persons = pd.Series([found[text] for text in texts], index=inp.index, dtype=object)
        return inp.assign(persons=persons)
