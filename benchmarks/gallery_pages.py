"""The table and the figure of the results gallery, from ``docs/results/measured.csv`` and the official leaderboards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bar_chart import Bar, Group, Scale, bar_chart
from measured_figures import Measured

from ir_coliee.editions import LANGUAGE_NAMES
from ir_coliee.evaluation.leaderboards import Leaderboard, place_on, round_half_up

FIGURE = Path(__file__).parents[1] / "docs" / "_static" / "measured.svg"
TASKS = {"task1": "Task 1", "task2": "Task 2", "task3": "Task 3", "task4": "Task 4"}
MEASURES = {"MicroF1": "F1", "MacroF2": "F2", "AnswerAccuracy": "accuracy"}
COLUMNS = (
    "run",
    "{}",
    "95 % interval",
    "precision",
    "recall",
    "place",
    "seconds",
    "second call",
    "memory",
    "measured",
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
    parts = [TASKS.get(split.task, split.task), f"{split.edition} {split.name}"]
    if split.exam_years:
        parts += [*(split.exam_years if split.name == "test" else ()), LANGUAGE_NAMES[split.language]]
    return f"{', '.join(parts)}: {MEASURES.get(row.measure, row.measure)}"


def reported_top(leaderboard: Leaderboard) -> str:
    """Return the figure that another source reports for the winner, if it is above the best known one."""
    return str(leaderboard.top) if leaderboard.top is not None and leaderboard.top > leaderboard.runs[0].value else ""


def figure(rows: Sequence[Measured]) -> str:
    """Return the picture: the baselines beside the best official run, on each split where both were measured."""
    groups, said, made = [], [], []
    for of_split in by_split(row for row in rows if row.is_official).values():
        latest = {row.baseline: row for row in of_split}
        leaderboard = of_split[0].leaderboard
        if not of_split[0].known_split.is_test or leaderboard is None or not {"bm25", "learned"} <= latest.keys():
            continue
        bars = [
            Bar(name, float(latest[name].value), latest[name].value, colour)
            for name, colour in (("bm25", "a"), ("learned", "b"))
        ]
        made += [_made(latest[name]) for name in ("bm25", "learned")]
        best, higher = leaderboard.runs[0].value, reported_top(leaderboard)
        text = f"{best}; {higher} in another source" if higher else str(best)
        bars.append(Bar("official best", float(best), text, "c"))
        groups.append(Group(name_of(of_split[0]), bars))
        said.append(f"{groups[-1].heading}: {', '.join(f'{bar.name} {bar.text}' for bar in bars)}.")
    described = f"Bars of the official measure. {' '.join(said)}"
    notes = [
        f"bm25 and learned: ir_coliee {'; '.join(dict.fromkeys(made))}.",
        "official best: the best run whose figure is published.",
    ]
    return bar_chart("Built-in baselines and the best official runs", described, groups, Scale(0.0, 0.85), notes)


def tables(rows: Sequence[Measured]) -> str:
    """Return Markdown: a section with a table for each test split, and one for all exam years of train splits."""
    tests = [
        line
        for of_split in by_split(row for row in rows if row.known_split.is_test).values()
        for line in _section(of_split)
    ]
    years = [
        row for of_split in by_split(row for row in rows if not row.known_split.is_test).values() for row in of_split
    ]
    return "\n".join([*tests, *_exam_years(years)])


def _section(rows: Sequence[Measured]) -> Iterator[str]:
    leaderboard = rows[0].leaderboard
    yield f"## {name_of(rows[0])}\n"
    lines = [_line(row) for row in sorted(rows, key=lambda row: (row.date, row.machine, int(row.queries_left_out)))]
    measured = {line[-1] for line in lines}
    if len(measured) == 1:
        lines = [[*line[:-1], ""] for line in lines]
    if leaderboard is not None:
        lines = [*_official_lines(leaderboard), *lines]
    yield _table(lines, MEASURES.get(rows[0].measure, rows[0].measure))
    yield f"\n```sh\nir_coliee baseline {rows[0].split}\n```\n"
    if len(measured) == 1:
        yield f"Measured with {measured.pop()}.\n"
    yield from (f"{row.baseline}: {row.note}.\n" for row in rows if row.note and row.is_official)
    if leaderboard is not None:
        yield f"{leaderboard.note}\n"


def _exam_years(rows: Sequence[Measured]) -> Iterator[str]:
    """Yield the section of the exam years of train splits, beside the best official run of the year."""
    yield "## Exam years of tasks 3 and 4\n"
    yield "An exam year of a train split was the test of an earlier edition; its best known run is beside it.\n"
    yield "| split | run | measure | value | 95 % interval | official best | seconds | measured with |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        best = str(row.leaderboard.runs[0].value) if row.leaderboard else ""
        cells = (f"`{row.split}`", f"`{row.baseline}`", MEASURES[row.measure], f"**{row.value}**", _interval(row), best)
        yield f"| {' | '.join((*cells, row.seconds_cold, _made(row)))} |"
    yield ""
    yield from dict.fromkeys(f"{row.baseline}, {name_of(row)}: {row.note}.\n" for row in rows if row.note)


def _table(lines: Sequence[Sequence[str]], measure: str) -> str:
    """Return a table without the columns that are empty in all lines."""
    kept = [number for number in range(len(COLUMNS)) if any(line[number] for line in lines)]
    shown = [[name.format(measure) for name in COLUMNS], ["---" for _ in COLUMNS], *lines]
    return "\n".join(f"| {' | '.join(line[number] for number in kept)} |" for line in shown)


def _line(row: Measured) -> list[str]:
    without = "" if row.is_official else f" without {row.queries_left_out} queries"
    return [
        f"`{row.baseline}`{without}",
        f"**{row.value}**" if row.is_official else row.value,
        _interval(row),
        row.precision,
        row.recall,
        _place(row),
        row.seconds_cold,
        row.seconds_warm,
        f"{row.memory_gb} GB" if row.memory_gb else "",
        _made(row),
    ]


def _official_lines(leaderboard: Leaderboard) -> Iterator[list[str]]:
    """Yield the line of the best known official run, and that of a higher figure that another source reports."""
    best, digits = leaderboard.runs[0], leaderboard.digits
    row = next(row for row in leaderboard.rows if round_half_up(float(row[leaderboard.figure]), digits) == best.value)
    cells = [f"official best: {best.name}", str(best.value), "", row.get("precision", ""), row.get("recall", "")]
    yield [*cells, *[""] * (len(COLUMNS) - len(cells))]
    if higher := reported_top(leaderboard):
        yield ["official best, by another source", higher, *[""] * (len(COLUMNS) - 2)]


def _made(row: Measured) -> str:
    """Return what a figure was measured with."""
    return ", ".join(filter(None, (f"version {row.version}", row.date, f"{row.cores} CPU cores", row.machine)))


def _interval(row: Measured) -> str:
    return f"{row.low}–{row.high}" if row.low else ""


def _place(row: Measured) -> str:
    """Return the place among the runs whose figures are known."""
    if row.leaderboard is None or not row.is_official:
        return ""
    value, known = float(row.value), row.leaderboard.runs
    better = sum(run.value > place_on(row.leaderboard, value).value for run in known)
    if better in (0, len(known)):
        return f"{'above' if better == 0 else 'below'} all {len(known)} known"
    return f"{better + 1} of {len(known)} known"
