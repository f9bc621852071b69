"""Drawing of `ir_coliee.analysis.groups`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ir_coliee.analysis.plots.style import FAINT, dots, grid, label_rows, legend, text
from ir_coliee.display import words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame

_SIGNIFICANT = 0.05


def draw_groups(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the value of each group and run with its interval, in a block for each property.

    A star marks a group that differs significantly from the other queries (corrected p below .05).
    """
    runs = [*frame["run"].unique()]
    lines: list[tuple[str, str, str]] = []
    for (name, group), of_group in frame.groupby(["property", "group"], sort=False):
        if not lines or lines[-1][1] != name:
            lines.append((words(str(name)), str(name), ""))
        lines.append((f"{group} (n={of_group['num_queries'].iloc[0]})", str(name), str(group)))
    headings = [row for row, (_, _, group) in enumerate(lines) if not group]
    rows = label_rows(ax, [label for label, _, _ in lines], series=len(runs), headings=headings)
    for row in headings:
        ax.axhline(rows.centres[row] - 0.5, color=FAINT, linewidth=0.8)
    handles: list[Any] = []
    keys = [(name, group) for _, name, group in lines]
    for index, run in enumerate(runs):
        of_run = frame[frame["run"] == run].set_index(["property", "group"]).reindex(keys)
        places = rows.places(index)
        handles.append(dots(ax, index, of_run, "value", places))
        ends = of_run[["value", "high"]].max(axis=1).to_numpy(np.float64)
        for place, end, p in zip(places, ends, of_run["p_holm"]):
            if p < _SIGNIFICANT:
                text(ax, end, place, " *", va="center_baseline")
    legend(ax, handles, runs)
    ax.set_xlim(-0.02, 1.05)
    ax.set_xlabel("value (95 % interval; *: corrected p < .05)")
    grid(ax, "x")
