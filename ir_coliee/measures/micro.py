"""Micro-averaged precision, recall and F: all (query, item) pairs of a run in one pool.

The official measure of tasks 1 and 2 is `MicroF1`. An unanswered query lowers recall, a run without
any hit scores 0. Source: COLIEE evaluation page 2025, "we simply use micro-average (evaluation measure
is calculated using the results of all queries)".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir_measures.measures.base import Agg

from ir_coliee.measures.base import BETA, CUTOFF, REL, ColieeMeasure
from ir_coliee.measures.counts import Counts, PooledValue, Ratio
from ir_coliee.measures.pooled_values import PooledAggregator

if TYPE_CHECKING:
    from ir_coliee.measures.base import Floats, Integers


class _Micro(ColieeMeasure):
    SOURCE = (
        "COLIEE evaluation page 2025: “we simply use micro-average (evaluation measure is calculated using the results "
        "of all queries)”."
    )
    RATIO = Ratio("F")

    @property
    def ratio(self) -> Ratio:
        """Which ratio of the pooled counts it is."""
        return self.RATIO

    def value(self, counts: Counts) -> PooledValue:
        return PooledValue(counts, self.ratio)

    def aggregate(self, tp: Integers, returned: Integers, relevant: Integers) -> float:
        """The ratio of the pooled counts."""
        return float(self.value(Counts(int(tp.sum()), int(returned.sum()), int(relevant.sum()))))

    def terms(self, tp: Integers, returned: Integers, relevant: Integers) -> tuple[Floats, Floats]:
        """The ratio's own numerator and denominator: both are sums over queries."""
        found, listed, wanted = (counts.astype(float) for counts in (tp, returned, relevant))
        name, beta = self.ratio
        if name == "P":
            return found, listed
        if name == "R":
            return found, wanted
        weight = beta * beta
        return (1 + weight) * found, weight * wanted + listed

    def aggregator(self) -> Agg:
        """Pools the counts."""
        return PooledAggregator()


class _MicroP(_Micro):
    """Of all items that a run returns, the share that is relevant; 0 where it returns none.

    >>> import ir_measures
    >>> qrels = {"900001": {"900007": 1}, "900002": {"900008": 1, "900009": 1}}
    >>> run = {"900001": {"900007": 2.0, "900005": 1.0}, "900002": {"900008": 1.0}}
    >>> round(ir_measures.calc_aggregate([MicroP], qrels, run)[MicroP], 4)
    0.6667
    """

    __name__ = NAME = "MicroP"
    PRETTY_NAME = "Micro-averaged Precision"
    SHORT_DESC = "Of all items returned for all queries, the share that is relevant."
    FORMULA = "Σ tp / Σ returned"
    UNDEFINED = "0 where nothing is returned for any query."
    RATIO = Ratio("P")


class _MicroR(_Micro):
    """Of all relevant items, the share that a run returns."""

    __name__ = NAME = "MicroR"
    PRETTY_NAME = "Micro-averaged Recall"
    SHORT_DESC = "Of all relevant items of all queries, the share that is returned."
    FORMULA = "Σ tp / Σ relevant"
    UNDEFINED = "0 where no query has a relevant item."
    SOURCE = (
        f"{_Micro.SOURCE} With a cut-off, the R5, R10 and R30 of task 3: all values of the 2023 table are pooled "
        "(multiples of 1/130, the number of relevant articles), none is a mean over questions."
    )
    RATIO = Ratio("R")


class _MicroF1(_Micro):
    """2 tp / (returned + relevant) over the pooled counts; the official measure of tasks 1 and 2.

    >>> import ir_measures
    >>> qrels = {"900001": {"900007": 1}, "900002": {"900008": 1, "900009": 1}}
    >>> run = {"900001": {"900007": 2.0, "900005": 1.0}, "900002": {"900008": 1.0}}
    >>> round(ir_measures.calc_aggregate([MicroF1], qrels, run)[MicroF1], 4)
    0.6667
    """

    __name__ = NAME = "MicroF1"
    PRETTY_NAME = "Micro-averaged F1"
    SHORT_DESC = "Harmonic mean of micro-averaged precision and recall."
    FORMULA = "2 Σ tp / (Σ returned + Σ relevant)"
    UNDEFINED = "0 where nothing is returned and nothing relevant."
    RATIO = Ratio("F", 1.0)


class _MicroF(_Micro):
    """(1 + beta²) tp / (beta² relevant + returned) over the pooled counts."""

    __name__ = NAME = "MicroF"
    PRETTY_NAME = "Micro-averaged F"
    SHORT_DESC = "Weighted harmonic mean of micro-averaged precision and recall."
    FORMULA = "(1 + beta²) Σ tp / (beta² Σ relevant + Σ returned)"
    UNDEFINED = "0 where nothing is returned and nothing relevant."
    SUPPORTED_PARAMS = {"rel": REL, "cutoff": CUTOFF, "beta": BETA}

    @property
    def ratio(self) -> Ratio:
        """F with the beta of the parameters."""
        return Ratio("F", self["beta"])


MicroP = _MicroP()
MicroR = _MicroR()
MicroF1 = _MicroF1()
MicroF = _MicroF()
