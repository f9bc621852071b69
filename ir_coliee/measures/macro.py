"""Macro-averaged precision, recall and F: a value for each query, then the mean over all queries.

The official measure of task 3 is `MacroF2`, the mean of the queries' F2, which is not the F2 of mean
precision and mean recall. Every query of the qrels is in the denominator, an unanswered one with 0; without any query
the mean is 0, as that of the micro measures.
Source: COLIEE evaluation page 2025, section on statute law.
"""

from __future__ import annotations

from ir_measures.measures.base import ParamInfo

from ir_coliee.measures.base import BETA, CUTOFF, REL, ColieeMeasure
from ir_coliee.measures.counts import Counts

EMPTY = ParamInfo(
    dtype=int, choices=(0, 1), default=0, desc="0 or 1, the value where nothing is to be found or returned"
)


class _MacroP(ColieeMeasure):
    """Mean over queries of tp / returned; 0 for an unanswered query."""

    __name__ = NAME = "MacroP"
    PRETTY_NAME = "Macro-averaged Precision"
    SHORT_DESC = "Mean over queries of the share of returned items that is relevant."

    def value(self, counts: Counts) -> float:
        return counts.precision()


class _MacroR(ColieeMeasure):
    """Mean over queries of tp / relevant; 0 for a query without a relevant item."""

    __name__ = NAME = "MacroR"
    PRETTY_NAME = "Macro-averaged Recall"
    SHORT_DESC = "Mean over queries of the share of relevant items that is returned."

    def value(self, counts: Counts) -> float:
        return counts.recall()


class _MacroF2(ColieeMeasure):
    """Mean over queries of 5 tp / (4 relevant + returned); the official measure of task 3 until 2025.

    >>> import ir_measures
    >>> qrels = {"R99-01-A": {"12": 1}, "R99-01-I": {"15": 1, "16": 1}}
    >>> run = {"R99-01-A": {"12": 1.0}, "R99-01-I": {"15": 1.0}}
    >>> round(ir_measures.calc_aggregate([MacroF2], qrels, run)[MacroF2], 4)  # mean of 1 and 5/9
    0.7778
    """

    __name__ = NAME = "MacroF2"
    PRETTY_NAME = "Macro-averaged F2"
    SHORT_DESC = "Mean over queries of F2, which values recall twice as much as precision."

    def value(self, counts: Counts) -> float:
        return counts.f(2.0)


class _MacroF(ColieeMeasure):
    """Mean over queries of (1 + beta²) tp / (beta² relevant + returned).

    With beta 1 it is the pilot's measure of rationale extraction. Where a query has nothing to find
    and nothing is returned, the ratio is 0/0 and counts as ``empty``, 0 or 1: the organisers do not
    say which.

    >>> import ir_measures
    >>> qrels = {"900001": {"900001_p0": 0}}  # a claim, not accepted
    >>> run = {"900002": {"900002_p0": 1.0}}
    >>> [ir_measures.calc_aggregate([m], qrels, run)[m] for m in (MacroF(empty=0), MacroF(empty=1))]
    [0.0, 1.0]
    """

    __name__ = NAME = "MacroF"
    PRETTY_NAME = "Macro-averaged F"
    SHORT_DESC = "Mean over queries of the weighted harmonic mean of precision and recall."
    SUPPORTED_PARAMS = {"rel": REL, "cutoff": CUTOFF, "beta": BETA, "empty": EMPTY}

    def value(self, counts: Counts) -> float:
        nothing = counts.relevant == counts.returned == 0
        return float(self["empty"]) if nothing else counts.f(self["beta"])


MacroP = _MacroP()
MacroR = _MacroR()
MacroF2 = _MacroF2()
MacroF = _MacroF()
