"""How long the recipes take, and how much memory, measured on synthetic releases.

The figures are of the whole command ``ir_coliee baseline`` for a test split, on a machine with two cores. On other
machines they are estimates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from ir_coliee.editions import Split
from ir_coliee.engine.parallel import available_cores
from ir_coliee.releases.release import LocalRelease

_CORES = 2  # of the machine that the figures were measured on


class Cost(NamedTuple):
    """The cost of a recipe.

    Attributes
    ----------
    seconds : float
        Seconds for 1,000 items of the test and the train split, if nothing is kept.
    kept_seconds : float
        The same, if the features of the train queries are kept from an earlier run.
    gigabytes : float
        Gigabytes of memory for 1,000 items.
    fit_seconds : float
        Seconds for 1,000 items to fit the models of all held-out blocks once more, as an ablation does.
    families : int
        The number of families of features, each of which an ablation leaves out.
    start_seconds, start_kept_seconds, start_fit_seconds, start_gigabytes : float
        What a release of few items takes.
    """

    seconds: float
    kept_seconds: float
    gigabytes: float
    fit_seconds: float = 0.0
    families: int = 0
    start_seconds: float = 2.0
    start_kept_seconds: float = 1.0
    start_fit_seconds: float = 0.5
    start_gigabytes: float = 0.4


class RecipeCosts(NamedTuple):
    """The recipes of a task and their costs.

    Attributes
    ----------
    of_recipe : mapping of str to Cost
        The cost of each recipe, by name, the richest recipe first.
    unit : {"documents", "queries"}
        The items that decide the costs.
    on_request : tuple of str
        Recipes that are used only if they are named: not every edition allows them, or they compare the others.
    """

    of_recipe: Mapping[str, Cost]
    unit: Literal["documents", "queries"]
    on_request: tuple[str, ...] = ()

    def estimate(self, recipe: str, splits: Iterable[Split], *, is_kept: bool = False) -> Estimate:
        """Estimate what a recipe takes.

        Parameters
        ----------
        recipe : str
            The name of the recipe.
        splits : iterable of Split
            The split to answer, and those with the train queries.
        is_kept : bool
            Whether the features of the train queries are kept from an earlier run.

        Returns
        -------
        Estimate
            The estimate. A machine with one core takes twice as long as one with two; more cores are not counted on.
        """
        cost = self.of_recipe[recipe]
        items = sum(
            len(getattr(LocalRelease.open(split), self.unit)())
            for split in {split.id: split for split in splits}.values()
        )
        slower, thousands = max(1.0, _CORES / available_cores()), items / 1000
        start, further = (cost.start_kept_seconds, cost.kept_seconds) if is_kept else (cost.start_seconds, cost.seconds)
        seconds = slower * (start + further * thousands)
        fits = slower * cost.families * (cost.start_fit_seconds + cost.fit_seconds * thousands)
        gigabytes = cost.start_gigabytes + cost.gigabytes * thousands
        return Estimate(recipe, seconds, gigabytes, f"{items:,} {self.unit}", is_kept, seconds + fits, cost.families)


class Estimate(NamedTuple):
    """What a baseline will take.

    Attributes
    ----------
    recipe : str
        The name of the recipe.
    seconds : float
        The seconds on this machine.
    gigabytes : float
        The gigabytes of memory.
    size : str
        What the estimate is for, such as ``9,509 documents``.
    is_kept : bool
        Whether features are kept from an earlier run.
    ablation_seconds : float
        The seconds of an ablation: those of the recipe, and of a further fit without each family of features.
    families : int
        The number of these families.
    """

    recipe: str
    seconds: float
    gigabytes: float
    size: str
    is_kept: bool
    ablation_seconds: float
    families: int

    @property
    def of_ablation(self) -> str:
        """What the recipe and its ablation will take, as `str` tells it of the recipe."""
        fits = f"with the fits without each of {self.families} families"
        return f"{self}; {fits}: about {_rounded(self.ablation_seconds)} s in all" if self.families else str(self)

    def __str__(self) -> str:
        cores = available_cores()
        machine = "one core" if cores == 1 else f"{cores} cores"
        kept = ", features kept from an earlier run" if self.is_kept else ""
        takes = f"about {_rounded(self.seconds)} s and {math.ceil(self.gigabytes)} GB"
        return f"recipe {self.recipe}: {takes} on this machine's {machine} ({self.size}{kept})"


#: The recipes of each task. From processor seconds at 10 to 50 % of the true size, November 2026, x86-64, shared evenly
#: by two cores as far as the stages use both; ``benchmarks/baseline_costs.py`` prints the rows.
COSTS = {
    "task1": RecipeCosts(
        {
            "compact": Cost(14.0, 2.0, 0.2, 1.5, 10),
            "lean": Cost(8.0, 2.0, 0.2, 1.1, 9),
            "best": Cost(21.0, 4.0, 0.25, 1.5, 10),
        },
        "documents",
        ("best",),
    ),
    "task2": RecipeCosts({"standard": Cost(2.5, 0.5, 0.08, 0.4, 5)}, "documents"),
    "task3": RecipeCosts(
        {"standard": Cost(28.0, 3.0, 1.1, 3.0, 10), "both-languages": Cost(56.0, 6.0, 2.2)},
        "queries",
        ("both-languages",),
    ),
    "task4": RecipeCosts({"alignment": Cost(4.0, 0.5, 0.2, 2.1, 10)}, "queries"),
}


def _rounded(seconds: float) -> str:
    """Return seconds with at most two digits that are not 0.

    >>> _rounded(7.3), _rounded(83), _rounded(1234)
    ('8', '83', '1,300')
    """
    unit = 10 ** max(0, math.floor(math.log10(max(seconds, 1))) - 1)
    return f"{math.ceil(seconds / unit) * unit:,}"
