"""The table and the figure of the results gallery, from ``docs/results/measured.csv`` and the official leaderboards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bar_chart import Bar, Group, Scale, bar_chart
from measured_figures import Measured

from ir_coliee.evaluation.leaderboard_places import place_on
from ir_coliee.evaluation.leaderboards import Leaderboard

FIGURE = Path(__file__).parents[1] / "docs" / "_static" / "measured.svg"
TASKS = {"task1": "Task 1", "task2": "Task 2", "task3": "Task 3", "task4": "Task 4"}
MEASURES = {"MicroF1": "F1", "MacroF2": "F2", "AnswerAccuracy": "accuracy"}
HEADER = (
    "baseline",
    "value (95 % interval)",
    "without queries of train",
    "place among the known runs",
    "seconds (second call)",
    "memory",
    "version, date",
)


def by_split(rows: Iterable[Measured]) -> dict[str, list[Measured]]:
    """Return the rows of each split, in the order of the ids."""
    found: dict[str, list[Measured]] = {}
    for row in sorted(rows, key=lambda row: row.split):
        found.setdefault(row.split, []).append(row)
    return found


def name_of(row: Measured) -> str:
    """Return the task, the edition and the split in words."""
    split = row.known_split
    part = split.name if split.task != "task3" or split.name != "test" else f"test, {split.exam_years[0]}"
    return f"{TASKS.get(split.task, split.task)}, {split.edition} {part}: {MEASURES.get(row.measure, row.measure)}"


def official_best(board: Leaderboard) -> str:
    """Return the best known official figure, and a higher one that another source reports."""
    best = str(board.runs[0].value)
    return best if board.top is None or board.top <= board.runs[0].value else f"{best}; {board.top} in another source"


def figure(rows: Sequence[Measured]) -> str:
    """Return the picture: the baselines beside the best official run, on each split where both were measured."""
    groups, said = [], []
    for of_split in by_split(row for row in rows if row.is_official).values():
        latest = {row.baseline: row for row in of_split}
        board = of_split[0].leaderboard
        if board is None or not {"bm25", "learned"} <= latest.keys():
            continue
        bars = [
            Bar(name, float(latest[name].value), latest[name].value, colour)
            for name, colour in (("bm25", "a"), ("learned", "b"))
        ]
        bars.append(Bar("official best", float(board.runs[0].value), official_best(board), "c"))
        groups.append(Group(name_of(of_split[0]), bars))
        said.append(f"{groups[-1].heading}: {', '.join(f'{bar.name} {bar.text}' for bar in bars)}.")
    described = f"Bars of the official measure. {' '.join(said)}"
    versions = sorted({f"version {row.version}, {row.date}" for row in rows if row.is_official})
    notes = [
        f"bm25 and learned: ir_coliee {'; '.join(versions)}, two CPU cores.",
        "official best: the best run whose figure is published. Task 3 is in English.",
    ]
    return bar_chart("Built-in baselines and the best official runs", described, groups, Scale(0.0, 0.85), notes)


def tables(rows: Sequence[Measured]) -> str:
    """Return one Markdown section for each split, with the table of its rows and the command that makes them."""
    return "\n".join(line for of_split in by_split(rows).values() for line in _section(of_split))


def _section(rows: Sequence[Measured]) -> Iterator[str]:
    board = rows[0].leaderboard
    yield f"## {name_of(rows[0])}\n"
    if board is None:
        yield "An exam year of the train split: no run of this edition was ranked on it.\n"
    else:
        yield f"Official best {official_best(board)} ({board.runs[0].name}). {board.note}\n"
    yield f"| {' | '.join(HEADER)} |\n|{'---|' * len(HEADER)}"
    for row in rows:
        if row.is_official:
            yield f"| {' | '.join(_cells(row, rows))} |"
    notes = dict.fromkeys(f"{row.baseline}: {row.note}" for row in rows if row.note and row.is_official)
    yield "".join(f"\n{note}." for note in notes)
    yield f"\n```sh\nir_coliee baseline {rows[0].split}\n```\n"


def _cells(row: Measured, rows: Sequence[Measured]) -> Iterator[str]:
    yield f"`{row.baseline}`"
    details = [f"{row.low}–{row.high}"] if row.low else []
    details += [f"P {row.precision}, R {row.recall}"] if row.precision else []
    yield f"**{row.value}**" + (f" ({'; '.join(details)})" if details else "")
    others = [each for each in rows if not each.is_official and each[:3] == row[:3] and each[-3:-1] == row[-3:-1]]
    yield "<br>".join(f"{each.value} ({each.queries_left_out} left out)" for each in others)
    yield _place(row)
    yield row.seconds_cold + (f" ({row.seconds_warm})" if row.seconds_warm else "")
    yield f"{row.memory_gb} GB" if row.memory_gb else ""
    yield f"{row.version}, {row.date}"


def _place(row: Measured) -> str:
    if row.leaderboard is None:
        return ""
    place = place_on(row.leaderboard, float(row.value))
    better = sum(run.value > place.value for run in row.leaderboard.runs)
    return f"{better + 1} (of {len(row.leaderboard.runs)} known, {row.leaderboard.size} ranked)"
