"""The candidates of questions from the scores of all articles (questions x articles)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ir_coliee.engine.articles.fourfold import best_ratios
from ir_coliee.frames import Floats, Integers


def sum_of_ratios(scores: Iterable[Floats]) -> Floats:
    """Add scores, each divided by the best one of its question.

    Examples
    --------
    >>> sum_of_ratios([np.array([[2.0, 4.0]]), np.array([[3.0, 0.0]])]).tolist()
    [[1.5, 1.0]]
    """
    first, *others = map(best_ratios, scores)
    return np.asarray(sum(others, start=first))


def best_articles(scores: Floats, number: int) -> Integers:
    """Return the articles with the highest scores of each question, best first; ties in the order of the code.

    Examples
    --------
    >>> best_articles(np.array([[1.0, 3.0, 3.0]]), 2).tolist()
    [[1, 2]]
    """
    return np.argsort(-scores, axis=1, kind="stable")[:, :number]


def of_candidates(scores: Floats, candidates: Integers) -> Floats:
    """Return the scores of the candidates (questions x candidates)."""
    return np.take_along_axis(scores, candidates, axis=1)
