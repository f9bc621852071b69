"""Each score of an article for a question in four forms: value, ratio, rank and gap."""

from __future__ import annotations

import numpy as np

from ir_coliee.engine.group_statistics import ratio_to_best
from ir_coliee.frames import Floats

#: Suffixes of the names of the four forms, as `ScoreFeatures` has them.
FORMS = ("", "_ratio", "_rank", "_gap")


def best_ratios(scores: Floats) -> Floats:
    """Ratio of each score to the question's best score, at least -1; 0 if the best is 0, see `ratio_to_best`.

    Without the bound, a best score that is 0 but for rounding would give ratios of any size.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.

    Returns
    -------
    float64 array, questions x articles

    Examples
    --------
    >>> best_ratios(np.array([[4.0, 1.0], [0.0, 0.0], [1e-30, -1.0]])).tolist()
    [[1.0, 0.25], [0.0, 0.0], [1.0, -1.0]]
    """
    return np.maximum(ratio_to_best(scores, scores.max(axis=1, keepdims=True)), -1.0)


def evidence(scores: Floats, power: float = 2.0) -> Floats:
    """Power of each score's ratio to the question's best; 0 for negative scores.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    power : float
        The power: the higher, the less the articles below the best count.

    Examples
    --------
    >>> evidence(np.array([[4.0, 1.0, -1.0]])).tolist()
    [[1.0, 0.0625, 0.0]]
    """
    return best_ratios(np.maximum(scores, 0.0)) ** power


def fourfold(scores: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Value, ratio to the question's best, rank, and gap to the question's second-best score.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores, of at least one article.

    Returns
    -------
    tuple of four float64 arrays, questions x articles
        The rank is the number of the question's higher scores; the gap is the score minus the second best, or minus the
        best of a single article.

    Examples
    --------
    >>> value, ratio, rank, gap = fourfold(np.array([[1.0, 4.0, 2.0]]))
    >>> ratio.tolist(), rank.tolist(), gap.tolist()
    ([[0.25, 1.0, 0.5]], [[2.0, 0.0, 1.0]], [[-1.0, 2.0, 0.0]])
    """
    rising, size = np.sort(scores, axis=1), scores.shape[1]
    not_higher = [np.searchsorted(row, of_question, side="right") for row, of_question in zip(rising, scores)]
    ranks = size - np.array(not_higher, dtype=np.float64).reshape(scores.shape)
    return scores, best_ratios(scores), ranks, scores - rising[:, [max(size - 2, 0)]]
