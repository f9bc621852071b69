"""How similar the members of a query are to those of a group of documents: histograms of all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from scipy import sparse

from ir_coliee.engine.scoring import Floats, Integers, Scorer


def pair_histograms(
    query_weights: sparse.csr_matrix,
    query_bounds: Integers,
    weights: sparse.csr_matrix,
    pools: Sequence[tuple[Integers, Integers]],
    *,
    bins: int,
    limits: tuple[float, float],
) -> Iterator[Floats]:
    """Of each group of each query's pool (groups x bins) how many pairs of members have a similarity in each bin.

    A similarity is the product of two rows, one of ``query_weights`` (members of queries x terms), one of ``weights``
    (documents x terms). ``query_bounds``: where the members of each query begin, and the end. A pool has the documents
    of its groups, and where each group begins, and the end. The bins are equally wide between the ``limits``, the
    upper edge of each belongs to the next; what lies beyond a limit counts in the outermost.
    """
    low, high = limits
    for (first, last), (documents, bounds) in zip(pairwise(query_bounds), pools):
        similarity = Scorer(query_weights[first:last], weights[documents].T.tocsr(), backend="scipy")
        groups = len(bounds) - 1
        first_bins = np.arange(groups).repeat(np.diff(bounds)) * bins
        histograms = np.zeros(groups * bins)
        # of long queries never more than a batch of members at once: there are many documents
        for start in range(0, last - first, similarity.batch):
            similarities, _ = similarity(start, start + similarity.batch)
            places = np.floor((similarities - low) * (bins / (high - low)))
            np.clip(places, 0, bins - 1, out=places)
            histograms += np.bincount((places.astype(np.int64) + first_bins).ravel(), minlength=groups * bins)
        yield histograms.reshape(groups, bins)
