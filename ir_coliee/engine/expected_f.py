"""Expected F-measure of a ranking at each cut-off, for independent relevance probabilities."""

from __future__ import annotations

import numpy as np

from ir_coliee.frames import Floats

_NEGLIGIBLE = 39.2  # exp(-39.2) is 1e-17; less probable numbers are below the rounding error


def expected_f(probabilities: Floats, max_size: int, beta: float = 1.0) -> Floats:
    """Expected F of the first 0, 1, 2, …, ``max_size`` items of each query.

    Parameters
    ----------
    probabilities : float64 array, queries x items
        Probabilities of relevance, descending, padded with 0. Items are relevant independently of each other, and no
        other item is relevant.
    max_size : int
        Largest number of items.
    beta : float
        Weight of recall: F = (1 + beta²) tp / (number of items + beta² relevant).

    Returns
    -------
    float64 array, queries x (max_size + 1)
        Expected F of each number of items. F is 0 where nothing is returned or relevant.

    Notes
    -----
    Of all sets of a size the first items have the highest expected F. The result is exact: the distributions of the
    number of relevant items, among the returned and the others, are computed by adding one item at a time. Numbers that
    are exceeded with a probability below 1e-17 (Bernstein's inequality) are ignored.

    References
    ----------
    M. Jansche. A maximum expected utility framework for binary sequence labeling. ACL 2007.
    N. Ye, K. M. A. Chai, W. S. Lee and H. L. Chieu. Optimizing F-measures: a tale of two approaches. ICML 2012.

    Examples
    --------
    >>> expected_f(np.array([[1.0, 0.5]]), 2).round(4).tolist()
    [[0.0, 0.8333, 0.8333]]
    """
    queries, items = probabilities.shape
    max_size = min(max_size, items)
    width = _highest_number(probabilities) + 1
    # distribution of the number of relevant items among the returned, for each size
    relevant_of_size = [np.ones((queries, 1))]
    for place in range(max_size):
        relevant_of_size.append(_with_one_more(relevant_of_size[-1], probabilities[:, place], width))
    others = np.ones((queries, 1))  # the same for the items that are not returned
    for place in range(max_size, items):
        others = _with_one_more(others, probabilities[:, place], width)

    expected = np.zeros((queries, max_size + 1))
    for size in range(max_size, 0, -1):
        tp = np.arange(relevant_of_size[size].shape[1])[:, None]
        f = (1 + beta**2) * tp / (size + beta**2 * (tp + np.arange(others.shape[1])))
        expected[:, size] = ((relevant_of_size[size] @ f) * others).sum(axis=1)
        others = _with_one_more(others, probabilities[:, size - 1], width)
    return expected


def _with_one_more(numbers: Floats, probability: Floats, width: int) -> Floats:
    """Distribution of the number of relevant items after one more item; numbers from ``width`` are dropped."""
    share = probability[:, None]
    more = np.zeros((len(numbers), min(numbers.shape[1] + 1, width)))
    more[:, : numbers.shape[1]] = numbers * (1 - share)
    more[:, 1:] += (numbers * share)[:, : more.shape[1] - 1]
    return more


def _highest_number(probabilities: Floats) -> int:
    """Largest number of relevant items that has to be considered in any query."""
    mean = probabilities.sum(axis=1).max(initial=0.0)
    above = _NEGLIGIBLE / 3 + np.sqrt(_NEGLIGIBLE**2 / 9 + 2 * _NEGLIGIBLE * mean)
    return int(min(np.ceil(mean + above), probabilities.shape[1]))
