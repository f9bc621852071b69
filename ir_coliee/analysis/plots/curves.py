"""Drawings of `ir_coliee.analysis.curves`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ir_coliee.analysis.plots.style import FAINT, GREY, bar_style, grid, legend, line_style, text
from ir_coliee.errors import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame

_LONG = 30  # from this number of items on, an axis of numbers is logarithmic
_POINTS = ("best", "chosen", "oracle")
_BARS = 4  # up to this number of runs, answers per query are bars


def draw_cutoff_curve(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the figure by the mean number of returned items.

    Of several runs only the curve of the rule with the best cut-off is drawn, of a single run those of all rules. A
    star is the best cut-off; the marker of the run is its own answer set, and its outline the oracle.
    """
    runs = [*frame["run"].unique()]
    handles: list[Any] = []
    names = []
    for index, run in enumerate(runs):
        of_run = frame[frame["run"] == run]
        rules = [*of_run.loc[of_run["point"] == "best", "cutoff"]] if len(runs) > 1 else [*_rules(of_run)]
        for number, rule in enumerate(rules):
            curve = of_run[of_run["cutoff"] == rule].sort_values("returned", kind="stable")
            style = line_style(index + number)
            ax.plot(curve["returned"], curve["value"], **{**style, "marker": ""})
            handles.append(_handle(**(style if len(runs) > 1 else {**style, "marker": ""})))
            names.append(f"by {rule}" if len(runs) == 1 else f"{printable(run, 20)}, by {rule}")
        style = {**line_style(index), **({"color": "black"} if len(runs) == 1 else {})}
        for point in _POINTS:
            row = of_run[of_run["point"] == point]
            ax.plot(row["returned"], row["value"], **_point_style(point, style), zorder=3)
    handles += [_handle(**_point_style(point, {"color": GREY, "marker": "o"})) for point in _POINTS]
    legend(ax, handles, [*names, *_POINTS])
    ax.set_xlabel("items returned per query (mean)")
    ax.set_ylabel(frame.title.partition(" by ")[0])
    _number_axis(ax, frame["returned"].max(), smallest=0.5)
    ax.set_ylim(bottom=0)
    grid(ax)


def draw_recall_by_depth(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw recall by depth, with a line for each ranking."""
    handles: list[Any] = []
    runs = [*frame["run"].unique()]
    for index, run in enumerate(runs):
        curve = frame[frame["run"] == run]
        handles += ax.plot(curve["depth"], curve["recall"], **line_style(index))
    legend(ax, handles, runs)
    ax.set_xlabel("depth")
    ax.set_ylabel("recall")
    _number_axis(ax, frame["depth"].max())
    ax.set_ylim(0, 1.03)
    grid(ax)


def draw_precision_recall(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw precision by recall over lines of equal F; the official runs are grey circles."""
    official, ours = frame[frame["official"]], frame[~frame["official"]]
    top = min(1.0, 1.15 * max(0.1, float(np.nanmax(frame[["precision", "recall"]].to_numpy()))))
    beta = float(frame["beta"].iloc[0])
    _draw_lines_of_equal_f(ax, top, beta)
    handles: list[Any] = [_handle(color=GREY, linewidth=0.7)]
    if len(official):
        circles: dict[str, Any] = {"color": GREY, "marker": "o", "markersize": 3.5, "fillstyle": "none"}
        handles += ax.plot(official["recall"], official["precision"], linestyle="", **circles)
    for index, (recall, precision) in enumerate(zip(ours["recall"], ours["precision"])):
        style = {**line_style(index), "linestyle": "", "markersize": 6, "markeredgecolor": "black"}
        handles += ax.plot([recall], [precision], **style, zorder=3, clip_on=False)
    names = [f"lines of equal F{beta:g}", *([f"official runs ({len(official)})"] if len(official) else [])]
    legend(ax, handles, [*names, *ours["run"]])
    ax.set_xlabel("recall")
    ax.set_ylabel("precision")
    ax.set_xlim(0, top)
    ax.set_ylim(0, top)


def draw_answers_per_query(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the share of queries by number of items: bars of the gold labels and of few runs, otherwise lines."""
    from matplotlib.ticker import MaxNLocator

    runs = [*frame["run"].unique()]
    handles: list[Any] = []
    for index, run in enumerate(runs):
        of_run = frame[frame["run"] == run]
        shares = of_run["num_queries"] / of_run["num_queries"].sum()
        if len(runs) <= _BARS + 1:
            width = 0.8 / len(runs)
            places = of_run["items"] + (index - (len(runs) - 1) / 2) * width
            style = {"color": "black"} if index == 0 else bar_style(index - 1)
            handles.append(ax.bar(places, shares, width, **style))
        else:
            style = {"color": "black", "linewidth": 2.5} if index == 0 else line_style(index - 1)
            handles += ax.plot(of_run["items"], shares, **style)
    legend(ax, handles, runs)
    ax.set_xlabel("items per query")
    ax.set_ylabel("share of queries")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(bottom=0)
    grid(ax, "y")


def _rules(of_run: pd.DataFrame) -> Iterator[str]:
    return (rule for rule in ("rank", "threshold", "ratio") if (of_run["cutoff"] == rule).any())


def _point_style(point: str, style: dict[str, Any]) -> dict[str, Any]:
    """Return the style of a point: a star, the marker of the run, or its outline."""
    edge = style["color"] if point == "oracle" else "black"
    return {
        "linestyle": "",
        "color": style["color"],
        "marker": "*" if point == "best" else style["marker"],
        "markersize": 9 if point == "best" else 6,
        "markerfacecolor": "white" if point == "oracle" else style["color"],
        "markeredgecolor": edge,
        "markeredgewidth": 1.2 if point == "oracle" else 0.7,
    }


def _handle(**style: Any) -> Any:
    """Return an entry of a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **style)


def _draw_lines_of_equal_f(ax: Axes, top: float, beta: float) -> None:
    """Draw lines on which precision and recall have the same F, each with its value at the right end."""
    step = 0.1 if top > 0.45 else 0.05
    labelled = top  # the height of the last label
    for f in np.arange(step, top, step)[::-1]:
        recall = np.linspace(f / (1 + beta**2 * (1 - f) + 1e-9), top, 200)
        with np.errstate(divide="ignore"):
            precision = f * recall / ((1 + beta**2) * recall - beta**2 * f)
        inside = (precision > 0) & (precision <= top)
        if not inside.any():
            continue
        ax.plot(recall[inside], precision[inside], color=FAINT, linewidth=0.7, zorder=1)
        height = float(precision[inside][-1])
        if labelled - height > 0.08 * top:
            text(ax, top, height, f" {f:.2g}", color=GREY, ha="left", va="center", zorder=1)
            labelled = height


def _number_axis(ax: Axes, largest: float, *, smallest: float = 1) -> None:
    """Make an axis of numbers of items, logarithmic if it is long."""
    from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator, ScalarFormatter

    if not largest > _LONG:  # also if it is missing
        ax.set_xlim(left=0)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        return
    ax.set_xscale("log")
    ax.set_xlim(smallest, largest * 1.1)
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000) if tick <= largest]
    ax.xaxis.set_major_locator(FixedLocator(ticks[:: 1 if len(ticks) < 9 else 2]))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(ScalarFormatter())
