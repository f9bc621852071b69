"""The place of a run on the leaderboard of a past edition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from ir_coliee.display import Block, displayed
from ir_coliee.evaluation.leaderboards import Leaderboard, OfficialRun, official_leaderboard, round_half_up

_RUNS_NAMED = 3  # the number of runs with the same figure that are named in a sentence


@displayed
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
        place = ", ".join(filter(None, (self._rank, self._ties, self._neighbours)))
        return "; ".join(filter(None, (f"{self.value} would have ranked {place}", self._certainty)))

    def display(self) -> Iterator[Block]:
        """Return the sentence, as `ir_coliee.display` shows it."""
        yield self.sentence

    def __repr__(self) -> str:
        return f"<Place: {self}>"

    @property
    def _rank(self) -> str:
        best, worst = (
            f"{_ordinal(rank)} of {self.of}" if rank <= self.of else f"below all {self.of}"
            for rank in (self.rank, self.worst)
        )
        if best == worst:
            return best
        return f"{best} at best and {worst} at worst ({self._known})"

    @property
    def _known(self) -> str:
        return f"{len(self.leaderboard.runs)} of {self.of} runs are known"

    @property
    def _certainty(self) -> str:
        """What settles the place, if only a part of the runs is known."""
        if self.rank != self.worst or len(self.leaderboard.runs) == self.of:
            return ""
        if self.rank > 1 or self.leaderboard.top is None:
            return self._known
        if self.leaderboard.reported_top is None:
            return f"{self._known}, the winner among them"
        return f"{self._known}, and no source gives a figure above {self.leaderboard.top}"

    @property
    def _ties(self) -> str:
        return f"tied with {_names(self.ties)}" if self.ties else ""

    @property
    def _neighbours(self) -> str:
        above = _names(self.above) if self.above else self._reported_top
        if above and self.below:
            return f"between {above} and {_names(self.below)}"
        if above:
            return f"after {above}"
        return f"before {_names(self.below)}" if self.below else ""

    @property
    def _reported_top(self) -> str:
        """The figure that another source gives for the winner, if it is above this one."""
        top = self.leaderboard.top
        return "" if self.rank == 1 or top is None else f"the best reported figure ({top})"


def _ordinal(number: int) -> str:
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _names(runs: tuple[OfficialRun, ...]) -> str:
    """Return the names of runs with the same figure, followed by the figure."""
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


def place(edition: int | str, task: str, value: float) -> Place:
    """Return the place that a figure would have had among the formal runs of an edition.

    Parameters
    ----------
    edition : int or str
        The year, for example 2023.
    task : str
        ``task1`` to ``task4``.
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
    >>> print(place(2023, "task1", 0.29))
    0.2900 would have ranked 3rd of 22, between THUIR thuirrun3 (0.2907) and IITDLI iitdli_task1_run3 (0.2874)
    >>> print(place(2025, "task2", 0.24))
    0.2400 would have ranked 6th of 18 at best and 15th of 18 at worst (9 of 18 runs are known), tied with \
JNLP JNLP_003 (0.2400), between JNLP JNLP_002 (0.2412) and AIIRLab AIIRLab_cross (0.2368)
    """
    return place_on(official_leaderboard(edition, task), value)
