"""Plots of the analyses, by the kind of their frame. They need the extra ``plot``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ir_coliee.analysis.plots.agreement import draw_correlation, draw_overlap, draw_significance
from ir_coliee.analysis.plots.calibration import draw_calibration
from ir_coliee.analysis.plots.curves import (
    draw_answers_per_query,
    draw_cutoff_curve,
    draw_precision_recall,
    draw_recall_by_depth,
)
from ir_coliee.analysis.plots.fitted_models import draw_ablations, draw_importances
from ir_coliee.analysis.plots.groups import draw_groups
from ir_coliee.analysis.plots.hardness import (
    draw_answered_by,
    draw_by_number_of_relevant,
    draw_by_value_class,
    draw_hardest_queries,
    draw_mean_value_correlation,
)
from ir_coliee.analysis.plots.losses import draw_false_answers, draw_losses
from ir_coliee.analysis.plots.pictures import shown_in_notebooks
from ir_coliee.analysis.plots.style import finish, fit_height, new_axes, nothing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame

#: Function that draws a frame of each kind on axes.
PLOTS: dict[str, Callable[[AnalysisFrame, Axes], None]] = {
    "ablations": draw_ablations,
    "answered_by": draw_answered_by,
    "answers_per_query": draw_answers_per_query,
    "by_number_of_relevant": draw_by_number_of_relevant,
    "by_value_class": draw_by_value_class,
    "calibration": draw_calibration,
    "correlation": draw_correlation,
    "cutoff_curve": draw_cutoff_curve,
    "false_answers": draw_false_answers,
    "groups": draw_groups,
    "hardest_queries": draw_hardest_queries,
    "importances": draw_importances,
    "losses": draw_losses,
    "mean_value_correlation": draw_mean_value_correlation,
    "overlap": draw_overlap,
    "precision_recall": draw_precision_recall,
    "recall_by_depth": draw_recall_by_depth,
    "significance": draw_significance,
}


def plot(frame: AnalysisFrame, ax: Axes | None = None, *, width: float | None = None) -> Axes:
    """Plot an analysis; see `ir_coliee.analysis.analysis_frame.AnalysisFrame.plot`."""
    draw = PLOTS.get(frame.kind)
    if draw is None:
        raise ValueError(f"The analysis {frame.kind!r} has no plot; there are plots of {', '.join(sorted(PLOTS))}.")
    axes = shown_in_notebooks(new_axes(width)) if ax is None else ax
    if frame.empty:
        nothing(axes)
    else:
        draw(frame, axes)
    finish(axes)
    if ax is None and not frame.empty:
        fit_height(axes)
    return axes
