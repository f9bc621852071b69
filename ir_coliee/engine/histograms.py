"""Histograms of the similarities between the paragraphs of a query and those of its candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ir_coliee.frames import Floats, Integers

Dense = npt.NDArray[np.floating[Any]]

_PAIRS = 1 << 20  # similarities in memory at a time


def pair_histograms(
    query_vectors: Dense,
    query_bounds: Integers,
    vectors: Dense,
    pools: Sequence[tuple[Integers, Integers]],
    *,
    bins: int,
    limits: tuple[float, float],
) -> Iterator[Floats]:
    """Count the pairs of a query paragraph and a candidate paragraph in each bin of similarity.

    Parameters
    ----------
    query_vectors : float array, query paragraphs x dimensions
        The rows are the paragraphs of the queries.
    query_bounds : int64 array
        Row offsets: rows ``query_bounds[i]`` to ``query_bounds[i + 1]`` are the paragraphs of query i.
    vectors : float array, paragraphs x dimensions
        The rows are the paragraphs of the collection.
    pools : sequence of (int64 array, int64 array)
        For each query, the rows in ``vectors`` of the paragraphs of its candidates, and the offset of each candidate
        in these rows, followed by their number.
    bins : int
        Number of bins of equal width.
    limits : (float, float)
        Lower edge of the first bin and upper edge of the last.

    Yields
    ------
    float64 array, candidates x bins
        Number of pairs in each bin, for each query in order. The similarity of a pair is the dot product of its rows. A
        value on a bin edge belongs to the higher bin; values outside the limits belong to the first or last bin.
    """
    low, high = limits
    for (first, last), (documents, bounds) in zip(pairwise(query_bounds), pools):
        members, of_documents = query_vectors[first:last].T, vectors[documents]
        groups = len(bounds) - 1
        first_bins = np.arange(groups).repeat(np.diff(bounds))[:, None] * bins
        histograms = np.zeros(groups * bins)
        step = max(1, _PAIRS // max(1, len(documents)))
        for start in range(0, last - first, step):
            places = of_documents @ members[:, start : start + step]
            places -= low
            places *= bins / (high - low)
            np.clip(places, 0, bins - 1, out=places)
            histograms += np.bincount((places.astype(np.int64) + first_bins).ravel(), minlength=groups * bins)
        yield histograms.reshape(groups, bins)
