"""Features of scores of articles: their forms, and the scores of sibling questions, of units and of linked articles.

Scores are float64 arrays, questions x articles, with the articles in the order of the code; so is each feature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from scipy import sparse

from ir_coliee.engine.articles.collection import ArticleCollection
from ir_coliee.engine.statistics import ratio_to_best
from ir_coliee.frames import Floats, Integers

#: Suffixes of the names of the four forms, as `ScoreFeatures` has them.
FORMS = ("", "_ratio", "_rank", "_gap")
#: Levels of the units that the features of siblings and of structure use.
UNITS = ("section", "chapter", "finest")


def best_ratios(scores: Floats) -> Floats:
    """Ratio of each score to the question's best score, at least -1; 0 if the best is 0, see `ratio_to_best`.

    Without the bound, a best score that is 0 but for rounding would give ratios of any size.

    Examples
    --------
    >>> best_ratios(np.array([[4.0, 1.0], [0.0, 0.0], [1e-30, -1.0]])).tolist()
    [[1.0, 0.25], [0.0, 0.0], [1.0, -1.0]]
    """
    return np.maximum(ratio_to_best(scores, scores.max(axis=1, keepdims=True)), -1.0)


def evidence(scores: Floats, power: float = 2.0) -> Floats:
    """Power of each score's ratio to the question's best; 0 for negative scores.

    Examples
    --------
    >>> evidence(np.array([[4.0, 1.0, -1.0]])).tolist()
    [[1.0, 0.0625, 0.0]]
    """
    return best_ratios(np.maximum(scores, 0.0)) ** power


def fourfold(scores: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Value, ratio to the question's best, rank, and gap to the question's second-best score.

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


# Sibling questions: those of the same exam and number, which ask about one subject.


#: Names of the features that `sibling_features` computes.
SIBLING_FEATURES = (*(f"mean{form}" for form in FORMS), *(f"mean_{level}" for level in UNITS), "best", "near")


def sibling_means(values: Floats, groups: Integers) -> Floats:
    """Mean of the siblings' values, the question itself left out; 0 for a question without siblings.

    ``groups`` are those of `ExamQuestions`.

    Examples
    --------
    >>> sibling_means(np.array([[1.0, 0.0], [0.0, 4.0], [0.0, 2.0]]), np.array([7, 7, 7])).tolist()
    [[0.0, 3.0], [0.5, 1.0], [0.5, 2.0]]
    """
    return _of_siblings(values, groups, np.mean)


def group_sizes(groups: Integers) -> Integers:
    """Number of questions of each question's group, itself included.

    Examples
    --------
    >>> group_sizes(np.array([7, 7, 8])).tolist()
    [2, 2, 1]
    """
    sizes: Integers = np.unique(groups, return_counts=True)[1][np.unique(groups, return_inverse=True)[1]]
    return sizes


def _of_siblings(values: Floats, groups: Integers, aggregate: Callable[..., Floats]) -> Floats:
    found = np.zeros_like(values)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        for question in members[: len(members) if len(members) > 1 else 0]:
            found[question] = aggregate(values[members[members != question]], axis=0)
    return found


def sibling_features(
    values: Floats, groups: Integers, units: Mapping[str, Integers], kinds: Sequence[str] = SIBLING_FEATURES
) -> dict[str, Floats]:
    """Features of the siblings' `evidence`, which must be computed without labels of these questions.

    Parameters
    ----------
    values : float64 array, questions x articles
        The evidence of all questions.
    groups : int64 array
        Group of each question, see `ExamQuestions`.
    units : mapping from str to int64 array
        `ArticleCollection.units`.
    kinds : sequence of str
        Some of `SIBLING_FEATURES`.

    Returns
    -------
    dict from str to float64 array, questions x articles
        The siblings' mean in its four forms (``mean``, ``mean_ratio``, ``mean_rank``, ``mean_gap``); the mean summed
        over each unit, as a ratio to the question's best (``mean_section``, …); the largest evidence of a sibling
        (``best``); the mean summed over the article and two places around it (``near``). All are 0 for a question
        without siblings.
    """
    means = sibling_means(values, groups)
    found = {
        **{f"mean{form}": of_form for form, of_form in zip(FORMS, fourfold(means))},
        **{f"mean_{level}": best_ratios(unit_values(means, units[level], np.add)) for level in UNITS},
        "best": _of_siblings(values, groups, np.max),
        "near": neighbour_sums(means, 2),
    }
    return {kind: found[kind] for kind in kinds}


# The structure of the code: units of articles below the same headings, and neighbours.


#: Names of the features that `structure_features` computes.
STRUCTURE_FEATURES = (*(f"best_{level}" for level in UNITS), "near_1", "near_2", *(f"sum_{level}" for level in UNITS))


def structure_features(
    scores: Floats, units: Mapping[str, Integers], kinds: Sequence[str] = STRUCTURE_FEATURES
) -> dict[str, Floats]:
    """Features of the scores around an article.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    units : mapping from str to int64 array
        `ArticleCollection.units`.
    kinds : sequence of str
        Names as in `STRUCTURE_FEATURES`, of any level of units and any number of places.

    Returns
    -------
    dict from str to float64 array, questions x articles
        The best score in each unit (``best_section``, …), at most one and two places away (``near_1``, ``near_2``), and
        the squared ratios to the question's best score summed over each unit (``sum_section``, …).
    """
    squares = evidence(scores, 2.0)

    def feature(kind: str) -> Floats:
        form, _, place = kind.partition("_")
        if form == "near":
            return neighbour_maxima(scores, int(place))
        values, combine = (scores, np.maximum) if form == "best" else (squares, np.add)
        return unit_values(values, units[place], combine)

    return {kind: feature(kind) for kind in kinds}


def unit_values(scores: Floats, units: Integers, combine: np.ufunc) -> Floats:
    """Combine the scores of the articles of the same unit, the article itself included.

    Examples
    --------
    >>> unit_values(np.array([[1.0, 3.0, 2.0]]), np.array([0, 0, 1]), np.maximum).tolist()
    [[3.0, 3.0, 2.0]]
    """
    order = np.argsort(units, kind="stable")
    in_order = units[order]
    starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1])[: len(units)])
    found = scores.copy()
    if len(starts):
        of_units = combine.reduceat(scores[:, order], starts, axis=1)
        found[:, order] = of_units.repeat(np.diff(starts, append=len(units)), axis=1)
    return found


def neighbour_maxima(scores: Floats, distance: int) -> Floats:
    """Best score of the articles at most so many places before or behind; 0 where there is no other article.

    Examples
    --------
    >>> neighbour_maxima(np.array([[1.0, 3.0, 2.0]]), 1).tolist()
    [[3.0, 2.0, 3.0]]
    """
    best = np.full(scores.shape, -np.inf)
    for here, there in _shifts(scores.shape[1], distance):
        np.maximum(best[:, here], scores[:, there], out=best[:, here])
    return np.where(best == -np.inf, 0.0, best)


def neighbour_sums(scores: Floats, distance: int) -> Floats:
    """Sum of the scores of the article itself and of those at most so many places before or behind.

    Examples
    --------
    >>> neighbour_sums(np.array([[1.0, 3.0, 2.0]]), 1).tolist()
    [[4.0, 6.0, 5.0]]
    """
    sums = scores.copy()
    for here, there in _shifts(scores.shape[1], distance):
        sums[:, here] += scores[:, there]
    return sums


def _shifts(articles: int, distance: int) -> Iterator[tuple[slice, slice]]:
    """Yield the articles that have a neighbour at each distance, and these neighbours."""
    for shift in range(1, min(distance, articles - 1) + 1):
        before, behind = slice(0, articles - shift), slice(shift, articles)
        yield behind, before
        yield before, behind


# References between articles.


#: Names of the features that `reference_features` computes.
REFERENCE_FEATURES = ("incoming", "outgoing", "incoming_mutatis_mutandis", "outgoing_mutatis_mutandis")


def reference_features(scores: Floats, collection: ArticleCollection) -> dict[str, Floats]:
    """Features of the scores of the articles that are linked by references.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    collection : ArticleCollection
        The articles.

    Returns
    -------
    dict from str to float64 array, questions x articles
        The best score, as a ratio to the question's best, among the articles that refer to the article (``incoming``)
        and those that it refers to (``outgoing``); each also of references that apply an article mutatis mutandis
        (``incoming_mutatis_mutandis``, ``outgoing_mutatis_mutandis``).
    """
    ratios, links = best_ratios(scores), [collection.links(mutatis_mutandis=alone) for alone in (False, True)]
    directions = [each for outgoing in links for each in (outgoing.T.tocsr(), outgoing)]
    return {name: linked_maxima(ratios, each) for name, each in zip(REFERENCE_FEATURES, directions)}


def linked_maxima(scores: Floats, links: sparse.csr_matrix) -> Floats:
    """Best score of the articles that an article (row of the links) is linked with; 0 for one without links.

    Examples
    --------
    >>> links = sparse.csr_matrix(np.array([[0, 1, 1], [0, 0, 0], [1, 0, 0]]))
    >>> linked_maxima(np.array([[0.5, 0.2, 0.3]]), links).tolist()
    [[0.3, 0.0, 0.5]]
    """
    found = np.zeros_like(scores)
    for article in np.flatnonzero(np.diff(links.indptr)):
        linked = links.indices[links.indptr[article] : links.indptr[article + 1]]
        found[:, article] = scores[:, linked].max(axis=1)
    return found
