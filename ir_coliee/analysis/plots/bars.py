"""Horizontal bars, which leave room for long names: side by side, or one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ir_coliee.analysis.plots.style import bar_style, font_size, grid, label_rows, legend, points, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
