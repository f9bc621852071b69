"""Evidence from the sibling questions: those of the same exam and number, which ask about one subject."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ir_coliee.arrays import Floats, Integers


def sibling_means(evidence: Floats, groups: Integers) -> Floats:
    """Mean of the siblings' evidence, the question itself left out.

    Parameters
    ----------
    evidence : float64 array, questions x articles
        Any scores, computed without labels of these questions.
    groups : int64 array
        Group of each question, see `ExamQuestions`.

    Returns
    -------
    float64 array, questions x articles
        0 for a question without siblings.

    Examples
    --------
    >>> sibling_means(np.array([[1.0, 0.0], [0.0, 4.0], [0.0, 2.0]]), np.array([7, 7, 7])).tolist()
    [[0.0, 3.0], [0.5, 1.0], [0.5, 2.0]]
    """
    return _of_siblings(evidence, groups, lambda siblings: siblings.mean(axis=0))


def sibling_maxima(evidence: Floats, groups: Integers) -> Floats:
    """Largest evidence of a sibling, the question itself left out; 0 for a question without siblings.

    The parameters are those of `sibling_means`.

    Examples
    --------
    >>> sibling_maxima(np.array([[1.0, 0.0], [0.0, 4.0], [0.0, 2.0]]), np.array([7, 7, 8])).tolist()
    [[0.0, 4.0], [1.0, 0.0], [0.0, 0.0]]
    """
    return _of_siblings(evidence, groups, lambda siblings: siblings.max(axis=0))


def group_sizes(groups: Integers) -> Integers:
    """Number of questions of each question's group, itself included.

    Examples
    --------
    >>> group_sizes(np.array([7, 7, 8])).tolist()
    [2, 2, 1]
    """
    sizes: Integers = np.unique(groups, return_counts=True)[1][np.unique(groups, return_inverse=True)[1]]
    return sizes


def _of_siblings(evidence: Floats, groups: Integers, aggregate: Callable[[Floats], Floats]) -> Floats:
    found = np.zeros_like(evidence)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        for question in members[: len(members) if len(members) > 1 else 0]:
            found[question] = aggregate(evidence[members[members != question]])
    return found
