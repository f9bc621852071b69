"""Results of the benchmarks, as ``docs/results/benchmarks.csv`` keeps them, with their table and figure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from bar_chart import Bar, Group, Scale, bar_chart
from csv_files import append_rows, read_rows

COLLECTED = Path(__file__).parents[1] / "docs" / "results" / "benchmarks.csv"
FIGURE = COLLECTED.parents[1] / "_static" / "benchmarks.svg"
UNBROKEN = "\N{NON-BREAKING HYPHEN}"
OTHER_BY_OURS, OURS_BY_OTHER, OURS = QUANTITIES = ("other/ours", "ours/other", "ours")
GROUPS = {
    "search": "Search with whole decisions",
    "indexing": "Indexing",
    "reading": "Reading a release",
    "scoring": "Scoring a run",
    "tuning": "Choosing a cut-off",
    "comparing": "Intervals and tests",
    "memory": "Memory and files",
    "import": "Import",
}


class Result(NamedTuple):
    """A row of the file. Cells are texts, as they stand in it.

    Attributes
    ----------
    group, what : str
        A key of `GROUPS`, and what was measured.
    other : str
        The program that the same work was done with; empty if there is none.
    quantity : str
        One of `QUANTITIES`: the time of the other program divided by ours, the other way round, or our own quantity.
    low, high : str
        The smallest and the largest value.
    unit, limit : str
        Unit of the values, and what they must not exceed; of ``other/ours`` they must not be less.
    cores, machine, version, date, note : str
        As in ``docs/results/measured.csv``.
    """

    group: str
    what: str
    other: str
    quantity: str
    low: str
    high: str
    unit: str
    limit: str = ""
    cores: str = ""
    machine: str = ""
    version: str = ""
    date: str = ""
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the limit is met by all values; None where none is stated."""
        if not self.limit:
            return None
        if self.quantity == OTHER_BY_OURS:
            return float(self.low) >= float(self.limit)
        return float(self.high) <= float(self.limit)

    @property
    def times(self) -> tuple[float, float]:
        """How many times as long the other program takes, at least and at most."""
        low, high = float(self.low), float(self.high)
        return (low, high) if self.quantity == OTHER_BY_OURS else (1 / high, 1 / low)


def read_results(path: Path = COLLECTED) -> list[Result]:
    """Return the rows of a file; none if there is no such file."""
    return read_rows(Result, path)


def append_results(rows: Iterable[Result], path: Path = COLLECTED) -> None:
    """Write rows behind those of a file, which stay as they are."""
    append_rows(rows, Result, path)


def table(rows: Sequence[Result]) -> str:
    """Return the rows as a Markdown table, in the order of the groups."""
    lines = ["| work | measured | result | limit | date |", "| --- | --- | --- | --- | --- |"]
    for group, heading in GROUPS.items():
        for number, row in enumerate(row for row in rows if row.group == group):
            note = f"; {row.note}" if row.note else ""
            limit = f"{_limit(row)}: {'met' if row.is_met else '**missed**'}" if row.limit else ""
            cells = ("" if number else heading, row.what + note, _result(row), limit, row.date.replace("-", UNBROKEN))
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _result(row: Result) -> str:
    values = row.low if row.low == row.high else f"{row.low}–{row.high}"
    if row.quantity == OURS:
        return f"**{values} {row.unit}**"
    if row.quantity == OTHER_BY_OURS:
        return f"{row.other} takes **{_times(row).removesuffix(' ×')} times** as long"
    return f"**{values} times** {row.other}"


def _limit(row: Result) -> str:
    unit = f" {row.unit}" if row.quantity == OURS else ""
    return f"at {'least' if row.quantity == OTHER_BY_OURS else 'most'} {row.limit}{unit}"


def figure(rows: Sequence[Result]) -> str:
    """Return the picture: how many times as long other programs take, on a logarithmic scale."""
    groups, said = [], []
    for group, heading in GROUPS.items():
        compared = [row for row in rows if row.group == group and row.quantity != OURS and "bound" not in row.other]
        if compared:
            bars = [Bar(row.other, row.times[0], _times(row), "b") for row in compared]
            groups.append(Group(heading, bars))
            said.append(f"{heading}: {', '.join(f'{bar.name} {bar.text}' for bar in bars)}.")
    title = "Time of other programs, as a multiple of ours"
    notes = [
        "Time of other programs divided by ours. Bars start at 1, are logarithmic,",
        "and end at the smallest ratio.",
    ]
    return bar_chart(title, f"{title}. {' '.join(said)}", groups, Scale(1.0, 10000.0, is_logarithmic=True), notes)


def _times(row: Result) -> str:
    low, high = map(_number, row.times)
    return f"{low} ×" if low == high else f"{low}–{high} ×"


def _number(value: float) -> str:
    """Return a number with two digits, and with commas between thousands.

    >>> _number(1 / 0.44), _number(8), _number(18), _number(3200)
    ('2.3', '8', '18', '3,200')
    """
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"
