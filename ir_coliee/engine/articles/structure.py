"""Scores of the articles around an article: of its section, its chapter, its neighbours in the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from ir_coliee.engine.articles.article_collection import UNITS
from ir_coliee.engine.articles.fourfold import evidence
from ir_coliee.frames import Floats, Integers

#: Names of the features that `structure_features` computes.
STRUCTURE_FEATURES = (*(f"best_{level}" for level in UNITS), "near_1", "near_2", *(f"sum_{level}" for level in UNITS))


def unit_maxima(scores: Floats, units: Integers) -> Floats:
    """Best score of the articles of the same unit, the article itself included.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    units : int64 array
        Number of the section, chapter or other unit of each article.

    Returns
    -------
    float64 array, questions x articles

    Examples
    --------
    >>> unit_maxima(np.array([[1.0, 3.0, 2.0]]), np.array([0, 0, 1])).tolist()
    [[3.0, 3.0, 2.0]]
    """
    return _by_unit(scores, units, np.maximum.reduceat)


def unit_sums(scores: Floats, units: Integers) -> Floats:
    """Sum of the scores of the articles of the same unit, the article itself included.

    The parameters are those of `unit_maxima`.

    Examples
    --------
    >>> unit_sums(np.array([[1.0, 3.0, 2.0]]), np.array([0, 0, 1])).tolist()
    [[4.0, 4.0, 2.0]]
    """
    return _by_unit(scores, units, np.add.reduceat)


def _by_unit(scores: Floats, units: Integers, reduce: Callable[..., Floats]) -> Floats:
    order = np.argsort(units, kind="stable")
    in_order = units[order]
    starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1])[: len(units)])
    if not len(starts):
        return scores.copy()
    found = np.empty_like(scores)
    found[:, order] = reduce(scores[:, order], starts, axis=1).repeat(np.diff(starts, append=len(units)), axis=1)
    return found


def neighbour_maxima(scores: Floats, distance: int) -> Floats:
    """Best score of the articles at most so many places before or behind, without the article itself.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores, with the articles in the order of the code.
    distance : int
        Number of places, at least 1.

    Returns
    -------
    float64 array, questions x articles
        0 where there is no other article.

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

    The parameters are those of `neighbour_maxima`.

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


def structure_features(
    scores: Floats, units: Mapping[str, Integers], kinds: Sequence[str] = STRUCTURE_FEATURES
) -> dict[str, Floats]:
    """Features of the scores around an article.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores, with the articles in the order of the code.
    units : mapping from str to int64 array
        Units of the articles by level, see `ArticleCollection.all_units`.
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
        return unit_maxima(scores, units[place]) if form == "best" else unit_sums(squares, units[place])

    return {kind: feature(kind) for kind in kinds}
