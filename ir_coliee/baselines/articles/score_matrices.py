"""The candidates of questions, and features of their scores, from scores of all articles (questions x articles)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ir_coliee.arrays import Floats, Integers
from ir_coliee.engine.articles.fourfold import FORMS, best_ratios


def ratios(scores: Floats) -> Floats:
    """Divide scores by the best one of their question, see `best_ratios`; the result is at least -1.

    Kernel ridge may give nothing but negative scores and a best one that is 0 but for rounding.

    Examples
    --------
    >>> ratios(np.array([[2.0, 4.0], [1e-30, -1.0]])).tolist()
    [[0.5, 1.0], [1.0, -1.0]]
    """
    return np.maximum(best_ratios(scores), -1.0)


def sum_of_ratios(scores: Iterable[Floats]) -> Floats:
    """Add scores, each divided by the best one of its question.

    Examples
    --------
    >>> sum_of_ratios([np.array([[2.0, 4.0]]), np.array([[3.0, 0.0]])]).tolist()
    [[1.5, 1.0]]
    """
    first, *others = map(ratios, scores)
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


def fourfold_features(name: str, scores: Floats, candidates: Integers) -> dict[str, Floats]:
    """Return four features of a score: value, ratio to the question's best, rank, and gap to its second best.

    Parameters
    ----------
    name : str
        The name of the feature.
    scores : float64 array, questions x articles
        The scores of all articles; the best ones and the ranks are among these.
    candidates : int64 array, questions x candidates
        The candidates of each question.

    Returns
    -------
    dict of str to float64 array, questions x candidates

    See Also
    --------
    ir_coliee.engine.articles.fourfold.fourfold : The same for all articles, in ten times the time.

    Examples
    --------
    >>> features = fourfold_features("past.max", np.array([[2.0, 1.0, 4.0]]), np.array([[2, 0]]))
    >>> [values.tolist() for values in features.values()]
    [[[4.0, 2.0]], [[1.0, 0.5]], [[0.0, 1.0]], [[2.0, 0.0]]]
    >>> [*features]
    ['past.max', 'past.max_ratio', 'past.max_rank', 'past.max_gap']
    """
    values, rising = of_candidates(scores, candidates), np.sort(scores, axis=1)
    higher = [len(row) - np.searchsorted(row, found, side="right") for row, found in zip(rising, values)]
    ranks = np.array(higher, dtype=np.float64).reshape(values.shape)
    gaps = values - rising[:, [max(rising.shape[1] - 2, 0)]]
    forms = values, of_candidates(ratios(scores), candidates), ranks, gaps
    return {f"{name}{form}": column for form, column in zip(FORMS, forms)}
