"""Values of a measure on an encoded run: for many cut-offs, at every depth, and at every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ir_coliee.arrays import Floats, Integers
from ir_coliee.evaluation.encoded_run import EncodedRun
from ir_coliee.evaluation.measure_ratios import (
    is_pooled,
    measure_of_cutoffs,
    quotient,
    ratio_terms,
    ratio_terms_at_each_depth,
)
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers.candidates import Cutoff
from ir_coliee.transformers.candidates.cutoff_rules import answer_sizes

_BLOCK_SIZE = 2**20  # the number of (cut-off, query) pairs that are counted at a time


class CutoffSums(NamedTuple):
    """Sums of counts and terms over queries, with a row for each cut-off and a column for each group of queries.

    Attributes
    ----------
    tp, returned : numpy.ndarray of float64
        True positives and returned items.
    numerators, denominators : numpy.ndarray of float64
        The terms of the measure.
    """

    tp: Floats
    returned: Floats
    numerators: Floats
    denominators: Floats

    def values(self) -> Floats:
        """Return the value of the measure for each cut-off and group."""
        return quotient(self.numerators, self.denominators)

    def of_all_groups(self) -> CutoffSums:
        """Return the sums over all groups, as one column."""
        return CutoffSums(*(sums.sum(axis=1, keepdims=True) for sums in self))

    def without_each_group(self) -> CutoffSums:
        """Return for each group the sums over all other groups."""
        return CutoffSums(*(sums.sum(axis=1, keepdims=True) - sums for sums in self))


def cutoff_counts(encoded: EncodedRun, cutoffs: Sequence[Cutoff]) -> tuple[Integers, Integers]:
    """Return the true positives and the returned items, as matrices with a row per cut-off and a column per query."""
    returned = answer_sizes([cutoff.rule() for cutoff in cutoffs], encoded.scores, encoded.lengths)
    return encoded.true_positives(returned), returned


def cutoff_sums(
    encoded: EncodedRun, measure: ColieeMeasure, cutoffs: Sequence[Cutoff], membership: Floats | None = None
) -> CutoffSums:
    """Evaluate cut-offs on groups of queries.

    Parameters
    ----------
    encoded : EncodedRun
        The run and its labels.
    measure : ColieeMeasure
        A set measure.
    cutoffs : sequence of Cutoff
        The cut-offs.
    membership : numpy.ndarray of shape (n_queries, n_groups), optional
        1 if the query is in the group, else 0. None for a single group of all queries.

    Returns
    -------
    CutoffSums
    """
    groups = np.ones((len(encoded.queries), 1)) if membership is None else membership
    block_length = max(1, _BLOCK_SIZE // max(1, len(encoded.queries)))
    blocks = []
    for start in range(0, len(cutoffs), block_length):
        tp, returned = cutoff_counts(encoded, cutoffs[start : start + block_length])
        pooled = tp @ groups, returned @ groups
        if is_pooled(measure):
            counts = (sums.astype(np.int64) for sums in (*pooled, encoded.relevant @ groups))
            terms = ratio_terms(measure, *counts)
        else:
            numerators, denominators = ratio_terms(measure, tp, returned, encoded.relevant)
            terms = numerators @ groups, denominators @ groups
        blocks.append(CutoffSums(*pooled, *terms))
    return CutoffSums(*(np.concatenate(columns) for columns in zip(*blocks)))


def cutoff_values(encoded: EncodedRun, measure: ColieeMeasure | str, cutoffs: Sequence[Cutoff]) -> Floats:
    """Return the value of each cut-off on an encoded run."""
    measure = measure_of_cutoffs(measure)
    return cutoff_sums(encoded, measure, cutoffs).values()[:, 0]


def depth_values(encoded: EncodedRun, measure: ColieeMeasure | str) -> Floats:
    """Return the value at every depth: entry k is the value of ``TopK(k)``, and entry 0 that of an empty run."""
    measure = measure_of_cutoffs(measure)
    if is_pooled(measure):
        num_longer = len(encoded.queries) - np.bincount(encoded.lengths, minlength=encoded.depth + 1).cumsum()
        returned = np.concatenate([[0], num_longer[:-1].cumsum()])
        # int32 cannot overflow here, and summing without conversion to int64 takes a third of the time
        tp = encoded.hits.sum(axis=0, dtype=encoded.hits.dtype).astype(np.int64)
        return quotient(*measure.terms(tp, returned, np.full_like(tp, encoded.relevant.sum())))
    numerators, denominators = ratio_terms_at_each_depth(encoded, measure)
    return quotient(numerators.sum(axis=0), denominators.sum(axis=0))


def threshold_values(encoded: EncodedRun, measure: ColieeMeasure | str) -> tuple[Floats, Floats]:
    """Return the value of the measure at every threshold that gives a different answer set.

    Parameters
    ----------
    encoded : EncodedRun
        The run and its labels.
    measure : ColieeMeasure or str
        A set measure or its name.

    Returns
    -------
    thresholds : numpy.ndarray
        The distinct scores of the run, in descending order.
    values : numpy.ndarray
        The value of `ThresholdCutoff` with each threshold.
    """
    measure = measure_of_cutoffs(measure)
    numerators, denominators = ratio_terms_at_each_depth(encoded, measure)
    is_item = np.arange(encoded.depth) < encoded.lengths[:, None]
    order = np.argsort(-encoded.scores[is_item], kind="stable")
    scores = encoded.scores[is_item][order]
    is_last = np.append(scores[1:] != scores[:-1], True)[: len(scores)]  # items with equal scores are kept together
    sums = (
        (terms[:, 0].sum() + np.diff(terms, axis=1)[is_item][order].cumsum())[is_last]
        for terms in (numerators, denominators)
    )
    return scores[is_last], quotient(*sums)
