"""Plots of the analyses, by the kind of their frame. They need the extra ``plot``.

The colours are those that the colour-blind can tell apart, and the marks print in black and white. Nothing here uses
pyplot. What matplotlib has only as a setting of the process is set while a plot is drawn or saved, by one thread at a
time.
"""

from __future__ import annotations

import functools
import importlib.util
import io
import math
import textwrap
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ir_coliee.display import Picture, cell, words
from ir_coliee.errors import MissingExtraError, printable
from ir_coliee.frames import Floats, check_number
from ir_coliee.storage import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.frame import AnalysisFrame

#: The palette of Okabe and Ito (2008), from dark to light, without yellow, which is faint on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)))
HATCHES = ("", "////", "xxxx", "----", "\\\\\\\\", "||||", "++++")  # dots and circles make large SVG files
GREY = "#767676"  # of auxiliary lines and of what is not a run of the user
FAINT = "#D9D9D9"  # of grids
LABEL_LENGTH = 36  # the largest number of characters in a legend, and of a line of a label
_SIZE = 8  # points, of all text
_SERIES = 6  # the number of series from which on a row does not become higher
_WIDTH, _RATIO = 5.5, 0.55  # inches, the text width of most proceedings; height of the data area to the width
_SETTINGS: dict[Any, Any] = {
    "font.size": _SIZE,
    "axes.labelsize": _SIZE,
    "xtick.labelsize": _SIZE,
    "ytick.labelsize": _SIZE,
    "legend.fontsize": _SIZE,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.6,
    "errorbar.capsize": 1.5,
    "pdf.fonttype": 42,  # TrueType, as publishers want
    "svg.hashsalt": "ir_coliee",
    "text.parse_math": False,  # a dollar sign in a name is no formula
}
_SETTING = threading.RLock()


@contextmanager
def settings() -> Iterator[None]:
    """Give matplotlib the settings of all plots for some time. Raises `MissingExtraError` if it is not installed."""
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError as error:
        raise MissingExtraError("Plotting", "plot") from error
    with _SETTING, matplotlib.rc_context(_SETTINGS):
        yield


def new_axes(width: float | None = None) -> Axes:
    """Return the axes of a new figure, which notebooks show as a picture.

    Parameters
    ----------
    width : float, optional
        The width of the figure in inches; by default 5.5.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    ValueError
        If the width is not from 2 to 100 inches, as in less no data area is left.
    """
    size = _WIDTH if width is None else check_number("width", width, "from 2 to 100 inches", lambda n: 2 <= n <= 100)
    with settings():
        from matplotlib.figure import Figure

        axes: Axes = Figure(figsize=(size, size * _RATIO), layout="constrained").subplots()
    axes._repr_svg_ = functools.partial(_svg, axes)  # type: ignore[attr-defined]  # pyplot does not know the figure
    return axes


# --- series ----------------------------------------------------------------------------------------


def line_style(index: int) -> dict[str, Any]:
    """Return colour, marker and line of the series with this index.

    Marker and line together tell 28 series apart, and so do colour and marker of points.
    """
    return {
        "color": COLOURS[(index + index // len(COLOURS)) % len(COLOURS)],
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": LINES[index % len(LINES)],
        "markersize": 4,
        "linewidth": 1.2,
        "markeredgecolor": "white",
        "markeredgewidth": 0.4,
    }


def bar_style(index: int) -> dict[str, Any]:
    """Return the colour, hatch and edge of the bars with this index."""
    return {
        "facecolor": tint(COLOURS[index % (len(COLOURS) - 1)], 0.6),  # a hatch cannot be seen on a dark colour
        "hatch": HATCHES[index % len(HATCHES)],  # with six colours and seven hatches 42 bars can be told apart
        "edgecolor": "black",
        "linewidth": 0.5,
    }


def tint(colour: str, share: float) -> tuple[float, ...]:
    """Return a mixture of a colour, in this share, and white."""
    return tuple(1 - share * (1 - int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))


def dots(ax: Axes, index: int, frame: pd.DataFrame, value: str, places: Floats, *, upright: bool = False) -> Any:
    """Draw the values of a series as points at places, with intervals from the columns ``low`` to ``high``."""
    values = frame[value].to_numpy(np.float64)
    sides = np.stack([values - frame["low"].to_numpy(np.float64), frame["high"].to_numpy(np.float64) - values])
    style = {**line_style(index), "linestyle": "", "elinewidth": 0.8}
    if upright:
        return ax.errorbar(places, values, yerr=sides.clip(min=0), **style)
    return ax.errorbar(values, places, xerr=sides.clip(min=0), **style)


# --- labels ----------------------------------------------------------------------------------------


def short(name: object, longest: int = LABEL_LENGTH) -> str:
    """Return a name that is shortened, with control characters escaped."""
    return printable(str(name), longest)


def legend(ax: Axes, handles: Sequence[Any], names: Sequence[object]) -> None:
    """Put a legend above the data area, in as many columns as fit the figure."""
    labels = _distinct(names, map(short, names))
    width = 72 * ax.figure.get_figwidth() / _SIZE  # type: ignore[union-attr]
    columns = max(1, int(0.6 * width / (0.52 * max(map(len, labels), default=1) + 4.4)))
    is_of_rows = ax.yaxis_inverted()  # whose labels leave room above them
    found = ax.legend(
        handles,
        ["."] * len(handles),  # a label that starts with an underscore would be left out
        loc="lower right" if is_of_rows else "lower left",
        bbox_to_anchor=(float(is_of_rows), 1.02),
        borderaxespad=0,
        borderpad=0.2,
        ncols=min(columns, max(len(handles), 1)),
        columnspacing=1.2,
        labelspacing=0.3,
    )
    for text, name in zip(found.get_texts(), labels):
        text.set_text(name)


def label_rows(
    ax: Axes, names: Sequence[object], *, series: int = 1, headings: Collection[int] = ()
) -> tuple[Floats, float]:
    """Label the rows of a plot, from the top: the more series, the higher are the rows.

    It returns the places of each series in all rows, in an array of shape (series, rows), and the height of a series.
    Long labels are broken into two lines, and shortened; rows that are headings are bold and have no series.
    """
    wide = ax.figure.get_figwidth() >= _WIDTH  # type: ignore[union-attr]
    labels = _distinct(names, [_broken(str(name), LABEL_LENGTH if wide else 24) for name in names])
    of_series = 0.8 * min(series, _SERIES)
    lowest = [1.4 if "\n" in words else 1.0 for words in labels]
    heights = np.array([low if row in headings else max(of_series, low) for row, low in enumerate(lowest)])
    centres = heights.cumsum() - heights / 2
    ax.set_yticks(centres, labels, linespacing=1.0)
    for row in headings:
        ax.get_yticklabels()[row].set_fontweight("bold")
    ax.set_ylim(heights.sum(), 0)
    ax.tick_params(axis="y", length=0)
    ax.locator_params(axis="x", nbins=4)
    height = 0.85 * max(of_series, 1.0) / series
    return centres + (np.arange(series)[:, None] - (series - 1) / 2) * height, height


def _broken(name: str, longest: int) -> str:
    """Break a long name into two lines, and shorten them."""
    lines = textwrap.wrap(name, longest, break_long_words=False) if len(name) > longest else [name]
    return "\n".join(short(line, longest) for line in (lines[0], " ".join(lines[1:])) if line)


def _distinct(names: Sequence[object], labels: Iterable[str]) -> list[str]:
    """Number the labels if different names have the same one."""
    labels = [*labels]
    is_distinct = len({*labels}) == len({*map(str, names)})
    return labels if is_distinct else [f"{number}: {words}" for number, words in enumerate(labels, 1)]


def fit_height(ax: Axes) -> None:
    """Give the figure of single axes the height of its rows, or of a curve, and of its legend and labels."""
    size, width = _SIZE / 72, ax.figure.get_figwidth()  # type: ignore[union-attr]
    data = width * _RATIO
    if ax.yaxis_inverted():
        bottom, top = ax.get_ylim()
        data = max(0.5, 1.75 * size * (bottom - top))
        ax.set_xlabel(ax.get_xlabel(), loc="right")  # the data area may be narrow
    found = ax.get_legend()
    legend_rows = math.ceil(len(found.get_texts()) / found._ncols) if found else 0  # type: ignore[attr-defined]
    ax.figure.set_figheight(data + 1.4 * size * legend_rows + 0.6)  # type: ignore[union-attr]


# --- pictures and files ----------------------------------------------------------------------------


def _saved(ax: Axes, kind: str) -> bytes:
    """Return the figure in a format, without a date."""
    dates = {"svg": dict.fromkeys(("Date", "Creator", "Format", "Type")), "pdf": {"CreationDate": None}, "png": {}}
    buffer = io.BytesIO()
    with settings():
        ax.figure.savefig(buffer, format=kind, dpi=300, metadata=dates[kind])  # type: ignore[union-attr]
    return buffer.getvalue()


def _svg(ax: Axes) -> str:
    """Return the figure as an SVG element, without the declarations before it."""
    svg = _saved(ax, "svg").decode()
    return svg[svg.index("<svg") :].rstrip()


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def picture(frame: AnalysisFrame) -> Picture:
    """Draw an analysis as a picture of a page. Equal frames give equal pictures.

    Its text is drawn as shapes, so that it looks the same without the font.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # of a name, which the table has
        return Picture(_svg(frame.plot()), f"{frame.title}. The table has the same figures.")


def save(ax: Axes, path: Path | str, *, overwrite: bool = False) -> None:
    """Save the figure of axes. Equal plots give equal files.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    path : path
        The file; its ending says the format: ``.svg``, ``.pdf`` or ``.png``.
    overwrite : bool
        Whether an existing file is replaced.

    Raises
    ------
    ExistingFileError
        If the file exists and ``overwrite`` is false.
    ValueError
        For another ending.
    """
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in ("svg", "pdf", "png"):
        raise ValueError(f"A plot is saved as .svg, .pdf or .png, got the name {printable(Path(path).name)!r}.")
    write_file(path, _saved(ax, kind), overwrite=overwrite)


_SIGNIFICANT = 0.05
_NUMBERED = 6  # up to this number of series, each bar has its number


# Horizontal bars, which leave room for long names: side by side, or one after the other.


def grouped_bars(ax: Axes, table: pd.DataFrame, form: str) -> None:
    """Draw a row for each row of a table and in it a bar for each column, with its number in a form such as ``.2f``."""
    places, height = label_rows(ax, [*table.index], series=len(table.columns))
    handles = []
    for index, column in enumerate(table.columns):
        handles.append(ax.barh(places[index], table[column].to_numpy(float), height, **bar_style(index)))
        if len(table.columns) <= _NUMBERED:
            ax.bar_label(handles[-1], fmt=f"{{:{form}}}", padding=2)
    if len(handles) > 1:
        legend(ax, handles, [*table.columns])
    ax.margins(x=0.15)
    ax.axvline(0, color="black", linewidth=0.6)
    ax.grid(axis="x")


def stacked_bars(ax: Axes, table: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw a bar for each row of a table of counts, with a numbered segment for each column."""
    (places,), height = label_rows(ax, names)
    counts = table.fillna(0).to_numpy(np.float64)
    starts = np.cumsum(counts, axis=1) - counts
    most = counts.sum(axis=1).max(initial=1)
    handles = []
    for index in range(len(table.columns)):
        bars = ax.barh(places, counts[:, index], height, left=starts[:, index], **bar_style(index))
        numbers = [f"{count:.0f}" if count > 0.06 * most else "" for count in counts[:, index]]
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
        for number in ax.bar_label(bars, numbers, label_type="center"):
            number.set_bbox(box if number.get_text() else None)
        handles.append(bars)
    legend(ax, handles, [*table.columns])
    ax.set_xlim(0, most)
    ax.grid(axis="x")


# Queries, groups of queries, and pairs of runs.


QUERIES = 25  # the number of queries that are drawn
_GROUPS = 10  # the number of groups that are drawn, of those with excess or interaction
_RUNS = 10  # up to this number of runs, each pair has its number


def draw_hardest_queries(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the values of all runs for the hardest queries, and of several runs the mean of each query as a line."""
    queries = frame.drop_duplicates("query_id").head(QUERIES)
    names = [*frame["run"].unique()]
    (centres,), height = label_rows(ax, [*queries["query_id"]])
    handles: list[Any] = []
    for index, run in enumerate(names):
        values = frame[frame["run"] == run].set_index("query_id")["value"].reindex(queries["query_id"])
        places = centres + ((index + 0.5) / len(names) - 0.5) * height
        handles += ax.plot(values, places, **{**line_style(index), "linestyle": ""})
    if len(names) > 1:
        lines = ax.vlines(queries["mean_value"], centres - 0.4, centres + 0.4, color="black", linewidth=1.2)
        handles, names = [*handles, lines], [*names, "mean"]
    legend(ax, handles, names)
    number = frame["query_id"].nunique()
    ax.set_xlabel("value" if number <= QUERIES else f"value (the hardest {QUERIES} of {number} queries)")
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
    places, _ = label_rows(ax, [label for label, _, _ in lines], series=len(runs), headings=headings)
    for centre in places.mean(axis=0)[headings]:
        ax.axhline(centre - 0.5, color=FAINT, linewidth=0.8)
    handles: list[Any] = []
    keys = [(name, group) for _, name, group in lines]
    for index, run in enumerate(runs):
        of_run = frame[frame["run"] == run].set_index(["property", "group"]).reindex(keys)
        handles.append(dots(ax, index, of_run, "value", places[index]))
        ends = of_run[["value", "high"]].max(axis=1).to_numpy(np.float64)
        for place, end, p in zip(places[index], ends, of_run["p_holm"]):
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
    table = table.reindex(pd.MultiIndex.from_frame(chosen), columns=getattr(frame, "runs", ()) or table.columns)
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
    runs = [*dict.fromkeys([*frame["run_a"], *frame["run_b"]])]
    table = frame.pivot_table(index="run_b", columns="run_a", values="jaccard", dropna=False)
    values = table.reindex(index=runs, columns=runs).to_numpy(np.float64)
    ax.pcolormesh(np.ma.masked_invalid(values), cmap="Blues", vmin=0, vmax=2, edgecolors=FAINT)  # black is read on all
    places = np.arange(len(runs)) + 0.5
    ax.set_yticks(places, [f"{number} {short(run)}" for number, run in enumerate(runs, 1)])
    ax.invert_yaxis()
    every = 1 if len(runs) <= _RUNS else 5
    ax.set_xticks(places[::every], [str(number) for number in range(1, len(runs) + 1, every)])
    for (row, column), value in np.ndenumerate(values):
        if every == 1 and value == value:
            text = f"{value:.2f}".removeprefix("0")
            ax.text(column + 0.5, row + 0.5, text, ha="center", va="center_baseline")
    ax.set_xlabel("Jaccard index")
    ax.tick_params(length=0)


# Curves and rankings.


_LONG = 30  # from this number of items on, an axis of numbers is logarithmic
#: The style of each point of a curve: a star, the marker of the run, and its outline.
_POINTS: dict[str, dict[str, Any]] = {
    "best": {"marker": "*", "markersize": 9},
    "chosen": {},
    "oracle": {"markerfacecolor": "white", "markeredgecolor": "auto", "markeredgewidth": 1.2},
}
_POINT = {"linestyle": "", "markersize": 6, "markeredgecolor": "black", "markeredgewidth": 0.7}


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
    is_single = len(runs) == 1
    handles: list[Any] = []
    names = []
    for index, run in enumerate(runs):
        of_run = frame[frame["run"] == run]
        rules = of_run.loc[of_run["point"] == "grid" if is_single else of_run["point"] == "best", "cutoff"].unique()
        for number, rule in enumerate(rules):
            curve = of_run[of_run["cutoff"] == rule].sort_values("returned", kind="stable")
            style = {**line_style(index + number), **({"marker": ""} if is_single else {})}
            ax.plot(curve["returned"], curve["value"], **{**style, "marker": ""})
            handles.append(_handle(**style))
            names.append(f"by {rule}" if is_single else f"{short(run, 20)}, by {rule}")
        style = {"color": "black"} if is_single else {}
        for point, of_point in _POINTS.items():
            row = of_run[of_run["point"] == point]
            ax.plot(row["returned"], row["value"], **{**line_style(index), **style, **_POINT, **of_point}, zorder=3)
    handles += [_handle(**{"color": GREY, "marker": "o", **_POINT, **of_point}) for of_point in _POINTS.values()]
    legend(ax, handles, [*names, *_POINTS])
    ax.set_xlabel("items returned per query (mean)")
    ax.set_ylabel(frame.title.partition(" by ")[0])
    _number_axis(ax, frame["returned"].max(), smallest=0.5)
    ax.set_ylim(bottom=0)
    ax.grid()


def _handle(**style: Any) -> Any:
    """Return an entry of a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **style)


def _number_axis(ax: Axes, largest: float, *, smallest: float = 1) -> None:
    """Make an axis of numbers of items, logarithmic if it is long."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

    if not largest > _LONG:  # also if it is missing
        ax.set_xlim(left=0)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        return
    ax.set_xscale("log")
    ax.set_xlim(smallest, largest * 1.1)
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if largest < 200 else (1,)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter("{x:g}")


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
    """Draw the share of queries by number of items, with a line for the gold labels and one for each run."""
    from matplotlib.ticker import MaxNLocator

    handles: list[Any] = []
    for index, (run, of_run) in enumerate(frame.groupby("run", sort=False)):
        style = {"color": "black", "linewidth": 2.5} if run == "gold" else line_style(index - 1)
        handles += ax.plot(of_run["items"], of_run["num_queries"] / of_run["num_queries"].sum(), **style)
    legend(ax, handles, [*frame["run"].unique()])
    ax.set(xlabel="items per query", ylabel="share of queries", ylim=(0, None))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
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
    places, _ = label_rows(ax, systems, series=len(measures))
    handles: list[Any] = []
    for index, measure in enumerate(measures):
        of_measure = frame[frame["measure"] == measure].set_index("system").reindex(systems)
        handles.append(dots(ax, index, of_measure, "difference", places[index]))
        for place, value in zip(places[index], of_measure["value"]):
            ax.text(1.01, place, cell(value), transform=ax.get_yaxis_transform(), va="center_baseline")
    legend(ax, handles, measures)
    ax.axvline(0, color="black", linewidth=0.6)
    ax.set_xlabel("difference (right: value)")
    ax.grid(axis="x")


# Losses and false answers.


_EDGE = {"edgecolor": "black", "linewidth": 0.5}
_WATERFALL: dict[str, dict[str, Any]] = {
    "level": {"facecolor": COLOURS[4], **_EDGE},
    "loss": {"facecolor": tint(COLOURS[1], 0.6), "hatch": HATCHES[1], **_EDGE},
    "gain": {"facecolor": tint(COLOURS[2], 0.6), "hatch": HATCHES[2], **_EDGE},
}


def draw_losses(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw a waterfall of a run: plain bars are levels, hatched bars the losses and gains between them.

    Of several runs, each has one bar of what it keeps and of its losses.
    """
    runs = [*frame["run"].unique()]
    ax.set_xlabel("relevant items")
    if len(runs) > 1:
        last = frame.groupby("run")["step"].transform("max") == frame["step"]
        parts = frame[(frame["type"] == "loss") | last].sort_values(["type", "step"], kind="stable")
        table = parts.pivot_table(index="run", columns="name", values="items", aggfunc="sum")
        stacked_bars(ax, table.reindex(index=runs, columns=[*dict.fromkeys(parts["name"])]), runs)
        return
    (places,), _ = label_rows(ax, [*frame["name"]])
    left = 0
    for place, kind, items, share in zip(places, frame["type"], frame["items"], frame["share"]):
        start = {"level": 0, "loss": left - items, "gain": left}[kind]
        left = start if kind == "loss" else start + items
        bars = ax.barh(place, items, 0.8, left=start, **_WATERFALL[kind])
        sign = {"level": "", "loss": "\N{MINUS SIGN}", "gain": "+"}[kind]
        percent = "" if np.isnan(share) else f" ({100 * share:.1f} %)"
        ax.bar_label(bars, [f"{sign}{items}{percent}"], padding=2)
    ax.set_xlim(0, max(1, int(frame["items"].max())) * 1.45)
    ax.grid(axis="x")


def draw_false_answers(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw a bar for each run with a segment for each kind of false answer."""
    table = frame.pivot_table(index="run", columns="kind", values="items", aggfunc="sum", sort=False)
    ax.set_xlabel("false answers")
    stacked_bars(ax, table, [*table.index])


#: Function that draws a frame of each kind on axes: a function ``draw_KIND`` of this module.
PLOTS: dict[str, Callable[[AnalysisFrame, Axes], None]] = {
    name.removeprefix("draw_"): each for name, each in [*globals().items()] if name.startswith("draw_")
}


def plot(frame: AnalysisFrame, ax: Axes | None = None, *, width: float | None = None) -> Axes:
    """Plot an analysis; see `ir_coliee.analysis.frame.AnalysisFrame.plot`."""
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
