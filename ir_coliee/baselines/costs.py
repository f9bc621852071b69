"""How long the recipes take, and how much memory: measured on synthetic releases of true size.

The figures are of the whole command ``ir_coliee baseline`` for a test split, on a machine with two cores. On other
machines they are estimates.
"""

from __future__ import annotations

import math
import os
from typing import NamedTuple

from ir_coliee.editions import Split
from ir_coliee.releases.local_release import LocalRelease

#: When the figures were measured, and on which machine.
MEASURED = "November 2026, two cores of an x86-64 server"
_CORES = 2


class Cost(NamedTuple):
    """The cost of a recipe.

    Attributes
    ----------
    seconds : float
        Seconds for 1,000 documents of the test and the train split, if nothing is kept.
    kept_seconds : float
        The same, if the features of the train queries are kept from an earlier run.
    gigabytes : float
        Gigabytes of memory for 1,000 documents, at most.
    start_seconds, start_gigabytes : float
        What a release of few documents takes.
    """

    seconds: float
    kept_seconds: float
    gigabytes: float
    start_seconds: float = 5.0
    start_gigabytes: float = 0.4


class Estimate(NamedTuple):
    """What a baseline will take.

    Attributes
    ----------
    seconds : float
        The seconds on this machine.
    gigabytes : float
        The gigabytes of memory.
    documents : int
        The number of documents that the estimate is for.
    is_kept : bool
        Whether features are kept from an earlier run.
    """

    seconds: float
    gigabytes: float
    documents: int
    is_kept: bool

    def __str__(self) -> str:
        cores = os.cpu_count() or 1
        machine = "this machine's core" if cores == 1 else f"this machine's {cores} cores"
        kept = ", with features that are kept from an earlier run" if self.is_kept else ""
        size = f"{_rounded(self.seconds)} s and {math.ceil(self.gigabytes)} GB"
        return f"about {size} on {machine}, for {self.documents:,} documents{kept}"


#: The cost of each recipe, by task.
COSTS: dict[str, dict[str, Cost]] = {}


def estimate(cost: Cost, *splits: Split, is_kept: bool = False) -> Estimate:
    """Estimate what a recipe takes on some splits.

    Parameters
    ----------
    cost : Cost
        The cost of the recipe.
    *splits : Split
        The split to answer, and the train split.
    is_kept : bool
        Whether the features of the train queries are kept from an earlier run.

    Returns
    -------
    Estimate
        The estimate. A machine with one core takes twice as long as one with two; more cores are not counted on.
    """
    documents = sum(len(LocalRelease.open(split).documents()) for split in dict.fromkeys(splits))
    per_thousand = cost.kept_seconds if is_kept else cost.seconds
    slower = max(1.0, _CORES / (os.cpu_count() or 1))
    seconds = (cost.start_seconds + per_thousand * documents / 1000) * slower
    return Estimate(seconds, cost.start_gigabytes + cost.gigabytes * documents / 1000, documents, is_kept)


def _rounded(seconds: float) -> str:
    """Return seconds with at most two digits that are not 0.

    >>> _rounded(7.3), _rounded(83), _rounded(1234)
    ('8', '83', '1,300')
    """
    unit = 10 ** max(0, math.floor(math.log10(max(seconds, 1))) - 1)
    return f"{math.ceil(seconds / unit) * unit:,}"
