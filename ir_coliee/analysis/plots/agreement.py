"""Drawings of `ir_coliee.analysis.agreement`: heat maps of pairs of runs, with a number in each cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ir_coliee.analysis.plots.style import COLOURS, FAINT, font_size, label_rows, points, text, tint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame

_LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
_COLUMNS = 10  # up to this number of columns, each has its number
_SMALLEST = 4.5  # points, of the numbers in cells
_MIDDLE: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
_TWO_LINES = 0.7  # the share of the size of text with which a row holds two lines
_STRONGEST = 0.75  # the share of colour in the darkest cell


def draw_overlap(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the Jaccard index of each pair of runs."""
    _draw_pairs(ax, frame, frame["jaccard"], [_number(value) for value in frame["jaccard"]], "Jaccard index")


def draw_correlation(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw Kendall's tau of each pair of runs."""
    _draw_pairs(ax, frame, frame["kendall"], [_number(value) for value in frame["kendall"]], "Kendall's tau")


def draw_significance(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw the difference of each pair of runs, row less column, with stars and shades for its corrected p-value."""
    stars = [next((star for level, star in _LEVELS if p < level), "") for p in frame["p_holm"]]
    words = [_number(-value) + star for value, star in zip(frame["difference"], stars)]  # a is the column
    shades = pd.Series([len(star) / len(_LEVELS) for star in stars], index=frame.index)
    _draw_pairs(ax, frame, shades, words, "row less column; * p < .05, ** .01, *** .001")


def _number(value: float) -> str:
    """Return a number between -1 and 1 with two digits and without a leading zero."""
    if np.isnan(value):
        return "\N{EN DASH}"
    sign = "\N{MINUS SIGN}" if round(value, 2) < 0 else ""
    return sign + f"{abs(value):.2f}".removeprefix("0")


def _draw_pairs(ax: Axes, frame: pd.DataFrame, strengths: pd.Series[float], words: Sequence[str], meaning: str) -> None:
    """Draw a cell for each pair, in the column of its first and the row of its second run.

    Cells are the darker the larger their strength, from 0 to 1. If they are too narrow for the words, they have only
    the stars.
    """
    from matplotlib.patches import Rectangle

    runs = [*dict.fromkeys([*frame["run_a"], *frame["run_b"]])]
    number = {run: index for index, run in enumerate(runs)}
    rows = label_rows(ax, [f"{index + 1} {run}" for run, index in number.items()])
    columns = range(0, len(runs), 1 if len(runs) <= _COLUMNS else 5)
    ax.set_xticks(columns, [str(column + 1) for column in columns])
    ax.set_xlim(-0.5, len(runs) - 0.5)
    size = _size(ax, len(runs), max(map(len, words)))
    if size < _SMALLEST and any("*" in word for word in words):  # the stars in a line of their own
        words = [re.sub(r"(?=\*+$)", "\n", word, count=1) for word in words]
        size = min(_size(ax, len(runs), len("\N{MINUS SIGN}.00")), _TWO_LINES * font_size(ax))
    if size < _SMALLEST:
        words = ["*" * word.count("*") for word in words]
        size = _size(ax, len(runs), len("***"))
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
