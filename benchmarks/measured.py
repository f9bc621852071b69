"""The figures of the built-in baselines on real editions: the table and the picture of the results page.

The figures are in ``docs/results/measured.csv``: a row is a run on a split, with the version (and the first digits of
the commit), the date and the machine; rows of the same split and run are in the order of their dates. The best known
official runs come from the leaderboards of the package. ``python benchmarks/measured.py`` draws the picture
and writes the table again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from ir_coliee.editions import as_split, editions
from ir_coliee.evaluation.leaderboards import Leaderboard, leaderboards, place_on

DOCS = Path(__file__).parents[1] / "docs"
CSV, FIGURE = DOCS / "results" / "measured.csv", DOCS / "_static" / "measured.svg"
PAGE, START, END = DOCS / "results" / "gallery.md", "<!-- written by benchmarks/measured.py -->\n\n", "\n\n<!-- end -->"
COLUMNS = {
    "split": "split",
    "run": "run",
    "measure": "measure",
    "value": "value",
    "interval": "95 % interval",
    "precision": "precision",
    "recall": "recall",
    "best": "official best",
    "place": "place",
    "seconds_cold": "seconds",
    "memory_gb": "GB",
    "measured": "measured",
}


def read_measured() -> pd.DataFrame:
    """Return the rows of the file. Cells are texts, as they stand in it."""
    return pd.read_csv(CSV, dtype=str, keep_default_na=False)


def official(split_id: str) -> Leaderboard | None:
    """Return the official results of a test split, or of the edition that tested an exam year, if any."""
    split = as_split(split_id)
    tests = [each for edition in editions().values() for each in edition.splits.values() if each.is_test]
    same_year = [each for each in tests if each.task == split.task and each.exam_years == split.exam_years]
    for each in [split] if split.is_test else same_year:
        edition, _, task = each.leaderboard.partition("-")
        if found := leaderboards().get((edition, task)):
            return found
    return None


def table(rows: pd.DataFrame) -> str:
    """Return the rows as a Markdown table, and below it their notes and those of the leaderboards."""
    boards = {split: official(split) for split in rows["split"].unique()}
    shown = rows.assign(
        run=[_run(row) for row in rows.itertuples()],
        interval=[f"{row.low}–{row.high}" if row.low else "" for row in rows.itertuples()],
        best=["" if (board := boards[split]) is None else _best(board) for split in rows["split"]],
        place=["" if row.queries_left_out != "0" else _place(row, boards[row.split]) for row in rows.itertuples()],
        measured=rows["version"] + ", " + rows["date"] + ", " + rows["cores"] + " cores",
    )[[*COLUMNS]].rename(columns=COLUMNS)
    lines = [shown.columns, ["---"] * len(COLUMNS), *shown.itertuples(index=False)]
    noted = rows[(rows["note"] != "") & (rows["queries_left_out"] == "0")]
    notes = [f"{row.baseline} on `{row.split}`: {row.note}." for row in noted.itertuples()]
    remarks = dict.fromkeys([*notes, *(board.note for board in boards.values() if board)])
    return "\n".join([*(f"| {' | '.join(line)} |" for line in lines), "", *(f"* {remark}" for remark in remarks)])


def _run(row: Any) -> str:
    return f"`{row.baseline}`" + ("" if row.queries_left_out == "0" else f" without {row.queries_left_out} queries")


def _best(board: Leaderboard) -> str:
    """Return the best official figure whose run is known, and a higher one that another source gives."""
    best = board.runs[0].value
    return f"{best}; {board.top} in another source" if board.top is not None and board.top > best else str(best)


def _place(row: Any, board: Leaderboard | None) -> str:
    """Return the place among the official runs whose figures are known, on the edition's own test split."""
    if board is None or not as_split(row.split).is_test:
        return ""
    value, known = place_on(board, float(row.value)).value, len(board.runs)
    better = sum(run.value > value for run in board.runs)
    return f"below all {known} known" if better == known else f"{better + 1} of {known} known"


def draw(rows: pd.DataFrame) -> None:
    """Draw the runs of the test splits beside the best official run."""
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "ir_coliee"})
    rows = rows[(rows["queries_left_out"] == "0") & rows["split"].map(lambda split: as_split(split).is_test)]
    latest = rows.groupby(["split", "baseline"], sort=False).last().reset_index()
    splits = latest["split"].unique()
    figure, axes = plt.subplots(len(splits), figsize=(6, 1.05 * len(splits) + 0.4), sharex=True, layout="constrained")
    for axis, split in zip(axes, splits):
        of_split, board = latest[latest["split"] == split], official(split)
        names = [*of_split["baseline"], *(["official best"] if board else [])]
        texts = [*of_split["value"], *([_best(board)] if board else [])]
        bars = axis.barh(names, [float(text.split(";")[0]) for text in texts], color=["#8c959f", "#0969da", "#bf5700"])
        axis.bar_label(bars, texts, padding=4)
        axis.set_title(f"{split.removeprefix('coliee/')}: {of_split['measure'].iloc[0]}", loc="left", fontsize=10)
        axis.invert_yaxis()
        axis.spines[["top", "right", "bottom"]].set_visible(False)
        axis.tick_params(bottom=False, left=False, labelbottom=False)
    axes[0].set_xlim(0, 1.15)
    made = "; ".join(dict.fromkeys(f"version {row.version}, {row.date}" for row in latest.itertuples()))
    figure.text(0.01, 0.0, f"bm25 and learned: ir_coliee {made}", fontsize=8, va="bottom")
    figure.get_layout_engine().set(rect=(0, 0.05, 1, 0.95))
    figure.savefig(FIGURE, metadata={"Date": None})


if __name__ == "__main__":
    measured = read_measured()
    draw(measured)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    PAGE.write_text(f"{before}{START}{table(measured)}{END}{rest.partition(END)[2]}", encoding="utf-8")
