"""Evidence from the references between articles."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ir_coliee.engine.articles.article_collection import ArticleCollection, Direction
from ir_coliee.engine.articles.fourfold import best_ratios
from ir_coliee.frames import Floats

_DIRECTIONS: tuple[Direction, ...] = ("incoming", "outgoing")
_KINDS = {"": False, "_mutatis_mutandis": True}

#: Names of the features that `reference_features` computes.
REFERENCE_FEATURES = tuple(f"{direction}{kind}" for kind in _KINDS for direction in _DIRECTIONS)


def linked_maxima(scores: Floats, links: sparse.csr_matrix) -> Floats:
    """Best score of the articles that an article is linked with.

    Parameters
    ----------
    scores : float64 array, questions x articles
        The scores.
    links : csr_matrix, articles x articles
        Row i has a 1 for each article that article i is linked with.

    Returns
    -------
    float64 array, questions x articles
        0 for an article without links.

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
    ratios = best_ratios(scores)
    return {
        f"{direction}{kind}": linked_maxima(ratios, collection.links(direction, mutatis_mutandis=alone))
        for kind, alone in _KINDS.items()
        for direction in _DIRECTIONS
    }
