"""Drawings of `ir_coliee.analysis.losses`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ir_coliee.analysis.plots.bars import grouped_bars, stacked_bars
from ir_coliee.analysis.plots.style import COLOURS, HATCHES, grid, label_rows, text, tint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_coliee.analysis.analysis_frame import AnalysisFrame

_FEW = 4  # up to this number of runs, each has its own waterfall
_EDGE = {"edgecolor": "black", "linewidth": 0.5}
_BARS: dict[str, dict[str, Any]] = {
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
        ax.barh(place, items, 0.8, left=start, **_BARS[kind])
        sign = {"level": "", "loss": "\N{MINUS SIGN}", "gain": "+"}[kind]
        percent = "" if np.isnan(share) else f" ({100 * share:.1f} %)"
        text(ax, start + items, place, f" {sign}{items}{percent}", va="center_baseline", size=0.9)
    ax.set_xlim(0, most * 1.45)
    grid(ax, "x")


def draw_false_answers(frame: AnalysisFrame, ax: Axes) -> None:
    """Draw a bar for each kind of false answer and run; of more than four runs, one bar of all kinds each."""
    table = frame.pivot_table(index="kind", columns="run", values="items", aggfunc="sum", sort=False).fillna(0)
    ax.set_xlabel("false answers")
    if len(table.columns) > _FEW:
        stacked_bars(ax, table.T)
    else:
        grouped_bars(ax, table, lambda number: f"{number:.0f}")
