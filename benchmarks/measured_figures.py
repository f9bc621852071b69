"""Figures of the built-in baselines on real editions, as ``docs/results/measured.csv`` keeps them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from csv_files import append_rows, read_rows

from ir_coliee.editions import Split, as_split, editions
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.leaderboards import Leaderboard, leaderboards

MEASURED = Path(__file__).parents[1] / "docs" / "results" / "measured.csv"


class Measured(NamedTuple):
    """A row of the file. Cells are texts, as they stand in it; what is not known is empty.

    Attributes
    ----------
    split, baseline, measure : str
        The id of the split, the run tag of the baseline, and the name of the official measure.
    value, precision, recall, low, high : str
        Aggregate figures in [0, 1]; the last two are a 95 % interval of the value.
    queries_left_out : str
        The number of queries that are left out of the figures; 0 in the official figures.
    seconds_cold, seconds_warm : str
        Seconds of ``ir_coliee baseline``, and of a second call that reads what the first has kept. The command for
        ``bm25`` is that with ``--fast``.
    memory_gb : str
        Largest memory of the command in gigabytes.
    cores, machine : str
        The number of cores, and the machine in words, without its name.
    version, date : str
        The version of this package, and the day.
    note : str
        What is left out, and what else one has to know.
    """

    split: str
    baseline: str
    measure: str
    value: str
    precision: str = ""
    recall: str = ""
    low: str = ""
    high: str = ""
    queries_left_out: str = "0"
    seconds_cold: str = ""
    seconds_warm: str = ""
    memory_gb: str = ""
    cores: str = ""
    machine: str = ""
    version: str = ""
    date: str = ""
    note: str = ""

    @property
    def is_official(self) -> bool:
        """Whether no query is left out."""
        return self.queries_left_out == "0"

    @property
    def known_split(self) -> Split:
        """The split."""
        return as_split(self.split)

    @property
    def leaderboard(self) -> Leaderboard | None:
        """The official results of the split, or of the edition that tested its year; None if there are none."""
        split = self.known_split
        for test in [split] if split.is_test else _tests(split):
            edition, _, task = test.leaderboard.partition("-")
            if found := leaderboards().get((edition, task)):
                return found
        return None


def _tests(split: Split) -> Iterator[Split]:
    """Yield the test splits of all editions that have the exam years of a split of tasks 3 and 4."""
    for edition in editions().values():
        for each in edition.splits.values():
            if each.is_test and each.exam_years and (each.task, each.exam_years) == (split.task, split.exam_years):
                yield each


FORMS = {
    "baseline": r"[a-z][a-z0-9_]*",
    "measure": r"[A-Za-z0-9]+(\(.*\))?(@\d+)?",
    "value": r"[01]\.\d{3,}",
    **dict.fromkeys(("precision", "recall", "low", "high"), r"([01]\.\d{3,})?"),
    "queries_left_out": r"\d+",
    **dict.fromkeys(("seconds_cold", "seconds_warm", "memory_gb"), r"(\d+(\.\d+)?)?"),
    "cores": r"[1-9]\d*",
    "machine": r"[\w ,.()-]{0,60}",
    "version": r"\d+\.\d+\.\d+[\w.+-]*",
    "date": r"20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])",
    "note": r"[^\n\r|<>]{0,200}",
}


def problems(rows: Iterable[Measured]) -> list[str]:
    """Return what is wrong with rows, one sentence each; none if all are as they should be."""
    found: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for number, row in enumerate(rows, start=2):
        found += [f"Line {number}: {problem}" for problem in _problems_of(row)]
        key = (row.split, row.baseline, row.queries_left_out, row.cores, row.machine, row.version, row.date)
        if key in seen:
            found.append(f"Line {number}: {row.baseline} on {row.split} is there twice for this version and date.")
        seen.add(key)
    return found


def _problems_of(row: Measured) -> list[str]:
    found = [
        f"{column} is {cell!r}; expected a cell of the form {FORMS[column]}."
        for column, cell in row._asdict().items()
        if column in FORMS and not re.fullmatch(FORMS[column], cell)
    ]
    try:
        as_split(row.split)
    except ColieeError as error:
        found.append(str(error).split("\n")[0])
    if not found and not all(0 <= float(each) <= 1 for each in (row.value, row.precision or 0, row.recall or 0)):
        found.append("value, precision and recall must be between 0 and 1.")
    if not found and row.low and not float(row.low) <= float(row.value) <= float(row.high or math.inf):
        found.append(f"the value {row.value} is outside its interval, {row.low} to {row.high}.")
    return found


def read_measured(path: Path = MEASURED) -> list[Measured]:
    """Return the rows of a file; none if there is no such file."""
    return read_rows(Measured, path)


def append_measured(rows: Iterable[Measured], path: Path = MEASURED) -> None:
    """Write rows behind those of a file. No row of the file is changed; nothing is written if a row is wrong."""
    rows = list(rows)
    if wrong := problems([*read_measured(path), *rows]):
        raise SystemExit("\n".join([f"{path} was not changed:", *wrong]))
    append_rows(rows, Measured, path)
