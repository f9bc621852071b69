"""Plots of the analyses, by the kind of their frame. They need the extra ``plot``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ir_coliee.analysis.plots.style import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame

#: Function that draws a frame of each kind on axes.
PLOTS: dict[str, Callable[[AnalysisFrame, Axes], None]] = {}


def plot(frame: AnalysisFrame, ax: Axes | None = None, *, width: float | None = None) -> Axes:
    """Plot an analysis; see `ir_coliee.analysis.analysis_frame.AnalysisFrame.plot`."""
    draw = PLOTS.get(frame.kind)
    if draw is None:
        raise ValueError(f"The analysis {frame.kind!r} has no plot; there are plots of {', '.join(sorted(PLOTS))}.")
    axes = new_axes(width) if ax is None else ax
    draw(frame, axes)
    return axes
