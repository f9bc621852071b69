"""The result of a baseline."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd


class BaselineRun(NamedTuple):
    """A run of a baseline.

    Attributes
    ----------
    tag : str
        The run tag: ``bm25``, ``learned``, ``majority`` or ``tfidf``.
    answers : pandas.DataFrame
        The answer set: ``qid``, ``docno``, ``score`` and ``rank``.
    ranking : pandas.DataFrame or None
        The ranking before the cut-off; None for classifiers, which rank nothing.
    notes : list of str
        What was fitted on which split, and which cut-off was chosen.
    """

    tag: str
    answers: pd.DataFrame
    ranking: pd.DataFrame | None
    notes: list[str]
