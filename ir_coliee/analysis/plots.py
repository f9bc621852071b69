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
    finish,
    fit_height,
    font_size,
    grid,
    label_rows,
    legend,
    line_style,
    new_axes,
    nothing,
    points,
    shown_in_notebooks,
    text,
    tint,
)
from ir_coliee.display import cell, words
from ir_coliee.errors import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.frame import AnalysisFrame


_COLUMNS = 10  # up to this number of columns, each has its number
_SMALLEST = 4.5  # points, of the numbers in cells
_MIDDLE: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
_STRONGEST = 0.75  # the share of colour in the darkest cell


def draw_overlap(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the Jaccard index of each pair of runs."""
    _draw_pairs(ax, frame, frame["jaccard"], [_number(value) for value in frame["jaccard"]], "Jaccard index")


def draw_correlation(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw Kendall's tau of each pair of runs."""
    _draw_pairs(ax, frame, frame["kendall"], [_number(value) for value in frame["kendall"]], "Kendall's tau")


def _number(value: float) -> str:
    """Return a number between -1 and 1 with two digits and without a leading zero."""
    if np.isnan(value):
        return "\N{EN DASH}"
    sign = "\N{MINUS SIGN}" if round(value, 2) < 0 else ""
    return sign + f"{abs(value):.2f}".removeprefix("0")


def _draw_pairs(ax: Axes, frame: pd.DataFrame, strengths: pd.Series[float], words: Sequence[str], meaning: str) -> None:
    """Draw a cell for each pair, in the column of its first and the row of its second run.

    Cells are the darker the larger their strength, from 0 to 1. If they are too narrow for the words, they have none.
    """
    from matplotlib.patches import Rectangle

    runs = [*dict.fromkeys([*frame["run_a"], *frame["run_b"]])]
    number = {run: index for index, run in enumerate(runs)}
    rows = label_rows(ax, [f"{index + 1} {run}" for run, index in number.items()])
    columns = range(0, len(runs), 1 if len(runs) <= _COLUMNS else 5)
    ax.set_xticks(columns, [str(column + 1) for column in columns])
    ax.set_xlim(-0.5, len(runs) - 0.5)
    size = _size(ax, len(runs), max(map(len, words)))
    words = words if size >= _SMALLEST else [""] * len(words)
    for a, b, strength, word in zip(frame["run_a"], frame["run_b"], strengths, words):
        share = 0.0 if np.isnan(strength) else abs(strength)
        corner = (number[a] - 0.5, rows.centres[number[b]] - 0.5)
        ax.add_patch(
            Rectangle(corner, 1, 1, facecolor=tint(COLOURS[0], _STRONGEST * share), edgecolor=FAINT, linewidth=0.6)
        )
        text(ax, number[a], rows.centres[number[b]], word, size=size / font_size(ax), **_MIDDLE)
    ax.set_xlabel(meaning)
    ax.tick_params(length=0)


def _size(ax: Axes, runs: int, length: int) -> float:
    """Return the size of words of this length in points with which they fit a cell."""
    return min(font_size(ax), 0.7 * points(ax) / runs / (0.62 * (length + 0.5)))


# Horizontal bars, which leave room for long names: side by side, or one after the other.


_NUMBERED = 6  # up to this number of series, each bar has its number


def grouped_bars(ax: Axes, table: pd.DataFrame, number: Callable[[float], str]) -> None:
    """Draw a row for each row of a table and in it a bar for each column, with its number.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    table : pandas.DataFrame
        The values; the index and the columns have names. Missing values have no bar.
    number : callable
        Formats a value.
    """
    rows = label_rows(ax, [*table.index], series=len(table.columns))
    handles = []
    for index, column in enumerate(table.columns):
        values = table[column].to_numpy(np.float64)
        handles.append(ax.barh(rows.places(index), values, rows.height, **bar_style(index)))
        if len(table.columns) <= _NUMBERED:
            for place, value in zip(rows.places(index), values):
                words = "not defined" if np.isnan(value) else number(value).replace("-", "\N{MINUS SIGN}")
                side = "right" if value < 0 else "left"
                text(ax, value if value == value else 0, place, f" {words} ", ha=side, va="center_baseline", size=0.9)
    if len(handles) > 1:
        legend(ax, handles, [*table.columns])
    values = np.nan_to_num(table.to_numpy(np.float64))
    _widen(ax, float(values.min(initial=0)), float(values.max(initial=0)), max(len(number(v)) for v in values.flat))
    grid(ax, "x")


def stacked_bars(ax: Axes, table: pd.DataFrame, names: Sequence[str] | None = None) -> None:
    """Draw a bar for each row of a table of counts, with a numbered segment for each column.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    table : pandas.DataFrame
        The counts; the index and the columns have names.
    names : sequence of str, optional
        The labels of the rows; by default the index.
    """
    rows = label_rows(ax, [*table.index] if names is None else names)
    counts = table.fillna(0).to_numpy(np.float64)
    starts = np.cumsum(counts, axis=1) - counts
    most = counts.sum(axis=1).max(initial=1)
    handles = []
    for index in range(len(table.columns)):
        handles.append(ax.barh(rows.centres, counts[:, index], rows.height, left=starts[:, index], **bar_style(index)))
        for place, start, count in zip(rows.centres, starts[:, index], counts[:, index]):
            if count * _characters(ax) / most > len(f"{count:.0f}") + 1:
                box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
                text(ax, start + count / 2, place, f"{count:.0f}", ha="center", va="center", size=0.85, bbox=box)
    legend(ax, handles, [*table.columns])
    ax.set_xlim(0, most)
    grid(ax, "x")


def _characters(ax: Axes) -> float:
    """Return how many characters fit the width of the data area, at least."""
    return 0.7 * points(ax) / (0.62 * font_size(ax))


def _widen(ax: Axes, low: float, high: float, length: int) -> None:
    """Leave room for numbers of this length at the ends of the bars."""
    room = (high - low or 1) * (length + 2) / _characters(ax)
    ax.set_xlim(low - room if low < 0 else 0, high + room)
    ax.axvline(0, color="black", linewidth=0.6)


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


_FEW = 4  # up to this number of runs, each has its own waterfall
_EDGE = {"edgecolor": "black", "linewidth": 0.5}
_GROUPS = 10  # groups of losses that are drawn
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
        stacked_bars(ax, table.reindex(index=runs, columns=names))
        return
    lines: list[tuple[str, str, int, float]] = []  # name, type, items and share
    for run in runs:
        lines += [(run, "", 0, 0.0)] if len(runs) > 1 else []
        lines += frame.loc[frame["run"] == run, ["name", "type", "items", "share"]].itertuples(index=False, name=None)
    rows = label_rows(ax, [name for name, *_ in lines], headings=[i for i, line in enumerate(lines) if not line[1]])
    most = max(1, int(frame["items"].max()))
    left = 0
    for place, (_, kind, items, share) in zip(rows.centres, lines):
        if not kind:
            continue
        start = {"level": 0, "loss": left - items, "gain": left}[kind]
        left = start if kind == "loss" else start + items
        ax.barh(place, items, 0.8, left=start, **_WATERFALL[kind])
        sign = {"level": "", "loss": "\N{MINUS SIGN}", "gain": "+"}[kind]
        percent = "" if np.isnan(share) else f" ({100 * share:.1f} %)"
        text(ax, start + items, place, f" {sign}{items}{percent}", va="center_baseline", size=0.9)
    ax.set_xlim(0, most * 1.45)
    grid(ax, "x")


def draw_losses_by_group(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the items that the groups lose beyond the share of the other queries, significant ones if there are any."""
    significant = frame[frame["p_holm"] < _SIGNIFICANT]
    rows = (frame if significant.empty else significant).head(_GROUPS)
    names = [f"{row.group} ({words(str(row.property))}): {row.cause}" for row in rows.itertuples()]
    table = pd.DataFrame({"excess": rows["excess"].to_numpy()}, index=names)
    if rows["run"].nunique() > 1:
        table.index = [f"{run}: {name}" for run, name in zip(rows["run"], names)]
    grouped_bars(ax, table, lambda number: f"{number:.0f}")
    ax.set_xlabel("items lost beyond the share of the other queries")


def draw_false_answers(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw a bar for each kind of false answer and run; of more than four runs, one bar of all kinds each."""
    table = frame.pivot_table(index="kind", columns="run", values="items", aggfunc="sum", sort=False).fillna(0)
    ax.set_xlabel("false answers")
    if len(table.columns) > _FEW:
        stacked_bars(ax, table.T)
    else:
        grouped_bars(ax, table, lambda number: f"{number:.0f}")


#: Function that draws a frame of each kind on axes: a function ``draw_KIND`` of this module.
PLOTS: dict[str, Callable[[AnalysisFrame, Axes], None]] = {
    name.removeprefix("draw_"): each for name, each in [*globals().items()] if name.startswith("draw_")
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
