"""Plots of the analyses, by the kind of their frame. They need the extra ``plot``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ir_coliee.analysis.plot_style import (
    COLOURS,
    FAINT,
    GREY,
    HATCHES,
    bar_style,
    dots,
    fit_height,
    label_rows,
    legend,
    line_style,
    new_axes,
    settings,
    tint,
)
from ir_coliee.display import cell, words
from ir_coliee.errors import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.frame import AnalysisFrame

_SIGNIFICANT = 0.05
_NUMBERED = 6  # up to this number of series, each bar has its number


# Horizontal bars, which leave room for long names: side by side, or one after the other.


def grouped_bars(ax: Axes, table: pd.DataFrame, form: str) -> None:
    """Draw a row for each row of a table and in it a bar for each column, with its number in a form such as ``.2f``."""
    rows = label_rows(ax, [*table.index], series=len(table.columns))
    handles = []
    for index, column in enumerate(table.columns):
        handles.append(ax.barh(rows.places(index), table[column].to_numpy(float), rows.height, **bar_style(index)))
        if len(table.columns) <= _NUMBERED:
            ax.bar_label(handles[-1], fmt=f"{{:{form}}}", padding=2)
    if len(handles) > 1:
        legend(ax, handles, [*table.columns])
    ax.margins(x=0.15)
    ax.axvline(0, color="black", linewidth=0.6)
    ax.grid(axis="x")


def stacked_bars(ax: Axes, table: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw a bar for each row of a table of counts, with a numbered segment for each column."""
    rows = label_rows(ax, names)
    counts = table.fillna(0).to_numpy(np.float64)
    starts = np.cumsum(counts, axis=1) - counts
    most = counts.sum(axis=1).max(initial=1)
    handles = []
    for index in range(len(table.columns)):
        bars = ax.barh(rows.centres, counts[:, index], rows.height, left=starts[:, index], **bar_style(index))
        numbers = [f"{count:.0f}" if count > 0.06 * most else "" for count in counts[:, index]]
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
        for number in ax.bar_label(bars, numbers, label_type="center"):
            number.set_bbox(box if number.get_text() else None)
        handles.append(bars)
    legend(ax, handles, [*table.columns])
    ax.set_xlim(0, most)
    ax.grid(axis="x")


# Queries, groups of queries, and pairs of runs.


_QUERIES = 25  # the number of queries that are drawn
_GROUPS = 10  # the number of groups that are drawn, of those with excess or interaction
_RUNS = 10  # up to this number of runs, each pair has its number


def draw_hardest_queries(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the values of all runs for the hardest queries, and of several runs the mean of each query as a line."""
    queries = frame.drop_duplicates("query_id").head(_QUERIES)
    names = [*frame["run"].unique()]
    rows = label_rows(ax, [*queries["query_id"]])
    handles: list[Any] = []
    for index, run in enumerate(names):
        values = frame[frame["run"] == run].set_index("query_id")["value"].reindex(queries["query_id"])
        places = rows.centres + ((index + 0.5) / len(names) - 0.5) * rows.height
        handles += ax.plot(values, places, **{**line_style(index), "linestyle": ""})
    if len(names) > 1:
        lines = ax.vlines(queries["mean_value"], rows.centres - 0.4, rows.centres + 0.4, color="black", linewidth=1.2)
        handles, names = [*handles, lines], [*names, "mean"]
    legend(ax, handles, names)
    number = frame["query_id"].nunique()
    ax.set_xlabel("value" if number <= _QUERIES else f"value (the hardest {_QUERIES} of {number} queries)")
    ax.set_xlim(-0.03, 1.03)
    ax.grid()


def draw_answered_by(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw how many queries no run, some runs and all runs answer."""
    keys = ["answer", "relevant"]
    table = frame.pivot_table(index=keys, columns="answered_by", values="num_queries", sort=False)
    stacked_bars(ax, table, [f"{answer}, {relevant}" for answer, relevant in table.index])
    ax.set_xlabel("queries")


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
        handles.append(dots(ax, index, of_run, "value", rows.places(index)))
        ends = of_run[["value", "high"]].max(axis=1).to_numpy(np.float64)
        for place, end, p in zip(rows.places(index), ends, of_run["p_holm"]):
            if p < _SIGNIFICANT:
                ax.text(end, place, " *", va="center_baseline")
    legend(ax, handles, runs)
    ax.set_xlim(-0.02, 1.05)
    ax.set_xlabel("value, 95 % interval; *: p < .05")
    ax.grid(axis="x")


def _of_groups(frame: pd.DataFrame, value: str, *columns: str) -> pd.DataFrame:
    """Return values by group and run or cause: of the significant groups if there are any, the first ones."""
    significant = frame[frame["p_holm"] < _SIGNIFICANT]
    shown = frame if significant.empty else significant
    keys = ["property", "group", *columns]
    chosen = shown[keys].drop_duplicates()[:_GROUPS]
    table = frame.merge(chosen, on=keys).pivot_table(index=keys, columns="run", values=value, sort=False, dropna=False)
    table = table.reindex(pd.MultiIndex.from_frame(chosen))
    table.index = [": ".join([f"{group} ({words(name)})", *others]) for name, group, *others in table.index]
    return table


def draw_losses_by_group(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the items that the groups lose beyond the share of the other queries, significant ones if there are any."""
    grouped_bars(ax, _of_groups(frame, "excess", "cause"), ".0f")
    ax.set_xlabel("lost beyond the share of the others")


def draw_hard_for_all(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the unanswered queries of the groups beyond the share of the others, significant ones if there are any."""
    grouped_bars(ax, _of_groups(frame.assign(run="queries"), "excess"), ".1f")
    ax.set_xlabel("not answered beyond the share of the others")


def draw_interactions(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw by how much each run differs from the mean of the runs in groups of queries."""
    grouped_bars(ax, _of_groups(frame, "interaction"), ".2f")
    ax.set_xlabel("difference from the mean of the runs")


def draw_agreement(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw a cell for each pair of runs, the darker the larger its Jaccard index."""
    from matplotlib.colors import LinearSegmentedColormap

    runs = [*dict.fromkeys([*frame["run_a"], *frame["run_b"]])]
    rows = label_rows(ax, [f"{number} {run}" for number, run in enumerate(runs, 1)])
    table = frame.pivot_table(index="run_b", columns="run_a", values="jaccard", dropna=False)
    values = table.reindex(index=runs, columns=runs).to_numpy(np.float64)
    columns = np.arange(len(runs) + 1) - 0.5
    shades = LinearSegmentedColormap.from_list("shades", [FAINT, COLOURS[4]]).with_extremes(bad="white")
    edges = np.append(rows.centres - np.diff(rows.centres, append=rows.centres[-1] + 1) / 2, ax.get_ylim()[0])
    ax.pcolormesh(columns, edges, np.ma.masked_invalid(values), cmap=shades, vmin=0, vmax=1, edgecolors=FAINT)
    for (row, column), value in np.ndenumerate(values):
        if len(runs) <= _RUNS and value == value:
            ax.text(
                column, float(rows.centres[row]), f"{value:.2f}".removeprefix("0"), ha="center", va="center_baseline"
            )
    shown = range(0, len(runs), 1 if len(runs) <= _RUNS else 5)
    ax.set_xticks(shown, [str(column + 1) for column in shown])
    ax.set_xlabel("Jaccard index")
    ax.tick_params(length=0)


# Curves and rankings.


_LONG = 30  # from this number of items on, an axis of numbers is logarithmic
_POINTS = ("best", "chosen", "oracle")
_BARS = 4  # up to this number of runs, answers per query are bars


def draw_calibration(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the observed share by the mean probability, with intervals and the diagonal of perfect calibration."""
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle="--", zorder=1)
    handles: list[Any] = []
    for index, (_, of_run) in enumerate(frame.groupby("run", sort=False)):
        handles.append(dots(ax, index, of_run, "observed", of_run["predicted"].to_numpy(np.float64), upright=True))
    legend(ax, handles, [*frame["run"].unique()])
    ax.set(xlabel="mean probability", ylabel="relevant share", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    ax.grid()


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
    ax.grid()


def _rules(of_run: pd.DataFrame) -> Iterator[str]:
    return (rule for rule in ("rank", "threshold", "ratio") if (of_run["cutoff"] == rule).any())


def _point_style(point: str, style: dict[str, Any]) -> dict[str, Any]:
    """Return the style of a point: a star, the marker of the run, or its outline."""
    return {
        "linestyle": "",
        "color": style["color"],
        "marker": "*" if point == "best" else style["marker"],
        "markersize": 9 if point == "best" else 6,
        "markerfacecolor": "white" if point == "oracle" else style["color"],
        "markeredgecolor": style["color"] if point == "oracle" else "black",
        "markeredgewidth": 1.2 if point == "oracle" else 0.7,
    }


def _handle(**style: Any) -> Any:
    """Return an entry of a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **style)


def _number_axis(ax: Axes, largest: float, *, smallest: float = 1) -> None:
    """Make an axis of numbers of items, logarithmic if it is long."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, ScalarFormatter

    if not largest > _LONG:  # also if it is missing
        ax.set_xlim(left=0)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        return
    ax.set_xscale("log")
    ax.set_xlim(smallest, largest * 1.1)
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if largest < 200 else (1,)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(ScalarFormatter())


def draw_recall_by_depth(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw recall by depth, with a line for each ranking."""
    handles: list[Any] = []
    for index, (_, curve) in enumerate(frame.groupby("run", sort=False)):
        handles += ax.plot(curve["depth"], curve["recall"], **line_style(index))
    legend(ax, handles, [*frame["run"].unique()])
    ax.set(xlabel="depth", ylabel="recall", ylim=(0, 1.03))
    _number_axis(ax, frame["depth"].max())
    ax.grid()


def draw_precision_recall(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw precision by recall over lines of equal F; the official runs are grey circles."""
    official, ours = frame[frame["official"]], frame[~frame["official"]]
    top = min(1.0, 1.15 * max(0.1, float(np.nanmax(frame[["precision", "recall"]].to_numpy()))))
    beta = float(frame["beta"].iloc[0])
    recall, precision = np.meshgrid(*[np.linspace(1e-6, top, 400)] * 2)
    f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    step = 0.1 if top > 0.45 else 0.05
    levels = np.arange(step, top, step)
    lines = ax.contour(recall, precision, f, levels, colors=FAINT, linewidths=0.7, zorder=1)
    ax.clabel(lines, fmt="%.2g", colors=GREY, manual=[*zip(levels[:-1], levels[:-1])])
    handles: list[Any] = [_handle(color=GREY, linewidth=0.7)]
    if len(official):
        circles: dict[str, Any] = {"color": GREY, "marker": "o", "markersize": 3.5, "fillstyle": "none"}
        handles += ax.plot(official["recall"], official["precision"], linestyle="", **circles)
    for index, (recall, precision) in enumerate(zip(ours["recall"], ours["precision"])):
        style = {**line_style(index), "linestyle": "", "markersize": 6, "markeredgecolor": "black"}
        handles += ax.plot([recall], [precision], **style, zorder=3, clip_on=False)
    names = [f"lines of equal F{beta:g}", *([f"official runs ({len(official)})"] if len(official) else [])]
    legend(ax, handles, [*names, *ours["run"]])
    ax.set(xlabel="recall", ylabel="precision", xlim=(0, top), ylim=(0, top))


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
    ax.grid(axis="y")


# Fitted models.


_FEATURES = 15  # the number of features that are drawn


def draw_importances(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the shares of the features that are largest in any model, with a bar for each model."""
    largest = frame.groupby("feature", sort=False)["share"].max().sort_values(ascending=False, kind="stable")
    table = frame.pivot_table(index="feature", columns="model", values="share", sort=False, dropna=False)
    grouped_bars(ax, table.loc[largest.head(_FEATURES).index], ".3f")
    ax.set_xlabel("share of the fitted models")


def draw_ablations(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the difference that each system makes, with its interval and its value, for each measure."""
    systems, measures = [*frame["system"].unique()], [*frame["measure"].unique()]
    rows = label_rows(ax, systems, series=len(measures))
    handles: list[Any] = []
    for index, measure in enumerate(measures):
        of_measure = frame[frame["measure"] == measure].set_index("system").reindex(systems)
        handles.append(dots(ax, index, of_measure, "difference", rows.places(index)))
        for place, value in zip(rows.places(index), of_measure["value"]):
            ax.text(1.01, place, cell(value), transform=ax.get_yaxis_transform(), va="center_baseline")
    legend(ax, handles, measures)
    ax.axvline(0, color="black", linewidth=0.6)
    ax.set_xlabel("difference (right: value)")
    ax.grid(axis="x")


# Losses and false answers.


_FEW = 4  # up to this number of runs, each has its own waterfall
_EDGE = {"edgecolor": "black", "linewidth": 0.5}
_WATERFALL: dict[str, dict[str, Any]] = {
    "level": {"facecolor": COLOURS[4], **_EDGE},
    "loss": {"facecolor": tint(COLOURS[1], 0.6), "hatch": HATCHES[1], **_EDGE},
    "gain": {"facecolor": tint(COLOURS[2], 0.6), "hatch": HATCHES[2], **_EDGE},
}


def draw_losses(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw a waterfall for each run: plain bars are levels, hatched bars the losses and gains between them.

    Of more than four runs, each has one bar of what it keeps and of its losses.
    """
    runs = [*frame["run"].unique()]
    ax.set_xlabel("relevant items")
    if len(runs) > _FEW:
        last = frame.groupby("run")["step"].transform("max") == frame["step"]
        parts = frame[(frame["type"] == "loss") | last].sort_values(["type", "step"], kind="stable")
        names = [*dict.fromkeys(parts["name"])]
        table = parts.pivot_table(index="run", columns="name", values="items", aggfunc="sum")
        stacked_bars(ax, table.reindex(index=runs, columns=names), runs)
        return
    lines: list[tuple[str, str, int, float]] = []  # name, type, items and share
    for run in runs:
        lines += [(run, "", 0, 0.0)] if len(runs) > 1 else []
        lines += frame.loc[frame["run"] == run, ["name", "type", "items", "share"]].itertuples(index=False, name=None)
    rows = label_rows(ax, [name for name, *_ in lines], headings=[i for i, line in enumerate(lines) if not line[1]])
    left = 0
    for place, (_, kind, items, share) in zip(rows.centres, lines):
        if not kind:
            continue
        start = {"level": 0, "loss": left - items, "gain": left}[kind]
        left = start if kind == "loss" else start + items
        bars = ax.barh(place, items, 0.8, left=start, **_WATERFALL[kind])
        sign = {"level": "", "loss": "\N{MINUS SIGN}", "gain": "+"}[kind]
        percent = "" if np.isnan(share) else f" ({100 * share:.1f} %)"
        ax.bar_label(bars, [f"{sign}{items}{percent}"], padding=2)
    ax.set_xlim(0, max(1, int(frame["items"].max())) * 1.45)
    ax.grid(axis="x")


def draw_false_answers(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw a bar for each kind of false answer and run; of more than four runs, one bar of all kinds each."""
    table = frame.pivot_table(index="kind", columns="run", values="items", aggfunc="sum", sort=False).fillna(0)
    ax.set_xlabel("false answers")
    if len(table.columns) > _FEW:
        stacked_bars(ax, table.T, [*table.columns])
    else:
        grouped_bars(ax, table, ".0f")


#: Function that draws a frame of each kind on axes: a function ``draw_KIND`` of this module.
PLOTS: dict[str, Callable[[AnalysisFrame, Axes], None]] = {
    name.removeprefix("draw_"): each for name, each in [*globals().items()] if name.startswith("draw_")
}


def plot(frame: AnalysisFrame, ax: Axes | None = None, *, width: float | None = None) -> Axes:
    """Plot an analysis; see `ir_coliee.analysis.analysis_frame.AnalysisFrame.plot`."""
    draw = PLOTS.get(frame.kind)
    if draw is None:
        raise ValueError(f"The analysis {frame.kind!r} has no plot; there are plots of {', '.join(sorted(PLOTS))}.")
    with settings():
        axes = new_axes(width) if ax is None else ax
        if frame.empty:
            axes.set_axis_off()
            axes.text(0.5, 0.5, "nothing to show", ha="center", va="center", transform=axes.transAxes, color=GREY)
            return axes
        draw(frame, axes)
        if ax is None:
            fit_height(axes)
    return axes
