"""The standard grid of cut-offs, made from the scores of a run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal, TypedDict

import numpy as np

from ir_coliee.arrays import Floats
from ir_coliee.evaluation.encoded_run import EncodedRun
from ir_coliee.transformers.candidates import (
    AdaptiveCutoff,
    Cutoff,
    DynamicCutoff,
    ExpectedFCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
)
from ir_coliee.transformers.candidates.cutoff_rules import dispersion

MAX_ITEMS = 20  # the largest number of items that is tried without a user's own grid
DISPERSION_DEPTH = 50  # the number of scores of a query from which its dispersion is computed

_EQUAL = 1e-12  # values that differ by less are equal but for rounding


class _Bounds(TypedDict):
    """The smallest and largest number of items to keep, as keyword arguments of a cut-off."""

    min_items: int
    max_items: int


def standard_grid(encoded: EncodedRun) -> list[Cutoff]:
    """Return the cut-offs that are tried where the user gives none, the simplest rules first.

    Parameters
    ----------
    encoded : EncodedRun
        A run as `encode_run` returns it. Its labels are not used.

    Returns
    -------
    list of Cutoff
        All combinations of a largest number of items (up to 20), a smallest number (up to 5), and a ratio, a
        threshold, both, a margin, or the largest gap; thresholds alone; numbers of items from the dispersion of the
        scores; and, where all scores are probabilities (from 0 to 1), the highest expected F.

    Notes
    -----
    The ratios include those of THUIR's grid of 2023. Thresholds and margins are quantiles of the queries' first 20
    scores. The slopes of `AdaptiveCutoff` span 1 to 8 items between the 10th and the 90th percentile of the dispersion.
    """
    first = encoded.scores[:, :MAX_ITEMS]
    finite = np.isfinite(first)
    thresholds = _quantiles(first[finite], 40)
    with np.errstate(invalid="ignore"):  # inf - inf
        below_best = first[:, :1] - first
    margins = _quantiles(below_best[finite & np.isfinite(below_best)], 40)
    ratios = np.arange(0.10, 0.99, 0.02).round(2).tolist()
    deepest = max(1, min(MAX_ITEMS, encoded.depth))
    sizes = [size for size in (*range(1, 11), 15, MAX_ITEMS) if size <= deepest]
    bounds = [_Bounds(min_items=n, max_items=size) for size in sizes for n in (1, 2, 3, 5) if n < size]
    bounds_from_0 = [*(_Bounds(min_items=0, max_items=size) for size in sizes), *bounds]
    ratios_and_thresholds = itertools.product(ratios[::5], sizes, thresholds[::4], (0, 1))
    return [
        *(TopK(k) for k in range(1, deepest + 1)),
        *(ThresholdCutoff(threshold) for threshold in thresholds),
        *(GapCutoff(**bound) for bound in bounds),
        *(DynamicCutoff(ratio, **bound) for ratio in ratios for bound in bounds),
        *(MarginCutoff(margin, **bound) for margin in margins for bound in bounds),
        *(ThresholdCutoff(threshold, **bound) for threshold in thresholds for bound in bounds_from_0),
        *(
            RatioCutoff(ratio, threshold=threshold, min_items=min_items, max_items=max_items)
            for ratio, max_items, threshold, min_items in ratios_and_thresholds
        ),
        *_adaptive_cutoffs(encoded, deepest),
        *(_expected_f_cutoffs(deepest) if _are_probabilities(encoded) else ()),
    ]


def _adaptive_cutoffs(encoded: EncodedRun, deepest: int) -> Iterator[Cutoff]:
    dispersions = dispersion(encoded.scores, DISPERSION_DEPTH)[encoded.lengths > 0]
    low, middle, high = np.quantile(dispersions, [0.1, 0.5, 0.9]) if len(dispersions) else (0.0, 0.0, 0.0)
    if high - low < _EQUAL:
        return  # all queries have the same dispersion
    for items, size in itertools.product((-8, -4, -2, -1, 1, 2, 4, 8), range(1, 11)):
        slope = float(f"{items / (high - low):.4g}")
        intercept = float(f"{size - slope * middle:.4g}")
        yield AdaptiveCutoff(intercept, slope, depth=DISPERSION_DEPTH, min_items=1, max_items=deepest)


def _expected_f_cutoffs(deepest: int) -> Iterator[Cutoff]:
    averages: tuple[Literal["macro", "micro"], ...] = ("macro", "micro")
    for average, beta, min_items in itertools.product(averages, (0.5, 0.7, 1.0, 1.4, 2.0), (0, 1)):
        yield ExpectedFCutoff(beta, average=average, min_items=min_items, max_items=deepest)


def _are_probabilities(encoded: EncodedRun) -> bool:
    scores = encoded.scores[np.arange(encoded.depth) < encoded.lengths[:, None]]
    return bool(len(scores) and (scores >= 0).all() and (scores <= 1).all())


def _quantiles(scores: Floats, number: int) -> list[float]:
    """Quantiles of the scores, rounded to four digits so that a rule is readable; none where there are no scores."""
    if not len(scores):
        return []
    return sorted({float(f"{value:.4g}") for value in np.quantile(scores, np.linspace(0, 1, number))})
