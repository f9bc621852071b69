"""The official results of past editions, and where another run would have stood among them.

The tables are data: below ``etc/leaderboards`` lies a file for each leaderboard, with the figures as they were printed (percent
as fractions), and an index that says by which measure a leaderboard ranks, from where it was taken, how complete and how
certain it is, and what is odd about it.
"""

from __future__ import annotations

import csv
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.errors import ColieeError, shown

if TYPE_CHECKING:
    import pandas as pd

_TEXT = frozenset({"team", "run", "language", "formal", "note"})
_WHOLE = frozenset({"rank", "returned", "tp", "correct", "total", "correct_r02", "correct_r01"})
_EXACT = 12  # decimals of a float that are worth something; a half that was computed differs from it beyond them
_NAMED = 3  # how many runs with one figure a sentence names


def round_half_up(value: float, digits: int) -> Decimal:
    """A figure in [0, 1] as the organisers print it: with ``digits`` decimals, 0 to 12, a half rounded up.

    Raises `ColieeError` for what is no such figure, as a percentage, or for other digits.

    >>> print(round_half_up(9 / 32, 4), round(9 / 32, 4))
    0.2813 0.2812
    >>> print(round_half_up(0.3, 4))
    0.3000
    """
    if not 0 <= digits <= _EXACT:
        raise ColieeError(f"{digits} decimals: figures are rounded to 0 to {_EXACT}.")
    if not math.isfinite(value) or not 0 <= (exact := Decimal(f"{value:.{_EXACT}f}")) <= 1:
        raise ColieeError(f"{value} is no figure of a run: these lie between 0 and 1. Divide a percentage by 100.")
    return exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)


class OfficialRun(NamedTuple):
    """A run of a formal ranking. What is not known is empty in ``team`` and ``run`` and None in ``rank``.

    ``value`` is the figure that the leaderboard ranks by, in [0, 1] with the leaderboard's digits.
    """

    team: str
    run: str
    value: Decimal
    rank: int | None

    @property
    def name(self) -> str:
        """Team and run, as far as they are known."""
        return " ".join(filter(None, (self.team, self.run)))


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """The official results of a task in an edition.

    ``rows`` are the cells as printed, by column, empty where nothing is known. ``measure`` names what the leaderboard
    ranks by, ``figure`` the column that has it, ``digits`` the decimals with which it was printed (the fewest,
    where rows differ). ``official_runs`` is how many runs the source speaks of, ``complete`` whether all are in
    the rows. ``unlisted`` is ``zero`` where the runs that are not in the rows are known to have 0.
    ``gold_total`` and ``queries`` say over what was scored. ``confidence`` in the table is high, medium or low.
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
    confidence: str
    gold_total: int | None
    queries: int
    source: str
    caveat: str

    @functools.cached_property
    def listed(self) -> tuple[OfficialRun, ...]:
        """The runs of the formal ranking that are in the rows, best first; no baseline, no run outside of it."""
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
        """The runs of the formal ranking whose figure is known, best first."""
        if self.unlisted != "zero":
            return self.listed
        zero = OfficialRun("", "", round_half_up(0.0, self.digits), None)
        return self.listed + (zero,) * (self.size - len(self.listed))

    @property
    def size(self) -> int:
        """How many runs the formal ranking has."""
        return len(self.listed) if self.complete else self.official_runs

    @property
    def note(self) -> str:
        """What is to be said beside a place on this leaderboard: measure, completeness, confidence and caveat."""
        listed = f"{'all' if self.complete else f'{len(self.listed)} of'} {self.size} runs listed"
        others = ", the others have 0" if self.unlisted == "zero" else ""
        return (
            f"Leaderboard {self.edition} {self.task}: {self.measure}, {listed}{others}; confidence {self.confidence}. "
            f"Caveat: {self.caveat}."
        )

    def frame(self) -> pd.DataFrame:
        """The rows as a frame: text, whole numbers (``Int64``) and figures; nothing known is ``""``, NA and NaN."""
        import pandas as pd

        frame = pd.DataFrame([dict(row) for row in self.rows])
        for column in frame.columns.difference(list(_TEXT)):
            numbers = pd.to_numeric(frame[column])
            frame[column] = numbers.astype("Int64" if column in _WHOLE else "float64")
        return frame

    def place(self, value: float) -> Place:
        """Where a figure in [0, 1] would have stood; see `place`."""
        figure = round_half_up(value, self.digits)
        better = [run for run in self.runs if run.value > figure]
        worse = [run for run in self.runs if run.value < figure]
        fewest, most = self._number_of_better(figure)
        return Place(
            leaderboard=self,
            value=figure,
            rank=fewest + 1,
            worst=most + 1,
            above=tuple(run for run in better if run.value == better[-1].value),
            ties=tuple(run for run in self.runs if run.value == figure),
            below=tuple(run for run in worse if run.value == worse[0].value),
        )

    def _number_of_better(self, figure: Decimal) -> tuple[int, int]:
        """How many runs of the ranking are better than a figure, at least and at most.

        Runs that are not known may stand anywhere, but for what the known ranks say: rank r says that r - 1 runs
        are better than that one.
        """
        if figure == 1:
            return 0, 0

        def known(low: Decimal, high: Decimal) -> int:
            return sum(low < run.value <= high for run in self.runs)

        fewest = sum(run.value > figure for run in self.runs)
        most = self.size - sum(run.value <= figure for run in self.runs)
        for run in self.runs:
            if run.rank is not None and run.value >= figure:
                fewest = max(fewest, run.rank - 1 + known(figure, run.value))
            if run.rank is not None and run.value <= figure:
                most = min(most, run.rank - 1 - known(run.value, figure))
        return fewest, most


@dataclass(frozen=True, eq=False)
class Place:
    """Where a figure would have stood on a leaderboard. ``str`` gives the sentence, ``note`` what belongs beside it.

    ``value`` is the figure at the leaderboard's precision. ``rank`` follows competition ranking: one more than the
    number of better runs. Where runs of the leaderboard are not known it is the best rank that is possible, and
    ``worst`` the worst one. ``ties`` are the runs with the same figure, ``above`` and ``below`` the nearest
    known ones with another, all that have it; empty where there is none.
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
        """How many runs the formal ranking has, this one not counted."""
        return self.leaderboard.size

    @property
    def note(self) -> str:
        """Measure, completeness, confidence and caveat of the leaderboard."""
        return self.leaderboard.note

    @property
    def words(self) -> str:
        """The place as a sentence."""
        return f"{self.value} would have ranked {', '.join(filter(None, (self._rank, self._ties, self._neighbours)))}"

    def __str__(self) -> str:
        return self.words

    @property
    def _rank(self) -> str:
        best, worst = (
            f"{_ordinal(rank)} of {self.of}" if rank <= self.of else f"below all {self.of}"
            for rank in (self.rank, self.worst)
        )
        if best == worst:
            return best
        return f"{best} at best and {worst} at worst ({len(self.leaderboard.runs)} of {self.of} runs are known)"

    @property
    def _ties(self) -> str:
        return f"tied with {_named(self.ties)}" if self.ties else ""

    @property
    def _neighbours(self) -> str:
        if self.above and self.below:
            return f"between {_named(self.above)} and {_named(self.below)}"
        if self.above:
            return f"after {_named(self.above)}"
        return f"before {_named(self.below)}" if self.below else ""


def _ordinal(number: int) -> str:
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _named(runs: tuple[OfficialRun, ...]) -> str:
    """Runs that have one figure, with that figure."""
    names = [run.name for run in runs if run.name][:_NAMED]
    others = len(runs) - len(names)
    if not names:
        words = f"{others} runs that are not named" if others > 1 else "a run that is not named"
    else:
        words = ", ".join(names) + (f" and {others} more" if others else "")
    return f"{words} ({runs[0].value})"


def _table(name: str) -> list[dict[str, str]]:
    text = (resources.files("ir_coliee") / "etc" / "leaderboards" / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@functools.cache
def leaderboards() -> Mapping[tuple[str, str], Leaderboard]:
    """All leaderboards by edition and task, as ``("2023", "task1")``.

    One of them, ``task3-first-release``, has figures that were replaced before the overview was printed.
    """
    found = {}
    for entry in _table("index"):
        edition, task = entry["edition"], entry["task"]
        found[edition, task] = Leaderboard(
            edition=edition,
            task=task,
            rows=tuple(MappingProxyType(row) for row in _table(f"{edition}-{task}")),
            measure=entry["measure"],
            figure=entry["figure"],
            digits=int(entry["digits"]),
            official_runs=int(entry["official_runs"]),
            complete=entry["complete"] == "yes",
            unlisted=entry["unlisted"],
            confidence=entry["confidence"],
            gold_total=int(entry["gold_total"]) if entry["gold_total"] else None,
            queries=int(entry["queries"]),
            source=entry["source"],
            caveat=entry["caveat"],
        )
    return MappingProxyType(found)


def official_leaderboard(edition: int | str, task: str) -> Leaderboard:
    """The leaderboard of a task (``task1`` to ``task4``) in an edition. Raises `ColieeError` where there is none.

    >>> found = official_leaderboard(2023, "task1")
    >>> found.measure, found.official_runs, found.complete, found.gold_total
    ('micro F1', 22, True, 859)
    """
    found = leaderboards().get((str(edition), task))
    if found is None:
        known = ", ".join(" ".join(key) for key in leaderboards())
        raise ColieeError(f"There is no leaderboard {shown(f'{edition} {task}')}. Known leaderboards: {known}.")
    return found


def leaderboard(edition: int | str, task: str) -> pd.DataFrame:
    """The official results of a task (``task1`` to ``task4``) in an edition, as a frame, in the table's order.

    The columns are rank, team, run, the figures in [0, 1], what else was printed, and note. ``returned`` counts
    the articles that a run gave, ``tp`` the correct ones. What is not known is NA, NaN or an empty string. What
    belongs beside them, source and caveat, `official_leaderboard` has. Raises `ColieeError` where there is no such leaderboard.

    >>> leaderboard(2023, "task1")[["rank", "team", "run", "f1"]].head(2).values.tolist()
    [[1, 'THUIR', 'thuirrun2', 0.3001], [2, 'THUIR', 'thuirrun3', 0.2907]]
    """
    return official_leaderboard(edition, task).frame()


def place(edition: int | str, task: str, value: float) -> Place:
    """Where a figure in [0, 1] of the official measure would have stood among the formal runs of an edition.

    It is rounded half up to the leaderboard's precision first; runs with an equal figure share the rank. Raises
    `ColieeError` where there is no such leaderboard or the value is no such figure.

    >>> print(place(2023, "task1", 0.29))
    0.2900 would have ranked 3rd of 22, between THUIR thuirrun3 (0.2907) and IITDLI iitdli_task1_run3 (0.2874)
    >>> print(place(2025, "task2", 0.24))
    0.2400 would have ranked 6th of 18 at best and 15th of 18 at worst (9 of 18 runs are known), tied with \
JNLP JNLP_003 (0.2400), between JNLP JNLP_002 (0.2412) and AIIRLab AIIRLab_cross (0.2368)
    """
    return official_leaderboard(edition, task).place(value)
