"""Drawings of `ir_coliee.analysis.fitted_models`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir_coliee.analysis.plots.bars import grouped_bars
from ir_coliee.analysis.plots.style import dots, grid, label_rows, legend, text
from ir_coliee.display import cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame

_FEATURES = 15  # the number of features that are drawn


def draw_importances(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the shares of the features that are largest in any model, with a bar for each model."""
    largest = frame.groupby("feature", sort=False)["share"].max().sort_values(ascending=False, kind="stable")
    table = frame.pivot_table(index="feature", columns="model", values="share", sort=False, dropna=False)
    grouped_bars(ax, table.loc[largest.head(_FEATURES).index], lambda share: f"{share:.3f}")
    ax.set_xlabel("share of the fitted models")


def draw_ablations(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the difference that each system makes, with its interval and its value, for each measure."""
    systems, measures = [*frame["system"].unique()], [*frame["measure"].unique()]
    rows = label_rows(ax, systems, series=len(measures))
    handles: list[Any] = []
    for index, measure in enumerate(measures):
        of_measure = frame[frame["measure"] == measure].set_index("system").reindex(systems)
        places = rows.places(index)
        handles.append(dots(ax, index, of_measure, "difference", places))
        for place, value in zip(places, of_measure["value"]):
            text(ax, 1.01, place, cell(value), transform=ax.get_yaxis_transform(), va="center_baseline")
    legend(ax, handles, measures)
    ax.axvline(0, color="black", linewidth=0.6)
    ax.set_xlabel("difference (right: value)")
    grid(ax, "x")
