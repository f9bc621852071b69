"""Plots of the analyses, by the kind of their frame. They need the extra ``plot``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ir_coliee.analysis.plots.calibration import draw_calibration
from ir_coliee.analysis.plots.curves import (
    draw_answers_per_query,
    draw_cutoff_curve,
    draw_precision_recall,
    draw_recall_by_depth,
)
from ir_coliee.analysis.plots.fitted_models import draw_ablations, draw_importances
from ir_coliee.analysis.plots.style import finish, fit_height, new_axes, nothing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame

#: Function that draws a frame of each kind on axes.
PLOTS: dict[str, Callable[[AnalysisFrame, Axes], None]] = {
    "ablations": draw_ablations,
    "answers_per_query": draw_answers_per_query,
    "calibration": draw_calibration,
    "cutoff_curve": draw_cutoff_curve,
    "importances": draw_importances,
    "precision_recall": draw_precision_recall,
    "recall_by_depth": draw_recall_by_depth,
}


def plot(frame: AnalysisFrame, ax: Axes | None = None, *, width: float | None = None) -> Axes:
    """Plot an analysis; see `ir_coliee.analysis.analysis_frame.AnalysisFrame.plot`."""
    draw = PLOTS.get(frame.kind)
    if draw is None:
        raise ValueError(f"The analysis {frame.kind!r} has no plot; there are plots of {', '.join(sorted(PLOTS))}.")
    axes = new_axes(width) if ax is None else ax
    if frame.empty:
        nothing(axes)
    else:
        draw(frame, axes)
    finish(axes)
    if ax is None and not frame.empty:
        fit_height(axes)
    return axes
