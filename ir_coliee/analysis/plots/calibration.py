"""Drawing of `ir_coliee.analysis.calibration`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir_coliee.analysis.plots.style import GREY, dots, grid, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame


def draw_calibration(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the observed share by the mean probability, with intervals and the diagonal of perfect calibration."""
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle="--", zorder=1)
    runs = [*frame["run"].unique()]
    handles: list[Any] = []
    for index, run in enumerate(runs):
        of_run = frame[frame["run"] == run]
        handles.append(dots(ax, index, of_run, "observed", "predicted"))
    legend(ax, handles, runs)
    ax.set_xlabel("mean probability")
    ax.set_ylabel("relevant share")
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, 1.02)
    grid(ax)
