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

MAX_ITEMS = 20  # the largest number of items per query in this grid
DISPERSION_DEPTH = 50  # the number of scores per query from which the dispersion is computed

_TOLERANCE = 1e-12  # values that differ by less count as equal


class _Bounds(TypedDict):
    """The smallest and largest number of items to keep, as keyword arguments of a cut-off."""

    min_items: int
    max_items: int


def standard_grid(encoded: EncodedRun) -> list[Cutoff]:
    """Return the cut-offs that are tried by default, the simplest rules first.

    Parameters
    ----------
    encoded : EncodedRun
        A run as `encode_run` returns it. Its labels are not used.

    Returns
    -------
    list of Cutoff
        Cut-offs at a rank (`TopK`); at a threshold; at a ratio, a threshold, both, a margin or the largest gap,
        combined with ``max_items`` (up to 20) and ``min_items`` (up to 5); by the dispersion of the scores
        (`AdaptiveCutoff`); and, if all scores are in [0, 1], by the highest expected F (`ExpectedFCutoff`).

    Notes
    -----
    The ratios include those of THUIR's grid of 2023. Thresholds and margins are quantiles of the queries' first 20
    scores. The slopes of `AdaptiveCutoff` span 1 to 8 items between the 10th and the 90th percentile of the dispersion.
    """
    top_scores = encoded.scores[:, :MAX_ITEMS]
    is_finite = np.isfinite(top_scores)
    thresholds = _quantiles(top_scores[is_finite], 40)
    with np.errstate(invalid="ignore"):  # inf - inf
        differences = top_scores[:, :1] - top_scores
    margins = _quantiles(differences[is_finite & np.isfinite(differences)], 40)
    ratios = np.arange(0.10, 0.99, 0.02).round(2).tolist()
    max_depth = max(1, min(MAX_ITEMS, encoded.depth))
    sizes = [size for size in (*range(1, 11), 15, MAX_ITEMS) if size <= max_depth]
    bounds = [_Bounds(min_items=n, max_items=size) for size in sizes for n in (1, 2, 3, 5) if n < size]
    bounds_from_0 = [*(_Bounds(min_items=0, max_items=size) for size in sizes), *bounds]
    ratios_and_thresholds = itertools.product(ratios[::5], sizes, thresholds[::4], (0, 1))
    return [
        *(TopK(k) for k in range(1, max_depth + 1)),
        *(ThresholdCutoff(threshold) for threshold in thresholds),
        *(GapCutoff(**bound) for bound in bounds),
        *(DynamicCutoff(ratio, **bound) for ratio in ratios for bound in bounds),
        *(MarginCutoff(margin, **bound) for margin in margins for bound in bounds),
        *(ThresholdCutoff(threshold, **bound) for threshold in thresholds for bound in bounds_from_0),
        *(
            RatioCutoff(ratio, threshold=threshold, min_items=min_items, max_items=max_items)
            for ratio, max_items, threshold, min_items in ratios_and_thresholds
        ),
        *_adaptive_cutoffs(encoded, max_depth),
        *(_expected_f_cutoffs(max_depth) if _are_probabilities(encoded) else ()),
    ]


def _adaptive_cutoffs(encoded: EncodedRun, max_depth: int) -> Iterator[Cutoff]:
    """Generate `AdaptiveCutoff` rules; none if all queries have the same dispersion."""
    dispersions = dispersion(encoded.scores, DISPERSION_DEPTH)[encoded.lengths > 0]
    low, middle, high = np.quantile(dispersions, [0.1, 0.5, 0.9]) if len(dispersions) else (0.0, 0.0, 0.0)
    if high - low < _TOLERANCE:
        return
    for items, size in itertools.product((-8, -4, -2, -1, 1, 2, 4, 8), range(1, 11)):
        slope = float(f"{items / (high - low):.4g}")
        intercept = float(f"{size - slope * middle:.4g}")
        yield AdaptiveCutoff(intercept, slope, depth=DISPERSION_DEPTH, min_items=1, max_items=max_depth)


def _expected_f_cutoffs(max_depth: int) -> Iterator[Cutoff]:
    averages: tuple[Literal["macro", "micro"], ...] = ("macro", "micro")
    for average, beta, min_items in itertools.product(averages, (0.5, 0.7, 1.0, 1.4, 2.0), (0, 1)):
        yield ExpectedFCutoff(beta, average=average, min_items=min_items, max_items=max_depth)


def _are_probabilities(encoded: EncodedRun) -> bool:
    scores = encoded.scores[np.arange(encoded.depth) < encoded.lengths[:, None]]
    return bool(len(scores) and (scores >= 0).all() and (scores <= 1).all())


def _quantiles(scores: Floats, number: int) -> list[float]:
    """Return quantiles of the scores, rounded to four digits to keep the rules readable; empty without scores."""
    if not len(scores):
        return []
    return sorted({float(f"{value:.4g}") for value in np.quantile(scores, np.linspace(0, 1, number))})
