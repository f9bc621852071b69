"""The official results of past editions.

Each leaderboard is a CSV file in ``etc/leaderboards`` with the printed figures; percentages are converted to fractions.
The file ``index.csv`` states the ranking measure, the source, the completeness and the reliability of each leaderboard.
"""

from __future__ import annotations

import csv
import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from importlib import resources
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from ir_coliee.display import Block, Table, cell
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import ShownFrame

# The official results of past editions.


_TEXT_COLUMNS = frozenset({"team", "run", "language", "formal", "note"})
_INTEGER_COLUMNS = frozenset({"rank", "returned", "tp", "correct", "total", "correct_r02", "correct_r01"})
_FLOAT_DECIMALS = 12  # figures are first rounded to so many decimals, so that rounding errors hide no exact half


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
        If the value is out of range.

    Examples
    --------
    >>> print(round_half_up(9 / 32, 4), round(9 / 32, 4))
    0.2813 0.2812
    >>> print(round_half_up(0.3, 4))
    0.3000
    """
    if not math.isfinite(value) or not 0 <= (exact := Decimal(f"{value:.{_FLOAT_DECIMALS}f}")) <= 1:
        raise ColieeError(f"The figure of a run must be between 0 and 1, got {value}.\nDivide percentages by 100.")
    return exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)


_HEADS = {
    "AP": "MAP",
    "AnswerAccuracy": "accuracy",
    "GatedAccuracy": "accuracy",
    "returned": "return",
    "tp": "retrieved (tp)",
}


def column_head(name: str) -> str:
    """Return the short form of a figure's name, as the organisers print it at the head of a column.

    Examples
    --------
    >>> [column_head(name) for name in ("MicroF1", "MacroF2", "MicroR@5", "MacroF(empty=1)", "AP", "team")]
    ['F1', 'F2', 'R@5', 'MacroF(empty=1)', 'MAP', 'team']
    """
    return _HEADS.get(name) or re.sub(r"^(?:Micro|Macro)(?=(?:P|R|F1|F2)(?:$|[@ ]))", "", name)


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
        heads = [*map(column_head, columns)]
        yield Table(heads, rows, fold=["team", "run"], key=heads.index("run") + 1 if "run" in heads else 1)
        yield from self.remarks


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
        name = f"Leaderboard {self.edition} {self.task}: {self.measure}"
        return f"{name}, {listed}{others}; confidence {self.confidence}.{caveat}"

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
        key = entry["edition"], entry["task"]
        values: dict[str, Any] = {
            **entry,
            **{name: int(entry[name]) for name in ("digits", "official_runs", "queries")},
            "rows": tuple(map(MappingProxyType, _read_table("-".join(key)))),
            "complete": entry["complete"] == "yes",
            "reported_top": float(entry["reported_top"]) if entry["reported_top"] else None,
            "gold_total": int(entry["gold_total"]) if entry["gold_total"] else None,
        }
        found[key] = Leaderboard(**values)
    return MappingProxyType(found)


def official_leaderboard(task: str, edition: int | str) -> Leaderboard:
    """Return the leaderboard of a task in an edition, with its source and caveats.

    Parameters
    ----------
    task : str
        ``task1`` to ``task4``.
    edition : int or str
        The year, for example 2023. Task and edition are accepted in either order.

    Returns
    -------
    Leaderboard

    Raises
    ------
    ColieeError
        If there is no such leaderboard.

    Examples
    --------
    >>> found = official_leaderboard("task1", 2023)
    >>> found.measure, found.official_runs, found.complete, found.gold_total
    ('micro F1', 22, True, 859)
    """
    key = str(edition), str(task)
    found = leaderboards().get(key) or leaderboards().get(key[::-1])
    if found is None:
        raise unknown_leaderboard(f"{task} {edition}")
    return found


def unknown_leaderboard(name: str) -> ColieeError:
    """Return the error for a leaderboard that does not exist; it lists the known ones."""
    known = ", ".join(f"{task} {edition}" for edition, task in leaderboards())
    return ColieeError(f"No leaderboard {printable(name, 40)!r} found.\nKnown leaderboards: {known}.")


def leaderboard(task: str, edition: int | str) -> OfficialResults:
    """Return the official results of a task in an edition as a frame, in the order of the printed table.

    Parameters
    ----------
    task : str
        ``task1`` to ``task4``.
    edition : int or str
        The year, for example 2023. Task and edition are accepted in either order.

    Returns
    -------
    OfficialResults
        A `pandas.DataFrame` with the columns rank, team, run, the figures in [0, 1] by the names of their measures, the
        other printed columns, and note. ``returned`` is the number of returned articles, ``tp`` the number of correct
        ones. Unknown values are NA, NaN or empty strings. The source and the caveats are shown with it.

    Raises
    ------
    ColieeError
        If there is no such leaderboard.

    Examples
    --------
    >>> leaderboard("task1", 2023)[["rank", "team", "run", "MicroF1"]].head(2).values.tolist()
    [[1, 'THUIR', 'thuirrun2', 0.3001], [2, 'THUIR', 'thuirrun3', 0.2907]]
    """
    return official_leaderboard(task, edition).frame()


# The place of a run on the leaderboard of a past edition.


_RUNS_NAMED = 3  # the number of runs with the same figure that are named in a sentence


@dataclass(frozen=True, eq=False)
class Place:
    """The place that a figure would have had on a leaderboard. ``str`` describes it in a sentence.

    Attributes
    ----------
    leaderboard : Leaderboard
        The leaderboard.
    value : Decimal
        The figure, rounded to the precision of the leaderboard.
    rank : int
        The rank: one more than the number of better runs. If some runs of the leaderboard are unknown, it is the best
        possible rank.
    worst : int
        The worst possible rank; it equals ``rank`` if all runs are known.
    above, below : tuple of OfficialRun
        The known runs with the next higher and the next lower figure. Several runs may have the same figure.
    ties : tuple of OfficialRun
        The runs with the same figure.
    """

    leaderboard: Leaderboard
    value: Decimal
    rank: int
    worst: int
    above: tuple[OfficialRun, ...]
    ties: tuple[OfficialRun, ...]
    below: tuple[OfficialRun, ...]

    @property
    def of(self) -> int:
        """The number of runs in the formal ranking, without this one."""
        return self.leaderboard.size

    @property
    def note(self) -> str:
        """Measure, completeness, confidence and caveat of the leaderboard."""
        return self.leaderboard.note

    @property
    def sentence(self) -> str:
        """The place as a sentence without a full stop."""
        known = f"{len(self.leaderboard.runs)} of {self.of} runs are known"
        best, worst = (
            f"{_ordinal(rank)} of {self.of}" if rank <= self.of else f"below all {self.of}"
            for rank in (self.rank, self.worst)
        )
        parts = [best if best == worst else f"{best} at best and {worst} at worst ({known})"]
        if self.ties:
            parts.append(f"tied with {_names(self.ties)}")
        above, below = _names(self.above), _names(self.below)
        if above and below:
            parts.append(f"between {above} and {below}")
        elif above or below:
            parts.append(f"after {above}" if above else f"before {below}")
        is_known = best != worst or len(self.leaderboard.runs) == self.of
        return f"{self.value} would have ranked {', '.join(parts)}" + ("" if is_known else f"; {known}")

    def __repr__(self) -> str:
        return self.sentence


def _ordinal(number: int) -> str:
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _names(runs: tuple[OfficialRun, ...]) -> str:
    """Return the names of runs with the same figure, followed by the figure; empty without runs."""
    if not runs:
        return ""
    names = [run.name for run in runs if run.name][:_RUNS_NAMED]
    others = len(runs) - len(names)
    if names:
        text = ", ".join(names) + (f" and {others} more" if others else "")
    else:
        text = f"{others} unnamed runs" if others > 1 else "an unnamed run"
    return f"{text} ({runs[0].value})"


def place_on(leaderboard: Leaderboard, value: float) -> Place:
    """Return the place that a figure in [0, 1] would have had on a leaderboard; see `place`."""
    figure = round_half_up(value, leaderboard.digits)
    better = [run for run in leaderboard.runs if run.value > figure]
    worse = [run for run in leaderboard.runs if run.value < figure]
    min_better, max_better = _number_of_better_runs(leaderboard, figure)
    return Place(
        leaderboard=leaderboard,
        value=figure,
        rank=min_better + 1,
        worst=max_better + 1,
        above=tuple(run for run in better if run.value == better[-1].value),
        ties=tuple(run for run in leaderboard.runs if run.value == figure),
        below=tuple(run for run in worse if run.value == worse[0].value),
    )


def _number_of_better_runs(leaderboard: Leaderboard, figure: Decimal) -> tuple[int, int]:
    """Return the smallest and the largest possible number of runs that are better than a figure.

    An unknown run can have any figure that is consistent with the printed ranks of the known runs (if a known run has
    rank r, then r - 1 runs are better than it) and that is not above the highest figure that any source gives. If no
    known run has this highest figure, an unknown one has it.
    """
    if figure >= (leaderboard.top or 1):
        return 0, 0

    def known_between(low: Decimal, high: Decimal) -> int:
        return sum(low < run.value <= high for run in leaderboard.runs)

    min_better = known_between(figure, Decimal(1))
    if leaderboard.top and all(run.value < leaderboard.top for run in leaderboard.runs):
        min_better += 1
    max_better = leaderboard.size - sum(run.value <= figure for run in leaderboard.runs)
    for run in leaderboard.runs:
        if run.rank is not None and run.value >= figure:
            min_better = max(min_better, run.rank - 1 + known_between(figure, run.value))
        if run.rank is not None and run.value <= figure:
            max_better = min(max_better, run.rank - 1 - known_between(run.value, figure))
    return min_better, max_better


def place(task: str, edition: int | str, value: float) -> Place:
    """Return the place that a figure would have had among the formal runs of an edition.

    Parameters
    ----------
    task : str
        ``task1`` to ``task4``.
    edition : int or str
        The year, for example 2023. Task and edition are accepted in either order.
    value : float
        Value of the official measure in [0, 1]. It is rounded half up to the precision of the leaderboard; runs
        with equal figures share the rank.

    Returns
    -------
    Place

    Raises
    ------
    ColieeError
        If there is no such leaderboard, or if the value is outside [0, 1].

    Examples
    --------
    >>> print(place("task1", 2023, 0.29))
    0.2900 would have ranked 3rd of 22, between THUIR thuirrun3 (0.2907) and IITDLI iitdli_task1_run3 (0.2874)
    >>> print(place("task2", 2025, 0.24))
    0.2400 would have ranked 6th of 18 at best and 15th of 18 at worst (9 of 18 runs are known), tied with \
JNLP JNLP_003 (0.2400), between JNLP JNLP_002 (0.2412) and AIIRLab AIIRLab_cross (0.2368)
    """
    return place_on(official_leaderboard(task, edition), value)


# Search of leaderboards by edition, task or dataset id.


_OF_IDS = {"irds", "coliee", "en", "ja", "test"}  # segments of dataset ids that name neither an edition nor a task


def find_leaderboards(*words: str) -> list[Leaderboard]:
    """Return the leaderboards of an edition, of a task, or of both.

    Parameters
    ----------
    *words : str
        Years and tasks in any order, or dataset ids, with or without a split.

    Returns
    -------
    list of Leaderboard
        By edition, then by task.

    Raises
    ------
    ColieeError
        If there is no such leaderboard; the message lists the known ones.

    Examples
    --------
    >>> [entry.task for entry in find_leaderboards("2024")]
    ['task1', 'task2', 'task3', 'task4']
    >>> [entry.edition for entry in find_leaderboards("task1", "2023")]
    ['2023']
    >>> find_leaderboards("coliee/task1/2023") == find_leaderboards("2023", "Task1")
    True
    """
    parts = {part for word in words for part in re.split("[/:]", word.lower())} - _OF_IDS
    editions, tasks = ({key[place] for key in leaderboards()} for place in (0, 1))
    found = [
        entry
        for (edition, task), entry in leaderboards().items()
        if edition in (editions & parts or editions) and task in (tasks & parts or tasks)
    ]
    if not found or not parts <= editions | tasks:
        raise unknown_leaderboard(" ".join(words))
    return found
