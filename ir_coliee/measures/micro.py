"""Micro-averaged precision, recall and F: all (query, item) pairs of a run in one pool.

The official measure of tasks 1 and 2 is `MicroF1`. An unanswered query lowers recall. A run without true positives has
the value 0. Source: COLIEE evaluation page 2025, "we simply use micro-average (evaluation measure
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
        """The ratio that the measure computes from the pooled counts."""
        return self.RATIO

    def value(self, counts: Counts) -> PooledValue:
        return PooledValue(counts, self.ratio)

    def aggregate(self, tp: Integers, returned: Integers, relevant: Integers) -> float:
        """Return the ratio of the pooled counts."""
        return float(self.value(Counts(int(tp.sum()), int(returned.sum()), int(relevant.sum()))))

    def terms(self, tp: Integers, returned: Integers, relevant: Integers) -> tuple[Floats, Floats]:
        """Return the numerator and denominator of the ratio for each query."""
        hits, num_returned, num_relevant = (counts.astype(float) for counts in (tp, returned, relevant))
        name, beta = self.ratio
        if name == "P":
            return hits, num_returned
        if name == "R":
            return hits, num_relevant
        weight = beta * beta
        return (1 + weight) * hits, weight * num_relevant + num_returned

    def aggregator(self) -> Agg:
        """Return an aggregator that pools the counts."""
        return PooledAggregator()


class _MicroP(_Micro):
    """Share of all returned items that are relevant; 0 if nothing is returned.

    >>> import ir_measures
    >>> qrels = {"900001": {"900007": 1}, "900002": {"900008": 1, "900009": 1}}
    >>> run = {"900001": {"900007": 2.0, "900005": 1.0}, "900002": {"900008": 1.0}}
    >>> round(ir_measures.calc_aggregate([MicroP], qrels, run)[MicroP], 4)
    0.6667
    """

    __name__ = NAME = "MicroP"
    PRETTY_NAME = "Micro-averaged Precision"
    SHORT_DESC = "Share of the items returned for all queries that are relevant."
    FORMULA = "Σ tp / Σ returned"
    UNDEFINED = "0 if nothing is returned for any query."
    RATIO = Ratio("P")


class _MicroR(_Micro):
    """Share of all relevant items that are returned; 0 if nothing is relevant."""

    __name__ = NAME = "MicroR"
    PRETTY_NAME = "Micro-averaged Recall"
    SHORT_DESC = "Share of the relevant items of all queries that are returned."
    FORMULA = "Σ tp / Σ relevant"
    UNDEFINED = "0 if no query has a relevant item."
    SOURCE = (
        f"{_Micro.SOURCE} With a cut-off, it is R5, R10 and R30 of task 3. The values of the 2023 table are pooled, "
        "not means over questions: all are multiples of 1/130, and there are 130 relevant articles."
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
    UNDEFINED = "0 if there are neither returned nor relevant items."
    RATIO = Ratio("F", 1.0)


class _MicroF(_Micro):
    """(1 + beta²) tp / (beta² relevant + returned) over the pooled counts."""

    __name__ = NAME = "MicroF"
    PRETTY_NAME = "Micro-averaged F"
    SHORT_DESC = "Weighted harmonic mean of micro-averaged precision and recall."
    FORMULA = "(1 + beta²) Σ tp / (beta² Σ relevant + Σ returned)"
    UNDEFINED = "0 if there are neither returned nor relevant items."
    SUPPORTED_PARAMS = {"rel": REL, "cutoff": CUTOFF, "beta": BETA}

    @property
    def ratio(self) -> Ratio:
        """F with the parameter ``beta``."""
        return Ratio("F", self["beta"])


MicroP = _MicroP()
MicroR = _MicroR()
MicroF1 = _MicroF1()
MicroF = _MicroF()
