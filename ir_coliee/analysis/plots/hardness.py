"""Drawings of `ir_coliee.analysis.hardness`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir_coliee.analysis.plots.bars import grouped_bars, stacked_bars
from ir_coliee.analysis.plots.style import grid, label_rows, legend, line_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame

_QUERIES = 25  # the number of queries that are drawn


def draw_hardest_queries(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the values of all runs for the hardest queries, and of several runs the mean of each query as a line."""
    queries = frame.drop_duplicates("query_id").head(_QUERIES)
    runs = [*frame["run"].unique()]
    rows = label_rows(
        ax,
        [*queries["query_id"]],
    )
    handles: list[Any] = []
    for index, run in enumerate(runs):
        values = frame[frame["run"] == run].set_index("query_id")["value"].reindex(queries["query_id"])
        places = rows.centres + ((index + 0.5) / len(runs) - 0.5) * rows.height
        handles += ax.plot(values, places, **{**line_style(index), "linestyle": ""})
    names = runs
    if len(runs) > 1:
        lines = ax.vlines(queries["mean_value"], rows.centres - 0.4, rows.centres + 0.4, color="black", linewidth=1.2)
        handles, names = [*handles, lines], [*runs, "mean"]
    legend(ax, handles, names)
    number = frame["query_id"].nunique()
    ax.set_xlabel("value" if number <= _QUERIES else f"value (the hardest {_QUERIES} of {number} queries)")
    ax.set_xlim(-0.03, 1.03)
    grid(ax)


def draw_mean_value_correlation(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the correlation of the mean values with each property, for all queries and for each quarter."""
    table = frame.pivot_table(index="queries", columns="property", values="correlation", sort=False, dropna=False)
    sizes = frame.drop_duplicates("queries").set_index("queries")["num_queries"]
    table.index = [f"{name} (n={sizes[name]})" for name in table.index]
    grouped_bars(ax, table, lambda number: f"{number:.2f}")
    ax.set_xlabel("correlation with the mean value")


def draw_by_number_of_relevant(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw each measure for queries with a single relevant item and for those with multiple ones, or for each query."""
    if "query_id" in frame.columns:
        _draw_measures_of_queries(frame, ax)
        return
    sizes = frame.drop_duplicates("relevant").set_index("relevant")["num_queries"]
    table = frame.pivot_table(index="measure", columns="relevant", values="value", sort=False, dropna=False)
    table.columns = [f"{name} (n={sizes[name]})" for name in table.columns]
    grouped_bars(ax, table, lambda number: f"{number:.2f}")
    ax.set_xlabel("mean over runs and queries")


def _draw_measures_of_queries(frame: AnalysisFrame, ax: Axes) -> None:
    table = frame.pivot_table(index=["relevant", "query_id"], columns="measure", values="value", sort=False)
    rows = label_rows(ax, [f"{query_id} ({relevant})" for relevant, query_id in table.index])
    handles: list[Any] = []
    for index, measure in enumerate(table.columns):
        handles += ax.plot(table[measure], rows.centres, **{**line_style(index), "linestyle": ""})
    legend(ax, handles, [*table.columns])
    ax.set_xlabel("mean over runs")
    ax.set_xlim(-0.03, 1.03)
    grid(ax)


def draw_by_value_class(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the number of queries with the property and of the others in each class of mean values."""
    table = frame.pivot_table(index="value_class", columns="queries", values="num_queries", sort=False)
    grouped_bars(ax, table, lambda number: f"{number:.0f}")
    ax.set_xlabel("queries")
    ax.set_ylabel("mean value")


def draw_answered_by(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw how many queries no run, some runs and all runs answer."""
    keys = ["answer", "relevant"]
    table = frame.pivot_table(index=keys, columns="answered_by", values="num_queries", sort=False)
    stacked_bars(ax, table, [f"{answer}, {relevant}" for answer, relevant in table.index])
    ax.set_xlabel("queries")
