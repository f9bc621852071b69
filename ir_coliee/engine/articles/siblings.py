"""Evidence from the sibling questions: those of the same exam and number, which ask about one subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ir_coliee.engine.articles.article_collection import UNITS
from ir_coliee.engine.articles.fourfold import FORMS, best_ratios, fourfold
from ir_coliee.engine.articles.structure import neighbour_sums, unit_sums
from ir_coliee.frames import Floats, Integers

#: Names of the features that `sibling_features` computes.
SIBLING_FEATURES = (*(f"mean{form}" for form in FORMS), *(f"mean_{level}" for level in UNITS), "best", "near")


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


def sibling_features(
    evidence: Floats, groups: Integers, units: Mapping[str, Integers], kinds: Sequence[str] = SIBLING_FEATURES
) -> dict[str, Floats]:
    """Features of the evidence of the siblings.

    Parameters
    ----------
    evidence : float64 array, questions x articles
        Scores as `fourfold.evidence` has them, computed without labels of these questions.
    groups : int64 array
        Group of each question.
    units : mapping from str to int64 array
        Units of the articles by level, see `ArticleCollection.all_units`.
    kinds : sequence of str
        Some of `SIBLING_FEATURES`.

    Returns
    -------
    dict from str to float64 array, questions x articles
        The siblings' mean in its four forms (``mean``, ``mean_ratio``, ``mean_rank``, ``mean_gap``); the mean summed
        over each unit, as a ratio to the question's best (``mean_section``, …); the largest evidence of a sibling
        (``best``); the mean summed over the article and two places around it (``near``).
    """
    means = sibling_means(evidence, groups)
    found = {
        **{f"mean{form}": values for form, values in zip(FORMS, fourfold(means))},
        **{f"mean_{level}": best_ratios(unit_sums(means, units[level])) for level in UNITS},
        "best": sibling_maxima(evidence, groups),
        "near": neighbour_sums(means, 2),
    }
    return {kind: found[kind] for kind in kinds}
