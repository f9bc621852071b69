"""The official results of past editions.

Each leaderboard is a CSV file in ``etc/leaderboards`` with the printed figures; percentages are converted to fractions.
The file ``index.csv`` states the ranking measure, the source, the completeness and the reliability of each leaderboard.
"""

from __future__ import annotations

import csv
import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from ir_coliee.display import Block, Table, cell, displayed
from ir_coliee.errors import ColieeError, printable
from ir_coliee.evaluation.shown_frame import ShownFrame

_TEXT_COLUMNS = frozenset({"team", "run", "language", "formal", "note"})
_INTEGER_COLUMNS = frozenset({"rank", "returned", "tp", "correct", "total", "correct_r02", "correct_r01"})
_FLOAT_DECIMALS = (
    12  # computed figures are first rounded to so many decimals, so that rounding errors do not hide an exact half
)


def round_half_up(value: float, digits: int) -> Decimal:
    """Round a figure as the organisers do: halves are rounded up.

    Parameters
    ----------
    value : float
        A figure in [0, 1].
    digits : int
        The number of decimals, 0 to 12.

    Returns
    -------
    Decimal

    Raises
    ------
    ColieeError
        If the value or the number of digits is out of range.

    Examples
    --------
    >>> print(round_half_up(9 / 32, 4), round(9 / 32, 4))
    0.2813 0.2812
    >>> print(round_half_up(0.3, 4))
    0.3000
    """
    if not 0 <= digits <= _FLOAT_DECIMALS:
        raise ColieeError(f"digits must be an integer from 0 to {_FLOAT_DECIMALS}, got {digits}.")
    if not math.isfinite(value) or not 0 <= (exact := Decimal(f"{value:.{_FLOAT_DECIMALS}f}")) <= 1:
        raise ColieeError(f"The figure of a run must be between 0 and 1, got {value}.\nDivide percentages by 100.")
    return exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)


class OfficialRun(NamedTuple):
    """A run of a formal ranking.

    Attributes
    ----------
    team, run : str
        Names as printed; empty if unknown.
    value : Decimal
        The figure that the leaderboard ranks by, in [0, 1], with the decimals of the leaderboard.
    rank : int or None
        The printed rank; None if unknown.
    """

    team: str
    run: str
    value: Decimal
    rank: int | None

    @property
    def name(self) -> str:
        """The known names of the team and the run."""
        return " ".join(filter(None, (self.team, self.run)))


class OfficialResults(ShownFrame):
    """A `pandas.DataFrame` with the rows of a leaderboard, which Python and notebooks show with source and caveats.

    Attributes
    ----------
    digits : int
        Number of decimals that are shown.
    remarks : sequence of str
        Measure, completeness and caveats of the leaderboard, and its source.
    """

    _metadata = ["digits", "remarks"]
    digits: int = 4
    remarks: Sequence[str] = ()

    def display(self) -> Iterator[Block]:
        """Return the table and the remarks, as `ir_coliee.display` shows them.

        The notes on single rows and the columns without a value are left out.
        """
        columns = [str(column) for column in self if column != "note" and any(map(cell, self[column]))]
        rows = [[cell(value, self.digits) for value in row] for row in self[columns].to_numpy(object)]
        yield Table(columns, rows, fold=["team", "run"], key=columns.index("run") + 1 if "run" in columns else 1)
        yield from self.remarks


@displayed
@dataclass(frozen=True, eq=False)
class Leaderboard:
    """The official results of a task in an edition.

    Attributes
    ----------
    edition, task : str
        For example ``2023`` and ``task1``.
    rows : tuple of mapping
        The printed cells by column; unknown cells are empty.
    measure : str
        Name of the measure that ranks the runs.
    figure : str
        The column with the values of that measure.
    digits : int
        Number of printed decimals; if rows differ, the smallest number.
    official_runs : int
        Number of runs that the source reports.
    complete : bool
        Whether ``rows`` contains all runs.
    unlisted : str
        ``zero`` if the runs outside the rows are known to have the value 0, else empty.
    reported_top : float or None
        The winner's figure according to another source, if it is higher than that of the rows.
    confidence : str
        Confidence in the table: high, medium or low.
    gold_total : int or None
        Number of gold items that the runs were scored against, if known.
    queries : int
        Number of queries that the runs were scored on.
    source, caveat : str
        The source of the table, and a note on anything unusual in it.
    """

    edition: str
    task: str
    rows: tuple[Mapping[str, str], ...]
    measure: str
    figure: str
    digits: int
    official_runs: int
    complete: bool
    unlisted: str
    reported_top: float | None
    confidence: str
    gold_total: int | None
    queries: int
    source: str
    caveat: str

    def display(self) -> Iterator[Block]:
        """Return the printed table, its source and its caveats, as `ir_coliee.display` shows them."""
        yield from self.frame().display()

    def __repr__(self) -> str:
        return f"<Leaderboard {self.edition} {self.task}: {self.size} runs, {self.measure}>"

    @functools.cached_property
    def listed(self) -> tuple[OfficialRun, ...]:
        """The runs of the formal ranking in the rows, best first; baselines and informal runs are left out."""
        runs = [
            OfficialRun(
                row["team"],
                row["run"],
                round_half_up(float(row[self.figure]), self.digits),
                int(row["rank"]) if row["rank"] else None,
            )
            for row in self.rows
            if row.get("formal") != "no"
        ]
        return tuple(sorted(runs, key=lambda run: -run.value))

    @functools.cached_property
    def runs(self) -> tuple[OfficialRun, ...]:
        """The runs of the formal ranking with a known figure, best first."""
        if self.unlisted != "zero":
            return self.listed
        zero = OfficialRun("", "", round_half_up(0.0, self.digits), None)
        return self.listed + (zero,) * (self.size - len(self.listed))

    @functools.cached_property
    def top(self) -> Decimal | None:
        """The highest figure that a run of the formal ranking may have; None if the winner is not known."""
        figures = [run.value for run in self.listed if run.rank == 1]
        if self.reported_top is not None:
            figures.append(round_half_up(self.reported_top, self.digits))
        return max(figures, default=None)

    @property
    def size(self) -> int:
        """The number of runs in the formal ranking."""
        return len(self.listed) if self.complete else self.official_runs

    @property
    def note(self) -> str:
        """Measure, completeness, confidence and caveat, to be shown with a place on this leaderboard."""
        listed = f"{'all' if self.complete else f'{len(self.listed)} of'} {self.size} runs listed"
        others = ", the others have 0" if self.unlisted == "zero" else ""
        caveat = f" Caveat: {self.caveat}." if self.caveat else ""
        return (
            f"Leaderboard {self.edition} {self.task}: {self.measure}, {listed}{others}; confidence {self.confidence}."
            f"{caveat}"
        )

    def frame(self) -> OfficialResults:
        """Return the rows as a frame of text, integers (``Int64``) and floats. Unknown cells are ``""``, NA or NaN."""
        frame = pd.DataFrame([dict(row) for row in self.rows])
        for column in frame.columns.difference(list(_TEXT_COLUMNS)):
            numbers = pd.to_numeric(frame[column])
            frame[column] = numbers.astype("Int64" if column in _INTEGER_COLUMNS else "float64")
        results = OfficialResults(frame)
        results.digits, results.remarks = self.digits, [self.note, f"Source: {self.source}"]
        return results


def _read_table(name: str) -> list[dict[str, str]]:
    text = (resources.files("ir_coliee") / "etc" / "leaderboards" / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@functools.cache
def leaderboards() -> Mapping[tuple[str, str], Leaderboard]:
    """Return all leaderboards by edition and task, such as ``("2023", "task1")``.

    The leaderboard ``("2023", "task3-first-release")`` has the figures that were first announced; the organisers
    replaced them in the overview paper.
    """
    found = {}
    for entry in _read_table("index"):
        edition, task = entry["edition"], entry["task"]
        found[edition, task] = Leaderboard(
            edition=edition,
            task=task,
            rows=tuple(MappingProxyType(row) for row in _read_table(f"{edition}-{task}")),
            measure=entry["measure"],
            figure=entry["figure"],
            digits=int(entry["digits"]),
            official_runs=int(entry["official_runs"]),
            complete=entry["complete"] == "yes",
            unlisted=entry["unlisted"],
            reported_top=float(entry["reported_top"]) if entry["reported_top"] else None,
            confidence=entry["confidence"],
            gold_total=int(entry["gold_total"]) if entry["gold_total"] else None,
            queries=int(entry["queries"]),
            source=entry["source"],
            caveat=entry["caveat"],
        )
    return MappingProxyType(found)


def official_leaderboard(edition: int | str, task: str) -> Leaderboard:
    """Return the leaderboard of a task in an edition, with its source and caveats.

    Parameters
    ----------
    edition : int or str
        The year, for example 2023.
    task : str
        ``task1`` to ``task4``.

    Returns
    -------
    Leaderboard

    Raises
    ------
    ColieeError
        If there is no such leaderboard.

    Examples
    --------
    >>> found = official_leaderboard(2023, "task1")
    >>> found.measure, found.official_runs, found.complete, found.gold_total
    ('micro F1', 22, True, 859)
    """
    found = leaderboards().get((str(edition), task))
    if found is None:
        raise unknown_leaderboard(f"{edition} {task}")
    return found


def unknown_leaderboard(name: str) -> ColieeError:
    """Return the error for a leaderboard that does not exist; it lists the known ones."""
    if {"pilot", "prediction", "rationale"}.intersection(name.split()):
        return ColieeError("The pilot has no published leaderboard.\n`ir_coliee leaderboard` lists those of the tasks.")
    known = ", ".join(" ".join(key) for key in leaderboards())
    return ColieeError(f"No leaderboard {printable(name)!r} found.\nKnown leaderboards: {known}.")


def leaderboard(edition: int | str, task: str) -> OfficialResults:
    """Return the official results of a task in an edition as a frame, in the order of the printed table.

    Parameters
    ----------
    edition : int or str
        The year, for example 2023.
    task : str
        ``task1`` to ``task4``.

    Returns
    -------
    OfficialResults
        A `pandas.DataFrame` with the columns rank, team, run, the figures in [0, 1], the other printed columns, and
        note. ``returned`` is the number of returned articles, ``tp`` the number of correct ones. Unknown values are NA,
        NaN or empty strings. The source and the caveats are shown with it.

    Raises
    ------
    ColieeError
        If there is no such leaderboard.

    Examples
    --------
    >>> leaderboard(2023, "task1")[["rank", "team", "run", "f1"]].head(2).values.tolist()
    [[1, 'THUIR', 'thuirrun2', 0.3001], [2, 'THUIR', 'thuirrun3', 0.2907]]
    """
    return official_leaderboard(edition, task).frame()
